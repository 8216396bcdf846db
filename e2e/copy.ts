import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'vitest'

const root = path.join(import.meta.dirname, '..')

/** A copy of the sources, in which commands are run as somebody would who has checked them out. */
export interface Copy {
  readonly folder: string
  /** Runs a command in it; its output, which must be that of a success. */
  run(command: string, args: readonly string[]): string
  /** Runs Node. */
  node(...args: string[]): string
  /** Runs one of the tasks of `npm run`. */
  npm(task: string, ...args: string[]): string
  remove(): void
}

export function copySources(): Copy {
  const folder = mkdtempSync(path.join(tmpdir(), 'data-brain-e2e-'))
  const anywhere = new Set(['node_modules', 'dist', '.git', '.runtime', '.stamp'])
  const atTop = new Set(['data', 'release', 'extensions'])
  cpSync(root, folder, {
    recursive: true,
    filter: (from) => !anywhere.has(path.basename(from)) && !atTop.has(path.relative(root, from)),
  })
  const run: Copy['run'] = (command, args) => {
    const { status, stdout, stderr } = spawnSync(command, args, {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1' },
      maxBuffer: 1 << 26,
    })
    expect(status, `${command} ${args.join(' ')}\n${stdout}\n${stderr}`).toBe(0)
    return stdout
  }
  run('git', ['init', '--quiet'])
  // The packages are those of the checkout, our own workspaces those of the copy.
  for (const place of ['.', 'server', 'console', 'e2e', 'bench']) {
    const from = path.join(root, place, 'node_modules')
    const to = path.join(folder, place, 'node_modules')
    const names = readdirSync(path.join(root, place)).includes('node_modules') ? readdirSync(from) : []
    for (const name of names.filter((each) => each !== '@data-brain' && each !== '.vite')) {
      mkdirSync(to, { recursive: true })
      symlinkSync(path.join(from, name), path.join(to, name))
    }
  }
  mkdirSync(path.join(folder, 'node_modules', '@data-brain'))
  for (const name of ['bench', 'console', 'contract', 'e2e', 'server'])
    symlinkSync(path.join('..', '..', name), path.join(folder, 'node_modules', '@data-brain', name))
  const node = (...args: string[]): string => run(process.execPath, args)
  return {
    folder,
    run,
    node,
    npm: (task, ...args) => node('scripts/run.mjs', task, ...args),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
