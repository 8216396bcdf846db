import { derivedFrom } from '@data-brain/contract/import/derived'
import { useId, useState } from 'react'
import { draftKey } from '../../session/draft.ts'
import { setQuery, usePlace } from '../../ui/place.ts'
import { useT } from '../../ui/words.ts'
import { type BatchView, type FileColumn, type FormField, type MatchMore, sendMapping } from './calls.ts'
import { useKind } from './import-kinds.ts'
import { MoreOfMatch } from './match-more.tsx'
import { listKinds } from './place.ts'
import { SheetChoice } from './sheets.tsx'
import { isDoubtful, mappingOf, useRenew, useWork } from './state.ts'

type Mapping = Readonly<Record<string, string>>

const parts = [
  ...['student', 'detail', 'member1', 'member2', 'member3', 'member4', 'member5', 'member6'],
  ...listKinds,
  ...['ref', 'taught', 'lessons', 'headed', 'check', 'ignored'],
]

/** Required fields that no column fills: those of a part count once anything of that part is matched. */
export function missingOf(fields: readonly FormField[], mapping: Mapping, fixed: Mapping = {}): readonly FormField[] {
  const mapped = new Set(Object.values(mapping))
  const begun = new Set(fields.filter((field) => mapped.has(field.key)).map((field) => field.part))
  const derived = derivedFrom(mapped)
  return fields.filter(
    ({ key, need, part }) =>
      !mapped.has(key) &&
      !fixed[key]?.trim() &&
      !derived.includes(key) &&
      (need === 'always' || (need === 'part' && begun.has(part))),
  )
}

/** A list of pupils by name with their parents' numbers is for pupils who are there. */
const namesGuardians = (mapping: Mapping): boolean => Object.values(mapping).some((key) => key === 'member1.mobile')

/** What was chosen and not sent yet; a reload brings it back. */
function useMapping(batch: BatchView) {
  const key = draftKey('import-match', batch.id)
  const [mapping, setMapping] = useState<Mapping>(() => {
    const kept = sessionStorage.getItem(key)
    return kept ? (JSON.parse(kept) as Mapping) : mappingOf(batch.columns)
  })
  const keep = (next: Mapping) => {
    setMapping(next)
    try {
      sessionStorage.setItem(key, JSON.stringify(next))
    } catch {
      // No room left: the page itself still holds it.
    }
  }
  return [mapping, keep, () => sessionStorage.removeItem(key)] as const
}

/** What was said of the whole file and not sent yet; a reload brings it back. */
function useMore(batch: BatchView) {
  const key = draftKey('import-more', batch.id)
  const [more, setMore] = useState<MatchMore>(() => {
    const kept = sessionStorage.getItem(key)
    if (kept) return JSON.parse(kept) as MatchMore
    const { source, fixed = {} } = batch
    return {
      fixed,
      hidden: source?.hiddenAnswer ?? null,
      orders: Object.fromEntries(
        (source?.orders ?? []).flatMap(({ index, answer }) => (answer ? [[index, answer]] : [])),
      ),
    }
  })
  const keep = (next: MatchMore) => {
    setMore(next)
    try {
      sessionStorage.setItem(key, JSON.stringify(next))
    } catch {
      // No room left: the page itself still holds it.
    }
  }
  return [more, keep, () => sessionStorage.removeItem(key)] as const
}

/** The second step: what the columns of the file mean. */
export function Match({ batch }: { batch: BatchView }) {
  const t = useT()
  const kind = useKind()
  const [mapping, setMapping, drop] = useMapping(batch)
  const [more, setMore, dropMore] = useMore(batch)
  const [only, setOnly] = useState(false)
  const work = useWork()
  const renew = useRenew(batch.id)
  const help = useId()
  const { path } = usePlace()

  const columnOf = new Map(Object.entries(mapping).map(([at, key]) => [key, Number(at)]))
  const headingOf = (at: number) => batch.columns[at]?.heading || t('import.noHeading')
  // A field takes one column: chosen again, it leaves the one that it had.
  const choose = (at: number, key: string) => {
    const others = Object.entries(mapping).filter(([index, other]) => Number(index) !== at && other !== key)
    setMapping(Object.fromEntries(key ? [...others, [String(at), key]] : others))
  }
  const start = async () => {
    const done = await work.run(() => sendMapping(kind, batch.id, mapping, { more }))
    if (done) {
      drop()
      dropMore()
    }
    await renew()
    // A short file is checked before anybody could see that it is being checked.
    if (done) setQuery({ step: 'check' }, { replace: true, path })
  }

  const missing = missingOf(batch.fields, mapping, more.fixed)
  const doubtful = batch.columns.filter(isDoubtful)
  const shown = only ? doubtful : batch.columns
  const matched = Object.keys(mapping).length
  return (
    <section className="card" aria-labelledby="import-match">
      <h2 id="import-match">{t('import.step.match')}</h2>
      {batch.failure && (
        <p className="alert" role="alert">
          {batch.failure}
        </p>
      )}
      <div className="import-bar">
        <p role="status">
          {t('import.matched', { count: matched })} · {t('import.unmatched', { count: batch.columns.length - matched })}
        </p>
        {doubtful.length > 0 && doubtful.length < batch.columns.length && (
          <label className="check">
            <input type="checkbox" checked={only} onChange={(event) => setOnly(event.target.checked)} />
            {t('import.doubtful', { count: doubtful.length })}
          </label>
        )}
      </div>
      <SheetChoice
        batch={batch}
        onRead={() => {
          drop()
          dropMore()
        }}
      />
      {missing.length > 0 && (
        <div className="banner banner-wrong" id={help} role="status">
          <div>
            <strong>{t('import.missing')}</strong>
            <ul>
              {missing.map(({ key, label }) => (
                <li key={key}>{label}</li>
              ))}
            </ul>
            {missing.some(({ key }) => key === 'student.birthDate' || key === 'student.sex') && (
              <p>{t('import.missingBirth')}</p>
            )}
            {missing.some(({ key }) => key === 'student.birthDate') && namesGuardians(mapping) && (
              <p>{t('import.isAddressList')}</p>
            )}
          </div>
        </div>
      )}
      <LikelyNames batch={batch} mapping={mapping} onChoose={choose} />
      <MoreOfMatch batch={batch} mapped={new Set(Object.values(mapping))} more={more} onChange={setMore} />
      <section
        className="import-scroll import-match"
        aria-label={t('table.region', { label: t('import.step.match') })}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a pointer
        tabIndex={0}
      >
        <table className="import-table">
          <thead>
            <tr>
              <th scope="col">{t('import.column')}</th>
              <th scope="col">{t('import.field')}</th>
              <th scope="col">{t('import.confidence')}</th>
              <th scope="col">{t('import.samples')}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((column) => (
              <tr key={column.index}>
                <th scope="row">{headingOf(column.index)}</th>
                <td>
                  <FieldSelect
                    name={t('import.fieldOf', { heading: headingOf(column.index) })}
                    fields={batch.fields}
                    value={mapping[column.index] ?? ''}
                    holder={(key) => {
                      const at = columnOf.get(key)
                      return at === undefined || at === column.index ? undefined : headingOf(at)
                    }}
                    onChange={(key) => choose(column.index, key)}
                  />
                </td>
                <td>
                  <Confidence column={column} chosen={mapping[column.index]} />
                </td>
                <td className="import-samples">{column.samples.filter(Boolean).join(' · ') || '—'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {work.failure && (
        <p className="alert import-wrong" role="alert">
          {work.failure}
        </p>
      )}
      <div className="import-foot import-foot-stuck">
        <button
          type="button"
          className="button primary"
          disabled={work.busy || missing.length > 0}
          aria-describedby={missing.length > 0 ? help : undefined}
          onClick={() => void start()}
        >
          {t('import.start')}
        </button>
      </div>
    </section>
  )
}

interface LikelyProps {
  batch: BatchView
  mapping: Mapping
  onChoose: (at: number, key: string) => void
}

/** Columns of names beside the number of a guardian whom the file calls by no name: asked about, one press each. */
function LikelyNames({ batch, mapping, onChoose }: LikelyProps) {
  const t = useT()
  const taken = new Set(Object.values(mapping))
  const asked = batch.columns.filter(({ index, mayBe }) => mayBe && !mapping[index] && !taken.has(mayBe))
  if (asked.length === 0) return null
  return (
    <div className="banner" role="status">
      {asked.map(({ index, heading, mayBe, samples }) => (
        <p key={index}>
          {t('import.mayBe', { heading, samples: samples.filter(Boolean).slice(0, 2).join(t('entity.separator')) })}{' '}
          <button type="button" className="button" onClick={() => onChoose(index, mayBe ?? '')}>
            {t('import.isGuardian')}
          </button>
        </p>
      ))}
    </div>
  )
}

interface FieldSelectProps {
  name: string
  fields: readonly FormField[]
  value: string
  /** The heading of another column that a field has now. */
  holder: (key: string) => string | undefined
  onChange: (key: string) => void
}

/** Native: sixty of them stand on one page, and typing finds an entry on every system. */
function FieldSelect({ name, fields, value, holder, onChange }: FieldSelectProps) {
  const t = useT()
  const text = ({ key, label, need }: FormField) => {
    const heading = holder(key)
    const starred = need === 'always' ? `${label} *` : label
    return heading === undefined ? starred : t('import.taken', { label: starred, heading })
  }
  return (
    <select
      className={value ? 'input' : 'input import-empty'}
      aria-label={name}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      <option value="">{t('import.notImported')}</option>
      {parts
        .filter((part) => fields.some((field) => field.part === part))
        .map((part) => (
          <optgroup key={part} label={t(`import.part.${part}`)}>
            {fields
              .filter((field) => field.part === part)
              .map((field) => (
                <option key={field.key} value={field.key}>
                  {text(field)}
                </option>
              ))}
          </optgroup>
        ))}
    </select>
  )
}

/** How sure the match is, in words. */
function Confidence({ column, chosen }: { column: FileColumn; chosen: string | undefined }) {
  const t = useT()
  if (!chosen) return <span className="tag tag-off">{t('import.notImported')}</span>
  if (chosen !== column.key) return <span className="tag tag-good">{t('import.chosen')}</span>
  if (!isDoubtful(column)) return <span className="tag tag-good">{t('import.sure')}</span>
  const percent = Math.round((column.confidence ?? 0) * 100)
  return <span className="tag tag-warn">{t('import.alike', { percent })}</span>
}
