import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useLanguage } from '../../ui/words.ts'
import { type BatchView, type FaultGroup, type GroupAnswer, readGroups, sendAnswers } from './calls.ts'
import { useImportT, useKind } from './import-kinds.ts'
import { type RowPlaces, useRowPlaces } from './row-place.ts'
import { useRenew, useWork } from './state.ts'

/** Equal faults, each asked about once: one answer mends all of its rows. */
export function FaultGroups({ batch }: { batch: BatchView }) {
  const t = useImportT()
  const kind = useKind()
  const language = useLanguage()
  const work = useWork()
  const renew = useRenew(batch.id)
  const places = useRowPlaces(batch)
  const bad = batch.counts.bad ?? 0
  const { data } = useQuery({
    queryKey: ['import', 'groups', batch.id, bad, language],
    queryFn: ({ signal }) => readGroups(kind, batch.id, signal),
    enabled: bad > 0,
    refetchOnMount: 'always',
  })
  // A fault of one row alone is mended in its cell below, unless it can be answered. What is compared and not stored is no
  // mistake of the cell.
  const groups = (data ?? []).filter(
    (group) => group.count > 1 || group.options.length > 0 || group.make || group.key.startsWith('check.'),
  )
  if (bad === 0 || groups.length === 0) return null
  const say = async (answers: GroupAnswer[]) => {
    await work.run(() => sendAnswers(kind, batch.id, answers))
    await renew()
  }
  const makes = groups.filter((group) => group.make)
  // 二(1)班 and 二（1） are asked about apart and make one class.
  const made = new Set(makes.map(({ make }) => make!.name)).size
  return (
    <section className="card" aria-labelledby="import-groups">
      <div className="import-bar">
        <h2 id="import-groups">{t('import.groups')}</h2>
        {makes.length > 1 && (
          <button
            type="button"
            className="button primary"
            disabled={work.busy}
            onClick={() => void say(makes.map(({ key, text }) => ({ key, text, make: true })))}
          >
            {t('import.makeAll', { count: made })}
          </button>
        )}
      </div>
      <p className="muted">{t('import.groupsHelp')}</p>
      {work.failure && (
        <p className="alert import-wrong" role="alert">
          {work.failure}
        </p>
      )}
      <ul className="import-groups">
        {groups.map((group) => (
          <GroupLine
            key={`${group.key}|${group.text ?? group.message}`}
            group={group}
            places={places}
            busy={work.busy}
            onSay={(answer) => void say([answer])}
          />
        ))}
      </ul>
    </section>
  )
}

interface LineProps {
  group: FaultGroup
  places: RowPlaces
  busy: boolean
  onSay: (answer: GroupAnswer) => void
}

/** As many spellings as are read at a glance; a press shows the others. */
const GLANCE = 8

/** Which words of the file one answer is for, where there are several. */
function Spellings({ group: { text, words, spellings, quote } }: { group: FaultGroup }) {
  const t = useImportT()
  const [all, setAll] = useState(false)
  if (words.length === 0 || (words.length === 1 && text !== null) || quote) return null
  const shown = all ? words : words.slice(0, GLANCE)
  const more = spellings - shown.length
  return (
    <p className="import-words">
      <span className="muted">{t('import.groupWords')}</span>
      {shown.map((word) => (
        <span key={word.text} className="import-word">
          {word.count > 1 ? t('import.groupWordRows', word) : word.text}
        </span>
      ))}
      {more > 0 &&
        (all ? (
          <span className="muted">{t('import.groupWordsMore', { count: more })}</span>
        ) : (
          <button type="button" className="link-button" onClick={() => setAll(true)}>
            {t('import.groupWordsMore', { count: more })}
          </button>
        ))}
    </p>
  )
}

function GroupLine({ group, places, busy, onSay }: LineProps) {
  const t = useImportT()
  const id = useId()
  const [chosen, setChosen] = useState('')
  const { key, text, label, message, count, rows, options, make, quote } = group
  const about = { key, text, ...(text === null ? { message } : {}) }
  const isHidden = key === 'check.hiddenRow'
  // What is compared and not stored has nothing to be left empty.
  const left = options.length > 0 ? 'import.leaveKind' : 'import.leaveInRemark'
  const empty = key.startsWith('check.') ? 'import.allTheSame' : group.kept ? left : 'import.leaveEmpty'
  return (
    <li className="import-group">
      <p id={id}>
        <strong>{t('import.groupRows', { count })}</strong>
        {group.repeats
          ? t(key === 'student.name' ? 'import.groupAlike' : 'import.groupRepeats', { label })
          : t(text === null ? 'import.groupFault' : 'import.groupWord', {
              label,
              text: quote ?? text ?? '',
              message,
            })}{' '}
        <span className="muted">{places.told(rows, count > rows.length)}</span>
      </p>
      <Spellings group={group} />
      <div className="import-group-acts">
        {make && (
          <button
            type="button"
            className="button primary"
            disabled={busy}
            aria-describedby={id}
            onClick={() => onSay({ ...about, make: true })}
          >
            {t('import.make', { name: make.name, year: make.cohortYear })}
          </button>
        )}
        {options.length > 0 && (
          <>
            <select
              className="input"
              aria-label={t('import.chooseFor', { label, text: text ?? '' })}
              value={chosen}
              onChange={(event) => setChosen(event.target.value)}
            >
              <option value="">{t('import.chooseOne')}</option>
              {options.map((option) => (
                <option key={option.value} value={option.value}>
                  {option.label}
                </option>
              ))}
            </select>
            <button
              type="button"
              className="button"
              disabled={busy || chosen === ''}
              aria-describedby={id}
              onClick={() => onSay({ ...about, as: chosen })}
            >
              {t('import.apply')}
            </button>
          </>
        )}
        {group.repeats &&
          (['first', 'last', ...(group.apart ? (['each'] as const) : [])] as const).map((keep) => (
            <button
              key={keep}
              type="button"
              className="button"
              disabled={busy}
              aria-describedby={id}
              onClick={() => onSay({ ...about, keep })}
            >
              {t(keep === 'each' && key === 'student.name' ? 'import.keep.all' : `import.keep.${keep}`, { label })}
            </button>
          ))}
        {isHidden && (
          <button
            type="button"
            className="button"
            disabled={busy}
            aria-describedby={id}
            onClick={() => onSay({ ...about, as: '1' })}
          >
            {t('import.takeHidden')}
          </button>
        )}
        {group.mayBeEmpty && !isHidden && (
          <button
            type="button"
            className="button"
            disabled={busy}
            aria-describedby={id}
            onClick={() => onSay({ ...about, as: '' })}
          >
            {t(key === 'student.classId' ? 'import.noClassYet' : empty)}
          </button>
        )}
        <button
          type="button"
          className="button"
          disabled={busy}
          aria-describedby={id}
          onClick={() => onSay({ ...about, out: true })}
        >
          {t('import.leaveOut')}
        </button>
      </div>
    </li>
  )
}
