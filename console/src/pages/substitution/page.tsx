import { school } from '@data-brain/contract'
import { addDays, todayInChina, weekdayOf } from '@data-brain/contract/rules/school-year'
import { useCallback, useId } from 'react'
import { useChoices } from '../../entity/data/index.ts'
import { NoRight, QueryStates } from '../../entity/list/index.ts'
import { coverWords } from '../../locales/cover.ts'
import { entityWords } from '../../locales/entity.ts'
import { coverPath } from '../../session/paths.ts'
import { useCan } from '../../session/session.ts'
import { DateEntry } from '../../ui/date/entry.tsx'
import { go, usePlace } from '../../ui/place.ts'
import { Segments } from '../../ui/segments.tsx'
import { readStored, writeStored } from '../../ui/stored.ts'
import { TabRow } from '../../ui/tab-row.tsx'
import { addWords, useT } from '../../ui/words.ts'
import { Counts } from './counts.tsx'
import { Desk } from './desk.tsx'
import './page.css'

addWords({ ...entityWords, ...coverWords })

const spans = ['day', 'week'] as const
type Span = (typeof spans)[number]
const views = ['desk', 'counts'] as const

/** The school that somebody worked with last. */
const remembered = 'cover-school'
const isDay = (text: string | null): text is string => /^\d{4}-\d{2}-\d{2}$/.test(text ?? '')

/** The registrar's morning: who is away, which lessons that leaves, who gives them; and what was covered in a period. */
export default function CoverPage() {
  const can = useCan()
  const t = useT()
  const schools = useChoices(school.name, school.path, {}, can('substitution_view'))
  if (!can('substitution_view')) return <NoRight />
  return (
    <div className="page cover-page">
      <QueryStates query={schools}>
        {(found) => (found.length === 0 ? <p className="muted">{t('cover.noSchool')}</p> : <Cover schools={found} />)}
      </QueryStates>
    </div>
  )
}

interface Named {
  readonly id: string
  readonly name: string
}

function Cover({ schools }: { readonly schools: readonly Named[] }) {
  const t = useT()
  const { query } = usePlace()
  const schoolField = useId()
  const dateField = useId()
  const today = todayInChina()
  const asked = query.get('school') ?? readStored<string>(remembered)
  const schoolId = (schools.find(({ id }) => id === asked) ?? schools[0]!).id
  const date = isDay(query.get('date')) ? query.get('date')! : today
  const span: Span = query.get('span') === 'week' ? 'week' : 'day'
  const view = views.find((each) => each === query.get('view')) ?? 'desk'
  const look = useCallback(
    (change: Readonly<Record<string, string>>) =>
      go(`${coverPath}?${new URLSearchParams({ school: schoolId, date, span, view, ...change })}`, { replace: true }),
    [schoolId, date, span, view],
  )
  const monday = addDays(date, 1 - weekdayOf(date))
  const step = span === 'week' ? 7 : 1
  const [from, to] = span === 'week' ? [monday, addDays(monday, 6)] : [date, date]
  const isDesk = view === 'desk'
  return (
    <>
      <div className="page-head">
        <h1 tabIndex={-1}>{t('cover.title')}</h1>
      </div>
      <div className="cover-line">
        {schools.length > 1 && (
          <span className="cover-field">
            <label htmlFor={schoolField}>{t('cover.school')}</label>
            <select
              id={schoolField}
              className="input"
              value={schoolId}
              onChange={({ target }) => {
                writeStored(remembered, target.value)
                look({ school: target.value })
              }}
            >
              {schools.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </span>
        )}
        {isDesk && (
          <>
            {/* biome-ignore lint/a11y/useSemanticElements: a group of controls within a line, not of a form */}
            <span className="cover-field" role="group" aria-labelledby={dateField}>
              <span id={dateField}>{t('cover.date')}</span>
              <DateEntry
                kind="date"
                label={t('cover.date')}
                value={date}
                onValue={(next) => look({ date: next ?? today })}
              />
            </span>
            <span className="cover-steps">
              <button type="button" className="button small" onClick={() => look({ date: addDays(date, -step) })}>
                {t('cover.before')}
              </button>
              <button type="button" className="button small" onClick={() => look({ date: today })}>
                {t('cover.today')}
              </button>
              <button type="button" className="button small" onClick={() => look({ date: addDays(date, step) })}>
                {t('cover.after')}
              </button>
            </span>
            <Segments
              label={t('cover.span')}
              options={spans.map((key) => ({ key, label: t(`cover.${key}`) }))}
              value={span}
              onChange={(key) => look({ span: key })}
            />
          </>
        )}
      </div>
      <TabRow
        label={t('cover.views')}
        items={views.map((key) => ({ key, label: t(`cover.${key}`) }))}
        value={view}
        onChange={(next) => look({ view: next })}
      >
        {isDesk ? (
          <Desk key={`${schoolId}|${from}|${to}`} schoolId={schoolId} from={from} to={to} />
        ) : (
          <Counts key={schoolId} schoolId={schoolId} />
        )}
      </TabRow>
    </>
  )
}
