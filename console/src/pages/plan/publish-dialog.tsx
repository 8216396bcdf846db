import { classschedule, timetableplan } from '@data-brain/contract'
import type { AnswerOf } from '@data-brain/contract/call'
import { planChanges, publishPlan } from '@data-brain/contract/calls/timetable'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { refresh, useTask } from '../../entity/data/index.ts'
import { LoadFailed } from '../../entity/list/index.ts'
import { call } from '../../http/call.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { toast } from '../../ui/toast.ts'
import { useT } from '../../ui/words.ts'

/** Names that a sentence has room for. */
const namesMost = 8

const changesFrom = (id: string, week: number) => ({
  queryKey: ['plan', id, 'changes', week],
  queryFn: ({ signal }: { signal: AbortSignal }) => call(planChanges, { id, fromWeek: week }, { signal, silent: true }),
})

/** The week that is proposed: the next one where others are replaced, so that what was taught stays as it was. */
const proposedWeek = ({ replaces, begunWeeks, weekCount }: AnswerOf<typeof planChanges>): number =>
  replaces.length > 0 ? Math.min(begunWeeks + 1, weekCount) : 1

interface Props {
  readonly id: string
  readonly name: string
  readonly onClose: () => void
}

/** Publishes a plan from a week on, after it has shown what that changes, and for whom. */
export function PublishDialog({ id, name, onClose }: Props) {
  const t = useT()
  const queries = useQueryClient()
  const fieldId = useId()
  const [chosen, setChosen] = useState<number>()
  const { busy, failure, run } = useTask()
  const whole = useQuery({ ...changesFrom(id, 1), retry: false })
  const week = chosen ?? (whole.data && proposedWeek(whole.data)) ?? 1
  const changes = useQuery({
    ...changesFrom(id, week),
    enabled: whole.isSuccess || chosen !== undefined,
    placeholderData: (before) => before,
    retry: false,
  })
  const publish = async () => {
    const done = await run(async () => {
      await call(publishPlan, { id, fromWeek: week }, { silent: true })
      await Promise.all([timetableplan, classschedule].map((entity) => refresh(queries, entity.name)))
      await queries.invalidateQueries({ queryKey: ['plan'] })
    })
    if (!done) return
    toast.success(t('plan.published', { name, week }))
    onClose()
  }
  const told = whole.data && changes.data
  const begun = told?.begunWeeks ?? 0
  const failed = whole.isError ? whole : changes
  const whom = told ? [...told.classes, ...told.teachers].map((each) => each.name) : []
  return (
    <Dialog
      title={t('plan.publishOf', { name })}
      okText={t('plan.publish')}
      onOk={() => void publish()}
      busy={busy}
      failure={failure}
      onClose={onClose}
    >
      <div className="field">
        <label htmlFor={fieldId}>{t('plan.fromWeek')}</label>
        <select id={fieldId} className="input" value={week} onChange={(event) => setChosen(Number(event.target.value))}>
          {Array.from({ length: told?.weekCount ?? 1 }, (_, at) => at + 1).map((no) => (
            <option key={no} value={no}>
              {t('plan.week', { no })}
            </option>
          ))}
        </select>
      </div>
      {failed.isError && <LoadFailed problem={failed.error} onRetry={() => void failed.refetch()} />}
      {told && begun >= week && told.replaces.length > 0 && told.added + told.removed > 0 && (
        <p className="alert">
          {t(begun < told.weekCount ? 'plan.begun' : 'plan.begunAll', { no: begun, next: begun + 1 })}
        </p>
      )}
      {told && (
        <div aria-live="polite">
          <p>{t('plan.changes', { added: told.added, removed: told.removed, same: told.same })}</p>
          {whom.length > 0 && (
            <p>
              {t('plan.changesFor', { names: whom.slice(0, namesMost).join(t('entity.separator')) })}
              {whom.length > namesMost && ` … ${t('plan.more', { count: whom.length - namesMost })}`}
            </p>
          )}
          {told.replaces.map((each) => (
            <p key={each.id}>{t('plan.replaces', { name: each.name, from: each.fromWeek, to: each.toWeek })}</p>
          ))}
        </div>
      )}
    </Dialog>
  )
}
