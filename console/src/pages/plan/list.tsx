import { timetableplan } from '@data-brain/contract'
import type { Obstacle } from '@data-brain/contract/calls/timetable'
import { useMemo, useState } from 'react'
import type { ShownRow } from '../../entity/data/index.ts'
import { EntityPage, type OffersAction, type RowAction } from '../../entity/list/index.ts'
import { planWords } from '../../locales/plan.ts'
import { go } from '../../ui/place.ts'
import { addWords, useT } from '../../ui/words.ts'
import { Conflicts } from './conflicts.tsx'
import { PublishDialog } from './publish-dialog.tsx'
import { planPath, planStates, usePlanWork } from './work.ts'
import './page.css'

addWords(planWords)

type Plan = ShownRow<typeof timetableplan>

const offers: OffersAction<typeof timetableplan> = ({ status }, action) =>
  action === 'publish' || action === 'delete' ? Number(status) < planStates.published : true

/** The timetables of a school: drafts, the published one of each week, and those of weeks that are over. */
export default function PlansPage() {
  const t = useT()
  const { check, copy } = usePlanWork()
  const [publishing, setPublishing] = useState<Plan | null>(null)
  const [checked, setChecked] = useState<{ plan: Plan; obstacles: readonly Obstacle[] } | null>(null)
  const actions: readonly RowAction<typeof timetableplan>[] = useMemo(
    () => [
      { key: 'arrange', label: t('plan.arrange'), icon: 'table', run: ({ id }) => go(planPath(id)) },
      {
        key: 'check',
        label: t('plan.check'),
        icon: 'circle-check',
        run: (plan) =>
          void check(plan.id, plan.planName).then(
            (obstacles) => obstacles && obstacles.length > 0 && setChecked({ plan, obstacles }),
          ),
      },
      {
        key: 'publish',
        label: t('plan.publish'),
        icon: 'circle-check',
        code: 'timetableplan_publish',
        run: setPublishing,
      },
      {
        key: 'copy',
        label: t('plan.copy'),
        icon: 'copy',
        code: 'timetableplan_add',
        run: ({ id }) => void copy(id).then((made) => made && go(planPath(made))),
      },
    ],
    [t, check, copy],
  )
  return (
    <>
      <EntityPage entity={timetableplan} rowActions={actions} offers={offers} />
      {publishing && (
        <PublishDialog id={publishing.id} name={publishing.planName} onClose={() => setPublishing(null)} />
      )}
      {checked && (
        <Conflicts
          name={checked.plan.planName}
          obstacles={checked.obstacles}
          onChoose={() => go(planPath(checked.plan.id))}
          onClose={() => setChecked(null)}
        />
      )}
    </>
  )
}
