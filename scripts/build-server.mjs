// The server as a few files: our own code bundled, packages left where npm put them but for two, data beside it.
//   server/dist/main.js, admin.js, worker-*.js   migrations/*.sql   data/**   fonts/**   sources/**
import { cpSync, existsSync, globSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './root.mjs'

const server = path.join(root, 'server')
const source = path.join(server, 'src')
const { rolldown } = await import(
  pathToFileURL(createRequire(path.join(server, 'package.json')).resolve('rolldown')).href
)

const entries = ['main.ts', 'admin.ts', ...globSync('**/worker-*.ts', { cwd: source })]
  .filter((file) => !file.endsWith('.test.ts') && existsSync(path.join(source, file)))
  .map((file) => [path.basename(file, '.ts'), path.join(source, file)])
if (!entries.some(([name]) => name === 'main')) {
  console.error('server/src/main.ts is missing')
  process.exit(1)
}

// Of these, which come as hundreds of modules, only what is used is taken along: a start is a seventh shorter.
const taken = new Set(['kysely', 'pg-boss', 'cron-parser', 'luxon', 'rrule-temporal', 'serialize-error', 'non-error'])

// Built aside and moved into place: a build that fails leaves the former one working.
const fresh = path.join(root, '.runtime', `server.${process.pid}`)
rmSync(fresh, { recursive: true, force: true })
try {
  const bundle = await rolldown({
    input: Object.fromEntries(entries),
    platform: 'node',
    external: (id) => !id.startsWith('.') && !path.isAbsolute(id) && !id.startsWith('@data-brain/') && !taken.has(id),
    logLevel: 'warn',
  })
  await bundle.write({
    ...{ dir: fresh, format: 'esm', sourcemap: true },
    // What nobody reads there would be held in memory as long as the server runs.
    comments: { legal: true, annotation: false, jsdoc: false },
    ...{ entryFileNames: '[name].js', chunkFileNames: 'shared-[hash].js' },
  })
  await bundle.close()
  for (const [from, to] of [
    ['database/migrations', 'migrations'],
    ['seed/data', 'data'],
    ['kernel/pdf/fonts', 'fonts'],
  ]) {
    const folder = path.join(source, from)
    if (existsSync(folder)) cpSync(folder, path.join(fresh, to), { recursive: true })
    else mkdirSync(path.join(fresh, to))
  }
  // The files in which a generated entity has lines: what it is told by a patch is a difference to these.
  for (const file of [
    'contract/src/entities/index.ts',
    'contract/src/menus.ts',
    'server/src/modules/all.ts',
    'console/src/shell/routes.ts',
    'console/src/shell/pages.tsx',
  ])
    cpSync(path.join(root, file), path.join(fresh, 'sources', file))
  // The names that a generated entity cannot have, as its files would fall among others.
  const places = ['server/src/modules', 'console/src/pages', 'server/test'].flatMap((folder) =>
    existsSync(path.join(root, folder)) ? readdirSync(path.join(root, folder)).map((name) => `${folder}/${name}`) : [],
  )
  writeFileSync(path.join(fresh, 'sources', 'taken.txt'), places.join('\n'))
  const dist = path.join(server, 'dist')
  rmSync(dist, { recursive: true, force: true })
  renameSync(fresh, dist)
} finally {
  rmSync(fresh, { recursive: true, force: true })
}
