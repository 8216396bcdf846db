import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { freemem } from 'node:os'
import path from 'node:path'

/** The folder of Linux that is memory. */
const memory = '/dev/shm'
const prefix = 'data-brain-tests-'
/** What a run takes at most, several times over: the few databases that are there at once, and the files of uploads. */
const room = 4 * 1024 ** 3

/**
 * Lets everything that a run writes for the time of the run, the data of its PostgreSQL above all, lie in memory: there a
 * database is copied in a tenth of the time, and no commit waits for a disk. Where the machine has no such folder, too
 * little of it, or runs no program in it, and where TMPDIR names a folder, nothing changes. Answers what ends it.
 */
export function temporaryInMemory(): () => void {
  if (process.platform !== 'linux' || process.env.TMPDIR) return () => {}
  let folder: string | undefined
  try {
    sweep()
    const { bavail, bsize } = statfsSync(memory)
    if (Math.min(bavail * bsize, freemem()) < room) return () => {}
    folder = mkdtempSync(path.join(memory, `${prefix}${process.pid}-`))
    // As the usual one: PostgreSQL runs under an account of its own.
    chmodSync(folder, 0o1777)
    if (!runsPrograms(folder)) throw new Error('programs of this folder do not run')
  } catch {
    if (folder) rmSync(folder, { recursive: true, force: true })
    return () => {}
  }
  const made = folder
  process.env.TMPDIR = made
  return () => {
    delete process.env.TMPDIR
    rmSync(made, { recursive: true, force: true })
  }
}

/** PostgreSQL's programs are copied beside its data where its account cannot reach them; containers forbid that here. */
function runsPrograms(folder: string): boolean {
  const program = path.join(folder, 'program')
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
  const { status } = spawnSync(program)
  rmSync(program)
  return status === 0
}

/** Gives back the memory of runs that were killed. */
function sweep(): void {
  for (const name of readdirSync(memory)) {
    const pid = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : 0
    if (!pid || isAlive(pid)) continue
    try {
      rmSync(path.join(memory, name), { recursive: true, force: true })
    } catch {
      // Another account's, who gives it back with a run of their own.
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
