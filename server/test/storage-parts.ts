import { createHash, createHmac, randomBytes, randomInt } from 'node:crypto'
import { createServer, type IncomingMessage, request } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { deflateRawSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import type { Answer, Person, World } from './world.ts'

export interface Put {
  link: string
  domain: string
  name: string
  originalName: string
  attachId: string
}

export const latin = (text: string): Buffer => Buffer.from(text, 'latin1')

/** A picture like no other: noise of this size. */
export const noise = (width: number, height = width): Sharp =>
  sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })

/** A small picture of one colour, like few others. */
export const png = (width = 8): Promise<Buffer> =>
  sharp({
    create: {
      width,
      height: width,
      channels: 3,
      background: { r: randomInt(256), g: randomInt(256), b: randomInt(256) },
    },
  })
    .composite([{ input: randomBytes(12), raw: { width: 2, height: 2, channels: 3 }, left: 0, top: 0 }])
    .png()
    .toBuffer()

/** A zip with files of these names. */
export function zip(names: readonly string[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const name of names) {
    const body = deflateRawSync(latin('<x/>'))
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(8, 8)
    local.writeUInt32LE(body.length, 18)
    local.writeUInt16LE(name.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(at, 42)
    parts.push(local, latin(name), body)
    directory.push(entry, latin(name))
    at += 30 + name.length + body.length
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(names.length, 8)
  end.writeUInt16LE(names.length, 10)
  end.writeUInt32LE(
    directory.reduce((sum, each) => sum + each.length, 0),
    12,
  )
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, ...directory, end])
}

/** The multipart body of one file. */
export const multipart = (name: string, bytes: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(
      `--x\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`,
    ),
    bytes,
    latin('\r\n--x--\r\n'),
  ])

/** Uploads as somebody; `attach` by the call whose files stay. */
export const put = (
  world: World,
  token: string | null,
  name: string,
  bytes: Buffer,
  { attach = false, fails = false }: { attach?: boolean; fails?: boolean } = {},
): Promise<Answer<Put>> =>
  world.call('POST', `blade-resource/oss/endpoint/put-file${attach ? '-attach' : ''}`, token, {
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    body: multipart(name, bytes),
    fails,
  })

export interface Fetched {
  readonly status: number
  readonly headers: Record<string, unknown>
  readonly bytes: Buffer
  readonly text: string
}

/** Fetches by an address, with headers and a session where one is given. */
export async function fetchFile(
  world: World,
  url: string,
  { token, headers = {}, fails = false }: { token?: string; headers?: Record<string, string>; fails?: boolean } = {},
): Promise<Fetched> {
  const answer = await world.http.inject({
    method: 'GET',
    url,
    headers: { ...headers, ...(token ? { 'blade-auth': `bearer ${token}` } : {}) },
    fails,
  })
  return { status: answer.statusCode, headers: answer.headers, bytes: answer.rawPayload, text: answer.payload }
}

interface S3rverOptions {
  readonly address: string
  readonly port: number
  readonly directory: string
  readonly silent: boolean
  readonly configureBuckets: readonly { name: string }[]
}
interface S3rver {
  run(): Promise<{ address: string; port: number }>
  close(): Promise<void>
}
// The package has no types.
const S3Server = createRequire(import.meta.url)('s3rver') as { new (options: S3rverOptions): S3rver }

/** The keys of the server below. */
export const s3Keys = { accessKey: 'S3RVER', secretKey: 'S3RVER' } as const

const sha256 = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** What is wrong with a signed request, by the rules of signature version 4; reckoned here from the bytes that came. */
function faultOf(request: IncomingMessage, body: Buffer): string | undefined {
  const { authorization = '' } = request.headers
  const found =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      authorization,
    )
  if (!found) return 'AccessDenied'
  const [, key, day, region, signed = '', signature] = found
  if (key !== s3Keys.accessKey) return 'InvalidAccessKeyId'
  const url = new URL(request.url!, 'http://x')
  const encode = (text: string): string =>
    encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
  const canonical = [
    request.method,
    url.pathname,
    [...url.searchParams]
      .map(([name, value]) => `${encode(name)}=${encode(value)}`)
      .sort()
      .join('&'),
    ...signed.split(';').map((name) => `${name}:${String(request.headers[name]).trim().replace(/ +/g, ' ')}`),
    '',
    signed,
    request.headers['x-amz-content-sha256'],
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope, sha256(canonical)].join('\n')
  const signing = [region!, 's3', 'aws4_request'].reduce(hmac, hmac(`AWS4${s3Keys.secretKey}`, day!))
  if (hmac(signing, text).toString('hex') !== signature) return 'SignatureDoesNotMatch'
  if (!signed.split(';').includes('x-amz-content-sha256')) return 'AccessDenied'
  return sha256(body) === request.headers['x-amz-content-sha256'] ? undefined : 'XAmzContentSHA256Mismatch'
}

export interface TestS3 {
  readonly endpoint: string
  readonly host: string
  /** Spoils the bodies that come in, as a bad line would. */
  spoil: boolean
  close(): Promise<void>
}

/**
 * A real S3 server with these buckets. It does not judge signatures of version 4 itself: what stands in front of it
 * does, and the hash of every body.
 */
export async function startS3(directory: string, buckets: readonly string[]): Promise<TestS3> {
  const server = new S3Server({
    address: '127.0.0.1',
    port: 0,
    directory,
    silent: true,
    configureBuckets: buckets.map((name) => ({ name })),
  })
  const behind = await server.run()
  const front = createServer(async (incoming, answer) => {
    const sent = await buffer(incoming)
    const body = s3.spoil && sent.length > 0 ? Buffer.concat([Buffer.from([sent[0]! ^ 1]), sent.subarray(1)]) : sent
    const fault = faultOf(incoming, body)
    if (fault) {
      answer.writeHead(403, { 'Content-Type': 'application/xml' })
      return answer.end(`<?xml version="1.0"?><Error><Code>${fault}</Code><Message>${fault}</Message></Error>`)
    }
    const { expect: _expect, ...headers } = incoming.headers
    const onward = request(
      { host: '127.0.0.1', port: behind.port, method: incoming.method, path: incoming.url, headers },
      (response) => response.pipe(answer.writeHead(response.statusCode!, response.headers)),
    )
    onward.on('error', () => answer.destroy())
    onward.end(body)
  })
  await new Promise<void>((done) => front.listen(0, '127.0.0.1', done))
  const { port } = front.address() as AddressInfo
  const s3: TestS3 = {
    endpoint: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    spoil: false,
    close: async () => {
      front.closeAllConnections()
      front.close()
      await server.close()
    },
  }
  return s3
}

/** A place in that server, as a draft. */
export const placeDraft = (ossCode: string, endpoint: string, bucketName: string): Record<string, unknown> => ({
  ossCode,
  category: '1',
  endpoint,
  bucketName,
  ...s3Keys,
  pathStyle: 1,
})

/** Makes a place and answers its id. */
export async function addPlace(person: Person, draft: Record<string, unknown>): Promise<string> {
  const saved = await person.post<{ id: string }>('blade-resource/oss/submit', draft)
  if (saved.status !== 200) throw new Error(saved.msg)
  return saved.data.id
}
