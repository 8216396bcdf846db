// npm run …: one task, under the right Node, with the dependencies in place.
import { checks } from './checks.mjs'
import { build, give, modules, node, run } from './setup.mjs'

const [task = '', ...args] = process.argv.slice(2)
const program = node()
modules(program)

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

const tasks = {
  build: () => {
    build(program, true)
    return 0
  },
  check,
  biome: () => script('node_modules/@biomejs/biome/bin/biome'),
  openapi: () => script('server/src/openapi-file.ts'),
  admin: () => built(() => script('server/dist/admin.js')),
  bench: () => built(() => script('bench/bench.ts')),
  'bench:console': () => built(() => script('bench/console.ts')),
  licences: () => script('scripts/licences.mjs'),
  release: () => built(() => script('scripts/release.mjs')),
  stage: () => built(() => script('scripts/release.mjs')),
}

if (!Object.hasOwn(tasks, task)) give(`Name a task: ${Object.keys(tasks).join(', ')}.`, '请指定任务。')
process.exitCode = tasks[task]()
