// npm run new -- entity <name> <Chinese> <English> [area]: writes an entity's definition, its place in the list and in
// the menus, and its migration, and says what is left to do.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { give, root } from './root.mjs'

const [what, name = '', zh = '', en = '', area = 'school'] = process.argv.slice(2)
const definitions = path.join(root, 'contract/src/entities')
const migrations = path.join(root, 'server/src/database/migrations')

if (what !== 'entity' || !/^[a-z]{2,40}$/.test(name) || !zh || !en || !existsSync(path.join(definitions, area))) {
  const areas = readdirSync(definitions, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  give(
    `Usage: npm run new -- entity <name> <Chinese label> <English label> [${areas.map((entry) => entry.name).join('|')}], with a name of small letters.`,
    '用法：npm run new -- entity <名称> <中文名> <英文名> [目录]，名称只用小写字母。',
  )
}
const definition = path.join(definitions, area, `${name}.ts`)
if (existsSync(definition)) give(`There is an entity named ${name} already.`, `名为“${name}”的实体已存在。`)

// The same that the code generator makes of a table.
const { contractEdits } = await import('../server/src/modules/develop/generate/edits.ts')
const { definitionText } = await import('../server/src/modules/develop/generate/print.ts')
const table = {
  ...{ name, zh, en, area, bySchool: true },
  fields: [
    { name: 'name', zh: '名称', en: 'Name', kind: 'text', max: 50, required: 1, unique: 1 },
    { name: 'remark', zh: '备注', en: 'Remarks', kind: 'area', max: 500 },
  ],
}
const edit = (file, change) => {
  const at = path.join(root, file)
  const before = readFileSync(at, 'utf8')
  const after = change(before)
  if (after === before) give(`${file} has not the form that is expected here.`, `${file} 的格式不符合预期。`)
  writeFileSync(at, after)
  return file
}

writeFileSync(definition, definitionText(table))
const written = [path.relative(root, definition)]
for (const [file, change] of Object.entries(contractEdits)) written.push(edit(file, (text) => change(text, table)))

const biome = path.join(root, 'node_modules/@biomejs/biome/bin/biome')
spawnSync(process.execPath, [biome, 'check', '--write', ...written], {
  cwd: root,
  stdio: ['ignore', 'ignore', 'inherit'],
})

const draft = spawnSync(process.execPath, ['server/src/database/draft.ts', name], { cwd: root, encoding: 'utf8' })
if (draft.status !== 0) give(`The migration could not be drafted:\n${draft.stderr}`, '无法生成迁移脚本。')
const numbers = readdirSync(migrations).map((file) => Number.parseInt(file, 10))
const number = String(Math.max(...numbers.filter(Number.isInteger)) + 1).padStart(4, '0')
const migration = path.join(migrations, `${number}_${name}.sql`)
writeFileSync(migration, draft.stdout)
written.push(path.relative(root, migration))

console.log(`Written:
${written.map((file) => `  ${file}`).join('\n')}

What is left:
  - its fields, in ${written[0]}; then draft its table again, as long as nobody has started with it:
      node server/src/database/draft.ts ${name} > ${written.at(-1)}
  - its place, icon and English plural in contract/src/menus.ts
  - npm run generate, which writes the description and the matrix of rights anew
  - npx vitest run contract/test/entities.test.ts server/test/every-entity.test.ts -t ${name}
  - rules, actions, a page of its own: CONTRIBUTING.md`)
