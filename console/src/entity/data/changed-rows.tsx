import type { TouchedRows } from '@data-brain/contract/generic'
import type { Translate } from '../../ui/words.ts'
import './changed-rows.css'

/** One line for each of the rows that are named. */
export function touchedLines({ label, rows = [] }: TouchedRows, t: Translate): string[] {
  return rows.map(({ name, of, how, by }) => {
    const what = name || label
    const whose = of !== null && of !== name ? t('entity.touchedOf', { of, name: what }) : what
    return t(`entity.touched.${how}${by ? 'By' : ''}`, { name: whose, by: by ?? '' })
  })
}

/** What was touched of each kind: how many, and of each which, whose, what was done and by whom. */
export function TouchedList({ touched, t }: { touched: readonly TouchedRows[]; t: Translate }) {
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
