import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import type { Services } from './services.ts'

/** Bytes that are left to this process where a folder lies. */
async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/**
 * Whether the disks that the server writes to have their reserve left (`DISK_RESERVE_MB`): what arrives and what is
 * exported lies in the temporary folder, what is kept in the data folder. One that is not
 * there says nothing.
 */
export async function hasRoom({ environment }: Pick<Services, 'environment'>): Promise<boolean> {
  const free = await Promise.all(
    [environment.dataDir, tmpdir()].map((folder) => freeBytes(folder).catch(() => Number.POSITIVE_INFINITY)),
  )
  return Math.min(...free) >= environment.diskReserve
}
