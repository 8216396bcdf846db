import tls from 'node:tls'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type MailService, mailLimits, sendMail } from '../src/modules/mail/client.ts'
import { account, type MailHost, makeCertificate, makeMailHost, makeMute, password } from './mail-server.ts'

const allowed = { environment: { outboundAllow: ['localhost', '127.0.0.1'] } } as never
const limits = { ...mailLimits, connect: 1_000, greeting: 400, silence: 400, whole: 3_000 }
const letter = { id: '42', to: 'head@school.example', subject: '周报已生成', text: '请登录查看。' }
const certificate = makeCertificate()
const service = (host: { port: number }, more: Partial<MailService> = {}): MailService => ({
  host: 'localhost',
  port: host.port,
  encryption: 'plain',
  account,
  password,
  fromAddress: 'office@school.example',
  fromName: '教务处',
  ...more,
})

let plain: MailHost
let secure: MailHost
let upgraded: MailHost
const before = tls.getCACertificates('default')

beforeAll(async () => {
  plain = await makeMailHost()
  secure = await makeMailHost({ tls: 'tls', certificate })
  upgraded = await makeMailHost({ tls: 'starttls', certificate })
})
afterAll(async () => {
  tls.setDefaultCACertificates(before)
  await Promise.all([plain, secure, upgraded].map((each) => each?.close()))
})

describe('R-DEV-7 one message to a mail server', () => {
  it('R-DEV-7 is taken in the clear, by TLS and by STARTTLS, with sender, subject and a name that stays the same', async () => {
    expect(await sendMail(allowed, service(plain), letter)).toMatchObject({ kind: 'sent' })
    expect(plain.taken[0]).toMatchObject({ to: letter.to, from: 'office@school.example', user: account, secure: false })
    expect(plain.taken[0]!.raw).toContain('<42@school.example>')
    expect(plain.taken[0]!.raw).toContain('Auto-Submitted: auto-generated')

    for (const [host, encryption] of [
      [secure, 'tls'],
      [upgraded, 'starttls'],
    ] as const) {
      const refused = await sendMail(allowed, service(host, { encryption }), letter)
      expect(refused).toMatchObject({
        kind: 'service',
        why: { en: expect.stringContaining('certificate of localhost') },
      })
    }
    expect([secure.taken, upgraded.taken]).toEqual([[], []])
    tls.setDefaultCACertificates([...before, certificate.cert])
    for (const [host, encryption] of [
      [secure, 'tls'],
      [upgraded, 'starttls'],
    ] as const) {
      expect(await sendMail(allowed, service(host, { encryption }), letter)).toMatchObject({ kind: 'sent' })
      expect(host.taken).toMatchObject([{ secure: true, user: account }])
    }
    // The right certificate of another name is none.
    expect(await sendMail(allowed, service(secure, { encryption: 'tls', host: '127.0.0.1' }), letter)).toMatchObject({
      kind: 'service',
      why: { en: expect.stringContaining('certificate of 127.0.0.1') },
    })
  })

  it('R-DEV-7 goes to no server that leaves encryption out, with neither password nor message', async () => {
    const count = plain.taken.length
    const outcome = await sendMail(allowed, service(plain, { encryption: 'starttls' }), letter)
    expect(outcome).toMatchObject({ kind: 'service', why: { en: expect.stringContaining('STARTTLS') } })
    expect(plain.taken).toHaveLength(count)
  })

  it('R-DEV-7 tells a wrong password, an unknown recipient, a full mailbox and a refusal apart, in words', async () => {
    expect(await sendMail(allowed, service(plain, { password: 'wrong' }), letter)).toMatchObject({
      kind: 'service',
      why: { en: expect.stringMatching(/^Wrong account or password: 535/) },
    })
    plain.unknown.add('gone@school.example')
    expect(await sendMail(allowed, service(plain), { ...letter, to: 'gone@school.example' })).toMatchObject({
      kind: 'refused',
      why: { en: 'The recipient was refused: 550 No such mailbox' },
    })
    plain.manners.push(452, 554)
    expect(await sendMail(allowed, service(plain), letter)).toMatchObject({ kind: 'temporary' })
    expect(await sendMail(allowed, service(plain), letter)).toMatchObject({ kind: 'refused' })
  })

  it('R-DEV-7 writes down that the message begins before the first byte of it, and knows nothing of one that was cut', async () => {
    const count = plain.taken.length
    const seen: number[] = []
    const begin = async (): Promise<void> => void seen.push(plain.taken.length)
    for (const manner of ['cut', 'silent'] as const) {
      plain.manners.push(manner)
      expect(await sendMail(allowed, service(plain), letter, begin, limits)).toMatchObject({ kind: 'unknown' })
    }
    expect(seen).toEqual([count, count + 1])
    // What cannot be written down is not sent.
    const failing = async (): Promise<void> => Promise.reject(new Error('no database'))
    expect(await sendMail(allowed, service(plain), letter, failing, limits)).toMatchObject({ kind: 'temporary' })
    expect(plain.taken).toHaveLength(count + 2)
  })

  it('R-DEV-7 leaves a server that says nothing, within the time it has, and no connection stays', async () => {
    for (const first of ['', '220 here\r\n', '220-still\r\n']) {
      const mute = await makeMute(first)
      const began = performance.now()
      expect(await sendMail(allowed, service(mute), letter, undefined, limits)).toMatchObject({
        kind: 'temporary',
        why: { en: 'localhost did not answer in time' },
      })
      expect(performance.now() - began).toBeLessThan(2_500)
      await vi.waitFor(() => expect(mute.open()).toBe(0))
      mute.close()
    }
  })

  it('R-DEV-7 goes to no inner address, by name or number, unless the operator allows it', async () => {
    const closed = { environment: { outboundAllow: [] } } as never
    const count = plain.taken.length
    for (const host of ['localhost', '127.0.0.1', '::1', '::ffff:127.0.0.1'])
      expect(await sendMail(closed, service(plain, { host }), letter, undefined, limits)).toMatchObject({
        kind: 'service',
        why: { en: expect.stringContaining('OUTBOUND_ALLOW') },
      })
    expect(plain.taken).toHaveLength(count)
    expect(await sendMail(allowed, service({ port: 1 }), letter, undefined, limits)).toMatchObject({
      kind: 'temporary',
    })
  })
})
