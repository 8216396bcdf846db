import { countOf, type Entity, entityOf, type Words } from '@data-brain/contract'
import { type QualityFinding, type QualityMerge, qualityMerge } from '@data-brain/contract/calls/quality'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { refresh, type ShownRow, undoOffer, useEntity } from '../../entity/data/index.ts'
import { cellOf, textOf, useCellWords } from '../../entity/display/index.ts'
import { call } from '../../http/call.ts'
import { Modal } from '../../ui/modal.tsx'
import { toast } from '../../ui/toast.ts'
import { useT, useWords } from '../../ui/words.ts'

interface MergeProps {
  readonly row: QualityFinding
  readonly onClose: () => void
  readonly onDone: () => void
}

/** The fields of a form in which both records say something, and not the same. */
const differing = (entity: Entity, a: ShownRow, b: ShownRow): string[] =>
  Object.entries(entity.fields).flatMap(([name, field]) => {
    const isSaid = (row: ShownRow) => row[name] !== null && row[name] !== undefined && row[name] !== ''
    if (field.computed || field.fixed || field.kind === 'secret' || !isSaid(a) || !isSaid(b)) return []
    return JSON.stringify(a[name]) === JSON.stringify(b[name]) ? [] : [name]
  })

/**
 * Makes one of two records that are the same: which one stays, what holds where they differ, and, before anything is
 * done, what goes over. The undo brings both back.
 */
export function MergeDialog({ row, onClose, onDone }: MergeProps) {
  const t = useT()
  const pick = useWords()
  const queries = useQueryClient()
  const entity = entityOf(row.code)
  const client = useEntity(entity)
  const words = useCellWords(entity)
  const [otherId, setOther] = useState(row.others[0]!.id)
  const [staysId, setStays] = useState(row.id)
  const [take, setTake] = useState<readonly string[]>([])
  const [busy, setBusy] = useState(false)
  const goesId = staysId === row.id ? otherId : row.id
  const stays = useQuery({ ...client.detail(staysId), staleTime: 0 }).data
  const goes = useQuery({ ...client.detail(goesId), staleTime: 0 }).data
  const input = { check: row.check, id: staysId, otherId: goesId, take: [...take] }
  const seen = useQuery({
    queryKey: ['quality', 'merge', input],
    queryFn: ({ signal }) => call(qualityMerge, { ...input, preview: 1 }, { signal, silent: true }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  const choose = (id: string, other: string) => {
    setStays(id)
    setOther(other)
    setTake([])
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    try {
      const done = await call(qualityMerge, input)
      for (const name of [entity.name, ...[...done.moved, ...done.joined].map((each) => each.entity)])
        void refresh(queries, name)
      const undo = async (requestId: string, changed: boolean) => {
        const told = await client.undo(requestId, changed)
        onDone()
        return told
      }
      toast.success(t('quality.isMerged'), row.title, undoOffer(done.requestId!, undo, t))
      onClose()
      onDone()
    } catch {
      setBusy(false)
    }
  }
  const named = ({ id, title, beside }: { id: string; title: string; beside?: string | null }) => ({
    id,
    name: [title, beside].filter(Boolean).join(' '),
  })
  const all = [row, ...row.others].map(named)
  const nameOfRow = (id: string) => all.find((each) => each.id === id)?.name
  const fields = stays && goes ? differing(entity, stays, goes) : []
  const cell = (name: string, from: ShownRow, isTaken: boolean) => {
    const field = entity.fields[name]!
    const value = textOf(field, from[name], words, undefined, from)
    return (
      <td>
        <label className="pop-choice">
          <input
            type="radio"
            name={`merge-${name}`}
            checked={take.includes(name) === isTaken}
            aria-label={t('quality.takeOf', { label: pick(field.label), value: `${nameOfRow(from.id)} ${value}` })}
            onChange={() => setTake(isTaken ? [...take, name] : take.filter((each) => each !== name))}
          />
          <span>{cellOf(entity, name, from, words)}</span>
        </label>
      </td>
    )
  }
  return (
    <Modal title={t('quality.mergeOf', { name: row.title })} className="quality-merge" onClose={onClose}>
      <form className="quality-form" onSubmit={(event) => void submit(event)} noValidate>
        {row.others.length > 1 && (
          <fieldset>
            <legend>{t('quality.mergeWith')}</legend>
            {row.others.map(named).map(({ id, name }) => (
              <label key={id} className="pop-choice">
                <input type="radio" name="with" checked={otherId === id} onChange={() => choose(row.id, id)} />
                <span>{name}</span>
              </label>
            ))}
          </fieldset>
        )}
        <fieldset>
          <legend>{t('quality.stays')}</legend>
          {[row.id, otherId].map((id, at) => (
            <label key={id} className="pop-choice">
              <input
                type="radio"
                name="stays"
                data-focus={at === 0}
                checked={staysId === id}
                onChange={() => choose(id, otherId)}
              />
              <span>{nameOfRow(id)}</span>
            </label>
          ))}
        </fieldset>
        {stays && goes && (
          <>
            <p className="muted">{t(fields.length === 0 ? 'quality.alike' : 'quality.differing')}</p>
            {fields.length > 0 && (
              <table className="conflict">
                <thead>
                  <tr>
                    <th scope="col">{t('quality.field')}</th>
                    <th scope="col">{nameOfRow(staysId)}</th>
                    <th scope="col">{nameOfRow(goesId)}</th>
                  </tr>
                </thead>
                <tbody>
                  {fields.map((name) => (
                    <tr key={name}>
                      <th scope="row">{pick(entity.fields[name]!.label)}</th>
                      {cell(name, stays, false)}
                      {cell(name, goes, true)}
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
          </>
        )}
        {seen.isError ? (
          <p role="alert" className="banner banner-warn">
            {seen.error.message || t('spec.unknownError')}
          </p>
        ) : (
          <div role="status">{seen.data && <Outcome entity={entity} told={seen.data} />}</div>
        )}
        <div className="quality-decide">
          <button type="button" className="button" onClick={onClose}>
            {t('quality.cancel')}
          </button>
          <button type="submit" className="button primary" disabled={busy || !seen.isSuccess}>
            {t('quality.merge')}
          </button>
        </div>
      </form>
    </Modal>
  )
}

/** What a merge comes to, in sentences. */
function Outcome({ entity, told }: { readonly entity: Entity; readonly told: QualityMerge }) {
  const t = useT()
  const pick = useWords()
  const list = (texts: readonly Words[]) => texts.map((each) => pick(each)).join(t('entity.separator'))
  const rows = (counted: QualityMerge['moved']) =>
    list(counted.map((each) => countOf(entityOf(each.entity), each.count)))
  const left = [...new Set(told.dropped.map((path) => path.split('.')[0]!))].map((of) => {
    const { label, fields } = entityOf(of)
    const names = told.dropped.filter((path) => path.startsWith(`${of}.`)).map((path) => path.slice(of.length + 1))
    return t('quality.leftOf', { label: pick(label), names: list(names.flatMap((name) => fields[name]?.label ?? [])) })
  })
  return (
    <>
      {told.moved.length > 0 && <p>{t('quality.moved', { what: rows(told.moved) })}</p>}
      {told.joined.length > 0 && <p>{t('quality.joined', { what: rows(told.joined) })}</p>}
      {told.filled.length > 0 && (
        <p>{t('quality.filled', { what: list(told.filled.flatMap((name) => entity.fields[name]?.label ?? [])) })}</p>
      )}
      {told.dropped.length > 0 && <p>{t('quality.dropped', { what: left.join(t('entity.separator')) })}</p>}
      <p>{t('quality.goes')}</p>
    </>
  )
}
