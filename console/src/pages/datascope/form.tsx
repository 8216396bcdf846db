import { entityOf } from '@data-brain/contract'
import { Select } from 'antd'
import { Suspense, useMemo } from 'react'
import { inSentence } from '../../entity/display/index.ts'
import { type ControlProps, fieldKinds, RecordContext, useRecord } from '../../entity/fields/index.ts'
import type { FormParts } from '../../entity/form/index.ts'
import { useClearing } from '../../ui/form/clearing.tsx'
import { useValue } from '../../ui/form/store.ts'
import { useLanguage, useT, useWords } from '../../ui/words.ts'
import { useNarrowed, useScopeOptions } from './calls.ts'
import '../../entity/form/form-words.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'

const CUSTOM = '5'
const byColumn: ReadonlySet<unknown> = new Set(['2', '3', '4'])

/** What the scope narrows so far; null while nothing is chosen. */
const useScoped = ({ form }: ControlProps) => (useValue(form, 'scopeClass') as string | null) || null

/** Whose rows are narrowed: chosen by name. Another choice makes the rest of the rule void. */
function EntityControl({ form, name, ties, onChange, onBlur }: ControlProps) {
  const t = useT()
  const pick = useWords()
  const value = useValue(form, name) as string | null
  const found = useNarrowed()
  return (
    <Select
      {...ties}
      className="ff-full"
      placeholder={t('form.choose')}
      showSearch={{ optionFilterProp: 'label' }}
      loading={found.isPending}
      notFoundContent={t(found.isError ? 'entity.notLoaded' : 'entity.noMatch')}
      value={value || undefined}
      options={found.data?.map((each) => ({ value: each.name, label: pick(each.label) })) ?? []}
      onBlur={onBlur}
      onChange={(next: string) => {
        onChange(next)
        for (const other of ['scopeType', 'scopeColumn', 'scopeValue']) form.set(other, null)
      }}
    />
  )
}

const ChoiceControl = fieldKinds.choice.Control

/** The rules that fit what is narrowed. */
function TypeControl(props: ControlProps) {
  const { form, onChange } = props
  const options = useScopeOptions(useScoped(props))
  const record = useRecord()
  const fitting = useMemo(() => {
    const { data_scope_type: all = [] } = record.dictionaries
    const types = all.filter(({ dictKey }) => options.data?.types.includes(dictKey))
    return { ...record, dictionaries: { ...record.dictionaries, data_scope_type: types } }
  }, [record, options.data])
  return (
    <RecordContext value={fitting}>
      <ChoiceControl
        {...props}
        onChange={(next) => {
          onChange(next)
          form.set('scopeColumn', null)
          form.set('scopeValue', null)
        }}
      />
    </RecordContext>
  )
}

/** The field that an own-rows or department rule looks at; left open, the usual one. */
function ColumnControl(props: ControlProps) {
  const { form, name, label, ties, onChange, onBlur } = props
  const clearing = useClearing(label)
  const t = useT()
  const pick = useWords()
  const value = useValue(form, name) as string | null
  const type = useValue(form, 'scopeType') as string | null
  const options = useScopeOptions(useScoped(props))
  const columns = options.data?.columns[type ?? ''] ?? []
  return (
    <Select
      {...ties}
      className="ff-full"
      allowClear={clearing}
      placeholder={t('scope.usual')}
      value={value || undefined}
      options={columns.map((each) => ({ value: each.name, label: pick(each.label) }))}
      onBlur={onBlur}
      onChange={(next: string | undefined) => onChange(next ?? null)}
    />
  )
}

const Conditions = lazyPart(() => import('../../entity/value/conditions.tsx'))

/** The conditions of a custom rule, and what they mean in a sentence. */
function RuleControl(props: ControlProps) {
  const t = useT()
  const pick = useWords()
  const language = useLanguage()
  const scoped = useScoped(props)
  const before = scoped ? t('scope.sentence', { entity: inSentence(pick(entityOf(scoped).label), language) }) : ''
  return (
    <Suspense fallback={<div className="ff-fixed" />}>
      <Conditions {...props} own before={before} />
    </Suspense>
  )
}

/** The form of a data scope: what is narrowed, by which rule, and only what that rule needs. */
export const formParts: FormParts = {
  inputs: {
    scopeClass: EntityControl,
    scopeType: TypeControl,
    scopeColumn: ColumnControl,
    scopeValue: RuleControl,
  },
  shown: {
    scopeColumn: { by: 'scopeType', is: (value) => byColumn.has(value) },
    scopeValue: { by: 'scopeType', is: (value) => value === CUSTOM },
  },
}
