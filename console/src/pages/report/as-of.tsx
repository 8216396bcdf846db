import { DateEntry } from '../../ui/date/entry.tsx'
import { todayDay } from '../../ui/date/read.ts'
import { setQuery, usePlace } from '../../ui/place.ts'
import { useT } from '../../ui/words.ts'

/** The past day that the address asks for; what is no day is asked all the same, and refused by its name. */
export const useAsOf = (): string | undefined => usePlace().query.get('asOf') || undefined

/** The day at whose end the rows of a report are looked at: of today where none is named. The address carries it. */
export function AsOf({ asOf }: { readonly asOf: string | undefined }) {
  const t = useT()
  const { path } = usePlace()
  return (
    <div className="report-ask report-as-of">
      <span aria-hidden="true">{t('report.asOf')}</span>
      <DateEntry
        kind="date"
        label={t('report.asOf')}
        placeholder={t('report.today')}
        value={asOf ?? null}
        meant={{ past: true }}
        onValue={(day) => setQuery({ asOf: day === todayDay() ? null : day }, { path })}
      />
    </div>
  )
}
