import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, normalize, sep } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Services } from '../../../kernel/services.ts'
import { type Parcel, type Range, type Store, StoreError } from './store.ts'

type Place = Pick<Services, 'environment'>

const folder = ({ environment }: Place): string => join(environment.dataDir, 'files')

/** Where the files of a tenant are that lie in the data folder. */
export const folderOf = (services: Place, tenantId: string): string => join(folder(services), tenantId)

/** What a file is called until it is whole. */
const part = '.part'

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'

/** What the operating system says of the data folder, in words: a full disk is told as such. */
function failed(error: unknown): StoreError {
  const code = (error as NodeJS.ErrnoException).code ?? String(error)
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new StoreError({ zh: '服务器磁盘已满', en: 'The disk of the server is full' }, error)
  return new StoreError({ zh: `数据文件夹无法读写（${code}）`, en: `The data folder cannot be used (${code})` }, error)
}

/** The store that needs nothing set up: the data folder of the server, a folder for each tenant. */
export class FolderStore implements Store {
  readonly #services: Place
  readonly #root: string

  constructor(services: Place, tenantId: string) {
    this.#services = services
    this.#root = folderOf(services, tenantId)
  }

  /** The path of a stored file. Names are made by the server; one that leads out of the folder stops the call. */
  #path(name: string): string {
    const path = normalize(join(folder(this.#services), name))
    if (!path.startsWith(this.#root + sep)) throw new Error(`not a stored file of the tenant: ${name}`)
    return path
  }

  async put(name: string, { path: from }: Parcel): Promise<void> {
    const path = this.#path(name)
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      // On the disk before it is answered for, and under its name only then.
      await pipeline(createReadStream(from), createWriteStream(path + part, { mode: 0o600, flush: true }))
      await rename(path + part, path)
    } catch (error) {
      throw failed(error)
    }
  }

  async get(name: string, range?: Range): Promise<Readable | undefined> {
    try {
      const handle = await open(this.#path(name))
      return handle.createReadStream(range ? { start: range.from, end: range.to } : {})
    } catch (error) {
      if (isMissing(error)) return undefined
      throw failed(error)
    }
  }

  async head(name: string): Promise<number | undefined> {
    try {
      return (await stat(this.#path(name))).size
    } catch (error) {
      if (isMissing(error)) return undefined
      throw failed(error)
    }
  }

  async remove(name: string): Promise<void> {
    const path = this.#path(name)
    try {
      await rm(path, { force: true })
      await rm(path + part, { force: true })
    } catch (error) {
      throw failed(error)
    }
  }
}
