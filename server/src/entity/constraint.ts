import { type Entity, entityOf, ownerOf, type Words } from '@data-brain/contract'
import { rangeName, referenceName, refuseNameClash, singleName, uniqueName } from '../database/ddl.ts'
import { type ConstraintMeaning, setConstraintWords } from '../kernel/problem-of.ts'
import { spelledConstraints } from './agreement.ts'
import { allModels, modelOf } from './model.ts'

/** A label as it stands within a sentence; what is written in capitals stays so. */
const within = (label: string): string =>
  /^[A-Z][^A-Z]/.test(label) ? label[0]!.toLowerCase() + label.slice(1) : label

/**
 * What is said of a key of an entity that is there already: the entity's own words, or the usual ones. What a row belongs to
 * follows from the other parts, so it is named only where there is no other.
 */
export function takenWords(entity: Entity, key: readonly string[]): Words {
  const last = key.at(-1)!
  const own = entity.taken?.[last]
  if (own) return own
  const { label } = entity.fields[last]!
  const rest = key.slice(0, -1)
  const others = (rest.length > 1 ? rest.filter((name) => name !== ownerOf(entity)?.field) : rest).map(
    (name) => entity.fields[name]!.label,
  )
  if (others.length === 0) return { zh: `${label.zh}已存在`, en: `${label.en} already exists` }
  return {
    zh: `${label.zh}在同一${others.map(({ zh }) => zh).join('、')}中已存在`,
    en: `${label.en} already exists in the same ${others.map(({ en }) => within(en)).join(' and ')}`,
  }
}

/** What is said where a flag is set of a row, and another of the same has it. */
const singleWords = (entity: Entity, flag: string, per: readonly string[]): Words => {
  const { label } = entity.fields[flag]!
  const of = per.map((name) => entity.fields[name]!.label)
  return {
    zh: `同一${of.map(({ zh }) => zh).join('、')}只能有一个${label.zh}`,
    en: `There is one ${within(label.en)} per ${of.map(({ en }) => within(en)).join(' and ')}`,
  }
}

/** What a reference means that a table of an extension holds which is not built in. */
function ofAbsent(constraint: string, absent: readonly string[]): ConstraintMeaning | undefined {
  const name = absent.find((each) => constraint.startsWith(`${each}_`))
  if (name === undefined) return undefined
  return {
    label: { zh: '数据', en: 'The row' },
    field: 'id',
    reason: {
      zh: `仍被扩展“${name}”的数据引用，而该扩展当前未启用`,
      en: `is still referred to by data of the extension ${name}, which is not built in`,
    },
  }
}

/**
 * Teaches the kernel what each constraint of an entity's table means to a person. Called once at start, after the modules
 * have added theirs. `absent` are extensions that have left tables and are not built in.
 */
export function learnConstraints(absent: readonly string[] = []): void {
  refuseNameClash(allModels().map(({ entity }) => entity))
  const meanings = new Map<string, ConstraintMeaning>()
  for (const { entity, byName, table, fields } of allModels()) {
    const label = (name: string): Words => byName.get(name)!.label
    for (const key of entity.unique ?? []) {
      const field = key.at(-1)!
      meanings.set(uniqueName(entity, key), { label: label(field), field, taken: takenWords(entity, key) })
    }
    for (const { flag, per } of entity.single ?? [])
      meanings.set(singleName(entity, flag), { label: label(flag), field: flag, taken: singleWords(entity, flag, per) })
    meanings.set(`${table}_tenant_id_ext_id_key`, {
      label: { zh: '外部标识', en: 'External ID' },
      field: 'extId',
      taken: { zh: '外部标识已存在', en: 'External ID already exists' },
    })
    for (const field of fields) {
      if (field.kind === 'reference' || field.kind === 'references')
        meanings.set(referenceName(entity, field.name), { label: field.label, field: field.name })
      meanings.set(`${table}_${field.column}_fkey`, { label: field.label, field: field.name })
      meanings.set(`${table}_${field.column}_check`, { label: field.label, field: field.name })
    }
    for (const range of entity.ranges ?? [])
      meanings.set(rangeName(entity, range), { label: label(range[1]), field: range[1] })
  }
  for (const [name, { entity, field, reason }] of spelledConstraints()) {
    const { label } = modelOf(entityOf(entity)).byName.get(field)!
    meanings.set(name, { label, field, reason })
  }
  setConstraintWords((name) => meanings.get(name) ?? ofAbsent(name, absent))
}
