import { existsSync } from 'node:fs'
import { chmod, mkdir, realpath } from 'node:fs/promises'
import { dirname } from 'node:path'
import { StartError } from './start-error.ts'

/** Makes the data folder, closed to others, if it is missing, and answers its real path. */
export async function dataFolder(dataDir: string): Promise<string> {
  if (!existsSync(dataDir)) {
    await makeFolder(dataDir)
    await chmod(dataDir, 0o700)
  }
  return realpath(dataDir)
}

/** One folder after the other: Node's `recursive` never ends below a folder that takes none, like /proc. */
async function makeFolder(path: string): Promise<void> {
  if (!existsSync(dirname(path))) await makeFolder(dirname(path))
  await mkdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT')
      throw new StartError(
        `无法创建文件夹 ${path}，请检查 DATA_DIR。未启动，也未作任何改动。`,
        `The folder ${path} cannot be made there, so nothing was started and nothing was changed: see DATA_DIR.`,
      )
    if (error.code !== 'EEXIST') throw error
  })
}
