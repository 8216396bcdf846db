import type { Entity, Field } from '@data-brain/contract'
import { useContext } from 'react'
import { type ControlProps, ParentContext, ParentInput } from '../../entity/fields/index.ts'
import type { FormParts } from '../../entity/form/index.ts'
import { dictWords } from '../../locales/dict.ts'
import { specTexts } from '../../locales/spec-texts.ts'
import { useValue } from '../../ui/form/store.ts'

/** The width of the dictionaries' dialog (R-DICT-1). */
const WIDTH = 880

const asks = {
  code: specTexts['spec.dictCode'],
  dictValue: specTexts['spec.dictName'],
  sort: specTexts['spec.dictSort'],
  isSealed: specTexts['spec.dictSealed'],
  dictKey: specTexts['spec.dictKey'],
}

const pick = (entity: Entity, names: readonly string[]): Record<string, Field> =>
  Object.fromEntries(names.map((name) => [name, entity.fields[name]!]))

const made = new Map<string, Entity>()
function once(key: string, make: () => Entity): Entity {
  const known = made.get(key) ?? make()
  made.set(key, known)
  return known
}

/** A dictionary as its form sees it: it stands at the top and has no key of its own. */
const dictionaryOf = (entity: Entity): Entity =>
  once(`${entity.name} dictionary`, () => ({
    ...entity,
    label: dictWords['dict.one'],
    fields: pick(entity, ['code', 'dictValue', 'dictValueEn', 'sort', 'isSealed', 'remark']),
  }))

/** An entry as its form sees it: the code is that of its dictionary, and the key is its own. */
const entryOf = (entity: Entity): Entity =>
  once(`${entity.name} entry`, () => {
    const { default: _, help: __, ...dictKey } = entity.fields.dictKey!
    return {
      ...entity,
      label: dictWords['dict.entry'],
      fields: {
        ...pick(entity, ['code', 'dictValue', 'dictValueEn', 'parentId']),
        dictKey,
        ...pick(entity, ['sort', 'isSealed', 'remark']),
      },
    }
  })

/** The code of an entry: inherited, and shown for orientation. */
function InheritedCode({ form, name, ties }: ControlProps) {
  const value = useValue(form, name)
  return (
    <output id={ties.id} className="ff-fixed">
      {String(value ?? '')}
    </output>
  )
}

/** The parent is optional: an entry without one stands right under its dictionary. */
function EntryParent(props: ControlProps) {
  const { roots } = useContext(ParentContext)
  return <ParentInput {...props} onChange={(id) => props.onChange(id ?? roots[0]?.id ?? null)} />
}

/** The form of a dictionary. */
export const dictionaryParts = (entity: Entity): FormParts => ({
  of: () => dictionaryOf(entity),
  asks,
  dialog: WIDTH,
})

/** The form of an entry under a row of a dictionary. */
export const entryParts = (
  entity: Entity,
  { code, dictId, parentId, sort }: { code: string; dictId: string; parentId: string; sort: number },
): FormParts => ({
  of: () => entryOf(entity),
  asks,
  inputs: { code: InheritedCode, parentId: EntryParent },
  begin: { code, parentId, sort },
  draft: `entry-${dictId}`,
  dialog: WIDTH,
})
