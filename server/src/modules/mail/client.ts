import { once } from 'node:events'
import { isIP, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { Words } from '@data-brain/contract'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import { guardedSocket, OutboundError } from '../../kernel/outbound.ts'
import type { Services } from '../../kernel/services.ts'

/** How a connection is encrypted: from the first byte, before anything secret is said, or not at all. */
export type Encryption = 'tls' | 'starttls' | 'plain'

/** An SMTP service with its password opened: it never leaves the server. */
export interface MailService {
  readonly host: string
  readonly port: number
  readonly encryption: Encryption
  readonly account: string | null
  readonly password: string | null
  readonly fromAddress: string
  readonly fromName: string | null
}

export interface MailMessage {
  /** The id of its row: its Message-ID is made of it, so that it stays the same however often it is tried. */
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
}

/**
 * What became of an attempt. `service`: the fault is the service's or its settings', whatever the message. `unknown`: the
 * message was handed over in whole or in part, and nobody knows whether it was taken.
 */
export type MailOutcome =
  | { readonly kind: 'sent'; readonly answer: string }
  | { readonly kind: 'temporary' | 'refused' | 'service' | 'unknown'; readonly why: Words }

/** Milliseconds that each part of an attempt may take. */
export interface MailLimits {
  readonly connect: number
  readonly greeting: number
  readonly silence: number
  readonly whole: number
}
export const mailLimits: MailLimits = { connect: 10_000, greeting: 10_000, silence: 20_000, whole: 45_000 }

interface SmtpFault {
  readonly code?: string
  readonly originalCode?: string
  readonly message?: string
  readonly command?: string
  readonly response?: string
  readonly responseCode?: number
}

const slow = (host: string): Words => ({ zh: `${host} 没有按时回答`, en: `${host} did not answer in time` })

/** What a server answered, short enough for a log and on one line. */
const said = (response: string): string => [...response.replace(/\s+/g, ' ').trim()].slice(0, 200).join('')

const withAnswer = (words: Words, fault: SmtpFault): Words =>
  fault.response ? { zh: `${words.zh}：${said(fault.response)}`, en: `${words.en}: ${said(fault.response)}` } : words

const certificateCode = /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS_CERT|ALTNAME|ISSUER/

/** What an attempt that failed means, in words for whoever set the service up. */
function outcomeOf(error: unknown, { host, encryption }: MailService, begun: boolean): MailOutcome {
  if (error instanceof OutboundError) return { kind: 'service', why: error.words }
  const fault = error as SmtpFault
  const answered = fault.responseCode !== undefined
  // An answer to the message itself is a plain yes or no; without one nobody knows.
  if (begun && !(answered && fault.command === 'DATA'))
    return {
      kind: 'unknown',
      why: {
        zh: `${host} 在收信过程中断开，不知道是否已收下；为免重复不再发送`,
        en: `${host} broke off while it took the message: nobody knows whether it did, and it is not sent twice`,
      },
    }
  const told = `${fault.originalCode ?? ''} ${fault.code ?? ''}`
  if (certificateCode.test(`${told} ${fault.message ?? ''}`) && !answered)
    return {
      kind: 'service',
      why: {
        zh: `无法信任 ${host} 的证书，请检查主机名和证书`,
        en: `The certificate of ${host} is not accepted: check the host name and the certificate`,
      },
    }
  if (fault.code === 'EAUTH')
    return fault.responseCode !== undefined && fault.responseCode < 500
      ? { kind: 'temporary', why: withAnswer({ zh: '暂时无法登录', en: 'Logging in is not possible for now' }, fault) }
      : {
          kind: 'service',
          why: withAnswer({ zh: '账号或密码错误', en: 'Wrong account or password' }, fault),
        }
  if (fault.code === 'ETLS' || /SSL|TLS/.test(told))
    return {
      kind: 'service',
      why:
        encryption === 'starttls'
          ? {
              zh: `${host} 不支持 STARTTLS 加密，未登录也未发送`,
              en: `${host} offers no STARTTLS: nothing was sent to it`,
            }
          : {
              zh: `与 ${host} 的加密连接失败，请检查端口和加密方式`,
              en: `The encrypted connection to ${host} failed: check port and encryption`,
            },
    }
  if (answered) {
    const [zh, en] = fault.command?.startsWith('RCPT')
      ? ['收件人被拒绝', 'The recipient was refused']
      : fault.command?.startsWith('MAIL')
        ? ['发件人被拒绝', 'The sender was refused']
        : ['邮件服务器拒绝', 'The mail server refused']
    return { kind: fault.responseCode! < 500 ? 'temporary' : 'refused', why: withAnswer({ zh, en }, fault) }
  }
  if (/ENOTFOUND|EAI_AGAIN|EDNS/.test(told))
    return { kind: 'service', why: { zh: `找不到主机 ${host}`, en: `The host ${host} was not found` } }
  if (/ETIMEDOUT|ABORT_ERR/.test(told)) return { kind: 'temporary', why: slow(host) }
  if (fault.code === 'EENVELOPE')
    return { kind: 'refused', why: { zh: '收件人地址无效', en: 'The address of the recipient is not valid' } }
  return {
    kind: 'temporary',
    why: { zh: `无法连接 ${host}，或连接中断`, en: `${host} cannot be reached, or broke off` },
  }
}

/** The message as it goes over the wire. */
async function written(service: MailService, message: MailMessage): Promise<Buffer> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const domain = service.fromAddress.slice(service.fromAddress.lastIndexOf('@') + 1)
  return new MailComposer({
    from: service.fromName ? { name: service.fromName, address: service.fromAddress } : service.fromAddress,
    to: { name: '', address: message.to },
    subject: message.subject,
    text: message.text,
    messageId: `<${message.id}@${domain}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    // What is sent is what stands above: nothing is fetched for it.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build()
}

/** Waits for one step of the conversation. */
const step = <T>(ask: (done: (error?: Error | null, value?: T) => void) => void): Promise<T> =>
  new Promise((resolve, reject) => ask((error, value) => (error ? reject(error) : resolve(value as T))))

/** Connects by the gate alone: the name is resolved once, and the address that was judged is gone to. */
async function connected(socket: Socket, { host, port }: MailService, signal: AbortSignal): Promise<void> {
  socket.connect(port, host)
  await once(socket, 'connect', { signal })
}

/**
 * Hands one message to an SMTP server and answers what became of it; throws nothing. `begin` is waited for before the first
 * byte of the message: what it writes down stands before the server can have taken anything.
 */
export async function sendMail(
  services: Pick<Services, 'environment'>,
  service: MailService,
  message: MailMessage,
  begin: () => Promise<void> = async () => {},
  limits: MailLimits = mailLimits,
): Promise<MailOutcome> {
  const socket = guardedSocket(services)
  // What breaks is heard by whichever step is waited for.
  socket.on('error', () => {})
  let connection: SMTPConnection | undefined
  let begun = false
  let late = false
  let cut = (_: Error): void => {}
  const whole = setTimeout(() => {
    late = true
    cut(Object.assign(new Error('too slow'), { code: 'ETIMEDOUT' }))
  }, limits.whole)
  const overall = new Promise<never>((_, reject) => {
    cut = reject
  })
  overall.catch(() => {})
  const attempt = async (): Promise<string> => {
    const bytes = await written(service, message)
    await connected(socket, service, AbortSignal.timeout(limits.connect))
    const { default: Connection } = await import('nodemailer/lib/smtp-connection')
    const smtp = new Connection({
      host: service.host,
      port: service.port,
      connection: socket,
      secure: service.encryption === 'tls',
      // A server, or somebody between, that leaves encryption out of its offer gets neither password nor message.
      requireTLS: service.encryption === 'starttls',
      ignoreTLS: service.encryption === 'plain',
      // The name that the certificate must be of. An address has none to ask for, and is held against it by itself.
      tls: { ...(isIP(service.host) ? {} : { servername: service.host }), minVersion: 'TLSv1.2' },
      connectionTimeout: limits.connect,
      greetingTimeout: limits.greeting,
      socketTimeout: limits.silence,
    })
    connection = smtp
    const failed = new Promise<never>((_, reject) => smtp.on('error', reject))
    failed.catch(() => {})
    const ended = new Promise<never>((_, reject) =>
      smtp.once('end', () => reject(Object.assign(new Error('closed'), { code: 'ECONNECTION' }))),
    )
    ended.catch(() => {})
    const stepOf = <T>(ask: Parameters<typeof step<T>>[0]): Promise<T> => Promise.race([step(ask), failed, ended])
    await stepOf((done) => smtp.connect(done))
    const { account, password } = service
    if (account) await stepOf((done) => smtp.login({ user: account, pass: password ?? '' }, done))
    const body = Readable.from(
      (async function* () {
        await begin()
        if (late) throw new Error('too slow')
        begun = true
        yield bytes
      })(),
    )
    const info = await stepOf<{ response?: string }>((done) =>
      smtp.send({ from: service.fromAddress, to: [message.to] }, body, done as never),
    )
    return said(info.response ?? '')
  }
  try {
    const answer = await Promise.race([attempt(), overall])
    connection?.quit()
    return { kind: 'sent', answer }
  } catch (error) {
    const meant = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return outcomeOf(meant, service, begun)
  } finally {
    clearTimeout(whole)
    late = true
    // A polite end is said and not waited for.
    if (!socket.destroyed) setTimeout(() => socket.destroy(), begun ? 200 : 0).unref()
    else connection?.close()
  }
}
