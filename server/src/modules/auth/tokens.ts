import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

/** An access token and the refresh token that came with it. */
export interface TokenPair {
  readonly access: string
  readonly refresh: string
}

/** Four signs by which a scanner that finds a token in a log can be sure that it is one. */
export const checkOf = (rest: string): string => createHash('sha256').update(rest).digest('hex').slice(0, 4)

function makeToken(mark: 'bsa' | 'bsr', tenantId: string): string {
  const rest = `${mark}_${tenantId}_${randomBytes(32).toString('base64url')}`
  return rest + checkOf(rest)
}

/** A fresh pair for a tenant. Nothing is in a token but its tenant: what it may do stands in the database. */
export const makePair = (tenantId: string): TokenPair => ({
  access: makeToken('bsa', tenantId),
  refresh: makeToken('bsr', tenantId),
})

const refreshForm = /^bsr_([0-9]{6})_[A-Za-z0-9_-]{43}[0-9a-f]{4}$/

/** The tenant of a refresh token; undefined of what cannot be one. */
export function tenantOfRefresh(token: string): string | undefined {
  const tenantId = refreshForm.exec(token)?.[1]
  return tenantId && token.endsWith(checkOf(token.slice(0, -4))) ? tenantId : undefined
}

/** Whoever has only the table cannot open what was sealed: the key comes from the token that was presented. */
const keyOf = (presented: string): Buffer =>
  Buffer.from(hkdfSync('sha256', presented, '', 'successor of a refresh token', 32))

/** Seals the successors of a refresh token so that only that token opens them. */
export function sealPair(pair: TokenPair, presented: string): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyOf(presented), nonce)
  const body = Buffer.concat([cipher.update(`${pair.access} ${pair.refresh}`, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

/** Opens what `sealPair` sealed. Throws when it was altered or sealed with another token. */
export function openPair(sealed: Buffer, presented: string): TokenPair {
  const decipher = createDecipheriv('aes-256-gcm', keyOf(presented), sealed.subarray(0, 12))
  decipher.setAuthTag(sealed.subarray(12, 28))
  const [access = '', refresh = ''] = (
    decipher.update(sealed.subarray(28), undefined, 'utf8') + decipher.final('utf8')
  ).split(' ')
  return { access, refresh }
}
