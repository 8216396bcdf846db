import { codeOf, type Entity } from '@data-brain/contract'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { entityWords } from '../../locales/entity.ts'
import { treeWords } from '../../locales/tree.ts'
import { useCan } from '../../session/session.ts'
import { announce } from '../../ui/announce.tsx'
import { TextInput } from '../../ui/form/text-input.tsx'
import { Icon } from '../../ui/icon.tsx'
import { setQuery, usePlace, useTab } from '../../ui/place.ts'
import { useScreenClass } from '../../ui/screen.ts'
import { everyNode } from '../../ui/tree/flat.ts'
import { TreeList } from '../../ui/tree/tree-list.tsx'
import { addWords, hasWords, useLanguage, useT, useWords } from '../../ui/words.ts'
import type { ShownRow } from '../data/calls.ts'
import { useEntity } from '../data/client.ts'
import { knownRecord } from '../data/record-query.ts'
import { type DeleteRefusal, RefusalBanner, removeRows } from '../data/remove.tsx'
import { inSentence } from '../display/cell.tsx'
import { useCellWords } from '../display/use-cell-words.ts'
import { type ParentChoice, ParentContext, ParentInput } from '../fields/parent-select.tsx'
import type { FormParts } from '../form/form-fields.tsx'
import { type Cells, type OffersAction, type RowAction, titleOf } from '../list/columns.tsx'
import { Empty, LoadFailed, NoRight } from '../list/empty.tsx'
import { type ListKeys, useListKeys } from '../list/key-bindings.ts'
import { ListHead } from '../list/list-head.tsx'
import { useRowMenu } from '../list/row-menu.tsx'
import { printFrame, readyToPrint } from '../print/print-list.ts'
import { MoveDialog } from './move-dialog.tsx'
import { treePlanOf } from './tree-columns.tsx'
import { type MoveCall, useMoves } from './tree-moves.ts'
import { knownOf, parentOf, type TreeRow, type TreeSource } from './tree-source.ts'
import '../../ui/table/menu.css'
import '../list/page.css'
import { lazyPart } from '../../ui/lazy-part.tsx'

addWords({ ...entityWords, ...treeWords })

const EntityForm = lazyPart(() => import('../form/form.tsx'))
const EntityDetail = lazyPart(() => import('../detail/detail.tsx'))

const NO_FIELDS: readonly string[] = []

/** Where the rows of a tree come from, and how they stand. */
export interface Tree<E extends Entity = Entity> {
  readonly source: TreeSource
  /** The text that narrows the tree; it stands in the address as `keyword`. */
  readonly search: string
  /** Fields shown beside the name; keep their identity. */
  readonly fields: readonly string[]
  /** Rows can be put elsewhere by the call `move`. */
  readonly move?: MoveCall
  /** Whether a row may have rows below it. Keep its identity. */
  mayHold?(row: TreeRow<E>): boolean
  /** Hears of every change of the rows. */
  readonly onChanged?: () => void
}

/** What a page changes in the way that the rows of a tree are made and changed. */
export interface TreeForm<E extends Entity = Entity> {
  /** What the page puts into the form; the parent is chosen in the tree anyway. Keep its identity. */
  readonly parts?: FormParts
  /** The value of `parentId` that a new row below this one has, where it is not the id. Keep its identity. */
  begin?(under: TreeRow<E> | null): Readonly<Record<string, unknown>>
  /** What one looks at as well: rows have no detail view with a history. */
  readonly isDetail?: boolean
}

export interface EntityTreePageProps<E extends Entity = Entity> {
  readonly entity: E
  readonly tree: Tree<E>
  readonly cells?: Cells<E>
  /** More to do with a row. Keep its identity. */
  readonly rowActions?: readonly RowAction<E>[]
  /** Which actions a row offers, where not every row offers all. Keep its identity. */
  readonly offers?: OffersAction<E>
  readonly form?: TreeForm<E>
  /** What a file of it holds, where it is not every row with the columns of the list. */
  readonly file?: {
    readonly query: Readonly<Record<string, string | number>>
    readonly columns: readonly { readonly key: string }[]
  }
  readonly slots?: {
    /** Buttons before 新增. */
    readonly toolbar?: ReactNode
    /** Stands between the heading and the tree. */
    readonly note?: ReactNode
  }
}

const NONE: ReadonlySet<string> = new Set()
const NO_ROWS: readonly TreeRow[] = []
const NO_ACTIONS: readonly RowAction[] = []
const NO_PRESET = {}
const NO_QUERY = {}
const all = () => true
/** Up to this many rows are shown open from the start. */
const FEW = 40

function EntityTree(props: EntityTreePageProps) {
  const { entity, cells, rowActions = NO_ACTIONS, offers } = props
  const { source, search, fields, move, mayHold = all, onChanged } = props.tree
  const { parts, begin, isDetail = false } = props.form ?? {}
  const detail = !isDetail
  const { toolbar, note } = props.slots ?? {}
  const t = useT()
  const pick = useWords()
  const language = useLanguage()
  const can = useCan()
  const screen = useScreenClass()
  const { path, query } = usePlace()
  const { active: tabActive, setDirty } = useTab()
  const client = useEntity(entity)
  const queries = useQueryClient()
  const root = useRef<HTMLDivElement>(null)
  const [touched, setOpened] = useState<ReadonlySet<string> | null>(null)
  const [active, setActive] = useState<string | null>(null)
  const [moving, setMoving] = useState<TreeRow | null>(null)
  const [refusal, setRefusal] = useState<DeleteRefusal | null>(null)

  useEffect(readyToPrint, [])
  const { found, below } = source
  const roots = source.roots ?? NO_ROWS
  const words = useCellWords(entity)
  const nameOf = useCallback((row: TreeRow) => titleOf(entity, row, words), [entity, words])
  const rows = useMemo(() => everyNode(roots, below), [roots, below])
  const forest = useMemo(() => knownOf(roots, below), [roots, below])
  const told = useMemo(() => entity.list.map((key) => ({ key })), [entity])
  const lazily = source.need !== undefined
  // A small tree says most when it is open; a large one, and one that is fetched as it is opened, when it is not.
  const opened = useMemo(() => {
    if (touched) return touched
    if (lazily) return NONE
    return new Set((rows.length <= FEW ? rows : roots).map((row) => row.id))
  }, [touched, lazily, rows, roots])
  const [id, edit, under] = [query.get('id') || null, query.get('edit') || null, query.get('under') || null]
  const mayAdd = can(codeOf(entity, 'add'))
  const mayEdit = can(codeOf(entity, 'edit'))
  const mayDelete = can(codeOf(entity, 'delete'))

  const step = useCallback(
    (patch: Record<string, string | null>, replace: boolean) => setQuery(patch, { path, replace }),
    [path],
  )
  const open = useCallback(
    (next: string | null) => step({ id: next, tab: null }, next === null || id !== null),
    [step, id],
  )
  const change = useCallback(
    (next: string | null, below: string | null = null) => step({ edit: next, under: below }, next === null),
    [step],
  )
  const closeForm = useCallback(() => change(null), [change])
  const changed = () => onChanged?.()

  const remove = async (row: TreeRow) => {
    setRefusal(null)
    const result = await removeRows({ entity, client, t, rows: new Map([[row.id, nameOf(row)]]) })
    if (result === null) return
    if ('text' in result) return setRefusal(result)
    if (id === row.id) open(null)
    changed()
  }
  const { place, put } = useMoves({
    entity,
    move,
    nameOf,
    known: lazily ? forest : undefined,
    onMoved: ({ parentId }) => {
      if (parentId !== null) setOpened(new Set([...opened, parentId]))
      changed()
    },
  })

  const more: readonly RowAction[] = useMemo(
    () => [
      ...(detail ? [{ key: 'view', label: t('entity.view'), icon: 'eye', run: (row: ShownRow) => open(row.id) }] : []),
      ...rowActions,
      ...(move
        ? [
            {
              key: 'move',
              label: t('tree.move'),
              icon: 'folder-tree',
              code: codeOf(entity, 'edit'),
              run: (row: ShownRow) => setMoving(row as TreeRow),
            },
          ]
        : []),
      {
        key: 'delete',
        label: t('entity.delete'),
        icon: 'trash-2',
        danger: true,
        code: codeOf(entity, 'delete'),
        run: (row: ShownRow) => void latestRemove.current(row as TreeRow),
      },
    ],
    [detail, rowActions, move, entity, t, open],
  )
  const latestRemove = useRef(remove)
  latestRemove.current = remove
  const menu = useRowMenu({ root, actions: more, can, offers, nameOf })
  const mayRemove = (row: TreeRow) => mayDelete && (offers?.(row, 'delete') ?? true)
  const hasMore = more.some((action) => action.code === undefined || can(action.code))
  const act = (what: string, row: TreeRow) => {
    if (what === 'view') detail ? open(row.id) : mayEdit && change(row.id)
    else if (what === 'edit') mayEdit && change(row.id)
    else if (what === 'add') mayAdd && mayHold(row) && change('new', row.id)
    else if (what === 'delete') mayRemove(row) && void remove(row)
    else if (what === 'more') menu.open(row)
  }
  const plan = useMemo(
    () =>
      treePlanOf({
        entity,
        words,
        pick,
        can,
        cells,
        // A phone shows the names; the rest stands in the detail.
        fields: screen === 0 ? NO_FIELDS : fields,
        search,
        mayHold,
        hasMore,
        linked: detail,
        narrow: screen <= 1,
      }),
    [entity, words, pick, can, cells, fields, search, mayHold, hasMore, detail, screen],
  )

  const editId = edit === 'new' ? null : edit
  const choice: ParentChoice = useMemo(
    () => ({ roots: forest, id: editId, nameOf, mayHold, none: t('tree.top') }),
    [forest, editId, nameOf, mayHold, t],
  )
  const formParts: FormParts = useMemo(() => {
    const parent = rows.find((row) => row.id === under) ?? null
    const beside = parent ? (below(parent) ?? []) : roots
    const sort = Math.max(0, ...beside.map((row) => Number(row.sort ?? 0))) + 1
    return {
      ...parts,
      inputs: { parentId: ParentInput, ...parts?.inputs },
      begin: { parentId: under, ...('sort' in entity.fields ? { sort } : {}), ...parts?.begin, ...begin?.(parent) },
    }
  }, [parts, under, rows, roots, below, entity, begin])
  const [lastEdit, setLastEdit] = useState(edit)
  if (edit !== null && edit !== lastEdit) setLastEdit(edit)
  const saved = useCallback(
    (row: ShownRow) => {
      const parent = parentOf(row as TreeRow)
      if (parent !== null) setOpened((now) => new Set([...(now ?? opened), parent]))
      setActive(row.id)
      onChanged?.()
    },
    [opened, onChanged],
  )

  const matches = found?.matches
  useEffect(() => {
    if (tabActive && matches !== undefined) announce(t('tree.found', { count: matches }))
  }, [tabActive, matches, t])

  const shownRow = rows.find((row) => row.id === id)
  // Keys act on what is looked at: the record that is open, wherever from, or else the row where one stands.
  const subject = (): ShownRow | undefined =>
    id === null ? rows.find((row) => row.id === active) : (shownRow ?? knownRecord(queries, client, id))
  const onSubject = (what: string) => () => {
    const row = subject()
    if (row) act(what, row as TreeRow)
  }
  useEffect(() => {
    if (id !== null) setActive(id)
  }, [id])
  const enter = () => root.current?.querySelector<HTMLElement>('[role=treegrid] tr[tabindex="0"]')?.focus()
  const listKeys = useRef<ListKeys>(null as unknown as ListKeys)
  listKeys.current = {
    quick: () => root.current?.querySelector<HTMLElement>('[data-quick] input, input[data-quick]')?.focus(),
    ...(mayAdd ? { add: () => change('new') } : {}),
    move: enter,
    edge: enter,
    view: () => id === null && onSubject('view')(),
    edit: onSubject('edit'),
    cell: (first) => first && onSubject('edit')(),
    menu: () => {
      const row = subject()
      if (row) root.current?.querySelector<HTMLElement>(`tr[data-key="${CSS.escape(row.id)}"] [data-act=more]`)?.click()
    },
    remove: onSubject('delete'),
    reload: source.retry,
    escape: () => (id !== null ? open(null) : step({ keyword: null }, true)),
  }
  useListKeys(tabActive && edit === null && moving === null, listKeys)

  const label = pick(entity.label)
  if (!can(codeOf(entity, 'view'))) return <NoRight />
  const heading = hasWords(`menu.${entity.name}`) ? t(`menu.${entity.name}`) : label
  const inside = inSentence(label, language)
  /** The rows that are open, each with its indent. */
  const print = () => {
    const onPaper: { readonly row: TreeRow; readonly level: number }[] = []
    const walk = (some: readonly TreeRow[], level: number) => {
      for (const row of some) {
        onPaper.push({ row, level })
        if ((found?.opened ?? opened).has(row.id)) walk(below(row) ?? NO_ROWS, level + 1)
      }
    }
    walk(roots, 0)
    void printFrame({
      words,
      title: heading,
      columns: plan
        .filter(({ key }) => key !== 'actions')
        .map((column, at) => ({
          key: column.key,
          label: column.label,
          numeric: column.numeric === true,
          cell: ({ row, level }) => (at === 0 ? `${'\u3000'.repeat(level)}${nameOf(row)}` : column.cell(row, false)),
        })),
      read: async () => ({ rows: onPaper, more: false }),
      total: onPaper.length,
      asked: search === '' ? [] : [`“${search}”`],
    })
  }
  return (
    <div
      className="page entity"
      ref={root}
      data-screen={screen}
      data-beside={(detail && id !== null && screen > 2) || undefined}
    >
      <ListHead
        entity={entity}
        heading={heading}
        total={source.total}
        onAdd={mayAdd ? () => change('new') : undefined}
        work={{ onPrint: print, file: props.file ?? { query: NO_QUERY, columns: told } }}
      >
        {toolbar}
      </ListHead>
      {refusal && <RefusalBanner refusal={refusal} onClose={() => setRefusal(null)} />}
      {note}
      {menu.shown}
      <div className="entity-body">
        <div className="entity-card">
          <div className="entity-tools">
            <search className="filters">
              <TextInput
                className="filter-quick"
                icon="search"
                data-quick=""
                aria-label={t('tree.search', { label })}
                placeholder={t('tree.search', { label })}
                value={search}
                onChange={(event) => step({ keyword: event.target.value }, true)}
                onClear={() => step({ keyword: null }, true)}
              />
              {matches !== undefined && (
                <span className="entity-count tl-count">{t('tree.found', { count: matches })}</span>
              )}
            </search>
            <span className="tools">
              {!lazily && (
                <Tool
                  label={t('tree.openAll')}
                  icon="chevrons-up-down"
                  onClick={() => setOpened(new Set(rows.map((row) => row.id)))}
                />
              )}
              <Tool label={t('tree.closeAll')} icon="chevrons-down-up" onClick={() => setOpened(NONE)} />
              <Tool label={t('entity.refresh')} icon="refresh-cw" onClick={source.retry} />
            </span>
          </div>
          {source.problem ? (
            <LoadFailed problem={source.problem} onRetry={source.retry} />
          ) : (
            <TreeList
              label={heading}
              forest={{
                ...{ roots, below, nameOf },
                onNeed: source.need,
                state: source.phase,
                empty: (
                  <Empty
                    label={inside}
                    filtered={search !== ''}
                    onReset={() => step({ keyword: null }, true)}
                    onAdd={mayAdd ? () => change('new') : undefined}
                    toolbar={toolbar}
                  />
                ),
              }}
              columns={plan}
              expansion={{ opened, onOpened: setOpened, found }}
              cursor={{
                active,
                onActive: setActive,
                looked: id,
                // The record follows who walks on from it.
                onWalk: (from, to) => {
                  if (id !== null && id === from) open(to)
                },
              }}
              onAct={act}
              moving={
                move && mayEdit && found === null
                  ? { onMove: (to) => void put(to), mayHold: (parent) => parent === null || mayHold(parent) }
                  : undefined
              }
            />
          )}
          {screen > 1 && <p className="tl-keys">{t(move ? 'tree.keysMove' : 'tree.keys')}</p>}
        </div>
        {moving && (
          <MoveDialog
            row={moving}
            choice={{ ...choice, id: moving.id }}
            lazily={lazily ? entity : undefined}
            onMove={place}
            onClose={() => setMoving(null)}
          />
        )}
        <Suspense fallback={null}>
          {detail && id !== null && (
            <EntityDetail
              entity={entity}
              id={id}
              partial={shownRow}
              keys={rows.map((row) => row.id)}
              modal={screen <= 2}
              onGo={open}
              work={{
                onEdit: mayEdit ? (row: string) => change(row) : undefined,
                onDelete: (shownRow ? mayRemove(shownRow) : mayDelete)
                  ? (row: ShownRow) => void remove(row as TreeRow)
                  : undefined,
              }}
            />
          )}
          {lastEdit !== null && (lastEdit === 'new' ? mayAdd : mayEdit) && (
            <ParentContext value={choice}>
              <EntityForm
                entity={entity}
                open={edit !== null}
                id={lastEdit === 'new' ? null : lastEdit}
                preset={NO_PRESET}
                onClose={closeForm}
                onSaved={saved}
                onDirty={setDirty}
                parts={formParts}
              />
            </ParentContext>
          )}
        </Suspense>
      </div>
    </div>
  )
}

function Tool({ label, icon, onClick }: { label: string; icon: string; onClick: () => void }) {
  return (
    <button type="button" className="tool" aria-label={label} title={label} onClick={onClick}>
      <Icon name={icon} size={16} />
    </button>
  )
}

/** The page of an entity whose rows stand under one another. */
export const EntityTreePage: <E extends Entity>(props: EntityTreePageProps<E>) => ReactNode = EntityTree
