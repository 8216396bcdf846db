import { captchaLength, captchaSigns } from '../src/modules/auth/captcha-picture.ts'
import type { Person, Row, World } from './world.ts'

// What the tests of the ways to log in share.

/** Sets a parameter of the person's tenant, as its page does. */
export async function setParameter(admin: Person, key: string, value: string): Promise<void> {
  const { records } = (await admin.get<{ records: Row[] }>('blade-system/param/list', { paramKey_equal: key })).data
  const before = records.find((row) => row.paramKey === key)
  const answer = await admin.post('blade-system/param/submit', {
    ...(before ? { id: before.id, version: before.version } : {}),
    paramName: key,
    paramKey: key,
    paramValue: value,
  })
  if (answer.code !== 200) throw new Error(answer.msg)
}

/** Every text that a picture can hold. */
function* texts(left = captchaLength): Generator<string> {
  if (left === 0) yield ''
  else for (const head of captchaSigns) for (const tail of texts(left - 1)) yield head + tail
}

/**
 * What pictures of a tenant show, by their keys. A test cannot read; it has the installation's key and the stored hashes,
 * and tries all million texts.
 */
export async function readPictures(
  world: World,
  tenantId: string,
  keys: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await world.owner.query<{ hash: Buffer; code_hash: Buffer }>(
    `select hash, code_hash from login_ticket where tenant_id = $1 and kind = 'captcha' and hash = any($2)`,
    [tenantId, keys.map((key) => world.services.cipher.token(key))],
  )
  const wanted = new Map(rows.map((row) => [row.code_hash.toString('hex'), row.hash.toString('hex')]))
  const read = new Map<string, string>()
  for (const text of texts()) {
    const hash = wanted.get(world.services.cipher.hash(`ticket|captcha|code|${text}`, tenantId).toString('hex'))
    if (hash) read.set(keys.find((key) => world.services.cipher.token(key).toString('hex') === hash)!, text)
    if (read.size === wanted.size) break
  }
  return read
}

/** Lets time pass for all tickets of a kind. */
export const passTime = (world: World, tenantId: string, kind: string, seconds: number) =>
  world.owner.query(
    `update login_ticket set created_at = created_at - $3 * interval '1 s', expires = expires - $3 * interval '1 s' where tenant_id = $1 and kind = $2`,
    [tenantId, kind, seconds],
  )
