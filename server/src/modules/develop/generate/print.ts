import type { CodeField } from '@data-brain/contract/code'
import { type CodeTable, optionsOf, partsOf, pathOf } from './table.ts'

/* The texts of the files that are made of a table, in the form that the sources are kept in. */

/** Columns of a line; a Chinese sign takes two. */
const widest = 120
const widthOf = (text: string): number => [...text].reduce((sum, sign) => sum + (/[⺀-￦]/.test(sign) ? 2 : 1), 0)

/**
 * A text as the sources quote it: in the marks of which it holds fewer, as their formatter has it. Nothing in it ends the
 * quotation, a comment or the line.
 */
export const quoted = (text: string): string => {
  const count = (mark: string): number => text.split(mark).length
  const mark = count("'") > count('"') ? '"' : "'"
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll(mark, `\\${mark}`)
    .replaceAll(/\p{Cc}|[\u2028\u2029]/gu, ' ')
  return mark + escaped + mark
}

const number = (value: number): string => {
  const sign = value < 0 ? '-' : ''
  const digits = String(Math.abs(value))
  return digits.length < 5 ? sign + digits : sign + digits.replaceAll(/(?<=\d)(?=(\d{3})+$)/g, '_')
}
const literal = (value: string | number | boolean): string =>
  typeof value === 'string' ? quoted(value) : typeof value === 'number' ? number(value) : String(value)

/** A list on one line, or one item on each: as are several lists of several. */
function listed(before: string, items: readonly string[], indent = '  '): string {
  const line = `${indent}${before}[${items.join(', ')}],`
  const areLists = items.length > 1 && items.every((item) => item.startsWith('[') && item.includes(','))
  return widthOf(line) <= widest && !areLists
    ? line
    : [`${indent}${before}[`, ...items.map((item) => `${indent}  ${item},`), `${indent}],`].join('\n')
}

function fieldLine(field: CodeField): string {
  if (
    field.name === 'remark' &&
    field.kind === 'area' &&
    field.zh === '备注' &&
    field.en === 'Remarks' &&
    !field.required &&
    (field.max ?? 500) === 500
  )
    return '    remark,'
  const options = Object.entries(optionsOf(field)).map(([name, value]) => `${name}: ${literal(value)}`)
  const front = `    ${field.name}: ${field.kind}(${[quoted(field.zh), quoted(field.en), ...(field.kind === 'reference' ? [quoted(field.to!)] : [])].join(', ')}`
  if (options.length === 0) return `${front}),`
  const line = `${front}, { ${options.join(', ')} }),`
  return widthOf(line) <= widest
    ? line
    : [`${front}, {`, ...options.map((option) => `      ${option},`), '    }),'].join('\n')
}

function groupLine({ label, fields }: ReturnType<typeof partsOf>['groups'][number]): string {
  const words = `label: { zh: ${quoted(label.zh)}, en: ${quoted(label.en)} }`
  const line = `    { ${words}, fields: [${fields.map(quoted).join(', ')}] },`
  if (widthOf(line) <= widest) return line
  return ['    {', `      ${words},`, listed('fields: ', fields.map(quoted), '      '), '    },'].join('\n')
}

/** The definition: contract/src/entities/<area>/<name>.ts. */
export function definitionText(table: CodeTable): string {
  const { title, unique, list, search, groups } = partsOf(table)
  const lines = table.fields.map(fieldLine)
  const common = [...(lines.includes('    remark,') ? ['remark'] : []), ...(table.bySchool ? ['schoolId'] : [])]
  const kinds = [...new Set(table.fields.filter((_, at) => lines[at] !== '    remark,').map(({ kind }) => kind))].sort()
  const names = (all: readonly string[]): string[] => all.map(quoted)
  return `${[
    `import { defineEntity } from '../../entity.ts'`,
    `import { ${kinds.join(', ')} } from '../../field.ts'`,
    ...(common.length > 0 ? [`import { ${common.join(', ')} } from '../common.ts'`] : []),
    '',
    `export const ${table.name} = defineEntity({`,
    `  name: '${table.name}',`,
    `  path: '${pathOf(table)}',`,
    `  label: { zh: ${quoted(table.zh)}, en: ${quoted(table.en)} },`,
    `  ownership: '${table.bySchool ? 'school' : 'tenant'}',`,
    `  title: '${title}',`,
    '  fields: {',
    ...(table.bySchool ? ['    schoolId,'] : []),
    ...lines,
    '  },',
    ...(unique.length > 0
      ? [
          listed(
            'unique: ',
            unique.map((key) => `[${names(key).join(', ')}]`),
          ),
        ]
      : []),
    listed('list: ', names(list)),
    listed('search: ', names(search)),
    `  sort: '${title}',`,
    `  find: ['${title}'],`,
    ...(groups.length > 0 ? ['  groups: [', ...groups.map(groupLine), '  ],'] : []),
    '})',
  ].join('\n')}\n`
}

const use = (names: string, from: string): string => `import { ${names} } from '${from}'`
const joined = (...lines: readonly string[]): string => `${lines.join('\n')}\n`

/** A rule that says nothing yet: server/src/modules/<name>/index.ts. */
export const moduleText = ({ name }: CodeTable): string =>
  joined(
    use(name, '@data-brain/contract'),
    use('addRules, type Saving', '../../entity/rules.ts'),
    `import type { Module } from '../module.ts'`,
    '',
    '/** What the definition cannot say and the database cannot judge. */',
    `async function check({ whole }: Saving<typeof ${name}>): Promise<void> {`,
    `  // To refuse a value: refuseField(saving, ${name}, 'field', '中文说明', 'words in English').`,
    '  void whole',
    '}',
    '',
    `export const ${name}Module: Module = { addRules: () => addRules(${name}, { beforeSave: check }) }`,
  )

/** server/test/<name>.test.ts */
export const testText = ({ name }: CodeTable): string =>
  joined(
    use('entityOf', '@data-brain/contract'),
    use('afterAll, beforeAll, expect, it', 'vitest'),
    use('sample', './sample.ts'),
    use('makeWorld, type World', './world.ts'),
    '',
    'let world: World',
    `const entity = entityOf('${name}')`,
    '',
    'beforeAll(async () => {',
    '  world = await makeWorld()',
    '})',
    'afterAll(() => world.close())',
    '',
    `it('is kept for its tenant, and shown to no other', async () => {`,
    '  const admin = await world.tenant()',
    '  const { draft } = await sample(admin, entity)',
    '  const made = await admin.post<{ id: string }>(`$' + '{entity.path}/submit`, draft)',
    `  expect(made.msg).toBe('操作成功')`,
    '  expect((await admin.get(`$' + '{entity.path}/detail`, { id: made.data.id })).status).toBe(200)',
    '  const stranger = await world.tenant()',
    '  expect((await stranger.get(`$' + '{entity.path}/detail`, { id: made.data.id })).status).toBe(404)',
    '})',
  )

/** A page that shows the engine's list: console/src/pages/<name>/page.tsx. */
export const pageText = ({ name }: CodeTable): string =>
  joined(
    use(name, '@data-brain/contract'),
    use('EntityPage', '../../entity/list/index.ts'),
    '',
    "/** The engine's list; cells, actions and more columns of its own go in here. */",
    `export default function ${name[0]!.toUpperCase()}${name.slice(1)}Page() {`,
    `  return <EntityPage entity={${name}} />`,
    '}',
  )
