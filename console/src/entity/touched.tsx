import type { Translate } from '../ui/words.ts'
import './touched.css'

/** Rows of one kind that somebody has touched since: the first of them with what was done to each, and by whom. */
export interface Touched {
  readonly entity: string
  readonly label: string
  readonly unit?: string | undefined
  readonly count: number
  readonly own: boolean
  readonly rows?: readonly {
    readonly name: string
    /** The name of what it belongs to. */
    readonly of: string | null
    readonly how: 'changed' | 'removed' | 'added' | 'used'
    readonly by: string | null
  }[]
}

/** One line for each of the rows that are named. */
export function touchedLines({ label, rows = [] }: Touched, t: Translate): string[] {
  return rows.map(({ name, of, how, by }) => {
    const what = name || label
    const whose = of !== null && of !== name ? t('entity.touchedOf', { of, name: what }) : what
    return t(`entity.touched.${how}${by ? 'By' : ''}`, { name: whose, by: by ?? '' })
  })
}

/** What was touched of each kind: how many, and of each which, whose, what was done and by whom. */
export function TouchedList({ touched, t }: { touched: readonly Touched[]; t: Translate }) {
  return (
    <ul className="touched">
      {touched.map((each) => {
        const { entity, own, label, unit, count, rows = [] } = each
        return (
          <li key={`${entity} ${own}`}>
            {t('entity.blockerCount', { label, count, unit })}
            <ul>
              {touchedLines(each, t).map((line, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: lines of words that never move
                <li key={at}>{line}</li>
              ))}
              {rows.length > 0 && count > rows.length && (
                <li>{t('entity.touchedMore', { count: count - rows.length, unit })}</li>
              )}
            </ul>
          </li>
        )
      })}
    </ul>
  )
}
