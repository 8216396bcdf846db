import { useQuery, useQueryClient } from '@tanstack/react-query'
import { askConfirmation } from '../../ui/confirm.tsx'
import { toast } from '../../ui/toast.ts'
import { useLanguage } from '../../ui/words.ts'
import { forgetLearned, type LearnedAnswer, readLearned } from './calls.ts'
import { useImportT, useKind } from './import-kinds.ts'
import { useWork } from './state.ts'

/** What was matched and answered in earlier imports, and the way to have it forgotten. */
export function LearnedWords() {
  const t = useImportT()
  const kind = useKind()
  const language = useLanguage()
  const client = useQueryClient()
  const work = useWork()
  const { data } = useQuery({
    queryKey: ['import', 'learned', kind, language],
    queryFn: ({ signal }) => readLearned(kind, signal),
    refetchOnMount: 'always',
  })
  const learned = data ?? []
  if (learned.length === 0) return null
  const textOf = ({ field, heading, label, answer }: LearnedAnswer): string => {
    if (field.startsWith('@')) return t('import.learnedHead', { answer: answer ?? '' })
    if (heading !== null)
      return label === null ? t('import.learnedNot', { heading }) : t('import.learnedHeading', { heading, label })
    return t(answer === '' ? 'import.learnedEmpty' : 'import.learnedWord', { label: label ?? '', answer: answer ?? '' })
  }
  const forget = async (items?: readonly LearnedAnswer[]) => {
    const sure =
      items !== undefined ||
      (await askConfirmation({
        title: t('import.forgetTitle', { count: learned.length }),
        body: t('import.forgetBody'),
        danger: true,
        okText: t('import.forget'),
      }))
    if (!sure) return
    const done = await work.run(() =>
      forgetLearned(
        kind,
        items?.map(({ field, word }) => ({ field, word })),
      ),
    )
    if (done) toast.success(t('import.forgotten'))
    await client.invalidateQueries({ queryKey: ['import', 'learned'] })
  }
  return (
    <details className="card import-learned">
      <summary>{t('import.learned', { count: learned.length })}</summary>
      <p className="muted">{t('import.learnedHelp')}</p>
      {work.failure && (
        <p className="alert import-wrong" role="alert">
          {work.failure}
        </p>
      )}
      <ul>
        {learned.map((each) => (
          <li key={`${each.field}|${each.word}`}>
            <span>{textOf(each)}</span>
            <button
              type="button"
              className="link-button"
              disabled={work.busy}
              aria-label={t('import.forgetOne', { what: textOf(each) })}
              onClick={() => void forget([each])}
            >
              {t('import.forget')}
            </button>
          </li>
        ))}
      </ul>
      <button type="button" className="button" disabled={work.busy} onClick={() => void forget()}>
        {t('import.forgetAll')}
      </button>
    </details>
  )
}
