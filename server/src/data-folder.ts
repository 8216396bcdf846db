import { existsSync } from 'node:fs'
import { chmod, mkdir, realpath } from 'node:fs/promises'

/** Makes the data folder, closed to others, if it is missing, and answers its real path. */
export async function dataFolder(dataDir: string): Promise<string> {
  if (!existsSync(dataDir)) {
    await mkdir(dataDir, { recursive: true })
    await chmod(dataDir, 0o700)
  }
  return realpath(dataDir)
}
