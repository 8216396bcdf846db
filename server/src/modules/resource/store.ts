import { createHash, randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rm } from 'node:fs/promises'
import { dirname, join, normalize, sep } from 'node:path'
import type { Services } from '../../kernel/services.ts'

type Place = Pick<Services, 'environment'>

const folder = ({ environment }: Place): string => join(environment.dataDir, 'files')

/** The path of a stored file. Names are made here and nowhere else; one that leads out of the folder stops the call. */
function pathOf(services: Place, tenantId: string, name: string): string {
  const root = join(folder(services), tenantId)
  const path = normalize(join(folder(services), name))
  if (!path.startsWith(root + sep)) throw new Error(`not a stored file of the tenant: ${name}`)
  return path
}

export interface Kept {
  /** `<tenant>/<yyyy>/<mm>/<random>.<extension>`, under the folder of files: nothing of what the client called it. */
  readonly name: string
  readonly size: number
  readonly sha256: string
}

/** Writes a file for good before it answers. */
export async function keep(services: Place, tenantId: string, extension: string, bytes: Buffer): Promise<Kept> {
  const now = new Date()
  const name = [
    tenantId,
    String(now.getUTCFullYear()),
    String(now.getUTCMonth() + 1).padStart(2, '0'),
    `${randomBytes(16).toString('hex')}.${extension}`,
  ].join('/')
  const path = pathOf(services, tenantId, name)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const handle = await open(path, 'wx', 0o600)
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
  return { name, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
}

/** The contents of a stored file. */
export const fetchFile = (services: Place, tenantId: string, name: string): Promise<Buffer> =>
  readFile(pathOf(services, tenantId, name))

/** Removes a stored file; one that is gone already is no failure. */
export const drop = (services: Place, tenantId: string, name: string): Promise<void> =>
  rm(pathOf(services, tenantId, name), { force: true })
