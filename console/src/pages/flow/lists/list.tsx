import type { AnswerOf, InputOf } from '@data-brain/contract/call'
import type { todoList } from '@data-brain/contract/calls/flow'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { BulkBar } from '../../../entity/bulk/index.ts'
import { Count, FrameMenu, ListFrame, stateOf, useFrameColumns } from '../../../entity/list/index.ts'
import { entityWords } from '../../../locales/entity.ts'
import { flowWords } from '../../../locales/flow.ts'
import { createMarks } from '../../../ui/table/marks.ts'
import { Pager } from '../../../ui/table/pager.tsx'
import { usePaging } from '../../../ui/table/paging.ts'
import { type Column, DataTable } from '../../../ui/table/table.tsx'
import { addWords, useT } from '../../../ui/words.ts'
import { useWorkFilters, WorkFilterLine } from '../filters.tsx'
import { type FlowTask, fileOf, flowKey, useFlowNews, type WorkList } from '../queries.ts'
import '../../../ui/later-words.ts'
import '../../../ui/table/menu.css'
import './lists.css'

addWords({ ...entityWords, ...flowWords })

type Page = AnswerOf<typeof todoList>
const NONE: readonly FlowTask[] = []
/** One instance may stand in a list for several tasks. */
const keyOf = ({ taskId, processInstanceId }: FlowTask) => taskId ?? processInstanceId
const nameOf = ({ title }: FlowTask) => title

/** What can be done with ticked rows. */
interface Bulk {
  readonly key: string
  readonly label: string
  readonly icon: string
  readonly run: (tasks: readonly FlowTask[]) => Promise<void>
}

interface ListProps {
  /** Names it where the browser keeps its columns, and in the cache. */
  readonly name: WorkList
  readonly title: string
  readonly empty: string
  readonly columns: readonly Column<FlowTask>[]
  readonly read: (asked: InputOf<typeof todoList>, signal?: AbortSignal) => Promise<Page>
  readonly onAct: (what: string, task: FlowTask) => void
  readonly bulk?: Bulk
  readonly head?: ReactNode
}

/** A list of tasks or instances that is read as a table. */
export function WorkTable({ name, title, empty, columns, read, onAct, bulk, head }: ListProps) {
  const t = useT()
  const filters = useWorkFilters()
  const { current, size, onPage, onSize } = usePaging()
  const [marks] = useState(() => createMarks<FlowTask>())
  const asked = { ...filters, current, size }
  const found = useQuery({
    queryKey: [...flowKey, name, asked],
    queryFn: ({ signal }) => read(asked, signal),
    placeholderData: (before) => before,
    staleTime: 0,
    retry: false,
  })
  useFlowNews()
  const frame = useFrameColumns(`flow-${name}`, columns)
  const rows = found.data?.records ?? NONE
  const total = found.data?.total ?? 0
  const here = useMemo(() => rows.map(keyOf), [rows])
  const filtered = Object.keys(filters).length > 0
  return (
    <ListFrame
      head={{
        title,
        count: found.data && <Count total={total} />,
        buttons: head,
        menu: (
          <FrameMenu
            list={fileOf(name)}
            query={filters}
            frame={frame}
            title={title}
            total={found.data?.total}
            read={async (_last, page) => {
              const part = await read({ ...filters, current: page, size: 200 })
              return { rows: part.records, more: page < part.pages }
            }}
          />
        ),
      }}
      tools={{
        filters: <WorkFilterLine byPerson={name !== 'send'} byTime={name === 'claim' || name === 'send'} />,
        refresh: t('flow.refresh'),
        columns: frame,
      }}
      onRefresh={() => void found.refetch()}
      found={found}
    >
      <DataTable
        label={title}
        records={{
          rows,
          keyOf,
          nameOf,
          state: stateOf(found),
          empty: <p>{filtered ? t('flow.noMatch') : empty}</p>,
        }}
        {...frame.table}
        marks={bulk ? marks : undefined}
        onAct={onAct}
      />
      {bulk && (
        <BulkBar
          marks={marks}
          here={here}
          onDelete={undefined}
          actions={[
            {
              key: bulk.key,
              label: bulk.label,
              icon: bulk.icon,
              run: (tasks, done) => void bulk.run(tasks as readonly FlowTask[]).then(done),
            },
          ]}
        />
      )}
      <Pager total={total} current={current} size={size} onPage={onPage} onSize={onSize} />
    </ListFrame>
  )
}
