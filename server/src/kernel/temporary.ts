import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive } from '../database/folder-lock.ts'

/** Containers may share a temporary folder, and number their processes alike. */
const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 8)
/** How the folders begin in which files lie for a while: with the process that made them. */
const prefix = `data-brain-upload-${machine}-`
const ours = new RegExp(`^${prefix}(\\d+)-`)
/** Those of other machines, and of versions before this one. */
const any = /^data-brain-(?:upload|import|oneroster)-/
const dayMs = 86_400_000
const held = new Set<string>()

export interface TemporaryFolder {
  readonly path: string
  remove(): Promise<void>
}

/** Makes a folder of its own for files that are needed for a while. Whoever makes it removes it. */
export async function temporaryFolder(): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`))
  held.add(path)
  return {
    path,
    remove: async () => {
      await rm(path, { recursive: true, force: true })
      held.delete(path)
    },
  }
}

/** Removes what processes that were killed have left in the temporary folder. What a process that lives holds stays. */
export async function dropLeftFolders(now = Date.now()): Promise<void> {
  for (const name of await readdir(tmpdir()).catch(() => [])) {
    if (!any.test(name)) continue
    const path = join(tmpdir(), name)
    const found = await stat(path).catch(() => undefined)
    if (!found || held.has(path)) continue
    const pid = Number(ours.exec(name)?.[1] ?? 0)
    const left = pid === process.pid ? found.mtimeMs < Date.now() - process.uptime() * 1000 : pid > 0 && !isAlive(pid)
    if (left || found.mtimeMs < now - dayMs) await rm(path, { recursive: true, force: true }).catch(() => {})
  }
}
