import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** The built product as a process of its own. */
export interface Started {
  readonly url: string
  readonly process: ChildProcess
  stop(): Promise<void>
}

/** A folder of the journey's own, through which the unprivileged account of PostgreSQL may pass. */
export function freshFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'data-brain-e2e-'))
  chmodSync(folder, 0o711)
  return folder
}

/** The first password of the platform's administrator in journeys. */
export const password = 'Correct-Horse-9'

const main = path.join(import.meta.dirname, '..', 'server', 'dist', 'main.js')

/** Starts the product on a data folder, as `npm start` does (or by `script`), and waits for its ready line. */
export async function startOn(
  folder: string,
  environment: Record<string, string>,
  script: string = main,
): Promise<Started> {
  const child = spawn(process.execPath, [script], {
    env: { ...process.env, DATA_DIR: folder, PORT: '0', ADMIN_PASSWORD: password, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      output += chunk.toString()
      const ready = /^ready (http:\/\/\S+)/m.exec(output)
      if (ready) resolve(ready[1]!)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.on('exit', (code) => reject(new Error(`the product ended with ${code}:\n${output}`)))
  })
  return {
    url,
    process: child,
    stop: async () => {
      const ended = new Promise((resolve) => child.on('exit', resolve))
      child.kill('SIGTERM')
      await ended
    },
  }
}
