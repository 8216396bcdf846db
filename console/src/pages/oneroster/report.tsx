import type { ReactNode } from 'react'
import { useLanguage, useT } from '../../ui/words.ts'
import type { Fault, Report } from './calls.ts'

/** A table that scrolls by itself, and can be scrolled with the keyboard. */
function Scroll({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a pointer
    <section className="roster-scroll" aria-label={label} tabIndex={0}>
      {children}
    </section>
  )
}

/** What is wrong, by file, line and column. */
export function FaultTable({ report }: { report: Report }) {
  const t = useT()
  const comma = useLanguage() === 'zh' ? '、' : ', '
  const linesOf = ({ line, lines, count }: Fault): string => {
    if (count === 1) return line > 0 ? String(line) : ''
    const some = lines.join(comma)
    return count > lines.length ? t('oneroster.faultLines', { lines: some, count }) : some
  }
  const shown = report.faults.length
  const title = t('oneroster.faults', { count: report.faultCount })
  return (
    <>
      <p role="alert" className="alert">
        {title} {shown < report.faultCount && t('oneroster.faultsShown', { shown })}
      </p>
      <Scroll label={title}>
        <table className="roster-table">
          <thead>
            <tr>
              <th scope="col">{t('oneroster.faultFile')}</th>
              <th scope="col" className="number">
                {t('oneroster.faultLine')}
              </th>
              <th scope="col">{t('oneroster.faultColumn')}</th>
              <th scope="col">{t('oneroster.faultReason')}</th>
            </tr>
          </thead>
          <tbody>
            {report.faults.map((fault, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: faults have no id, and the list never changes
              <tr key={index}>
                <td>{fault.file}</td>
                <td className={fault.count > 1 ? 'words' : 'number'}>{linesOf(fault)}</td>
                <td>{fault.column}</td>
                <td className="words">{fault.message}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <PassedList report={report} />
    </>
  )
}

const kinds = ['add', 'update', 'unchanged', 'missing'] as const

/** How many rows of all kinds. */
export const totalOf = (report: Report, what: (typeof kinds)[number]): number =>
  report.counts.reduce((total, count) => total + count[what], 0)

/** What an import does to the rows of each kind. */
export function CountTable({ report }: { report: Report }) {
  const t = useT()
  const number = new Intl.NumberFormat(useLanguage())
  const counts = report.counts.filter((count) => kinds.some((kind) => count[kind] > 0))
  return (
    <Scroll label={t('oneroster.what')}>
      <table className="roster-table">
        <thead>
          <tr>
            <th scope="col">{t('oneroster.what')}</th>
            {kinds.map((kind) => (
              <th key={kind} scope="col" className="number">
                {t(`oneroster.${kind}`)}
              </th>
            ))}
            <th scope="col">{t('oneroster.faultFile')}</th>
          </tr>
        </thead>
        <tbody>
          {counts.map((count) => (
            <tr key={count.entity}>
              <th scope="row">{count.label}</th>
              {kinds.map((kind) => (
                <td key={kind} className={count[kind] > 0 ? 'number' : 'number muted'}>
                  {number.format(count[kind])}
                </td>
              ))}
              <td>{count.file}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}

/** Some of the rows that the files no longer know. */
export function MissingList({ report }: { report: Report }) {
  const t = useT()
  const comma = useLanguage() === 'zh' ? '、' : ', '
  return (
    <ul>
      {report.counts
        .filter((count) => count.missing > 0)
        .map(({ entity, label, missing, missingNames }) => {
          const some = missingNames.join(comma)
          const names =
            missing > missingNames.length ? t('oneroster.missingMore', { names: some, count: missing }) : some
          return <li key={entity}>{t('oneroster.missingNames', { label, names })}</li>
        })}
    </ul>
  )
}

/** What the archive holds and nobody takes. */
export function PassedList({ report }: { report: Report }) {
  const t = useT()
  const language = useLanguage()
  if (report.passed.length + report.otherFiles.length === 0) return null
  return (
    <div className="muted">
      <h3>{t('oneroster.passed')}</h3>
      <ul>
        {report.passed.map((passed) => (
          <li key={passed.file + passed.message}>{t('oneroster.passedLine', passed)}</li>
        ))}
        {report.otherFiles.length > 0 && (
          <li>{t('oneroster.otherFiles', { names: report.otherFiles.join(language === 'zh' ? '、' : ', ') })}</li>
        )}
      </ul>
    </div>
  )
}
