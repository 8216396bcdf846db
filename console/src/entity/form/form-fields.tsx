import { type Entity, nameOf } from '@data-brain/contract'
import { memo, type ReactNode, useMemo } from 'react'
import { type FormStore, useValue, type Values } from '../../ui/form/store.ts'
import { useWords } from '../../ui/words.ts'
import type { ShownRow } from '../data/calls.ts'
import type { ControlProps } from '../fields/control.tsx'
import type { RequiredMessages } from '../fields/validate.ts'
import { lineOf } from './along.ts'
import { type FieldsProps, FormField, FormPair } from './form-field.tsx'
import { FormLine } from './form-line.tsx'
import { FormSection, sectionsOf } from './form-sections.tsx'

/** What a page puts into the form of its entity. Keep its identity between renders. */
export interface FormParts {
  /** The entity as its form sees it, where that has more fields, or other ones, than the rows. */
  readonly of?: (isNew: boolean) => Entity
  /** Inputs in the place of those of the fields' kinds, by field. */
  readonly inputs?: Readonly<Record<string, (props: ControlProps) => ReactNode>>
  readonly asks?: RequiredMessages
  /** Values that a new row begins with. */
  readonly begin?: Values
  /** Fields that are there only while another one has such a value. */
  readonly shown?: Readonly<Record<string, { readonly by: string; readonly is: (value: unknown) => boolean }>>
  /** The entity as its form sees it while one of its fields has such a value: other labels, other fields. */
  readonly seen?: { readonly by: string; readonly as: (entity: Entity, value: unknown) => Entity }
  /** Names the draft of a new row, where new rows of several kinds are made. */
  readonly draft?: string
  /** Whether one new row is wanted and no more after it. */
  readonly single?: boolean
  /** The width of the form as a dialog; it is a drawer otherwise. */
  readonly dialog?: number
  readonly finish?: FormFinish
}

/** What the main button of a form does with the row in the same step as saving it, such as publishing. */
export interface FormFinish {
  /** The code that it needs beside that of saving. */
  readonly code: string
  readonly offered: (row: ShownRow | null) => boolean
  /** Words of the button, and of the one beside it that only saves. */
  readonly label: string
  readonly keep: string
  /** What is sent along with the draft: both are done, or neither. */
  readonly values: Readonly<Record<string, unknown>>
  /** Says beside the buttons what it would come to. */
  readonly Note: (props: { form: FormStore }) => ReactNode
  /** Says that it is done, and offers a way back. */
  readonly done: (row: ShownRow) => void
}

const NO_NAMES = {}

/** The fields of a form under their headings; what no heading claims comes first. */
export const FormFields = memo(function FormFields(given: FieldsProps) {
  const seen = given.parts?.seen
  const deciding = useValue(given.form, seen?.by ?? 'status')
  const entity = useMemo(() => seen?.as(given.entity, deciding) ?? given.entity, [seen, given.entity, deciding])
  const props = { ...given, entity }
  const pick = useWords()
  const { parts, isNew } = props
  // Names change with every row; only a field that refers to rows is drawn again for them.
  const one = (name: string) => {
    const pair = entity.pairs?.find(({ fields }) => fields[1] === name)
    if (pair) return <FormPair key={name} {...props} names={NO_NAMES} pair={pair} />
    return (
      <FormField
        key={name}
        {...props}
        names={entity.fields[name]?.to || entity.fields[name]?.of ? props.names : NO_NAMES}
        name={name}
      />
    )
  }
  return sectionsOf(entity, parts, isNew).map((section) => {
    const line = lineOf(entity, section.fields[0] ?? '')?.line
    const shown = {
      label: section.label && pick(section.label),
      entity,
      form: given.form,
      one,
    }
    const key = section.label?.en ?? ''
    if (line !== undefined) return <FormLine key={key} {...shown} line={line} fields={section.fields} />
    return <FormSection key={key} {...shown} section={section} words={given.words} />
  })
})

/** The shown names that a row brings for what it refers to. */
export function namesIn(entity: Entity, row: ShownRow | null): Readonly<Record<string, string>> {
  if (!row) return {}
  const toList = (value: unknown): readonly string[] =>
    Array.isArray(value) ? value.map(String) : typeof value === 'string' && value !== '' ? value.split(',') : []
  const pairs = Object.entries(entity.fields).flatMap(([name, field]): (readonly [string, string])[] => {
    const shown = row[nameOf(name)]
    // Beside a json value the names of the rows that it mentions travel by their ids.
    if (field.kind === 'json' && field.of && shown) return Object.entries(shown as Readonly<Record<string, string>>)
    if (!field.to) return []
    // A single name may hold a comma; only lists of ids are split.
    if (field.kind === 'reference')
      return typeof shown === 'string' && shown ? [[String(row[name]), shown] as const] : []
    const texts = toList(shown)
    return toList(row[name]).flatMap((id, i) => (texts[i] ? [[id, texts[i]] as const] : []))
  })
  return Object.fromEntries(pairs)
}
