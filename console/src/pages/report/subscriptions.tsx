import { type Entity, entities, entityOf, reportsubscription } from '@data-brain/contract'
import { isSourceName } from '@data-brain/contract/report-source'
import { subscriptionStates } from '@data-brain/contract/subscription'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { refresh, type ShownRow, useEntity } from '../../entity/data/index.ts'
import { textOf, useCellWords } from '../../entity/display/index.ts'
import type { FormParts } from '../../entity/form/index.ts'
import { type Cells, EntityPage, type OffersAction, type RowAction } from '../../entity/list/index.ts'
import { HttpProblem } from '../../http/client.ts'
import { reportWords } from '../../locales/report.ts'
import { useSession } from '../../session/session.ts'
import { toast } from '../../ui/toast.ts'
import { addWords, useT, useWords } from '../../ui/words.ts'
import { scheduleFields } from './subscription-fields.ts'
import '../../entity/value/words.ts'

addWords(reportWords)

type Subscription = ShownRow<typeof reportsubscription>
const isOn = ({ status }: Subscription): boolean => status === subscriptionStates.on
const nameOf = ({ reportName }: Subscription): string => reportName ?? ''

// Whether one comes is said by its buttons, and what the report was asked stays what it was.
const formParts: FormParts = {
  of: () => {
    const { status: _, fields, ...rest } = entityOf('reportsubscription')
    return {
      ...rest,
      fields: Object.fromEntries((['reportId', ...scheduleFields] as const).map((name) => [name, fields[name]!])),
    } as Entity
  },
}

const subjectOf = ({ subject }: Subscription): Entity | undefined => entities.find(({ name }) => name === subject)

/** What the report was asked, in the words of the rows that it is of. */
function Asked({ row, entity }: { readonly row: Subscription; readonly entity: Entity }) {
  const words = useCellWords(reportsubscription, entity)
  return textOf(reportsubscription.fields.asked, row.asked, words, row.askedName, row)
}

/** The caller's own subscriptions; administrators see everybody's, and may pause or remove them. */
export default function SubscriptionsPage() {
  const t = useT()
  const pick = useWords()
  const session = useSession()
  const queries = useQueryClient()
  const client = useEntity(reportsubscription)
  const cells = useMemo<Cells<typeof reportsubscription>>(
    () => ({
      subject: (row) => {
        if (isSourceName(String(row.subject))) return t('report.sourceSubject')
        const entity = subjectOf(row)
        return entity && pick(entity.label)
      },
      asked: (row) => {
        const entity = subjectOf(row)
        return entity && row.asked ? <Asked row={row} entity={entity} /> : undefined
      },
      hour: ({ hour }) => `${String(hour).padStart(2, '0')}:00`,
      nextRun: (row) => (isOn(row) && !row.nextRun ? t('report.nextOpen') : undefined),
    }),
    [t, pick],
  )
  const actions = useMemo<readonly RowAction<typeof reportsubscription>[]>(() => {
    const turn = async (row: Subscription, status: number): Promise<void> => {
      try {
        await client.save({ id: row.id, version: row.version, status } as Parameters<typeof client.save>[0])
        const said = status === subscriptionStates.on ? 'report.resumed' : 'report.paused'
        toast.success(t(said, { name: nameOf(row) }))
      } catch (problem) {
        // The client has said what went wrong; anything else is a defect and goes up.
        if (!(problem instanceof HttpProblem)) throw problem
      }
      await refresh(queries, reportsubscription.name)
    }
    const code = 'reportsubscription_edit'
    return [
      {
        ...{ key: 'pause', label: t('report.pause'), icon: 'circle-pause', code },
        run: (row) => void turn(row, subscriptionStates.paused),
      },
      {
        ...{ key: 'resume', label: t('report.resume'), icon: 'circle-check', code },
        run: (row) => void turn(row, subscriptionStates.on),
      },
    ]
  }, [t, client, queries])
  const offers = useMemo<OffersAction<typeof reportsubscription>>(
    () => (row, action) => {
      const isOwn = row.createUser === session?.userId
      if (action === 'pause') return isOn(row)
      if (action === 'resume') return isOwn && !isOn(row)
      return action !== 'edit' || isOwn
    },
    [session],
  )
  return (
    <EntityPage
      entity={reportsubscription}
      cells={cells}
      rowActions={actions}
      offers={offers}
      form={{ noAdd: true, parts: formParts }}
    />
  )
}
