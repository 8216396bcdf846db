import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { CallsContext, JobProgress, type JobView, refresh, type ShownRow } from '../../entity/data/index.ts'
import type { Cells } from '../../entity/list/index.ts'
import { EntityTreePage, type TreeRow } from '../../entity/tree/index.ts'
import { HttpProblem } from '../../http/client.ts'
import { regionWords } from '../../locales/region.ts'
import { useCan } from '../../session/session.ts'
import { askConfirmation } from '../../ui/confirm.tsx'
import { Icon } from '../../ui/icon.tsx'
import { setQuery, usePlace } from '../../ui/place.ts'
import { useScreenClass } from '../../ui/screen.ts'
import { toast } from '../../ui/toast.ts'
import { addWords, useT } from '../../ui/words.ts'
import { layStreets, MOST_REGIONS, regionCalls } from './calls.ts'
import { region, top } from './entity.ts'
import { useRegions } from './source.ts'
import './page.css'

addWords(regionWords)

const WIDE = ['code', 'level', 'sort', 'remark'] as const
const NARROW = ['code'] as const
/** Nothing stands below a village. */
const DEEPEST = 5
const mayHold = (row: TreeRow) => Number(row.level) < DEEPEST

const begin = (under: TreeRow | null) => ({
  parentCode: under ? String(under.code) : top,
  level: String(Number(under?.level ?? 0) + 1),
})

/** The regions of the country: opened level by level, searched, changed by the platform's administrators. */
export default function RegionPage() {
  const t = useT()
  const can = useCan()
  const { path, query } = usePlace()
  const search = query.get('keyword') ?? ''
  const abolished = query.get('abolished') === '1'
  const source = useRegions(search, abolished, can('region_view'))
  const fields = useScreenClass() > 1 ? WIDE : NARROW
  const cells = useCells()
  const file = useMemo(() => {
    const text = search.trim()
    const query = text !== '' ? { [/^\d+$/.test(text) ? 'code' : 'name']: text } : abolished ? {} : { abolished: 0 }
    // All columns, with the parent and the day on which one ended.
    return { query: query as Record<string, string | number>, columns: [] }
  }, [search, abolished])
  const cut = source.result !== undefined && source.result.total > source.result.matches
  return (
    <CallsContext value={regionCalls}>
      <EntityTreePage
        entity={region}
        tree={{ source, search, fields, mayHold }}
        cells={cells}
        form={{ begin, isDetail: true }}
        file={file}
        slots={{
          toolbar: (
            <>
              <label className="region-check">
                <input
                  type="checkbox"
                  checked={abolished}
                  onChange={(event) =>
                    setQuery({ abolished: event.target.checked ? '1' : null }, { replace: true, path })
                  }
                />
                {t('region.showAbolished')}
              </label>
              {can('region_import') && <Streets />}
            </>
          ),
          note: cut && <p className="banner banner-warn">{t('region.more', { count: MOST_REGIONS })}</p>,
        }}
      />
    </CallsContext>
  )
}

/** An abolished region says so beside its name. */
function useCells(): Cells {
  const t = useT()
  return useMemo(
    () => ({
      name: (row: ShownRow) => (
        <>
          {row.name}
          {typeof row.validTo === 'string' && <span className="tag tag-off region-tag">{t('region.abolished')}</span>}
        </>
      ),
    }),
    [t],
  )
}

/** Has the streets loaded, and shows how far that is. */
function Streets() {
  const t = useT()
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [job, setJob] = useState<JobView<{ added: number }> | null>(null)
  const load = async () => {
    if (!(await askConfirmation({ title: t('region.loadAsk'), body: t('region.loadText') }))) return
    setJob(null)
    setBusy(true)
    try {
      const { added } = await layStreets(setJob)
      toast.success(t('region.loaded', { count: added }))
      await refresh(queries, 'region')
    } catch (problem) {
      if (!(problem instanceof HttpProblem)) throw problem
      toast.error(problem.message || t('spec.unknownError'))
    } finally {
      setBusy(false)
    }
  }
  if (busy) return <JobProgress label={t('region.loadStreets')} job={job} />
  return (
    <button type="button" className="button" onClick={() => void load()}>
      <Icon name="download" size={16} />
      {t('region.loadStreets')}
    </button>
  )
}
