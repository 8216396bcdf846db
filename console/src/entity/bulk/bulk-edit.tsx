import { type Entity, entityOf, type Field } from '@data-brain/contract'
import { Select } from 'antd'
import { useEffect, useMemo, useRef, useState } from 'react'
import { HttpProblem } from '../../http/client.ts'
import { bulkEditWords } from '../../locales/bulk-edit.ts'
import { isDateKind } from '../../ui/date/read.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Field as FormField } from '../../ui/form/field.tsx'
import { createForm } from '../../ui/form/store.ts'
import { Icon } from '../../ui/icon.tsx'
import { toast } from '../../ui/toast.ts'
import { addWords, useWords } from '../../ui/words.ts'
import type { Bulk, BulkAnswer, ShownRow } from '../data/calls.ts'
import type { EntityClient } from '../data/client.ts'
import { IdempotencyKey } from '../data/idempotency.ts'
import { undoOffer } from '../data/undo.tsx'
import { type CellWords, inSentence } from '../display/cell.tsx'
import { type ControlProps, RecordContext } from '../fields/control.tsx'
import { fieldKinds } from '../fields/kinds/index.ts'
import { isEmpty, tidyValue } from '../fields/tidy.ts'
import { holdUnchosen } from '../fields/unchosen.ts'
import { checkField } from '../fields/validate.ts'
import { fieldsOf, toWire } from '../form/draft.ts'
import type { FormParts } from '../form/form-fields.tsx'
import { focusField } from '../form/form-focus.ts'
import { fieldOf } from '../list/cell-fields.ts'
import { titleOf } from '../list/columns.tsx'
import { Failures, Preview } from './bulk-preview.tsx'
import { CHUNK_ROWS, chunksOf, MOST_SELECTED } from './select-all.ts'
import './bulk-edit.css'
import '../../ui/later-words.ts'

addWords(bulkEditWords)

interface BulkEditProps {
  readonly entity: Entity
  readonly client: EntityClient
  readonly words: CellWords
  readonly rows: readonly ShownRow[]
  readonly parts: FormParts | undefined
  readonly onChanged: (ids: readonly string[]) => void
  readonly onClose: () => void
}

/** Fields that many rows can share: none that names a row or must differ between rows, nothing secret or personal. */
export function fieldsForMany(entity: Entity, parts: FormParts | undefined): string[] {
  const telling = new Set((entity.unique ?? []).map((key) => key.at(-1)))
  const offered = fieldsOf(entity).filter((name) => {
    const field = fieldOf(entity, name)
    if (!field || field.fixed || name === entity.title || telling.has(name)) return false
    if (['personal', 'secret', 'json', 'region'].includes(field.kind)) return false
    if (field.kind === 'reference' && (entityOf(field.to!).isFile || field.to === entity.name)) return false
    return !parts?.shown?.[name] && !parts?.inputs?.[name]
  })
  const rank = new Map(dailyOf(entity).map((name, at) => [name, at]))
  const at = (name: string) => rank.get(name) ?? rank.size
  return offered.toSorted((one, other) => at(one) - at(other))
}

/** What is changed day by day: where rows belong, such as the class; their status; then what the list tells them apart by. */
function dailyOf(entity: Entity): string[] {
  const ofKind = (...kinds: readonly string[]) =>
    entity.list.filter((name) => kinds.includes(entity.fields[name]?.kind ?? ''))
  return [
    ...new Set([
      ...(entity.numbers ?? []).map(({ within }) => within),
      'status',
      ...ofKind('reference', 'references'),
      ...ofKind('choice', 'choices', 'flag'),
    ]),
  ]
}

const noNames = {}
type Each = NonNullable<Bulk['each']>

/** What calls came to together. */
function together(answers: readonly BulkAnswer[]): BulkAnswer {
  const sum = (of: (answer: BulkAnswer) => number) => answers.reduce((all, answer) => all + of(answer), 0)
  return {
    total: sum(({ total }) => total),
    changed: sum(({ changed }) => changed),
    same: sum(({ same }) => same),
    failed: sum(({ failed }) => failed),
    rows: answers.flatMap(({ rows }) => rows),
    requestId: answers[0]?.requestId ?? null,
  }
}

/**
 * The numbers that the rows would get. Each call is asked on its own, as though the ones before were not made: where
 * there are several, the server gives the numbers when it is done.
 */
const numbersOf = ({ total, rows }: BulkAnswer): Each =>
  total > CHUNK_ROWS
    ? {}
    : Object.fromEntries(rows.flatMap((row) => (row.result === 'changed' && row.after ? [[row.id, row.after]] : [])))

/** The versions that a preview told of, but for rows that cannot be changed: what they hold was not looked at. */
const versionsIn = ({ rows }: BulkAnswer): (readonly [string, number])[] =>
  rows.flatMap(({ id, version, result }) => (version === null || result === 'failed' ? [] : [[id, version] as const]))

/** Rows with their names: those that are gone are called as they were when they were ticked. */
const named = (answer: BulkAnswer, names: ReadonlyMap<string, string>, gone: string): BulkAnswer => ({
  ...answer,
  rows: answer.rows.map((row) =>
    row.problem === 'not_found' ? { ...row, name: row.name ?? names.get(row.id) ?? row.id, msg: gone } : row,
  ),
})

/** Rows that a call did not come to, because it failed as a whole. */
function missed(rows: readonly ShownRow[], nameOfRow: (row: ShownRow) => string, msg: string): BulkAnswer {
  const counts = { total: rows.length, changed: 0, same: 0, failed: rows.length, requestId: null }
  const failed = { result: 'failed', before: {}, msg } as const
  return { ...counts, rows: rows.map((row) => ({ ...failed, id: row.id, name: nameOfRow(row), version: row.version })) }
}

/** The same values for all ticked rows: chosen, looked at before, done a call's worth at a time, and taken back together. */
export default function BulkEdit({ entity, client, words, rows, parts, onChanged, onClose }: BulkEditProps) {
  const { t, language } = words
  const pick = useWords()
  const [form] = useState(() => createForm({}))
  const [names, setNames] = useState<readonly string[]>([])
  const [ids, setIds] = useState(() => rows.map((row) => row.id))
  const [told, setTold] = useState<{ readonly step: 'preview' | 'done'; readonly answer: BulkAnswer } | null>(null)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState('')
  const [done, setDone] = useState(0)
  /** Numbers that follow from the change, by row and field: as proposed, or as somebody wants them. */
  const [each, setEach] = useState<Each>({})
  const stopped = useRef(false)
  const [once] = useState(() => new IdempotencyKey())
  const offered = useMemo(() => fieldsForMany(entity, parts), [entity, parts])
  const labelOf = (name: string) => (name === 'status' ? t('entity.status') : pick(fieldOf(entity, name)!.label))
  const label = inSentence(pick(entity.label), language)
  const tooMany = rows.length > MOST_SELECTED
  const number = new Intl.NumberFormat(language)

  const wishFor = (name: string) =>
    name === 'status' ? Number(form.value(name)) : toWire(fieldOf(entity, name), form.value(name))
  const work = () => ({
    ids,
    values: Object.fromEntries(names.map((name) => [name, wishFor(name)])),
    // What is looked at before it is done is what is changed: a row that has changed since says so.
    versions: new Map([
      ...rows.map((row) => [row.id, row.version] as const),
      ...(told?.step === 'preview' ? versionsIn(told.answer) : []),
    ]),
  })
  const judge = (): boolean => {
    for (const name of names)
      form.setWrong(name, checkField(fieldOf(entity, name) as Field, form.value(name), undefined))
    // Else nothing would be written where something was meant.
    return !holdUnchosen(form, document.body) && form.wrongs().size === 0
  }
  const ticked = useMemo(() => new Map(rows.map((row) => [row.id, titleOf(entity, row, words)])), [rows, entity, words])
  const gathered = (answers: readonly BulkAnswer[]) => named(together(answers), ticked, t('bulkEdit.gone'))
  const send = async (preview: boolean, given = work()) => {
    setBusy(true)
    setFailure('')
    const answers: BulkAnswer[] = []
    try {
      for (const part of chunksOf(given.ids)) {
        setDone(answers.length * CHUNK_ROWS)
        const versions = Object.fromEntries(
          part.flatMap((id) => (given.versions.has(id) ? [[id, given.versions.get(id)!]] : [])),
        )
        const own = Object.fromEntries(part.flatMap((id) => (!preview && each[id] ? [[id, each[id]]] : [])))
        const piece = {
          ids: part,
          values: given.values,
          versions,
          ...(Object.keys(own).length > 0 ? { each: own } : {}),
        }
        answers.push(
          preview ? await client.bulk(piece, true) : await once.send((headers) => client.bulk(piece, false, headers)),
        )
        if (stopped.current) break
      }
    } catch (problem) {
      if (!(problem instanceof HttpProblem)) throw problem
      if (preview || answers.length === 0) {
        setBusy(false)
        return setFailure(problem.message)
      }
      // What is done is done: the rest can be tried again.
      once.renew()
      const rest = new Set(given.ids.slice(answers.length * CHUNK_ROWS))
      const left = rows.filter((row) => rest.has(row.id))
      answers.push(missed(left, (row) => titleOf(entity, row, words), problem.message))
    }
    setBusy(false)
    if (!preview) finish(answers)
    else if (!stopped.current) {
      const answer = gathered(answers)
      setEach(numbersOf(answer))
      setTold({ step: 'preview', answer })
    }
  }
  const finish = (answers: readonly BulkAnswer[]) => {
    const answer = gathered(answers)
    const { changed, failed } = answer
    const requests = answers.flatMap(({ requestId }) => (requestId === null ? [] : [requestId]))
    if (changed > 0) void client.renew()
    onChanged(answer.rows.filter((row) => row.result === 'changed').map((row) => row.id))
    const unit = entity.measure
    const text = failed > 0 ? t('bulkEdit.doneSome', { changed, failed, unit }) : t('bulkEdit.done', { changed, unit })
    const undo = requests.length > 0 ? undoOffer(requests, client.undo, t) : undefined
    if (failed > 0) toast.warning(text, undefined, undo)
    else toast.success(t('spec.updated'), text, undo)
    if (stopped.current) return
    if (failed === 0) return onClose()
    setIds(answer.rows.filter((row) => row.result === 'failed').map((row) => row.id))
    setTold({ step: 'done', answer })
  }
  /** What has changed meanwhile is looked at once more as it is now, before anything is written over it. */
  const retry = () => send(true, { ...work(), versions: new Map() })

  /** Ends after the call that is on its way; what that and those before have changed is told, and can be taken back. */
  const close = () => {
    stopped.current = true
    onClose()
  }
  const ok = () => {
    if (told?.step === 'done') return void retry()
    if (told) return void send(false)
    if (names.length > 0 && judge()) void send(true)
  }
  const isNothing = told?.step === 'preview' && told.answer.changed === 0
  const okText =
    told === null
      ? t('bulkEdit.preview')
      : told.step === 'done'
        ? t('bulkEdit.retry')
        : t('bulkEdit.run', { count: told.answer.changed, unit: entity.measure })
  return (
    <Dialog
      title={t('bulkEdit.title', { count: rows.length, label, unit: entity.measure })}
      width={560}
      onClose={close}
      onOk={tooMany || isNothing || (told === null && names.length === 0) ? undefined : ok}
      okText={okText}
      busy={busy}
      failure={tooMany ? t('bulkEdit.tooMany', { most: MOST_SELECTED, count: rows.length }) : failure}
      more={
        told?.step === 'preview' ? (
          <button type="button" className="button" onClick={() => setTold(null)}>
            {t('bulkEdit.back')}
          </button>
        ) : undefined
      }
    >
      {busy && ids.length > CHUNK_ROWS && (
        <p role="status">
          {t('bulkEdit.progress', { done: number.format(done), all: number.format(ids.length), unit: entity.measure })}
        </p>
      )}
      {!tooMany && told === null && (
        <>
          {names.map((name) => (
            <OneField
              key={name}
              entity={entity}
              form={form}
              name={name}
              label={labelOf(name)}
              words={words}
              onRemove={() => setNames(names.filter((other) => other !== name))}
            />
          ))}
          <Chooser
            label={t(names.length > 0 ? 'bulkEdit.addField' : 'bulkEdit.field')}
            // Opens at once: choosing a field is what one came for.
            opened={names.length === 0}
            options={offered
              .filter((name) => !names.includes(name))
              .map((name) => ({ value: name, label: labelOf(name) }))}
            onChoose={(name) => {
              form.set(name, null)
              setNames([...names, name])
            }}
          />
        </>
      )}
      {told?.step === 'preview' && (
        <Preview
          entity={entity}
          client={client}
          words={words}
          answer={told.answer}
          labelOf={labelOf}
          wish={{ names, valueOf: wishFor }}
          each={each}
          onEach={(id, field, value) => setEach({ ...each, [id]: { ...each[id], [field]: value } })}
        />
      )}
      {told?.step === 'done' && (
        <>
          <p role="status">
            {t('bulkEdit.doneSome', { changed: told.answer.changed, failed: told.answer.failed, unit: entity.measure })}
          </p>
          <Failures words={words} rows={told.answer.rows} />
        </>
      )}
    </Dialog>
  )
}

interface ChooserProps {
  readonly label: string
  readonly opened: boolean
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly onChoose: (name: string) => void
}

/** Chooses one more field; it is empty again afterwards. */
function Chooser({ label, opened, options, onChoose }: ChooserProps) {
  const [open, setOpen] = useState(false)
  useEffect(() => {
    // After the dialog has come in: a list that opens in something that moves stays where it was.
    if (!opened) return
    const timer = setTimeout(() => setOpen(true), 250)
    return () => clearTimeout(timer)
  }, [opened])
  return (
    <Select<string>
      aria-label={label}
      className="ff-full"
      autoFocus={opened}
      open={open}
      onOpenChange={setOpen}
      placeholder={label}
      value={null as unknown as string}
      showSearch={{ optionFilterProp: 'label' }}
      options={[...options]}
      onChange={(name) => {
        setOpen(false)
        onChoose(name)
      }}
    />
  )
}

interface OneFieldProps {
  readonly entity: Entity
  readonly form: ReturnType<typeof createForm>
  readonly name: string
  readonly label: string
  readonly words: CellWords
  readonly onRemove: () => void
}

/** The input of one field, as the form has it. */
function OneField({ entity, form, name, label, words, onRemove }: OneFieldProps) {
  const { t } = words
  const field = fieldOf(entity, name) as Field
  const Control = fieldKinds[field.kind].Control
  const { dictionaries } = words
  const record = useMemo(() => ({ entity, dictionaries, names: noNames, mayMake: false }), [entity, dictionaries])
  const box = useRef<HTMLDivElement>(null)
  // Whoever has chosen a field goes on with its value.
  useEffect(() => focusField(box.current, name), [name])
  return (
    <div ref={box} className="bulk-field">
      <FormField form={form} name={name} label={label} required={field.required}>
        {(ties) => {
          const given: ControlProps = {
            ...{ name, field, label, form, ties, disabled: false },
            onChange: (value) => {
              form.set(name, value)
              form.setWrong(name, null)
            },
            onBlur: () => {
              if (!isDateKind(field.kind)) return
              const value = tidyValue(field, form.value(name))
              form.set(name, value)
              form.setWrong(name, isEmpty(value) ? null : checkField(field, value, undefined))
            },
          }
          return (
            <RecordContext value={record}>
              <Control {...given} />
            </RecordContext>
          )
        }}
      </FormField>
      <button
        type="button"
        className="tool"
        aria-label={t('bulkEdit.removeField', { label })}
        title={t('bulkEdit.removeField', { label })}
        onClick={onRemove}
      >
        <Icon name="x" size={16} />
      </button>
    </div>
  )
}
