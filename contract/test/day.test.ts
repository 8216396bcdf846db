import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type DayOptions, dayBeyond, firstBirth, readDay, readInstant, readSpan } from '../src/rules/day.ts'

/** Days, times and moments that people write: what is read, and above all what is not. */

const today = '2026-11-22'
const typed: DayOptions = { today }

const day = (text: string, options: DayOptions = typed) => {
  const read = readDay(text, options)
  return 'day' in read ? read.day : null
}
const why = (text: string, options: DayOptions = typed) => {
  const read = readDay(text, options)
  return 'day' in read ? read.day : read.fault.zh
}
/** The time of day that a text says behind a day. */
const time = (text: string) => {
  const read = readInstant(`2026-11-22 ${text}`, typed)
  return 'instant' in read ? read.instant.slice(11, 16) : null
}
const instant = (text: string) => {
  const read = readInstant(text, typed)
  return 'instant' in read ? read.instant : null
}

describe('R-LIST-1 a day', () => {
  const accepted: Record<string, readonly string[]> = {
    '2027-08-31': [
      ...['2027-8-31', '2027-08-31', '2027/8/31', '2027/08/31', '2027.8.31', '2027.08.31', '20270831'],
      ...['2027年8月31日', '2027年08月31日', '2027 年 8 月 31 日', '2027年8月31号', '2027年8月31', '2027 8 31'],
      ...['２０２７－８－３１', '２０２７／８／３１', '２０２７．８．３１', '２０２７０８３１', '２０２７年８月３１日'],
      ...['2027。8。31', '2027、8、31', '2027，8，31', '2027—8—31', '2027–8–31', '2027·8·31', '2027\\8\\31'],
      ...[' 2027-8-31 ', '2027 - 8 - 31', '2027-8-31\n', '\u30002027/8/31', '\ufeff2027-8-31', '2027/8-31'],
      ...["'2027-08-31", '2027-08-31 00:00:00', '2027/8/31 0:00', '2027-08-31T00:00:00', '2027-08-30T16:00:00.000Z'],
      ...['二〇二七年八月三十一日', '二零二七年八月三十一日', '2027年8月31日 星期二', '2027-8-31（周二）'],
      ...['2027年8月31日。', '2027-8-31，', '2027.8.31.', '“2027-8-31”', '（2027年8月31日）', '"2027/8/31"'],
      ...['31/8/2027', '8/31/2027', '31.8.2027', 'Aug 31, 2027', '31-Aug-2027', '31 August 2027', 'August 31st, 2027'],
    ],
    '2026-08-31': ['8/31', '08/31', '8-31', '8.31', '8月31日', '8月31', '８／３１', '８月３１日', ' 8 / 31 ', '8。31'],
    '2024-02-29': ['2024-2-29', '2024/2/29', '20240229'],
    '2019-03-03': ['3/3/2019'],
    '2015-09-03': ['Sept 3 2015', 'Sep. 3, 2015', '3 sept 2015', '2015-Sep-03'],
    '2026-10-10': ['十月十日', '2026年十月十日'],
  }
  it('is read in every spelling in use', () => {
    for (const [meant, texts] of Object.entries(accepted))
      for (const text of texts) expect([text, why(text)]).toEqual([text, meant])
  })

  it('that is cut short, asked or half quoted is none', () => {
    for (const text of ['8/31/', '2027-8-31?', '“2027-8-31', '2027-8-31~', '2027-8-31-', '“”', '。'])
      expect([text, day(text)]).toEqual([text, null])
  })

  it('that does not exist is none, and is named', () => {
    for (const text of [
      '2027-2-30',
      '2027-13-1',
      '2027/0/5',
      '2027年2月29日',
      '20270230',
      '2/30',
      '13/5',
      '2026-11-31',
    ])
      expect(why(text)).toBe(`没有“${text}”这一天`)
    expect(why('31/31/2019')).toContain('没有')
  })

  it('is never guessed from a short year or from an order that could be another', () => {
    for (const text of ['19-3-5', '19/3/5', '19.3.5', '190305', '15年3月5日', '3-Sep-15', '00-2-29', '05-06-07'])
      expect([text, why(text)]).toEqual([text, '年份请写四位，如 2019-03-05'])
    expect(why('3/4/2019')).toBe('月和日分不清，请写成 2019-04-03 或 2019-03-04')
    expect(readDay('3/4/2019')).toMatchObject({
      ambiguous: [
        { order: 'dmy', day: '2019-04-03' },
        { order: 'mdy', day: '2019-03-04' },
      ],
    })
  })

  it('R-LIST-1 is the first of a month where the field means a month, and nowhere else', () => {
    const months = [
      '2024-09',
      '2024-9',
      '2024年9月',
      '202409',
      '2024/9',
      '2024.9',
      '9/2024',
      '09.2024',
      '２０２４年９月',
      '二〇二四年九月',
      'Sep 2024',
    ]
    for (const text of months) {
      expect([text, day(text, { ...typed, month: true })]).toEqual([text, '2024-09-01'])
      expect([text, day(text)]).toEqual([text, null])
    }
    expect(day('2024-09-15', { ...typed, month: true })).toBe('2024-09-15')
    for (const text of ['13/2024', '2024-13', '9/24', '2024'])
      expect([text, day(text, { ...typed, month: true })]).toEqual([text, null])
  })

  it('is not found in what only looks like one', () => {
    const texts = [
      ...[
        '',
        '  ',
        '2027',
        '2027-8',
        '2027年8月',
        '8',
        '831',
        '0831',
        '2027083',
        '2027-083-1',
        '202708311',
        '20270832x',
      ],
      ...[
        '2027-8-31-1',
        '2027-8-311',
        '12027-8-31',
        '一二三',
        '8月',
        '31日',
        'abc',
        '2027-Foo-1',
        '2015.3-2015.7',
        '0000-00-00',
      ],
      ...[
        '2027月8年31日',
        '-2027-8-31',
        '2027-8-31 8:05',
        '2027-8-31 25:00',
        '45000',
        '1/2/3/4',
        '2027--8-31',

        '农历八月',
      ],
    ]
    for (const text of texts) expect([text, day(text)]).toEqual([text, null])
    expect(why('2027-8-31 8:05')).toBe('这里只填日期，不带时间')
    expect(why('2027-8-31 星期三')).toBe('日期与星期不符')
    expect(why('hello')).toBe('看不懂这个日期，请写成 2026-09-01、2026/9/1、20260901、2026年9月1日 或 9/1（今年）')
  })

  it('of the month alone is of this year only where today is told', () => {
    expect(day('8/31', {})).toBeNull()
    expect(day('2/29', { today: '2028-01-01' })).toBe('2028-02-29')
    expect(day('2/29', { today: '2027-01-01' })).toBeNull()
  })

  it('in a column is read by what is known of the column', () => {
    const ages = { between: ['2004-01-01', '2021-12-31'] } as const
    expect(why('15.3.25', ages)).toBe('2015-03-25')
    expect(day('3-Sep-15', ages)).toBe('2015-09-03')
    expect(day('15年3月5日', ages)).toBe('2015-03-05')
    expect(readDay('19-3-5', ages)).toMatchObject({
      ambiguous: [
        { order: 'ymd', day: '2019-03-05' },
        { order: 'dmy', day: '2005-03-19' },
      ],
    })
    expect(day('19-3-5', { ...ages, order: 'ymd' })).toBe('2019-03-05')
    expect(day('19-3-5', { ...ages, order: 'dmy' })).toBe('2005-03-19')
    expect(day('3/4/2019', { order: 'mdy' })).toBe('2019-03-04')
    // What only one order can mean is not turned around by the order of the others.
    expect(day('31/8/2019', { order: 'mdy' })).toBe('2019-08-31')
    // Nothing between the bounds is no reason to take what lies outside.
    expect(day('88-3-5', { ...ages, order: 'ymd' })).toBeNull()
    expect(day('1988-3-5', ages)).toBe('1988-03-05')
  })

  it('may be a month, a number of a spreadsheet, or have a time behind it where the caller says so', () => {
    for (const text of [
      '2015年3月',
      '2015年03月',
      '2015.03',
      '2015-3',
      '2015/3',
      '201503',
      'Mar 2015',
      '二〇一五年三月',
    ])
      expect([text, day(text, { month: true }), day(text)]).toEqual([text, '2015-03-01', null])
    expect(day('42253', { serial: true })).toBe('2015-09-06')
    expect(day('42253.5', { serial: true })).toBe('2015-09-06')
    expect(day('2015/9/6 8:05', { time: true })).toBe('2015-09-06')
    expect(day('2015-09-05T16:00:00.000Z', {})).toBe('2015-09-06')
  })
})

describe('R-LIST-1 a time of day and a moment', () => {
  it('are read in every spelling in use', () => {
    const times: Record<string, readonly string[]> = {
      '08:05': [
        '8:05',
        '08:05',
        '8：05',
        '８：０５',
        '805',
        '0805',
        '8点05分',
        '8点5分',
        '8时05分',
        '8.05',
        '08:05:00',
        '上午8点05分',
        '8:05 am',
        '八点零五分',
        ' 8 : 05 ',
      ],
      '08:30': ['8点半', '8点30', '上午8点半', '八点半', '8：30'],
      '08:00': ['8点', '8点整', '上午8点', '早上8点', '8时', '8点钟', '8am', '8 a.m.'],
      '20:05': ['20:05', '2005', '下午8点05分', '晚上8:05', '8:05 PM', '8:05pm'],
      '12:00': ['12:00', '中午12点', '下午12点', '12 pm'],
      '00:00': ['0:00', '00:00', '0点', '12am'],
      '13:15': ['1315', '下午1点一刻', '13点15'],
    }
    for (const [meant, texts] of Object.entries(times))
      for (const text of texts) expect([text, time(text)]).toEqual([text, meant])
    for (const text of [
      '8',
      '18',
      '24:00',
      '8:60',
      '860',
      '2460',
      '8:5',
      '上午13点',
      '晚上12点',
      '下午8点 am',
      '80500',
      'abc',
      '2027-8-31',
    ])
      expect([text, time(text)]).toEqual([text, null])
  })

  it('a moment is a day with a time behind it', () => {
    const at: Record<string, readonly string[]> = {
      '2027-08-31 08:05:00': [
        ...[
          '2027-8-31 8:05',
          '2027/8/31 08:05:00',
          '2027.8.31 8：05',
          '20270831 805',
          '20270831 0805',
          '2027年8月31日8点05分',
        ],
        ...[
          '2027年8月31日 上午8点05分',
          '2027-08-31T08:05',
          '２０２７－８－３１　８：０５',
          '2027-8-31 8.05',
          '2027-8-31  8:05 am',
        ],
        ...['2027-08-31T00:05:00Z', '2027-08-31T08:05:00+08:00', '2027-8-31上午8:05', '2027-8-31, 8:05'],
      ],
      '2026-08-31 08:30:00': ['8/31 8:30', '8月31日8点半', '8月31日 8点半', '8-31 上午8点半'],
      '2027-08-31 00:00:00': ['2027-8-31', '20270831', '2027年8月31日'],
      '2027-08-31 20:05:33': ['2027-08-31 20:05:33'],
    }
    for (const [meant, texts] of Object.entries(at))
      for (const text of texts) expect([text, instant(text)]).toEqual([text, meant])
    for (const text of [
      '8:05',
      '2027-2-30 8:05',
      '2027-8-31 25:00',
      '19-3-5 8:05',
      '3/4/2019 8:05',
      '2027-8-31 8',
      '2027-8-31 8:05 x',
      '',
    ])
      expect([text, instant(text)]).toEqual([text, null])
  })
})

// A reader of its own, written without looking at the other: four digits of the year first, anything else by Date.
const judged = (year: number, month: number, date: number): string | null => {
  const at = new Date(2000, 0, 1)
  at.setFullYear(year, month - 1, date)
  return at.getFullYear() === year && at.getMonth() === month - 1 && at.getDate() === date
    ? `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}`
    : null
}
const digitGroups = (text: string): number[] =>
  [...text.replace(/[０-９]/g, (sign) => String(sign.charCodeAt(0) - 0xff10)).matchAll(/\d+/g)].map(([run]) =>
    Number(run),
  )

describe('R-LIST-1 any day', () => {
  const dayMade = fc.record({
    year: fc.integer({ min: 1900, max: 2100 }),
    month: fc.integer({ min: 1, max: 12 }),
    date: fc.integer({ min: 1, max: 31 }),
  })
  const wide = (text: string) => text.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit)))
  const spellings: readonly ((y: number, m: number, d: number) => string)[] = [
    (y, m, d) => `${y}-${m}-${d}`,
    (y, m, d) => `${y}/${m}/${d}`,
    (y, m, d) => `${y}.${m}.${d}`,
    (y, m, d) => `${y}年${m}月${d}日`,
    (y, m, d) => `${y}${String(m).padStart(2, '0')}${String(d).padStart(2, '0')}`,
    (y, m, d) => `${y}-${String(m).padStart(2, '0')}-${String(d).padStart(2, '0')}`,
    (y, m, d) => wide(`${y}－${m}－${d}`),
    (y, m, d) => ` ${y} 年 ${m} 月 ${d} 号 `,
  ]

  it('in any accepted spelling reads back, and one that is not in the calendar does not', () => {
    fc.assert(
      fc.property(dayMade, fc.constantFrom(...spellings), ({ year, month, date }, spell) => {
        expect(day(spell(year, month, date))).toBe(judged(year, month, date))
      }),
      { numRuns: 4000, seed: 20261122 },
    )
    fc.assert(
      fc.property(dayMade, ({ month, date }) => {
        expect(day(`${month}/${date}`)).toBe(judged(2026, month, date))
      }),
      { numRuns: 500, seed: 20261122 },
    )
  })

  it('that random text gives is the one that its digits say', () => {
    const signs = '0123456789０８３1220年月日号-/.．／－ :点T'
    const near = fc.array(fc.constantFrom(...signs), { minLength: 3, maxLength: 14 }).map((some) => some.join(''))
    // One sign put in, taken out or changed in a day that is right: what slips past a reader is close to a day.
    const slip = fc
      .tuple(dayMade, fc.constantFrom(...spellings), fc.nat(12), fc.constantFrom(...signs, ''), fc.boolean())
      .map(([{ year, month, date }, spell, at, sign, over]) => {
        const text = spell(year, month, date)
        return text.slice(0, at) + sign + text.slice(over ? at + 1 : at)
      })
    let read = 0
    fc.assert(
      fc.property(fc.oneof(near, slip), (text) => {
        const found = day(text)
        if (found === null) return
        read += 1
        const bare = text.replace(/\D*0{1,2}\D+00(\D+00)?\D*$/, '')
        const groups = digitGroups(bare)
        const runs =
          groups.length === 1
            ? [...String(groups[0]).matchAll(/^(\d{4})(\d\d)(\d\d)$/g)].flatMap((run) => run.slice(1).map(Number))
            : groups
        const [a = 0, b = 0, c] = runs
        const meant =
          c === undefined ? judged(2026, a, b) : a > 31 ? judged(a, b, c) : (judged(c, b, a) ?? judged(c, a, b))
        expect([text, found]).toEqual([text, meant])
      }),
      { numRuns: 20_000, seed: 20261122 },
    )
    expect(read).toBeGreaterThan(1000)
  })
})

describe('a day that lies behind us', () => {
  const past = { today: '2026-11-23', past: true }

  it('is not given a year that nobody wrote', () => {
    expect(readDay('8/31', past)).toMatchObject({ fault: { zh: '请写上年份，如 2018-08-31' } })
    expect(readDay('2月29日', past)).toMatchObject({ fault: { zh: '请写上年份，如 2016-02-29' } })
    expect(readDay('8/31', { today: '2026-11-23' })).toEqual({ day: '2026-08-31' })
    expect(readDay('2/30', past)).toMatchObject({ fault: { zh: '没有“2/30”这一天' } })
  })

  it('is told apart from a year that is too early or too late', () => {
    expect(readDay('1015-04-03')).toMatchObject({ fault: { zh: '年份 1015 太早，请核对' } })
    expect(readDay('2915-04-03')).toMatchObject({ fault: { zh: '年份 2915 太晚，请核对' } })
    expect(readDay('2015-02-30')).toMatchObject({ fault: { zh: '没有“2015-02-30”这一天' } })
  })

  it('has not come yet from tomorrow on', () => {
    expect(dayBeyond('2026-11-23', { past: true }, '2026-11-23')).toBeNull()
    expect(dayBeyond('2026-11-24', { past: true }, '2026-11-23')).toMatchObject({ zh: '不能晚于今天' })
    expect(dayBeyond('2026-11-24', {}, '2026-11-23')).toBeNull()
  })

  it('is too long ago before the first day that its field can hold, or that any can', () => {
    const born = { past: true, since: firstBirth }
    expect(dayBeyond('1900-01-01', born, '2026-11-23')).toBeNull()
    expect(dayBeyond('1899-12-31', born, '2026-11-23')).toMatchObject({ zh: '不能早于1900-01-01' })
    expect(dayBeyond('1898-03-01', { past: true }, '2026-11-23')).toBeNull()
    expect(dayBeyond('0001-01-01', {}, '2026-11-23')).toMatchObject({ zh: '不能早于1800-01-01' })
  })
})

describe('the days that a text speaks of', () => {
  it.each([
    ['2015', '2015-01-01', '2015-12-31'],
    ['２０１５年', '2015-01-01', '2015-12-31'],
    ['二〇一五年四月', '2015-04-01', '2015-04-30'],
    ['2016-02', '2016-02-01', '2016-02-29'],
    ['201502', '2015-02-01', '2015-02-28'],
    ['2015.4.3', '2015-04-03', '2015-04-03'],
  ])('%s', (text, first, last) => expect(readSpan(text)).toEqual({ first, last }))

  it.each(['2015-13', '0415', '下周', '2015-02-30'])('%s speaks of none', (text) =>
    expect(readSpan(text)).toHaveProperty('fault'),
  )
})
