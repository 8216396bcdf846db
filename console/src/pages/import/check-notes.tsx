import { setQuery } from '../../ui/place.ts'
import type { BatchView, GroupAnswer } from './calls.ts'
import { useImportT } from './import-kinds.ts'
import { useRowPlaces } from './row-place.ts'

type Note = NonNullable<BatchView['told']>[number]

interface ToldProps {
  batch: BatchView
  busy: boolean
  onAgain: (answer: GroupAnswer) => void
}

/** What happens to rows that are right, said before it does: no class yet, kept in the remarks, as answered before. */
export function CheckNotes({ batch, busy, onAgain }: ToldProps) {
  const t = useImportT()
  const places = useRowPlaces(batch)
  const told = batch.told ?? []
  if (told.length === 0) return null
  const words = ({ kind, key, label, count, text, answer }: Note): string => {
    const said = { label, count, text: text ?? '', school: batch.schoolName ?? '' }
    // Of names and numbers no example is shown.
    if (kind === 'inRemark' && !text) return t('import.told.besides', said)
    if (kind !== 'learned') return t(`import.told.${kind}`, said)
    const as = answer || t(key === 'student.classId' ? 'import.noClassYet' : 'import.leaveEmpty')
    return t('import.told.learned', { ...said, answer: as })
  }
  return (
    <ul className="import-told" aria-label={t('import.told')}>
      {told.map((note) => (
        <li key={[note.kind, note.key, note.word].join('|')}>
          {words(note)}{' '}
          {note.rows.length > 0 && (
            <span className="muted">{places.told(note.rows, note.count > note.rows.length)}</span>
          )}{' '}
          {note.word && (
            <button
              type="button"
              className="link-button"
              disabled={busy}
              aria-label={t('import.againOf', { label: note.label, text: note.text ?? '' })}
              onClick={() => onAgain({ key: note.key, text: null, again: note.word ?? '' })}
            >
              {t('import.again')}
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}

/** Columns of the file that are not imported; before the import with the way back to where they are matched. */
export function LeftColumns({ batch }: { batch: BatchView }) {
  const t = useImportT()
  const left = batch.columns.filter(
    ({ key, heading, from }) => key === null && heading !== '' && (from ?? 'file') === 'file',
  )
  if (left.length === 0) return null
  const names = left.map(({ heading }) => heading).join(t('entity.separator'))
  return (
    <p className="muted import-left">
      {t('import.left', { names })}{' '}
      {batch.state === 'checked' && (
        <button type="button" className="link-button" onClick={() => setQuery({ step: 'match' })}>
          {t('import.rematch')}
        </button>
      )}
      {batch.state === 'done' && t('import.leftHelp')}
    </p>
  )
}
