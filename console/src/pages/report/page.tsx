import { entities, report } from '@data-brain/contract'
import { isSourceName } from '@data-brain/contract/report-source'
import { useMemo } from 'react'
import { type Cells, EntityPage, type OffersAction, type RowAction } from '../../entity/list/index.ts'
import { reportWords } from '../../locales/report.ts'
import { useCan, useSession } from '../../session/session.ts'
import { Icon } from '../../ui/icon.tsx'
import { go } from '../../ui/place.ts'
import { addWords, useT, useWords } from '../../ui/words.ts'
import { editorOf, isChangedBy, resultOf } from './paths.ts'

addWords(reportWords)

/** Saved questions: own ones, and those that are shared with a role of the reader’s. */
export default function ReportListPage() {
  const t = useT()
  const pick = useWords()
  const can = useCan()
  const session = useSession()
  const cells = useMemo<Cells<typeof report>>(
    () => ({
      subject: ({ subject }) => {
        if (isSourceName(String(subject))) return t('report.sourceSubject')
        const entity = entities.find(({ name }) => name === subject)
        return entity && pick(entity.label)
      },
    }),
    [pick, t],
  )
  const actions = useMemo<readonly RowAction<typeof report>[]>(
    () => [
      { key: 'run', label: t('report.run'), icon: 'chart-column', run: ({ id }) => go(resultOf(id)) },
      {
        key: 'change',
        label: t('report.edit'),
        icon: 'pencil',
        code: 'report_edit',
        run: ({ id }) => go(editorOf(id)),
      },
    ],
    [t],
  )
  const offers = useMemo<OffersAction<typeof report>>(
    () => (row, action) => !['change', 'delete'].includes(action) || isChangedBy(row, session),
    [session],
  )
  const toolbar = can('report_add') && (
    <button type="button" className="button primary" onClick={() => go(editorOf('new'))}>
      <Icon name="plus" size={16} />
      {t('report.new')}
    </button>
  )
  return (
    <EntityPage
      entity={report}
      cells={cells}
      rowActions={actions}
      offers={offers}
      form={{ noAdd: true, noEdit: true }}
      slots={{ toolbar }}
    />
  )
}
