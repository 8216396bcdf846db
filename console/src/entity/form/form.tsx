import { codeOf, type Entity, entityOf, hasPersonal, personalCode, stamps } from '@data-brain/contract'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { HttpProblem } from '../../http/client.ts'
import { useCan } from '../../session/session.ts'
import { announce } from '../../ui/announce.tsx'
import { askConfirmation } from '../../ui/confirm.tsx'
import { isDateKind } from '../../ui/date/read.ts'
import { createForm, sameValue, useDirty } from '../../ui/form/store.ts'
import { Icon } from '../../ui/icon.tsx'
import { clockOf } from '../../ui/instant.ts'
import { useKeys } from '../../ui/keys.ts'
import { toast } from '../../ui/toast.ts'
import { forgetTyping, holdTyping } from '../../ui/typed-ahead.ts'
import { useLanguage, useT, useWords } from '../../ui/words.ts'
import type { SavedRow, ShownRow } from '../data/calls.ts'
import { useEntity } from '../data/client.ts'
import { IdempotencyKey, isOpen } from '../data/idempotency.ts'
import { useNumbers } from '../data/next-number.ts'
import { undoOf } from '../data/undo.tsx'
import { inSentence } from '../display/cell.tsx'
import { useCellWords } from '../display/use-cell-words.ts'
import { tidyValue } from '../fields/tidy.ts'
import { forgetUnchosen, holdUnchosen } from '../fields/unchosen.ts'
import { checkForm } from '../fields/validate.ts'
import { titleOf } from '../list/columns.tsx'
import { nestAlong, withAlong } from './along.ts'
import { useProposals } from './autofill.ts'
import { DraftBack, NotLoaded, Wrong } from './banners.tsx'
import { Conflict } from './conflict.tsx'
import { draftOf, dropDraft, fieldsOf, initialValues, keepDrafts, readDraft, valuesOf } from './draft.ts'
import { FormFields, type FormParts, namesIn } from './form-fields.tsx'
import { focusField, focusFirst, leapGroup, shownFields } from './form-focus.ts'
import { type FinishMode, FormFooter, finishOf } from './form-footer.tsx'
import { FormErrors, isSmall } from './form-sections.tsx'
import { FormShell } from './form-shell.tsx'
import { isStored, isUnanswered, staleRow, tidiedValues } from './form-stale.ts'
import { Owners, Proposals } from './proposed-values.tsx'
import './form-words.ts'
import './form.css'
import '../../ui/later-words.ts'

interface FormProps {
  readonly entity: Entity
  readonly open: boolean
  /** The row to change; null makes a new one. */
  readonly id: string | null
  /** Values a new row begins with, where the list is filtered by them. */
  readonly preset: Readonly<Record<string, string>>
  readonly onClose: () => void
  readonly onSaved: (row: ShownRow, isNew: boolean) => void
  readonly onDirty: (dirty: boolean) => void
  readonly parts?: FormParts
}

/** What the server says of single fields. */
interface FieldFaults {
  readonly field?: string | null
  readonly fields?: readonly { readonly field: string; readonly message: string }[]
}

/**
 * The form of any entity, in a drawer: made new or changed. What is typed is kept as a draft until it is saved or
 * thrown away on purpose; only what changed is sent, with the version it was read at.
 */
export default function EntityForm(props: FormProps) {
  const { entity: rows, open, preset, onClose, onSaved, onDirty, parts } = props
  /** The row that this form has made, while more was typed than it was saved with: it is that row's form from then on. */
  const [made, setMade] = useState<string | null>(null)
  if (made !== null && (!open || props.id !== null)) setMade(null)
  const id = props.id ?? made
  const t = useT()
  const pick = useWords()
  const language = useLanguage()
  const can = useCan()
  const mayAlong = id === null && rows.along !== undefined && can(codeOf(entityOf(rows.along.of), 'add'))
  const seen = useMemo(() => parts?.of?.(id === null) ?? rows, [parts, rows, id])
  const entity = mayAlong ? withAlong(seen) : seen
  const client = useEntity(seen)
  const [form] = useState(() => createForm({}))
  const [row, setRow] = useState<ShownRow | null>(null)
  const [theirs, setTheirs] = useState<ShownRow | null>(null)
  const [draftAt, setDraftAt] = useState<number | null>(null)
  const [keptAt, setKeptAt] = useState<number | null>(null)
  const [banner, setBanner] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  /** Whether somebody has tried to save: from then on it is counted what is wrong. */
  const [judged, setJudged] = useState(false)
  const version = useRef<number | null>(null)
  const started = useRef<string | null>(null)
  /** Counts what the form was opened for: what comes late for an earlier row must not touch the one that stands here now. */
  const opening = useRef(0)
  const [once] = useState(() => new IdempotencyKey())
  /** What was sent last without an answer, and may be stored. */
  const unanswered = useRef<Readonly<Record<string, unknown>> | null>(null)
  const body = useRef<HTMLDivElement>(null)
  const stands = useRef(false)
  const dirty = useDirty(form)
  const words = useCellWords(entity, rows)
  const names = useMemo(() => ({ ...namesIn(entity, row), ...namesIn(entity, theirs) }), [entity, row, theirs])
  const stored = useQuery({ ...client.detail(id ?? ''), enabled: open && id !== null })

  const begin = useCallback(() => ({ ...initialValues(entity, preset), ...parts?.begin }), [entity, preset, parts])
  // New rows of one entity may be of several kinds, each with a draft of its own.
  const draftId = id ?? parts?.draft ?? null

  useEffect(() => {
    if (!open) {
      if (started.current !== null) opening.current += 1
      started.current = null
      return
    }
    const key = id ?? 'new'
    const ready = id === null ? null : stored.isPlaceholderData ? undefined : stored.data
    if (started.current === key || ready === undefined) return
    started.current = key
    opening.current += 1
    once.renew()
    unanswered.current = null
    forgetUnchosen(form)
    form.reset(ready ? valuesOf(entity, ready) : begin())
    version.current = ready?.version ?? null
    setRow(ready)
    setTheirs(null)
    setBanner(null)
    setBusy(false)
    setKeptAt(null)
    setJudged(false)
    const draft = readDraft(entity, draftId)
    setDraftAt(draft?.at ?? null)
    if (!draft) return
    // Against what stood there when it was typed: else what others saved since would look like no change of theirs.
    if (ready && draft.base) form.reset({ ...valuesOf(entity, ready), ...draft.base })
    for (const [name, value] of Object.entries(draft.values)) form.set(name, value)
    // Saved against the version it was typed over: what others changed since then is shown, not overwritten.
    version.current = draft.version ?? version.current
  }, [open, id, draftId, entity, form, begin, once, stored.data, stored.isPlaceholderData])
  useEffect(
    () => (open ? keepDrafts(entity, draftId, form, () => version.current, setKeptAt) : undefined),
    [open, entity, draftId, form],
  )
  // What was typed into the form of the row that is made by now is kept as that row's.
  useEffect(() => {
    if (made !== null) dropDraft(entity, parts?.draft ?? null)
  }, [made, entity, parts])
  const numbers = useNumbers(entity, form, client, open, id === null)
  useProposals(entity, form, open && id === null)
  useEffect(() => onDirty(open && dirty), [open, dirty, onDirty])
  useEffect(() => () => onDirty(false), [onDirty])

  const focusOn = (name: string | undefined) => focusField(body.current, name)
  const discard = useCallback(() => {
    dropDraft(entity, draftId)
    setDraftAt(null)
    version.current = row?.version ?? null
    form.reset(row ? valuesOf(entity, row) : begin())
  }, [entity, draftId, row, form, begin])

  const close = async () => {
    if (form.changed().length > 0) {
      // The Esc that brought us here would close the question as well.
      await new Promise((resolve) => setTimeout(resolve))
      const yes = await askConfirmation({
        title: t('form.discard'),
        danger: true,
        okText: t('form.discardOk'),
        cancelText: t('form.keepEditing'),
      })
      if (!yes) return
    }
    discard()
    onClose()
  }

  const judge = (): boolean => {
    const seen = parts?.seen?.as(entity, form.value(parts.seen.by)) ?? entity
    const fields = fieldsOf(seen)
    // A key that saves comes before the field with the focus is left: what it means is shown, judged and stored.
    for (const name of fields) {
      const field = seen.fields[name]
      if (field && isDateKind(field.kind)) form.set(name, tidyValue(field, form.value(name)))
    }
    const initial = Object.fromEntries(fields.map((name) => [name, form.initial(name)]))
    const wrong = checkForm(seen, fields, form.values(), row ? initial : {}, parts?.asks)
    for (const name of fieldsOf(entity)) form.setWrong(name, wrong.get(name) ?? null)
    return wrong.size === 0
  }
  const showMistakes = () => {
    const count = form.wrongs().size
    if (count === 0) return
    setJudged(true)
    announce(t('form.mistakes', { count }), 'assertive')
    // A frame later: what is folded over a mistake has opened by then.
    requestAnimationFrame(() => focusOn(shownFields(body.current).find((name) => form.wrongs().has(name))))
  }

  const refused = (problem: unknown) => {
    const known = problem instanceof HttpProblem ? problem : null
    const data = (known?.data ?? null) as FieldFaults | null
    const stale = staleRow(problem)
    if (stale) return setTheirs(stale)
    const isGone = row !== null && known?.status === 404
    const message = isGone ? t('form.gone') : (problem instanceof Error && problem.message) || t('spec.unknownError')
    const fields = fieldsOf(entity)
    const named = data?.fields?.length ? data.fields : data?.field ? [{ field: data.field, message }] : []
    const mine = named.filter(({ field }) => fields.includes(field))
    for (const { field, message: text } of mine) form.setWrong(field, text)
    // Said once: at its fields, or over the form.
    if (mine.length > 0) showMistakes()
    else setBanner(message)
  }

  const finish = finishOf(parts?.finish, row, can)
  const save = async (how: FinishMode) => {
    if (busy) return
    setBanner(null)
    const isRight = judge()
    if (holdUnchosen(form, body.current, true) || !isRight) return showMistakes()
    if (row && how !== 'finish' && form.changed().length === 0) {
      toast.success(t('form.unchanged'))
      return onClose()
    }
    setBusy(true)
    const at = opening.current
    const isLeft = () => at !== opening.current
    await numbers.current
    // Left before it was sent: it waits as a draft.
    if (isLeft()) return
    const [sent, revision] = [tidiedValues(entity, form.values()), form.revision()]
    const draft: Record<string, unknown> = {
      ...nestAlong(entity, draftOf(entity, form, row, version.current)),
      ...(how === 'finish' && finish?.values),
    }
    try {
      // Sent again after no answer it is done once; a change of other content is another save, told apart by its version.
      const content = row ? JSON.stringify(draft) : undefined
      const done = await once.send((headers) => client.store(draft, headers), content)
      tellSaved(done, how)
      if (isLeft()) return
      const now = tidiedValues(entity, form.values())
      const typed = form.enteredSince(revision).filter((name) => !sameValue(now[name], sent[name]))
      if (typed.length === 0) leave(how)
      else keepTyped(done.row, typed)
    } catch (problem) {
      if (isLeft()) return tellRefused(problem)
      const stale = staleRow(problem)
      if (stale && how !== 'finish' && isStored(entity, form, stale)) {
        tellSaved({ row: stale, requestId: undefined }, how)
        leave(how)
      } else if (stale && isUnanswered(entity, stale, unanswered.current)) {
        unanswered.current = null
        meet(stale, [])
        void save(how)
      } else {
        if (isOpen(problem)) unanswered.current = draft
        refused(problem)
      }
    } finally {
      if (!isLeft()) setBusy(false)
    }
  }
  /** A save that was refused after its form had been left: what was typed waits as a draft, and its row says so by name. */
  const tellRefused = (problem: unknown) =>
    toast.error(
      (problem instanceof Error && problem.message) || t('spec.unknownError'),
      row ? t('form.leftRefusedOf', { name: titleOf(entity, row, words) }) : t('form.leftRefused'),
    )
  /** A save that is done, whatever stands in the form by then. */
  const tellSaved = (done: SavedRow, how: FinishMode) => {
    const saved = done.row
    dropDraft(entity, draftId)
    if (how === 'finish') finish?.done(saved)
    else {
      // What is new goes away again, which not everybody may do who may make it.
      const undo = (row !== null || can(codeOf(entity, 'delete'))) && undoOf(entity, done, client.undo, t)
      toast.success(t(row ? 'spec.updated' : 'spec.created'), titleOf(entity, saved, words), undo || undefined)
    }
    onSaved(saved, row === null)
  }
  /** What somebody typed while it was being saved is not stored: it stays, in the form of the row that is. */
  const keepTyped = (saved: ShownRow, typed: readonly string[]) => {
    started.current = saved.id
    unanswered.current = null
    setMade(id === null ? saved.id : made)
    setDraftAt(null)
    meet(
      saved,
      fieldsOf(entity).filter((name) => !typed.includes(name)),
    )
    toast.warning(t('form.typedSince'))
  }
  /** What follows a save that is done in the form that still stands there. */
  const leave = (how: FinishMode) => {
    unanswered.current = null
    setDraftAt(null)
    if (how === 'more') return again()
    // As the field with the focus would leave it: what is tidied after the save is no new change, and no draft.
    form.reset(tidiedValues(entity, form.values()))
    // While the form slides away its field would still be typed in: Ctrl+Z is then the saved row's, not the field's.
    if (body.current?.contains(document.activeElement)) (document.activeElement as HTMLElement).blur()
    onClose()
  }
  /** The next new row begins where the last one belonged: same school, same class. */
  const again = () => {
    const fresh: Record<string, unknown> = begin()
    for (const [name, field] of Object.entries(entity.fields)) {
      const belongs = field.kind === 'reference' && field.to !== stamps.createUser && !entityOf(field.to!).isFile
      if (belongs && name in fresh) fresh[name] = form.value(name)
    }
    form.reset(fresh)
    setJudged(false)
    focusOn(fieldsOf(entity).find((name) => fresh[name] === null))
  }
  /** Goes on from what is stored now; what is typed stays, but for the fields that are taken. */
  const meet = (stored: ShownRow, taken: readonly string[]) => {
    const now = valuesOf(entity, stored)
    form.settle(now)
    for (const name of taken) form.set(name, now[name])
    version.current = stored.version
    setRow(stored)
    setTheirs(null)
  }
  const reveal = async () => {
    if (!row) return
    const at = opening.current
    const found = await client.personal(row.id)
    if (at !== opening.current) return
    form.settle(Object.fromEntries(Object.entries(found).filter(([name]) => entity.fields[name]?.kind === 'personal')))
  }
  const waiting = id !== null && row?.id !== id
  const leaving = useRef(close)
  leaving.current = close
  useEffect(() => {
    if (!open) return
    const callOff = () => void leaving.current()
    holdTyping(callOff)
    return () => forgetTyping(callOff)
  }, [open])
  // In the very frame in which it has come in, so that nothing changes its looks once it stands.
  useEffect(() => {
    if (!open || waiting) return
    // A row that comes after that finds the drawer standing, and takes the focus from no button.
    if (stands.current && !document.activeElement?.matches('button,a,input,textarea'))
      focusFirst(body.current, entity, id === null)
    // The drawer itself stands only after its first drawing: it is looked for when something has come in.
    const come = ({ target }: Event) =>
      target === body.current?.closest('.ant-drawer-content-wrapper') && focusFirst(body.current, entity, id === null)
    document.addEventListener('transitionend', come)
    return () => document.removeEventListener('transitionend', come)
  }, [open, waiting, entity, id])
  const mayMore = id === null && parts?.single !== true
  const keep = (how: FinishMode) => {
    if (!waiting && theirs === null) void save(how)
  }
  useKeys(open, {
    name: 'keys.form',
    over: true,
    bindings: [
      { keys: ['Mod+KeyS'], label: 'keys.save', typing: true, run: () => keep('keep') },
      {
        keys: ['Mod+Enter', 'Mod+NumpadEnter'],
        label: finish?.label ?? (mayMore ? 'keys.saveMore' : undefined),
        typing: true,
        run: () => keep(finish ? 'finish' : mayMore ? 'more' : 'keep'),
      },
      { keys: ['F6'], label: 'keys.group', run: () => leapGroup(body.current, 1) },
      { keys: ['Shift+F6'], label: 'keys.groupBack', run: () => leapGroup(body.current, -1) },
      { keys: ['Escape'], label: 'keys.close' },
    ],
  })

  const label = pick(entity.label)
  const masked = row !== null && hasPersonal(entity) && can(personalCode(entity))
  return (
    <FormShell
      open={open}
      dialog={parts?.dialog}
      narrow={isSmall(entity)}
      title={
        <div className="drawer-head">
          <h2 className="drawer-title">
            {t(id === null ? 'entity.add' : 'entity.editTitle', { label: inSentence(label, language) })}
            {row && !waiting && <span className="drawer-name">{titleOf(entity, row, words)}</span>}
          </h2>
          {keptAt !== null && (
            <span className="drawer-kept" title={t('form.draftKeptHow')}>
              {t('form.draftKept', { time: clockOf(keptAt) })}
            </span>
          )}
        </div>
      }
      onClose={() => void close()}
      onShown={(shown) => {
        stands.current = shown
        if (shown) focusFirst(body.current, entity, row === null)
      }}
      footer={
        <FormFooter
          mayMore={mayMore}
          finish={finish}
          form={form}
          busy={busy}
          waiting={waiting || theirs !== null}
          onCancel={() => void close()}
          onSave={(how) => void save(how)}
        />
      }
    >
      <div ref={body} className="entity-form" aria-busy={waiting}>
        {draftAt !== null && <DraftBack at={draftAt} onDiscard={discard} />}
        {judged && <FormErrors entity={entity} form={form} onGo={focusOn} />}
        {banner && <Wrong text={banner} />}
        {theirs && (
          <Conflict
            entity={entity}
            form={form}
            theirs={theirs}
            words={words}
            names={names}
            onDone={(taken) => meet(theirs, taken)}
          />
        )}
        {stored.isError && waiting && (
          <NotLoaded problem={stored.error} onBack={onClose} onAgain={() => void stored.refetch()} />
        )}
        {/* Hidden while the next row is on its way, and not taken down: mounting 30 inputs costs five times as much. */}
        <div hidden={waiting}>
          {masked && (
            <button type="button" className="button plain form-reveal" onClick={() => void reveal()}>
              <Icon name="eye" size={16} />
              {t('form.reveal')}
            </button>
          )}
          {open && id === null && <Proposals entity={entity} form={form} />}
          {open && <Owners entity={entity} form={form} />}
          <FormFields entity={entity} form={form} isNew={id === null} words={words} names={names} parts={parts} />
        </div>
      </div>
    </FormShell>
  )
}
