import { codeOf, type Entity } from '@data-brain/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense, useCallback, useMemo, useRef, useState } from 'react'
import { entityWords } from '../../locales/entity.ts'
import { hasSeveralOwners, useCan, useSession } from '../../session/session.ts'
import { Icon } from '../../ui/icon.tsx'
import { useTab } from '../../ui/place.ts'
import { useScreenClass } from '../../ui/screen.ts'
import { createMarks } from '../../ui/table/marks.ts'
import { Pager } from '../../ui/table/pager.tsx'
import { DataTable } from '../../ui/table/table.tsx'
import { addWords, hasWords, useLanguage, useT, useWords } from '../../ui/words.ts'
import { type BulkAction, BulkBar } from '../bulk/bulk-bar.tsx'
import { useSelectAll } from '../bulk/select-all.ts'
import type { ShownRow } from '../data/calls.ts'
import { type RegionPaths, useDictionaries, useEntity, useRegionPaths } from '../data/client.ts'
import { useEntityOf } from '../data/custom-fields.ts'
import { type DeleteRefusal, RefusalBanner, removeRows } from '../data/remove.tsx'
import type { RecordTop } from '../detail/detail.tsx'
import { type CellWords, inSentence } from '../display/cell.tsx'
import type { FormParts } from '../form/form-fields.tsx'
import type { Sheet } from '../print/print-list.ts'
import { useViews } from '../views/use-views.ts'
import { ColumnsMenu, useIdle, useTaste } from './column-preferences.tsx'
import { type Cells, fullTitleOf, type OffersAction, planOf, type RowAction, titleOf } from './columns.tsx'
import { loadDetail, loadForm, useListEffects, useNear } from './effects.ts'
import { Empty, LoadFailed, NoRight } from './empty.tsx'
import { FilterBar } from './filter-bar.tsx'
import { inForce, labelOf } from './filter-fields.ts'
import { ListContext, type ListValue } from './list-context.ts'
import { ListHead } from './list-head.tsx'
import { useListState } from './list-state.ts'
import { useListWork } from './list-work.tsx'
import { useReturn } from './scroll-restoration.ts'
import { OrderSelect } from './sort-select.tsx'
import './page.css'
import { lazyPart } from '../../ui/lazy-part.tsx'

addWords(entityWords)

const EntityForm = lazyPart(loadForm)
const EntityDetail = lazyPart(loadDetail)
const NoForm = lazyPart(() => import('../form/forbidden.tsx'), { optional: true })
const ViewStrip = lazyPart(() => import('../views/strip.tsx'))

/** What a page puts around the rows, and into them, beside its words and calls. */
export interface ListSlots<E extends Entity = Entity> {
  /** Buttons before 新增, such as an import. */
  readonly toolbar?: ReactNode
  /** Stands between the heading and the list. */
  readonly above?: ReactNode
  /** Stands left of the list, such as a tree that filters it. */
  readonly side?: ReactNode
  /** Shows the rows in another way than the table; `act` does with one of them what its buttons do. */
  body?(rows: readonly ShownRow<E>[], act: (what: string, record: ShownRow<E>) => void): ReactNode
  /** What a record shows under its name. */
  readonly recordTop?: RecordTop<E> | undefined
  /** Sheets that the list can be printed on beside its columns. */
  readonly sheets?: readonly Sheet[] | undefined
}

/** What a page changes in the way that rows are made and changed. */
export interface ListForm<E extends Entity = Entity> {
  readonly parts?: FormParts
  /** Rows are not made by the form. */
  readonly noAdd?: boolean
  /** Rows are not changed by the form, nor in their cells or many at once. */
  readonly noEdit?: boolean
  /** Hears of a row that the form has saved. */
  onSaved?(row: ShownRow<E>, isNew: boolean): void
}

/** What can be done with many rows at once. */
export interface ListBulk<E extends Entity = Entity> {
  /** Beside deleting them. */
  readonly actions?: readonly BulkAction<ShownRow<E>>[]
  /** Takes the place of the question and the call of a delete; answers the ids that are gone, or null when none was. */
  removal?(rows: readonly ShownRow<E>[]): Promise<readonly string[] | DeleteRefusal | null>
}

export interface EntityPageProps<E extends Entity = Entity> {
  /** The entity, or the name of whichever it is. */
  readonly entity: E | string
  readonly cells?: Cells<E>
  /** More to do with a row; more than two of them stand behind a menu. Keep its identity between renders. */
  readonly rowActions?: readonly RowAction<E>[]
  /** Which actions a row offers, where not every row offers all. Keep its identity between renders. */
  readonly offers?: OffersAction<E>
  readonly bulk?: ListBulk<E>
  readonly form?: ListForm<E>
  readonly slots?: ListSlots<E>
  /** The list is a part of a page that has a heading of its own: under this one, and only these rows. */
  readonly part?: { readonly heading: string; readonly query: Readonly<Record<string, string>> }
}

const keyOf = (record: ShownRow) => record.id
const NO_ACTIONS: readonly RowAction[] = []
const NO_BULK: readonly BulkAction[] = []
const NO_SLOTS: ListSlots = {}
const NO_FORM: ListForm = {}
const NO_ROWS: readonly ShownRow[] = []

/** Region codes of the filters: rows bring the names of theirs. */
function regionsIn(entity: Entity, filters: Readonly<Record<string, string>>): string[] {
  return Object.entries(filters).flatMap(([name, code]) => (entity.fields[name]?.kind === 'region' ? [code] : []))
}

/** The columns that are asked for beside those that the list brings by itself. */
const askedOf = (entity: Entity, columns: readonly { readonly key: string }[]): string =>
  columns
    .map(({ key }) => key)
    .filter(
      (key) =>
        (key in entity.fields || /User$|^extId$/.test(key)) && !entity.list.includes(key) && key !== entity.title,
    )
    .sort()
    .join()

/** What cells need beside their record; a new object only when something in it changed. */
function useCellWords(entity: Entity, regions: RegionPaths): CellWords {
  const t = useT()
  const language = useLanguage()
  const dictionaries = useDictionaries(entity)
  return useMemo(() => ({ t, language, dictionaries, regions }), [t, language, dictionaries, regions])
}

function EntityList({
  entity: given,
  cells,
  rowActions = NO_ACTIONS,
  offers,
  bulk,
  form,
  slots = NO_SLOTS,
  part,
}: EntityPageProps) {
  const { toolbar, above, side, body } = slots
  const { parts: formParts, noAdd = false, noEdit = false, onSaved } = form ?? NO_FORM
  const entity = useEntityOf(typeof given === 'string' ? given : given.name)
  const t = useT()
  const pick = useWords()
  const can = useCan()
  const severalOwners = hasSeveralOwners(useSession())
  const screen = useScreenClass()
  const { active, setDirty } = useTab()
  const { state, steps: own } = useListState(entity, part?.query)
  const mayView = can(codeOf(entity, 'view'))
  const views = useViews(entity, state, own, mayView)
  // Where a page opens with a view, the whole list is another one.
  const { reset } = views
  const steps = useMemo(() => ({ ...own, reset }), [own, reset])
  const client = useEntity(entity)
  const queries = useQueryClient()
  const [marks] = useState(() => createMarks<ShownRow>())
  const [refusal, setRefusal] = useState<DeleteRefusal | null>(null)

  const words = useCellWords(entity, useRegionPaths(regionsIn(entity, state.filters)))
  const label = pick(entity.label)
  const inside = inSentence(label, words.language)
  // The menu names the list of them, the definition one of them.
  const heading = part?.heading ?? (hasWords(`menu.${entity.name}`) ? t(`menu.${entity.name}`) : label)
  const root = useRef<HTMLDivElement>(null)

  const hrefOf = useCallback((record: ShownRow) => `?id=${record.id}`, [])
  const plan = useMemo(
    () => planOf({ entity, words, pick, can, cells, actions: rowActions, offers, hrefOf, severalOwners }),
    [entity, words, pick, can, cells, rowActions, offers, hrefOf, severalOwners],
  )
  const idle = useIdle(entity)
  const { taste, keep, ordered, shown, wanted, widths, widen, density } = useTaste({
    ...{ columns: plan, views, root, idle },
    cards: screen === 0,
  })
  // Rows bring the columns of the list; what somebody asked for beside them is asked for.
  const asked = askedOf(entity, wanted)
  const listed = useMemo(() => (asked ? { ...state.query, columns: asked } : state.query), [state.query, asked])
  const found = useQuery({ ...client.list(listed), enabled: mayView && !views.waits })
  const rows = found.data?.records ?? NO_ROWS
  const total = found.data?.total ?? 0
  const keys = useMemo(() => rows.map(keyOf), [rows])
  const nameOfRow = useCallback((record: ShownRow) => titleOf(entity, record, words), [entity, words])

  const mayAdd = !noAdd && can(codeOf(entity, 'add'))
  const mayEdit = !noEdit && can(codeOf(entity, 'edit'))
  const mayDelete = can(codeOf(entity, 'delete'))

  const all = useSelectAll(client, marks, state.query, total)
  const remove = async (chosen: readonly ShownRow[]) => {
    setRefusal(null)
    const rows = new Map(chosen.map((row) => [row.id, fullTitleOf(entity, row, words)]))
    const seen = (done: number | null) =>
      all.tell(done === null ? null : { doing: 'remove', done, count: chosen.length })
    const result = await (bulk?.removal ? bulk.removal(chosen) : removeRows({ entity, client, t, rows, seen }))
    if (result === null) return
    if ('text' in result) setRefusal(result)
    const gone = new Set('text' in result ? result.gone : result)
    marks.select(
      chosen.filter((row) => gone.has(row.id)).map((row) => [row.id, row] as const),
      false,
    )
    if (state.id !== null && gone.has(state.id)) steps.open(null)
    if ('text' in result) return
    const left = total - gone.size
    if (state.current > 1 && (state.current - 1) * state.size >= left)
      steps.page(Math.max(1, Math.ceil(left / state.size)))
  }
  const removeTicked = () => {
    // One thing at a time is done with what is ticked.
    if (all.progress === null) void remove([...marks.selected().values()])
  }

  const act = (what: string, record: ShownRow) => {
    if (what === 'view' || what === 'open') steps.open(record.id)
    else if (what === 'edit') steps.change(record.id)
    else if (what === 'delete') void remove([record])
    else rowActions.find((action) => action.key === what)?.run(record)
  }

  const near = useNear(entity)
  useReturn({ page: entity.name, root, marks, state, isShown: rows.length > 0 })
  const isFiltered = useListEffects({ entity, state, steps, found, marks, active, mayForm: mayAdd || mayEdit })

  const list: ListValue = useMemo(
    () => ({
      ...{ entity, client, words, heading, marks, root, state, steps, rows, total, cells, offers },
      columns: shown,
    }),
    [entity, client, words, heading, marks, state, steps, rows, total, cells, offers, shown],
  )
  const work = useListWork(list, {
    ...{ active, form: { mayAdd, mayEdit }, actions: rowActions, parts: formParts, sheets: slots.sheets, act },
    table: screen > 0 && body === undefined,
    onRemove: removeTicked,
  })

  const open = useCallback((record: ShownRow) => steps.open(record.id), [steps])
  const query = useCallback(
    () => void queries.invalidateQueries({ queryKey: ['entity', entity.name, 'list'] }),
    [queries, entity],
  )
  const closeForm = useCallback(() => steps.change(null), [steps])
  // Once opened the form stays mounted: opening it again costs a fifth.
  const mayForm = state.edit === 'new' ? mayAdd : mayEdit
  const [lastEdit, setLastEdit] = useState<string | null>(null)
  if (state.edit !== null && state.edit !== lastEdit && mayForm) setLastEdit(state.edit)
  // One that is open stays, with what is typed into it, when the right goes: the server says so to whoever saves.
  const isForm = state.edit !== null && state.edit === lastEdit
  const saved = useCallback(
    (row: ShownRow, isNew: boolean) => {
      marks.refresh(row.id)
      onSaved?.(row, isNew)
    },
    [marks, onSaved],
  )
  const removeOne = (record: ShownRow) => void remove([record])

  const order = <OrderSelect columns={shown} sort={state.sort} onOrder={steps.orderBy} />
  const strip = (
    <Suspense fallback={<div className="list-views-place" />}>
      <ViewStrip entity={entity} state={state} steps={steps} views={views} painted={found.isSuccess} />
    </Suspense>
  )

  if (!mayView) return <NoRight />
  const phase = found.data === undefined ? 'first' : found.isFetching ? 'refresh' : 'ready'
  const partial = rows.find((row) => row.id === state.id)
  return (
    <ListContext value={list}>
      <div
        className="page entity"
        ref={root}
        data-screen={screen}
        data-beside={(state.id !== null && screen > 2) || undefined}
      >
        <ListHead
          entity={entity}
          heading={heading}
          total={found.data && total}
          onAdd={mayAdd ? () => steps.change('new') : undefined}
          work={{
            onDelete: mayDelete ? removeTicked : undefined,
            onPrint: work.onPrint,
            file: { query: state.query, columns: shown, marks },
            exporting: work.exporting,
          }}
          views={screen > 0 && strip}
          part={part !== undefined}
        >
          {toolbar}
        </ListHead>
        {refusal && <RefusalBanner refusal={refusal} onClose={() => setRefusal(null)} />}
        {above}
        {work.shown}
        <div className="entity-body">
          {side}
          <div className="entity-card">
            <div className="entity-tools">
              <FilterBar
                entity={entity}
                filters={state.filters}
                steps={steps}
                words={words}
                onQuery={query}
                sheet={screen === 0}
              >
                {order}
              </FilterBar>
              <span className="tools">
                <ColumnsMenu
                  taste={taste}
                  density={density}
                  ordered={ordered}
                  left={wanted.filter((column) => !shown.includes(column))}
                  keep={keep}
                >
                  {order}
                </ColumnsMenu>
                <button
                  type="button"
                  className="tool"
                  aria-label={t('entity.refresh')}
                  title={t('entity.refresh')}
                  onClick={query}
                >
                  <Icon name="refresh-cw" size={16} />
                </button>
              </span>
            </div>
            {screen === 0 && strip}
            {found.isError && !found.data ? (
              <LoadFailed problem={found.error} onRetry={() => void found.refetch()} />
            ) : body && rows.length > 0 ? (
              body(rows, act)
            ) : (
              <DataTable
                label={label}
                records={{
                  ...{ rows, keyOf, nameOf: nameOfRow },
                  state: phase,
                  expected: state.size,
                  empty: (
                    <Empty
                      label={inside}
                      filtered={isFiltered}
                      filters={inForce(entity, state.filters).map(([name]) => labelOf(entity, name, t, pick))}
                      onReset={steps.reset}
                      onAdd={mayAdd ? () => steps.change('new') : undefined}
                      toolbar={toolbar}
                    />
                  ),
                }}
                columns={shown}
                marks={marks}
                order={{ sort: state.sort, onSort: steps.order }}
                layout={{ cards: screen === 0, density, widths, onWidth: widen }}
                onAct={work.onAct}
                pointer={{ onRow: open, onNear: near }}
              />
            )}
            <Pager
              total={total}
              current={state.current}
              size={state.size}
              unit={entity.measure}
              onPage={steps.page}
              onSize={steps.resize}
              onNear={(current) => void queries.prefetchQuery(client.list({ ...listed, current }))}
            />
            <BulkBar
              unit={entity.measure}
              marks={marks}
              here={keys}
              actions={(bulk?.actions ?? NO_BULK).filter((action) => action.code === undefined || can(action.code))}
              onDelete={mayDelete ? removeTicked : undefined}
              onEdit={work.onEdit}
              onPrint={work.onPrint}
              all={all}
            />
          </div>
          <Suspense fallback={null}>
            {state.id !== null && (
              <EntityDetail
                entity={entity}
                id={state.id}
                partial={partial}
                keys={keys}
                modal={screen <= 2}
                onGo={steps.open}
                work={{
                  onEdit: mayEdit ? steps.change : undefined,
                  onDelete: mayDelete ? removeOne : undefined,
                  offers,
                  keys: work.onRecord,
                }}
                own={{ cells, top: slots.recordTop }}
              />
            )}
            {state.edit !== null && !isForm && !mayForm && (
              <NoForm label={inside} isNew={state.edit === 'new'} onClose={closeForm} />
            )}
            {lastEdit !== null && (
              <EntityForm
                entity={entity}
                open={isForm}
                id={lastEdit === 'new' ? null : lastEdit}
                preset={state.filters}
                onClose={closeForm}
                onSaved={saved}
                onDirty={setDirty}
                parts={formParts}
              />
            )}
          </Suspense>
        </div>
      </div>
    </ListContext>
  )
}

/** The list page of any entity: filters, table, pager, what can be done with rows, and the drawers over it. */
const EntityPage: <E extends Entity = Entity>(props: EntityPageProps<E>) => ReactNode = EntityList
export default EntityPage
