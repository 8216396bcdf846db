import { entities } from './entities/index.ts'
import { listParameters, type Words } from './field.ts'
import { type CodeField, codeFieldsMost } from './rules/code-fields.ts'

/*
 * What a row of the code generator holds of a table: its fields, as they are guessed and put right, before there is a
 * definition.
 */

export { type CodeField, type CodeKind, codeFieldsMost, codeKinds } from './rules/code-fields.ts'

/** What is made of a table: all of it, or one side. */
export const codeSystems = ['whole', 'server', 'console'] as const
export type CodeSystem = (typeof codeSystems)[number]

/** Folders of the contract in which an entity can stand. */
export const codeAreas = ['school', 'student', 'system', 'resource', 'flow', 'desk'] as const

/** Names that the database, the language or every row has taken already, as columns. */
const taken = new Set(
  (
    'all analyse analyze and any array as asc asymmetric authorization binary both case cast check collate collation column concurrently ' +
    'constraint create cross current_catalog current_date current_role current_schema current_time current_timestamp current_user default ' +
    'deferrable desc distinct do else end except false fetch for foreign freeze from full grant group having ilike in initially inner ' +
    'intersect into is isnull join lateral leading left like limit localtime localtimestamp natural not notnull null offset on only or ' +
    'order outer overlaps placing primary references returning right select session_user similar some symmetric system_user table ' +
    'tablesample then to trailing true union unique user using variadic verbose when where window with break catch class const continue ' +
    'debugger delete enum export extends finally function if implements import instanceof interface let new package private protected ' +
    'public return static super switch this throw try typeof var void while yield await ' +
    'id tenant_id status version ext_id create_user create_dept create_time update_user update_time is_deleted custom school_id ' +
    'owner_id target_id tableoid xmin xmax cmin cmax ctid'
  ).split(' '),
)
const columnOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Whether a name is free for a field, or for an entity. */
export const isFreeName = (name: string): boolean => !taken.has(columnOf(name)) && !(name in Object.prototype)

/** Whether a name is free for a field: what a list is asked for with is not. */
export const isFreeField = (name: string): boolean => isFreeName(name) && !listParameters.has(name) && name !== 'ids'

/** Whether a text holds what a template would put a value in: a linter takes it for a mistake. */
export const holdsPlaceholder = (text: string | null | undefined): boolean => text?.includes('${') ?? false

/** Whether a table refers to an entity by this name; the entity's name. */
export const entityOfTable = (table: string): string | undefined => {
  const name = table.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  return entities.find(
    (each) => each.name === name || `${each.name}s` === name || each.table?.replaceAll('_', '') === name,
  )?.name
}

type Told = Pick<CodeField, 'name'>
const of = ({ name }: Told, zh: string, en: string): Words => ({
  zh: `字段${name || '（未命名）'}${zh}`,
  en: `the field ${name || '(without a name)'} ${en}`,
})

/** What is wrong with the fields of a table, in words that go on after the label; undefined where nothing is. */
export function faultOfFields(fields: readonly CodeField[], known: ReadonlySet<string>): Words | undefined {
  if (fields.length === 0) return { zh: '至少要有一个字段', en: 'need at least one field' }
  if (fields.length > codeFieldsMost) return { zh: `最多${codeFieldsMost}个字段`, en: `are at most ${codeFieldsMost}` }
  const names = new Set<string>()
  for (const field of fields) {
    if (!/^[a-z][a-zA-Z0-9]{0,39}$/.test(field.name))
      return of(
        field,
        '的名称须以小写字母开头，只含字母和数字',
        'has to be named by letters and digits, a small letter first',
      )
    if (!isFreeField(field.name))
      return of(field, '的名称是保留字，请换一个', 'has a name that is reserved: choose another')
    if (names.has(field.name)) return of(field, '重复', 'is there twice')
    names.add(field.name)
    if (!field.zh) return of(field, '缺少中文名称', 'lacks its Chinese name')
    if (!/[A-Za-z]/.test(field.en) || /\p{Script=Han}/u.test(field.en))
      return of(field, '缺少英文名称', 'lacks its English name')
    if (holdsPlaceholder(field.zh) || holdsPlaceholder(field.en))
      return of(field, '的名称不能含有 ${', 'has a name that holds ${')
    if (field.kind === 'reference' && !known.has(field.to ?? ''))
      return of(field, '没有说明引用什么', 'does not say what it refers to')
  }
  for (const key of ['zh', 'en'] as const) {
    const labels = fields.map((field) => field[key])
    const twice = fields.find((field, at) => labels.indexOf(field[key]) !== at)
    if (twice) return of(twice, '与另一字段的名称相同', 'is called like another field')
  }
  const shadowed = fields.find(
    (field) => field.kind === 'reference' && names.has(`${field.name.replace(/Id$/, '')}Name`),
  )
  if (shadowed)
    return of(shadowed, '引用的名称会与另一字段同名', 'refers to what is shown under the name of another field')
  if (!fields.some(({ kind, max = 100 }) => kind === 'text' && max <= 255))
    return { zh: '至少要有一个文本字段作为名称', en: 'need a text that names a row' }
  return undefined
}
