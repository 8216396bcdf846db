// npm run …: one task, under the right Node, with the dependencies in place.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { checks } from './checks.mjs'
import { takeIn } from './extensions.mjs'
import { modules } from './install.mjs'
import { give, root } from './root.mjs'
import { build, node, run, serve } from './setup.mjs'

const [task = '', ...args] = process.argv.slice(2)
const program = node()
// What operators do needs nothing that only tests, checks and seed data need.
const forRunning = new Set(['build', 'admin', 'backup', 'restore', 'release', 'stage'])
modules(program, forRunning.has(task) ? 'run' : 'work')
takeIn()

const script = (file, ...given) => run(program, [file, ...given, ...args]).status ?? 1

function check() {
  for (const [title, [file, ...given]] of checks) {
    console.log(`— ${title}`)
    const { status } = run(program, [file, ...given])
    if (status !== 0) return status ?? 1
  }
  return 0
}

function built(then) {
  build(program)
  return then()
}

const admin = (...given) =>
  built(() => {
    if (!existsSync(path.join(root, 'server/dist/admin.js')))
      give('This release has no admin command.', '此版本没有管理命令。')
    return script('server/dist/admin.js', ...given)
  })

const generated = ['server/src/openapi-file.ts', 'server/test/matrix-file.ts', 'scripts/licences.mjs']
const seedData = [
  'server/src/seed/make-regions.ts',
  'server/src/seed/make-nationality.ts',
  'server/src/kernel/pdf/make-fonts.ts',
]

const tasks = {
  build: () => {
    build(program, true)
    return 0
  },
  check,
  biome: () => script('node_modules/@biomejs/biome/bin/biome'),
  // All that is generated from the sources, or with "data" what is made of packages that hold data.
  generate: () => {
    const files = args[0] === 'data' ? seedData : generated
    return files.map((file) => run(program, [file]).status ?? 1).find((code) => code !== 0) ?? 0
  },
  dev: () => serve(program, [path.join(root, 'scripts/dev.mjs')]),
  new: () => script('scripts/new.mjs'),
  admin: () => admin(),
  backup: () => admin('backup'),
  restore: () => admin('restore'),
  bench: () => built(() => script('bench/bench.ts')),
  'bench:console': () => built(() => script('bench/console.ts')),
  'bench:export': () => built(() => script('bench/export.ts')),
  'bench:insight': () => built(() => script('bench/insight.ts')),
  'bench:import': () => built(() => script('bench/import.ts')),
  'bench:import-load': () => built(() => script('bench/import-load.ts')),
  'bench:oneroster': () => built(() => script('bench/oneroster.ts')),
  'bench:live': () => built(() => script('bench/live.ts')),
  'bench:logs': () => script('bench/logs.ts'),
  'bench:tenants': () => script('bench/tenants.ts'),
  'bench:timetable': () => script('bench/timetable.ts'),
  'bench:fet-data': () => script('bench/fet-data.ts'),
  'bench:flow': () => built(() => script('bench/flow.ts')),
  'bench:timetable-live': () => built(() => script('bench/timetable-live.ts')),
  'test:mutation': () => script('node_modules/@stryker-mutator/core/bin/stryker.js', 'run'),
  'test:mutation:paths': () => script('scripts/mutation-paths.mjs'),
  release: () => built(() => script('scripts/release.mjs')),
  stage: () => {
    if (args.length !== 1) give('Name the folder to fill: node scripts/run.mjs stage <folder>', '请指定目标目录。')
    return built(() => script('scripts/release.mjs'))
  },
}

if (!Object.hasOwn(tasks, task)) give(`Name a task: ${Object.keys(tasks).join(', ')}.`, '请指定任务。')
process.exitCode = tasks[task]()
