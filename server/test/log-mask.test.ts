import { describe, expect, it } from 'vitest'
import { cutText, maskAny, maskText } from '../src/modules/log/mask.ts'

/** What must never stand in a log, in the forms in which it comes; and what must not be hidden with it. */

const md5 = '9f1d3f1a7c0de4b5a6978812f3e4d5c6'
const token = `bsa_000001_${'aB3_-xYz9'.repeat(5).slice(0, 43)}0a1f`
const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jKmjHk'

describe('R-LOG-2 nothing secret and nobody’s numbers reach a log', () => {
  it.each([
    ['a password', { password: 'Correct-Horse-9' }, 'Correct-Horse-9'],
    ['an old and a new one', { oldPassword: 'Alpha-1', newPassword1: 'Beta-22' }, 'Alpha-1|Beta-22'],
    ['one deep inside', { a: [{ b: { userPwd: 'deep-secret' } }] }, 'deep-secret'],
    ['one among several of a name', { password: ['first-one', 'second-one'] }, 'first-one|second-one'],
    ['a whole object under such a name', { credential: { value: 'inner-one' } }, 'inner-one'],
    ['a number as one', { password: 87_654_321 }, '87654321'],
    ['a Chinese name for one', { 密码: 'zhongwen-1' }, 'zhongwen-1'],
    ['an md5 under another name', { value: md5 }, md5],
    ['an md5 in capitals in a sentence', { remark: `见 ${md5.toUpperCase()} 处` }, md5.toUpperCase()],
    ['our token', { remark: token }, token],
    ['a ticket of a log-in', { state: token.replace('bsa', 'bst') }, token.replace('bsa', 'bst')],
    ['our token in an address', { url: `https://x.example/file?a=1&t=${token}` }, token],
    ['somebody else’s token', { info: `Bearer ${jwt}` }, jwt.slice(0, 30)],
    ['a header in a text', { message: `Authorization: Basic YWRtaW46c2VjcmV0MTIz failed` }, 'YWRtaW46c2VjcmV0MTIz'],
    ['a password in a text', { message: 'login with password=Hunter22&x=1' }, 'Hunter22'],
    ['a password in JSON in a text', { body: '{"user":"a","password":"Hunter 22"}' }, 'Hunter 22|22'],
    ['JSON within JSON', { body: JSON.stringify(JSON.stringify({ password: 'Hunter22' })) }, 'Hunter22'],
    ['a password told in Chinese', { message: '密码：Hunter22' }, 'Hunter22'],
    ['the login of a database', { url: 'postgres://owner:p4ss-w0rd@db.example:5432/x' }, 'p4ss-w0rd'],
    ['a key of a cloud', { accessKey: 'LTAI5tQ', secretKey: 'k3y-0f-cl0ud' }, 'LTAI5tQ|k3y-0f-cl0ud'],
    ['a long random word', { x: 'wJalrXUtnFEMI7K7MDENGbPxRfiCYEXAMPLEKEY12' }, 'wJalrXUtnFEMI7K7MDENG'],
    ['a signature of a link', { sign: 'a1b2c3d4' }, 'a1b2c3d4'],
    ['a private key', { x: '-----BEGIN PRIVATE KEY-----\nMIIEv\nabc\n-----END PRIVATE KEY-----' }, 'MIIEv'],
    ['a phone', { phone: '13912345678' }, '13912345678'],
    ['a phone that is a number', { tel: 13_912_345_678 }, '13912345678'],
    ['a short phone', { telephone: '8765432' }, '8765432'],
    ['a phone in a sentence', { remark: '请打13912345678找她' }, '13912345678'],
    ['a phone in groups', { remark: '139-1234-5678, 139 1234 5678' }, '139-1234-5678|139 1234 5678'],
    ['a phone with the country', { remark: '+8613912345678' }, '13912345678'],
    ['a phone of double width', { remark: '１３９１２３４５６７８' }, '１３９１２３４５６７８|13912345678'],
    ['a phone under the name of an id', { userId: '13912345678' }, '13912345678'],
    ['an identity number', { idNo: '11010320080307293X' }, '11010320080307293X|20080307'],
    ['an identity number in a sentence', { remark: '身份证11010320080307293X。' }, '11010320080307293X|20080307'],
    ['one in groups', { remark: '110103 20080307 2937' }, '20080307 2937'],
    ['an old one of 15 digits', { remark: '110103080307293' }, '110103080307293'],
    ['one as a key', { '13912345678': 1 }, '13912345678'],
    ['a bank card', { bankCard: '6222021234567890123' }, '6222021234567890123'],
    ['what a field of a tenant’s own holds', { x383795900427804672: '心理辅导' }, '心理辅导'],
    ['what a list is filtered by in one', { x383795900427804672_equal: '二号线' }, '二号线'],
    ['what was typed as a user', { username: 'My-Password-1' }, 'My-Password-1'],
    ['one that the cut goes through', { remark: `${'x'.repeat(395)}13912345678` }, '139123'],
  ])('hides %s', (_title, given, secrets) => {
    const text = JSON.stringify(maskAny(given))
    for (const secret of secrets.split('|')) expect(text).not.toContain(secret)
  })

  it('leaves what is none of that', () => {
    const plain = {
      id: '396812345678901248',
      ids: '396812345678901248,396812345678901249',
      schoolName: '第一中学',
      size: 20,
      time: 1_763_700_000_000,
      at: '2026-11-21 17:40:00',
      path: '/api/blade-user/student/submit',
      file: 'console/assets/student-page-3f9a.js:120:17',
      sort: 3,
      on: true,
      none: null,
    }
    expect(maskAny(plain)).toEqual(plain)
    expect(maskText('at work (server/src/modules/log/read.ts:12:5)')).toBe(
      'at work (server/src/modules/log/read.ts:12:5)',
    )
  })

  it('takes no longer for what is made to take long, and no more room', () => {
    const nested: Record<string, unknown> = {}
    let at = nested
    for (let depth = 0; depth < 10_000; depth += 1) at = at.a = {} as Record<string, unknown>
    const nasty: unknown[] = [
      nested,
      Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`k${n}`, 'v'])),
      { x: Array.from({ length: 100_000 }, () => 'password=') },
      { x: 'token'.repeat(100_000) },
      { x: '1'.repeat(1_000_000) },
      { x: 'a1B'.repeat(300_000) },
    ]
    const begun = performance.now()
    for (const each of nasty) expect(JSON.stringify(maskAny(each)).length).toBeLessThan(20_000)
    for (const text of [
      'a1B'.repeat(5_000),
      'token'.repeat(3_000),
      'http://'.repeat(2_000),
      '-----BEGIN A-----'.repeat(900),
    ])
      maskText(text)
    expect(performance.now() - begun).toBeLessThan(1_500)
  })

  it('leaves no text that a database cannot keep', () => {
    expect(cutText('a\u0000b\ud800c', 10)).toBe('a\ufffdb\ufffdc')
    expect(cutText('😀'.repeat(10), 3)).toBe('😀😀😀')
  })
})
