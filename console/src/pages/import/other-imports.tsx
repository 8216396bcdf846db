import { Link } from '../../ui/place.ts'
import { saveFile } from '../../ui/save-file.ts'
import { useT } from '../../ui/words.ts'
import { fetchTemplate } from './calls.ts'
import { importPathOf, type Kind, useKind, useKinds } from './import-kinds.ts'
import { useWork } from './state.ts'

/** What else this person may bring in: the way to each, and its templates. */
export function OtherImports() {
  const t = useT()
  const here = useKind()
  const others = useKinds().filter((kind) => kind !== here)
  const work = useWork()
  if (others.length === 0) return null
  const template = (kind: Kind, format: 'xlsx' | 'csv') =>
    void work.run(async () => saveFile(await fetchTemplate(kind, { format })))
  return (
    <section className="card" aria-labelledby="import-others" aria-busy={work.busy}>
      <h2 id="import-others">{t('import.others')}</h2>
      {work.failure && (
        <p className="alert" role="alert">
          {work.failure}
        </p>
      )}
      <ul className="import-others">
        {others.map((kind) => {
          const name = t(`import.kind.${kind}`)
          return (
            <li key={kind}>
              <Link to={importPathOf(kind) ?? ''}>{t('import.other', { name })}</Link>
              {(['xlsx', 'csv'] as const).map((format) => (
                <button
                  key={format}
                  type="button"
                  className="link-button"
                  disabled={work.busy}
                  aria-label={t('import.otherTemplate', { name, format: format === 'xlsx' ? 'Excel' : 'CSV' })}
                  onClick={() => template(kind, format)}
                >
                  {t(format === 'xlsx' ? 'import.otherXlsx' : 'import.otherCsv')}
                </button>
              ))}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
