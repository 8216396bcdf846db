import { readNote } from '@data-brain/contract/rules/note-words'
import { useId } from 'react'
import { useLanguage, useT } from '../../ui/words.ts'
import type { BatchView } from './calls.ts'

/** What the file of another timetabling program holds and the import does not take, said before anything is stored. */
export function NotRead({ batch }: { batch: BatchView }) {
  const t = useT()
  const language = useLanguage()
  const id = useId()
  const told = (batch.source?.notes ?? []).flatMap(({ text }) => (text && readNote(text)?.[language]) || [])
  if (told.length === 0) return null
  return (
    <section className="card" aria-labelledby={id}>
      <h2 id={id}>{t('import.notRead')}</h2>
      <ul>
        {told.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </section>
  )
}
