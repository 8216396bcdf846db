import { entityOf, ownerOf, type Words } from '@data-brain/contract'
import { rangeName, referenceName, refuseNameClash, singleName, uniqueName } from '../database/ddl.ts'
import { setConstraintWords } from '../kernel/problem-of.ts'
import { spelledConstraints } from './agreement.ts'
import { allModels, modelOf } from './model.ts'

interface Meaning {
  kind: 'unique' | 'reference' | 'check'
  label: Words
  field: string
  /** What is wrong, where the kind alone does not say it. */
  reason?: Words
}

/** What a reference means that a table of an extension holds which is not built in. */
function ofAbsent(constraint: string, absent: readonly string[]): Meaning | undefined {
  const name = absent.find((each) => constraint.startsWith(`${each}_`))
  if (name === undefined) return undefined
  return {
    kind: 'reference',
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
  const meanings = new Map<string, Meaning>()
  for (const { entity, byName, table, fields } of allModels()) {
    const join = (names: readonly string[]): Words => {
      const told = names.filter((name) => name !== ownerOf(entity)?.field || names.length === 1)
      return {
        zh: told.map((name) => byName.get(name)?.label.zh ?? name).join('、'),
        en: told.map((name) => byName.get(name)?.label.en ?? name).join(', '),
      }
    }
    for (const key of entity.unique ?? [])
      meanings.set(uniqueName(entity, key), { kind: 'unique', label: join(key), field: key.at(-1)! })
    for (const { flag } of entity.single ?? [])
      meanings.set(singleName(entity, flag), { kind: 'unique', label: join([flag]), field: flag })
    meanings.set(`${table}_tenant_id_ext_id_key`, {
      kind: 'unique',
      label: { zh: '外部标识', en: 'External ID' },
      field: 'extId',
    })
    for (const field of fields) {
      if (field.kind === 'reference' || field.kind === 'references')
        meanings.set(referenceName(entity, field.name), { kind: 'reference', label: field.label, field: field.name })
      meanings.set(`${table}_${field.column}_fkey`, { kind: 'reference', label: field.label, field: field.name })
      meanings.set(`${table}_${field.column}_check`, { kind: 'check', label: field.label, field: field.name })
    }
    for (const range of entity.ranges ?? [])
      meanings.set(rangeName(entity, range), { kind: 'check', label: byName.get(range[1])!.label, field: range[1] })
  }
  for (const [name, { entity, field, reason }] of spelledConstraints()) {
    const { label } = modelOf(entityOf(entity)).byName.get(field)!
    meanings.set(name, { kind: 'check', label, field, reason })
  }
  setConstraintWords((name) => meanings.get(name) ?? ofAbsent(name, absent))
}
