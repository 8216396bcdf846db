import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { accessDatabase } from '../src/database/reach.ts'
import { readEnvironment } from '../src/environment.ts'
import { loadSecrets } from '../src/secrets.ts'
import { mustNotFail } from './failures.ts'
import { multipart, type Put } from './storage-parts.ts'
import { logInTo, type Server, startServer, type Told } from './two-servers.ts'
import type { Answer, CallOptions, Person } from './world.ts'

/* A server with the built-in database in a folder of its own, as most who try the product run it. */

/** A folder through which the unprivileged account of PostgreSQL may pass. */
export function ownFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'data-brain-own-'))
  chmodSync(path, 0o711)
  mkdirSync(join(path, 'tmp'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

export const dataOf = (folder: string): string => join(folder, 'data')

/** Starts it on the folder's data; what uploads leave behind stays in the folder too. */
export const startOwn = (folder: string, environment: Record<string, string> = {}, data = dataOf(folder)) =>
  startServer(null, data, { TMPDIR: join(folder, 'tmp'), ...environment })

/** A connection of the owner to the database of a server that runs. */
export async function ownerOf(data: string): Promise<pg.Client> {
  const { url } = await accessDatabase(readEnvironment({ DATA_DIR: data }))
  const client = new pg.Client({ connectionString: url })
  // The server may be killed under it.
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Log-ins and calls of one account over the network; calls go to the server that `of` names at the time, each with what `always` says. */
export async function personOf(of: () => Server, data: string, always: CallOptions = {}): Promise<Person> {
  const { clientId, clientSecret } = await loadSecrets(data)
  const client = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
  const session = await logInTo({ client }, of(), '000000', 'admin')
  if (session.status !== 200) throw new Error(session.error_description)
  const token = session.access_token
  const call = async <T>(
    method: 'GET' | 'POST',
    path: string,
    { query = {}, body, fails = always.fails }: CallOptions,
  ): Promise<Answer<T>> => {
    const given = Object.entries(query).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]]))
    const answer = await fetch(`${of().url}/api/${path}?${new URLSearchParams(given)}`, {
      method,
      headers: { 'blade-auth': `bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await answer.text()
    mustNotFail(`${method} ${path}`, answer.status, text, fails)
    return { ...(JSON.parse(text) as Answer<T>), status: answer.status, headers: {} }
  }
  return {
    tenantId: '000000',
    userId: '',
    token,
    get: (path, query, options) => call('GET', path, { ...options, ...(query ? { query } : {}) }),
    post: (path, body, options) => call('POST', path, { ...options, body }),
    remove: (path, ids) => call('POST', `${path}/remove`, { query: { ids } }),
  }
}

/** Sends one file. */
export async function upload<T = Put>(
  server: Server,
  token: string,
  path: string,
  { name, bytes, query = {} }: { name: string; bytes: Buffer; query?: Record<string, string> },
): Promise<Told<T>> {
  const answer = await fetch(`${server.url}/api/${path}?${new URLSearchParams(query)}`, {
    method: 'POST',
    headers: { 'blade-auth': `bearer ${token}`, 'content-type': 'multipart/form-data; boundary=x' },
    body: new Uint8Array(multipart(name, bytes)),
  })
  return { ...((await answer.json()) as Told<T>), status: answer.status }
}

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** The bytes of a file as somebody's session reads them. */
export async function download(server: Server, token: string, id: string): Promise<Buffer> {
  const answer = await fetch(`${server.url}/api/blade-resource/attach/file?id=${id}`, {
    headers: { 'blade-auth': `bearer ${token}` },
  })
  if (answer.status !== 200) throw new Error(`${id}: ${answer.status}`)
  return Buffer.from(await answer.arrayBuffer())
}
