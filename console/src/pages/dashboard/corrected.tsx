import type { DashboardFigure } from '@data-brain/contract/calls/dashboard'
import { useId } from 'react'
import { useNumber } from '../../ui/number.ts'
import { useT } from '../../ui/words.ts'

interface CorrectedProps {
  readonly name: string
  readonly past: NonNullable<DashboardFigure['past']>
}

/** A difference with its sign. */
const signed = (difference: number, number: (count: number) => string): string =>
  `${difference > 0 ? '+' : '−'}${number(Math.abs(difference))}`

/** Past figures that changes which are dated back made others: as they were seen, and by how much they were corrected. */
export function Corrected({ name, past: { values, corrected } }: CorrectedProps) {
  const t = useT()
  const number = useNumber()
  const id = useId()
  return (
    <details className="dash-corrected">
      <summary>{t('dash.corrected', { count: corrected.length })}</summary>
      <table aria-labelledby={id}>
        <caption id={id} className="sr-only">
          {t('dash.correctedOf', { name })}
        </caption>
        <thead>
          <tr>
            <th scope="col">{t('dash.correctedDay')}</th>
            <th scope="col">{t('dash.correctedSeen')}</th>
            <th scope="col">{t('dash.correctedBy')}</th>
            <th scope="col">{t('dash.correctedIs')}</th>
          </tr>
        </thead>
        <tbody>
          {corrected.map(({ at, day, difference }) => (
            <tr key={day}>
              <th scope="row">{day}</th>
              <td>{number(values[at]!)}</td>
              <td>{signed(difference, number)}</td>
              <td>{number(values[at]! + difference)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
