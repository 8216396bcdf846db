import { createHash, createHmac } from 'node:crypto'

/*
 * How the services want a request to be signed: from what is sent alone, without clock or chance, so that each can be
 * held against the example that its service has published.
 */

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const hmac256 = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** Percent-encoding of RFC 3986: all but letters, digits and `-_.~`. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

/** A query as ACS3 wants it: sorted by name, both sides encoded. */
export const canonicalQuery = (query: Readonly<Record<string, string>>): string =>
  Object.entries(query)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .join('&')

/** Header lines in lower case and in order, and their names. */
function canonicalHeaders(headers: Readonly<Record<string, string>>): { lines: string; names: string } {
  const sorted = Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), value.trim()] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    lines: sorted.map(([name, value]) => `${name}:${value}\n`).join(''),
    names: sorted.map(([name]) => name).join(';'),
  }
}

export interface SignedRequest {
  /** What the signature was made of: the first thing to compare when a service refuses it. */
  readonly canonical: string
  readonly authorization: string
}

/** Alibaba Cloud, V3: ACS3-HMAC-SHA256 over method, path, query, `host` and all `x-acs-*` headers, and the body. */
export function signAcs3(request: {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /** `host`, `x-acs-*` and, where there is a body, `content-type`. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly accessKey: string
  readonly secretKey: string
}): SignedRequest {
  const { lines, names } = canonicalHeaders(request.headers)
  const canonical = [
    request.method,
    request.path,
    canonicalQuery(request.query),
    lines,
    names,
    sha256(request.body),
  ].join('\n')
  const signature = hmac256(request.secretKey, `ACS3-HMAC-SHA256\n${sha256(canonical)}`).toString('hex')
  return {
    canonical,
    authorization: `ACS3-HMAC-SHA256 Credential=${request.accessKey},SignedHeaders=${names},Signature=${signature}`,
  }
}

/** Tencent Cloud, API 3.0: TC3-HMAC-SHA256 by a key that is derived for the day and the product. */
export function signTc3(request: {
  readonly service: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Seconds since 1970, as in the header X-TC-Timestamp. */
  readonly timestamp: number
  readonly accessKey: string
  readonly secretKey: string
}): SignedRequest {
  const { lines, names } = canonicalHeaders(request.headers)
  const canonical = ['POST', '/', '', lines, names, sha256(request.body)].join('\n')
  const day = new Date(request.timestamp * 1_000).toISOString().slice(0, 10)
  const scope = `${day}/${request.service}/tc3_request`
  const key = [day, request.service, 'tc3_request'].reduce<string | Buffer>(hmac256, `TC3${request.secretKey}`)
  const signature = hmac256(key, `TC3-HMAC-SHA256\n${request.timestamp}\n${scope}\n${sha256(canonical)}`).toString(
    'hex',
  )
  return {
    canonical,
    authorization: `TC3-HMAC-SHA256 Credential=${request.accessKey}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  }
}

/** Qiniu Cloud: the management token, HMAC-SHA1 over request line, host, content type and body. */
export function signQiniu(request: {
  readonly method: string
  /** Path and query, as they are sent. */
  readonly target: string
  readonly host: string
  readonly contentType: string
  readonly body: string
  readonly accessKey: string
  readonly secretKey: string
}): SignedRequest {
  const canonical = `${request.method} ${request.target}\nHost: ${request.host}\n${
    request.contentType ? `Content-Type: ${request.contentType}\n` : ''
  }\n${request.contentType && request.contentType !== 'application/octet-stream' ? request.body : ''}`
  const signature = createHmac('sha1', request.secretKey)
    .update(canonical)
    .digest('base64')
    .replaceAll('+', '-')
    .replaceAll('/', '_')
  return { canonical, authorization: `Qiniu ${request.accessKey}:${signature}` }
}

/** The generic gateway: HMAC-SHA256 over the body, written as `sha256=<hex>`. */
export const signBody = (secretKey: string, body: string): string =>
  `sha256=${hmac256(secretKey, body).toString('hex')}`
