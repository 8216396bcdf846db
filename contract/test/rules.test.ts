import { createRequire } from 'node:module'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  checkDocumentNo,
  checkMobile,
  hasForbidden,
  idNoAgainst,
  idNoCheckDigit,
  idNoFacts,
  idNoRegion,
  isMasked,
  maskOf,
  nationalCodeAgainst,
  normalizeText,
  rules,
  stripPhone,
  tidyFreeText,
  tidyText,
} from '../src/rules.ts'

const oracle = createRequire(import.meta.url)('idcard') as { verify(idNo: string): boolean }

const example = '11010519491231002X'
const zh = (name: keyof typeof rules, value: string) => rules[name].check(value)?.zh ?? null

describe('identity number', () => {
  it('takes the example of GB 11643', () => {
    expect(zh('idNo', example)).toBeNull()
    expect(idNoFacts(example)).toEqual({ birthDate: '1949-12-31', sex: '2' })
  })

  it('catches every single wrong digit of the example', () => {
    const wrong = Array.from({ length: 17 }, (_, at) =>
      [...'0123456789']
        .filter((digit) => digit !== example[at])
        .map((digit) => example.slice(0, at) + digit + example.slice(at + 1)),
    ).flat()
    expect(wrong).toHaveLength(153)
    expect(wrong.filter((idNo) => rules.idNo.check(idNo) === null)).toEqual([])
  })

  it.each([
    ['11010519491231002', '身份证号应为18位'],
    ['1101051949123100ZX', '身份证号前17位应为数字，最后一位为数字或X'],
    ['11010519491231002x', '身份证号前17位应为数字，最后一位为数字或X'],
    ['110105194912310021', '身份证号校验位不正确'],
    [withCheck('11010520230230001'), '身份证号中的出生日期不存在'],
    [withCheck('11010529991231001'), '身份证号中的出生日期不存在'],
    [withCheck('99010519491231001'), '身份证号中的地区不存在'],
    [withCheck('17010519491231001'), '身份证号中的地区不存在'],
  ])('refuses %s: %s', (idNo, reason) => {
    expect(zh('idNo', idNo)).toBe(reason)
  })

  it.each([
    ['an abolished region', '11010319850601001'],
    ['a resident from Hong Kong', '81000020100601001'],
    ['a resident from Taiwan', '83000020100601002'],
    ['a foreigner with permanent residence', '91101019800101001'],
  ])('takes %s', (_, first17) => {
    expect(zh('idNo', withCheck(first17))).toBeNull()
  })

  it('says which six digits a region table must know', () => {
    expect(idNoRegion(example)).toBe('110105')
    expect(idNoRegion(withCheck('83000020100601002'))).toBeNull()
    expect(idNoRegion(withCheck('91101019800101001'))).toBeNull()
  })

  it('agrees with another checker on any number of an existing region', () => {
    let right = 0
    const region = fc.constantFrom('110105', '310101', '440106', '510104', '330106', '420106')
    const day = fc.date({ min: new Date('1930-01-01'), max: new Date('2020-12-31'), noInvalidDate: true })
    fc.assert(
      fc.property(region, day, fc.nat(999), fc.constantFrom(...'0123456789X', 'right'), (place, born, order, last) => {
        const first17 = place + born.toISOString().slice(0, 10).replaceAll('-', '') + String(order).padStart(3, '0')
        const idNo = last === 'right' ? withCheck(first17) : first17 + last
        const good = rules.idNo.check(idNo) === null
        if (good) right += 1
        expect(good).toBe(oracle.verify(idNo))
      }),
      { numRuns: 2000 },
    )
    expect(right).toBeGreaterThan(100)
  })

  it('is compared with the date of birth and the sex of its row', () => {
    expect(idNoAgainst({ idNo: example, birthDate: '1949-12-31', sex: '2' })).toBeNull()
    expect(idNoAgainst({ idNo: example, birthDate: '1949-12-30', sex: '2' })?.zh).toBe('身份证号与出生日期不一致')
    expect(idNoAgainst({ idNo: example, birthDate: '1949-12-31', sex: '1' })?.zh).toBe('身份证号与性别不一致')
    expect(idNoAgainst({ idNo: example, birthDate: null, sex: '9' })).toBeNull()
    expect(idNoAgainst({ idNo: null, birthDate: '1949-12-31', sex: '1' })).toBeNull()
  })

  it('is judged by the kind of document', () => {
    expect(checkDocumentNo('1', 'E12345678')).not.toBeNull()
    expect(checkDocumentNo('A', 'E12345678')).toBeNull()
    expect(checkDocumentNo('6', 'H1234567(8)')).toBeNull()
    expect(checkDocumentNo('A', '护照一号')).not.toBeNull()
  })
})

describe('telephone numbers', () => {
  it('R-AUTH-11 a mobile number is answered in the words of the specification', () => {
    expect(checkMobile('', true)?.zh).toBe('手机号码不能为空')
    expect(checkMobile('', false)).toBeNull()
    expect(checkMobile('1381234567', true)?.zh).toBe('手机号码长度不为11位')
    expect(checkMobile('138123456789', true)?.zh).toBe('手机号码长度不为11位')
    expect(checkMobile('12812345678', true)?.zh).toBe('手机号码格式不正确')
    expect(checkMobile('1381234567a', true)?.zh).toBe('手机号码格式不正确')
    expect(checkMobile('13812345678', true)).toBeNull()
    expect(checkMobile('19912345678', true)).toBeNull()
  })

  it.each(['13812345678', '010-62345678', '02062345678', '0755-8234567', '62345678', '010-62345678-801'])(
    'takes the phone %s',
    (phone) => expect(zh('phone', phone)).toBeNull(),
  )

  it.each(['12345', '1381234567', '010--62345678', '010-623456789', 'abc', '1391234'])(
    'refuses the phone %s',
    (phone) => expect(zh('phone', phone)).toBe('电话号码格式不正确'),
  )

  it.each([
    ['+86 138-1234-5678', '13812345678'],
    ['86 13812345678', '13812345678'],
    ['0086-13812345678', '13812345678'],
    ['138 1234 5678', '13812345678'],
    ['138\u00a01234\u20105678', '13812345678'],
    ['86123456', '86123456'],
  ])('strips %s', (typed, stored) => expect(stripPhone(typed)).toBe(stored))
})

describe('codes of schools, pupils and bodies', () => {
  it.each(['2111000001', '3131004567', '5165000001'])('takes the school code %s', (code) =>
    expect(zh('schoolCode', code)).toBeNull(),
  )

  it.each([
    ['211100000', '学校标识码应为10位数字'],
    ['2011000001', '学校标识码前2位不是学校类别'],
    ['2183000001', '学校标识码第3–4位不是省级代码'],
    ['2199000001', '学校标识码第3–4位不是省级代码'],
  ])('refuses the school code %s', (code, reason) => expect(zh('schoolCode', code)).toBe(reason))

  it('takes the three forms of a national student code', () => {
    expect(zh('nationalCode', `G${example}`)).toBeNull()
    expect(zh('nationalCode', 'J110105201509010011')).toBeNull()
    expect(zh('nationalCode', 'L110105201509011234')).toBeNull()
  })

  it.each([
    ['G110105194912310021', '身份证号校验位不正确'],
    ['J110105201513010011', '学籍号中的出生日期不存在'],
    ['L190105201509011234', '学籍号中的地区不存在'],
    [example, '全国学籍号应为G、J或L加18位证件号'],
    [`X${example}`, '全国学籍号应为G、J或L加18位证件号'],
  ])('refuses the national student code %s', (code, reason) => expect(zh('nationalCode', code)).toBe(reason))

  it('compares a G code with the identity number of its row', () => {
    expect(nationalCodeAgainst({ nationalCode: `G${example}`, idNo: example })).toBeNull()
    const other = withCheck('11010520150901001')
    expect(nationalCodeAgainst({ nationalCode: `G${example}`, idNo: other })?.zh).toBe('学籍号与身份证号不一致')
    expect(nationalCodeAgainst({ nationalCode: 'L110105201509011234', idNo: other })).toBeNull()
  })

  it('judges the unified social credit code by its last sign, over base 31', () => {
    const right = '91350100M000100Y43' // the example of GB 32100-2015
    expect(zh('uscc', right)).toBeNull()
    const others = [...'0123456789ABCDEFGHJKLMNPQRTUWXY'].filter((sign) => sign !== '3')
    expect(others.filter((sign) => zh('uscc', right.slice(0, 17) + sign) === null)).toEqual([])
    expect(zh('uscc', '91350100M000100I43')).toContain('应为18位')
  })
})

describe('plain texts', () => {
  it.each([
    ['code', ['A-1_b', 'x'.repeat(32)], ['a b', '编号', 'x'.repeat(33)]],
    [
      'personName',
      ['王伟', '欧阳娜娜', '阿卜杜拉·买买提', "Jean-Luc O'Brien", '𠮷野'],
      ['王', '王<b>', '王\n伟', '123', 'x'.repeat(51)],
    ],
    [
      'email',
      ['a@b.cn', 'a.b+c@d-e.com.cn', 'x@例子.中国'],
      ['a@b', '@b.cn', 'a@@b.cn', 'a b@c.cn', 'a@b..cn', '.a@b.cn'],
    ],
    [
      'url',
      ['https://a.cn/x?y=1', 'http://localhost:8000'],
      ['javascript:alert(1)', 'a.cn', 'https://', 'https://a b.cn', 'https://u:p@a.cn'],
    ],
    ['color', ['#fff', '#1677FF'], ['fff', '#ffff', '#gggggg']],
    ['postcode', ['100020'], ['10002', '10002a']],
    ['account', ['admin', '13812345678', 'li.lei@a.cn'], ['a', '-admin', 'ad min', '管理员', 'x'.repeat(46)]],
  ] as const)('%s takes the right and refuses the wrong', (name, good, bad) => {
    expect(good.filter((value) => rules[name].check(value) !== null)).toEqual([])
    expect(bad.filter((value) => rules[name].check(value) === null)).toEqual([])
  })

  it('leaves an empty value to `required`', () => {
    for (const rule of Object.values(rules)) expect(rule.check('')).toBeNull()
  })

  it('R-BAR-4 answers every refusal in both languages', () => {
    for (const [name, rule] of Object.entries(rules)) {
      const words = rule.check('\u0001?')
      expect(words, name).not.toBeNull()
      expect(words?.zh).toMatch(/\p{Script=Han}/u)
      expect(words?.en).toMatch(/^[ -~–]+$/)
    }
  })

  it('brings what looks alike to one form and knows what cannot be stored', () => {
    expect(normalizeText(' Ａ１２３ ')).toBe('A123')
    expect(hasForbidden('a\0b')).toBe(true)
    expect(hasForbidden('a\ud800b')).toBe(true)
    expect(hasForbidden('𠮷')).toBe(false)
  })

  it('tidies what people type before it is judged', () => {
    expect(tidyText('idNo', ' 110105 19491231 002x ')).toBe(example)
    expect(tidyText('nationalCode', `g${example.toLowerCase()}`)).toBe(`G${example}`)
    expect(tidyText('mobile', '+86 138 1234 5678')).toBe('13812345678')
    expect(tidyText('phone', '+86 138 1234 5678')).toBe('13812345678')
    expect(tidyText('phone', ' 010-6234 5678-801 ')).toBe('010-62345678-801')
    expect(tidyText(undefined, ' 王 伟 ')).toBe('王 伟')
  })

  it('R-LIST-1 leaves out what nobody sees and nobody typed, as it comes along from a chat or a telephone', () => {
    expect(tidyText('personName', '\u2066张\u200b三\u2069\ufeff')).toBe('张三')
    expect(tidyText('mobile', '\u202d138 1234 5678\u202c')).toBe('13812345678')
    expect(tidyText('phone', '\u202d+86 138\u20601234\u200e5678\u202c')).toBe('13812345678')
    expect(tidyText('idNo', `${example.slice(0, 6)}\u200b${example.slice(6)}`)).toBe(example)
    expect(tidyText('email', 'a@b.cn\u200b')).toBe('a@b.cn')
    expect(tidyFreeText(' 请于9:00前到校，谢谢！\u200b ')).toBe('请于9:00前到校，谢谢！')
    expect(tidyFreeText('\u200b\u200d')).toBe('')
    // What joins the parts of a picture or of a letter belongs to it.
    const family = '👨\u200d👩\u200d👧'
    expect(tidyFreeText(`${family}\u200d，好`)).toBe(`${family}，好`)
    expect(tidyFreeText('𠮷㐂\u{e0100}')).toBe('𠮷㐂\u{e0100}')
    expect(tidyFreeText('ئۇيغۇر\u200cچە')).toBe('ئۇيغۇر\u200cچە')
  })

  it('R-IMP-1 writes a name without the blanks that pad it, with one kind of dot', () => {
    expect(tidyText('personName', '张　三')).toBe('张三')
    expect(tidyText('personName', '欧阳  娜娜')).toBe('欧阳娜娜')
    expect(tidyText('personName', '买买提•艾力')).toBe('买买提·艾力')
    expect(tidyText('personName', '阿卜杜拉.买买提')).toBe('阿卜杜拉·买买提')
    expect(tidyText('personName', "Jean-Luc   O'Brien Jr.")).toBe("Jean-Luc O'Brien Jr.")
  })
})

describe('masks', () => {
  it.each([
    ['13812344130', '*********30'],
    ['010-62345678', '**********78'],
    [example, '****************2X'],
    [`G${example}`, '*****************2X'],
    ['E12345678', '*******78'],
    ['A12345', '****45'],
    ['A1234', '*****'],
    ['a', '*'],
    ['', ''],
  ] as const)('%s is shown as %s', (value, shown) => expect(maskOf(value)).toBe(shown))

  it('show no more than the last two of any value, and are known as masks', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 40, unit: fc.constantFrom(...'0123456789Xab王') }), (value) => {
        const shown = [...maskOf(value)]
        expect(isMasked(shown.join(''))).toBe(true)
        expect(shown).toHaveLength([...value].length)
        expect(shown.slice(0, Math.max(1, shown.length - 2)).every((sign) => sign === '*')).toBe(true)
      }),
    )
    expect(isMasked('13812344130')).toBe(false)
  })
})

function withCheck(first17: string): string {
  return first17 + idNoCheckDigit(first17)
}
