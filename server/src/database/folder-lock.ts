import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from '../start-error.ts'

type Holder = { pid: number; born: string }

const patience = 600
const fileName = 'data-brain.lock'
const held = new Set<string>()

/** True while a process of that number lives, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  // Ended, but nobody has asked for its exit code: in a container whose first process does not reap, for ever.
  return statusOf(pid)[0] !== 'Z'
}

// The fields that follow the name in Linux's line about a process: state first, the tick it was born at twentieth.
function statusOf(pid: number): string[] {
  if (process.platform !== 'linux') return []
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return line.slice(line.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}

// A number alone is not enough: after a restart of the machine or of a container, it belongs to somebody else.
function bornAt(pid: number): string {
  try {
    if (process.platform === 'linux') {
      const ticks = statusOf(pid)[19]
      return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${ticks}`
    }
    if (process.platform === 'darwin')
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)])
        .toString()
        .trim()
  } catch {
    // The process ended meanwhile, or the system does not tell: its number has to do.
  }
  return ''
}

function parse(text: string): Holder | undefined {
  const [pid = '', born = ''] = text.split('\n')
  return /^\d+$/.test(pid) ? { pid: Number(pid), born } : undefined
}

/**
 * Takes the folder for this process and gives the function that releases it. A folder whose holder lives is refused
 * within a second, naming the holder's process id; the lock of a dead holder is taken over.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const file = path.join(folder, fileName)
  if (held.has(file)) throw inUse(folder, process.pid)
  held.add(file)
  const own = `${process.pid}\n${bornAt(process.pid)}\n`
  const candidate = `${file}.${process.pid}`
  try {
    await writeFile(candidate, own, { mode: 0o644 })
    // Linking an existing file is atomic: nobody ever reads a lock that is only half written.
    for (const began = Date.now(); !(await linked(candidate, file)); ) {
      const found = await readFile(file, 'utf8').catch(() => undefined)
      if (found === undefined) continue
      const holder = parse(found)
      const lives = holder && holder.pid !== process.pid && isAlive(holder.pid)
      // Whoever is stopped and started again at once finds the former run in its last moments.
      if (Date.now() - began > patience) throw inUse(folder, holder?.pid ?? 0)
      if (lives && (holder.born === '' || bornAt(holder.pid) === holder.born)) await sleep(20)
      else await discard(file, found, `${candidate}.old`)
    }
  } catch (error) {
    held.delete(file)
    throw error
  } finally {
    await rm(candidate, { force: true })
  }
  return async () => {
    held.delete(file)
    if ((await readFile(file, 'utf8').catch(() => '')) === own) await rm(file, { force: true })
  }
}

async function linked(candidate: string, file: string): Promise<boolean> {
  try {
    await link(candidate, file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

// Two processes may find the same dead lock; the slower must not throw away the lock of the faster.
async function discard(file: string, stale: string, aside: string): Promise<void> {
  try {
    await rename(file, aside)
  } catch {
    return
  }
  if ((await readFile(aside, 'utf8')) !== stale) await linked(aside, file)
  await rm(aside, { force: true })
}

function inUse(folder: string, pid: number): StartError {
  return new StartError(
    `数据目录 ${folder} 正被进程 ${pid} 使用。请先停止该进程，或用 DATA_DIR 指定另一个目录。`,
    `The data folder ${folder} is in use by process ${pid}. Stop that process first, or name another folder in DATA_DIR.`,
  )
}
