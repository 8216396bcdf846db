import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

export interface CipherKeys {
  readonly kek: { readonly id: string; readonly key: Buffer }
  /** Key of the look-up hashes. */
  readonly index: Buffer
}

/** Where a ciphertext belongs: bound into it, so that it cannot be moved to another row or column. */
export interface Place {
  readonly table: string
  readonly column: string
  readonly tenantId: string
  readonly id: string
}

/** What the hash of a token belongs to. */
export interface Bound {
  readonly tenantId: string
  readonly sessionId: string
  readonly userId: string
  readonly hash: Buffer
}

/** The key of the hashes of tokens: made of the index key, so that no installation needs another secret. */
const tokenKey = ({ index }: Pick<CipherKeys, 'index'>): Buffer =>
  createHmac('sha256', index).update('data-brain: hashes of tokens').digest()

/**
 * The two pads of that key, in hex, by which SQL makes the same hash out of the SHA-256 of a token: what former versions
 * have kept is keyed by a migration, and everybody stays logged in.
 */
export function tokenPads(keys: Pick<CipherKeys, 'index'>): string {
  const block = Buffer.alloc(64)
  tokenKey(keys).copy(block)
  return Buffer.concat([block.map((byte) => byte ^ 0x36), block.map((byte) => byte ^ 0x5c)]).toString('hex')
}

const aad = (place: Place): Buffer => Buffer.from(`${place.table}|${place.column}|${place.tenantId}|${place.id}`)

/**
 * Encrypts single column values (AES-256-GCM, a fresh nonce each) and makes the keyed hashes they are found by.
 * Layout of a sealed value: mark of the key (1 byte), nonce (12), tag (16), ciphertext.
 */
export class Cipher {
  // Key objects: a key given as bytes is prepared anew at every use, which costs several times the work itself.
  readonly #key: KeyObject
  readonly #index: KeyObject
  readonly #token: KeyObject
  readonly #keyMark: number
  constructor(keys: CipherKeys) {
    this.#key = createSecretKey(keys.kek.key)
    this.#index = createSecretKey(keys.index)
    this.#token = createSecretKey(tokenKey(keys))
    this.#keyMark = createHash('sha256').update(keys.kek.id).digest()[0]!
  }

  seal(text: string, place: Place): Buffer {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce)
    cipher.setAAD(aad(place))
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([Buffer.from([this.#keyMark]), nonce, cipher.getAuthTag(), body])
  }

  /** Throws when the value was altered, moved, or sealed with another key. */
  open(sealed: Buffer, place: Place): string {
    if (sealed[0] !== this.#keyMark) throw new Error('sealed with a key that this server does not have')
    const decipher = createDecipheriv('aes-256-gcm', this.#key, sealed.subarray(1, 13))
    decipher.setAAD(aad(place))
    decipher.setAuthTag(sealed.subarray(13, 29))
    return decipher.update(sealed.subarray(29), undefined, 'utf8') + decipher.final('utf8')
  }

  /** Keyed hash of a whole value within a tenant: equal values of two tenants look different. */
  hash(text: string, tenantId: string): Buffer {
    return createHmac('sha256', this.#index).update(`${tenantId}|${text}`).digest().subarray(0, 16)
  }

  /** What the database keeps of a token: whoever writes to it alone cannot make one that fits. */
  token(token: string): Buffer {
    return createHmac('sha256', this.#token).update(createHash('sha256').update(token).digest()).digest()
  }

  /**
   * Binds what is kept of a token to the session and the person that it was made for: copied to another row it opens
   * nothing. Written down beside the hash, and made anew by whoever reads it.
   */
  bind(kind: 'access' | 'refresh', { tenantId, sessionId, userId, hash }: Bound): Buffer {
    const text = [kind, tenantId, sessionId, userId, hash.toString('hex')].join('|')
    return createHmac('sha256', this.#token).update(text).digest()
  }

  /** Whether what stands beside the hash of a token was made for its row. */
  isBound(seal: Buffer | null | undefined, kind: 'access' | 'refresh', bound: Bound): boolean {
    const right = this.bind(kind, bound)
    return seal?.length === right.length && timingSafeEqual(seal, right)
  }

  /** Keyed hash of the last four characters, or null of a shorter value. */
  tail(text: string, tenantId: string): Buffer | null {
    return text.length < 4 ? null : this.hash(`tail|${text.slice(-4)}`, tenantId)
  }
}
