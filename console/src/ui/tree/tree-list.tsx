import {
  createContext,
  type KeyboardEvent,
  memo,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { treeWords } from '../../locales/tree.ts'
import { Icon } from '../icon.tsx'
import { useScreenClass } from '../screen.ts'
import { addWords, useT } from '../words.ts'
import { besideAt, parentAt, type TreeMove, useTreeDrag } from './drag.ts'
import { type FlatRow, flattenTree, sameLine, subtreeOf, type TreePart, type TreeSearch } from './flat.ts'
import { useSpan } from './window.ts'
import '../table/table.css'
import './tree.css'

export type { TreeMove } from './drag.ts'

addWords(treeWords)

/** One column; the first holds the tree, the last stays in sight. `active`: the row is where the keyboard stands. */
export interface TreeColumn<N> {
  readonly key: string
  readonly label: string
  readonly width: number
  readonly numeric?: boolean
  readonly cell: (node: N, active: boolean) => ReactNode
}

/** The nodes of a tree. */
interface Forest<N extends TreePart> {
  readonly roots: readonly N[]
  /** What is below a node; undefined while it is not fetched. Its own `children` when not given. */
  readonly below?: (node: N) => readonly N[] | undefined
  readonly nameOf: (node: N) => string
  /** A node was opened whose children are not there yet. */
  readonly onNeed?: (node: N) => void
  readonly state?: 'first' | 'refresh' | 'ready'
  /** Shown where there are none. */
  readonly empty?: ReactNode
}

/** What is open of a tree. */
interface Expansion {
  readonly opened: ReadonlySet<string>
  readonly onOpened: (opened: ReadonlySet<string>) => void
  /** What a search leaves of the tree. */
  readonly found?: TreeSearch | null
}

/** Where one stands in a tree. */
interface Cursor {
  readonly active: string | null
  readonly onActive: (id: string) => void
  /** The row that is looked at as a whole: it is marked, and acting keys are its own. */
  readonly looked?: string | null
  /** A key leads from one row to another; `onActive` as well hears of it. */
  readonly onWalk?: (from: string | null, to: string) => void
}

/** How rows are put elsewhere. */
interface Moving<N extends TreePart> {
  readonly onMove: (move: TreeMove) => void
  /** Whether a row may stand under another one (null: at the top); never under itself or its own. */
  readonly mayHold?: (parent: N | null, child: N) => boolean
}

export interface TreeListProps<N extends TreePart> {
  readonly label: string
  readonly forest: Forest<N>
  /** Keep its identity between renders: a new plan draws every row again. */
  readonly columns: readonly TreeColumn<N>[]
  readonly expansion: Expansion
  readonly cursor: Cursor
  /** An element with `data-act` was pressed, or a key: `view` Enter, `edit` F2, `add` Insert, `delete` Delete. */
  readonly onAct: (act: string, node: N) => void
  readonly moving?: Moving<N> | undefined
  /** A last row that is no node, such as inputs for a new one. */
  readonly footer?: ReactNode
}

/** Heights of a row: where a pointer is precise, and where fingers press. */
const ROW = { fine: 40, coarse: 48 } as const
const NONE: ReadonlySet<string> = new Set()
const ownChildren = <N extends TreePart>(node: N) => node.children as readonly N[] | undefined
const anything = () => true

const ACTS: Readonly<Record<string, string>> = { Enter: 'view', F2: 'edit', Insert: 'add', Delete: 'delete' }

/** A tree with columns: rows are flat and memoised, long trees draw only what is near the window. */
export function TreeList<N extends TreePart>(props: TreeListProps<N>) {
  const { label, columns, onAct, footer } = props
  const { roots, below = ownChildren, nameOf, onNeed, state = 'ready', empty } = props.forest
  const { opened, onOpened, found = null } = props.expansion
  const { active, onActive, looked = null, onWalk } = props.cursor
  const { onMove, mayHold = anything } = props.moving ?? {}
  const t = useT()
  const narrow = useScreenClass() <= 1
  const height = narrow ? ROW.coarse : ROW.fine
  const scroller = useRef<HTMLDivElement>(null)
  const body = useRef<HTMLTableSectionElement>(null)
  const mark = useRef<HTMLDivElement>(null)
  const wanted = useRef<string | null>(null)
  const [turned, setTurned] = useState(NONE)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another search, a fresh start
  useEffect(() => setTurned(NONE), [found])

  const rows = useMemo(
    () =>
      flattenTree(roots, {
        below,
        isOpen: found ? (id) => found.opened.has(id) !== turned.has(id) : (id) => opened.has(id),
        isShown: found ? (id) => found.shown.has(id) : undefined,
      }),
    [roots, below, found, turned, opened],
  )
  const { from, to } = useSpan(scroller, rows.length, height)
  const at = rows.findIndex(({ node }) => node.id === active)
  const drawn = rows.slice(from, to)
  // Tab must find a way in, also when the row one stood on is scrolled away or gone.
  const entry = drawn.some(({ node }) => node.id === active) ? active : (drawn[0]?.node.id ?? null)

  useEffect(() => {
    const id = wanted.current
    if (id === null) return
    const row = body.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(id)}"]`)
    if (!row) return
    wanted.current = null
    row.focus({ preventScroll: true })
  })

  const toggle = (row: FlatRow<N>) => {
    const { id } = row.node
    const flip = (set: ReadonlySet<string>) => {
      const next = new Set(set)
      if (!next.delete(id)) next.add(id)
      return next
    }
    if (row.open === false && below(row.node) === undefined) onNeed?.(row.node)
    if (found) setTurned(flip)
    else onOpened(flip(opened))
  }
  const openBeside = () => {
    const closed = besideAt(rows, at).filter(({ open }) => open === false)
    for (const { node } of closed) if (below(node) === undefined) onNeed?.(node)
    const ids = closed.map(({ node }) => node.id)
    if (found) setTurned((now) => new Set([...now, ...ids]))
    else onOpened(new Set([...opened, ...ids]))
  }
  const stand = (index: number) => {
    const row = rows[Math.max(0, Math.min(index, rows.length - 1))]
    if (!row) return
    onActive(row.node.id)
    onWalk?.(active, row.node.id)
    wanted.current = row.node.id
    const box = scroller.current
    const head = box?.querySelector('thead')?.clientHeight ?? 0
    const top = rows.indexOf(row) * height
    if (!box) return
    if (top < box.scrollTop) box.scrollTop = top
    else if (top + height + head > box.scrollTop + box.clientHeight)
      box.scrollTop = top + height + head - box.clientHeight
  }

  const nodeOf = useMemo(() => new Map(rows.map(({ node }) => [node.id, node])), [rows])
  const mayMove = ({ id, parentId, beforeId }: TreeMove) => {
    const node = nodeOf.get(id)
    const parent = parentId === null ? null : (nodeOf.get(parentId) ?? null)
    if (!node || beforeId === id) return false
    if (parentId !== null && subtreeOf([node], id, below).has(parentId)) return false
    return mayHold(parent, node)
  }
  const grab = useTreeDrag({
    body,
    scroller,
    mark,
    rows,
    height,
    mayMove,
    onMove: (move) => onMove?.(move),
    onRest: toggle,
  })
  /** One place up or down among those beside it. */
  const shift = (by: 1 | -1) => {
    const row = rows[at]
    if (!row || !onMove) return
    const beside = besideAt(rows, at)
    const place = beside.indexOf(row)
    const next = by < 0 ? beside[place - 1] : beside[place + 2]
    if (by < 0 ? !next : place === beside.length - 1) return
    const parentId = parentAt(rows, at)?.node.id ?? null
    onMove({ id: row.node.id, parentId, beforeId: next?.node.id ?? null })
  }

  const press = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || target.matches('input,textarea')) return
    const row = rows[at < 0 ? 0 : at]
    if (!row) return
    const { key } = event
    const onButton = target.closest('button,a') !== null
    if (event.altKey) {
      if (key !== 'ArrowUp' && key !== 'ArrowDown') return
      shift(key === 'ArrowUp' ? -1 : 1)
      wanted.current = row.node.id
    } else if (key === 'ArrowDown') stand(at + 1)
    else if (key === 'ArrowUp') stand(at < 0 ? 0 : at - 1)
    else if (key === 'Home') stand(0)
    else if (key === 'End') stand(rows.length - 1)
    else if (key === 'PageDown') stand(at + 10)
    else if (key === 'PageUp') stand(at - 10)
    else if (key === 'ArrowRight') {
      if (row.open === false) toggle(row)
      else if (row.open) stand(at + 1)
    } else if (key === 'ArrowLeft') {
      if (row.open) toggle(row)
      else if (row.level > 1) stand(rows.slice(0, at).findLastIndex(({ level }) => level < row.level))
    } else if (key === '*') openBeside()
    // What acts on the row that is open is for the page: here the focus may be on another one.
    else if (looked !== null && ['F2', 'Delete'].includes(key)) return
    else if (ACTS[key] && at >= 0 && !(onButton && key === 'Enter')) onAct(ACTS[key], row.node)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const rowOf = (target: EventTarget) => {
    const id = (target as HTMLElement).closest<HTMLElement>('[data-key]')?.dataset.key
    return id === undefined ? undefined : rows.find(({ node }) => node.id === id)
  }
  const click = (event: React.MouseEvent) => {
    const row = rowOf(event.target)
    if (!row) return
    onActive(row.node.id)
    const target = event.target as HTMLElement
    if (target.closest('.tl-arrow')) return toggle(row)
    const pressed = target.closest<HTMLElement>('[data-act]')
    if (!pressed) return
    if (pressed instanceof HTMLAnchorElement) {
      // A modifier key means what it means on any link.
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
      event.preventDefault()
    }
    onAct(pressed.dataset.act!, row.node)
  }
  /** What does not fit in its cell is told when a pointer rests on it. */
  const hint = (event: React.MouseEvent) => {
    const cell = (event.target as HTMLElement).closest<HTMLElement>('.tl-name, td')
    if (cell && !cell.title && cell.scrollWidth > cell.clientWidth) cell.title = cell.textContent ?? ''
  }
  const movable = onMove !== undefined
  const plan = useMemo(() => ({ columns: columns as readonly TreeColumn<TreePart>[], movable }), [columns, movable])
  const width = columns.reduce((sum, column) => sum + column.width, 0)
  const last = columns.length - 1
  const pin = (i: number) => (i === 0 ? 'dt-pin dt-start dt-edge' : i === last ? 'dt-pin dt-end dt-edge' : '')
  const none = rows.length === 0 && state !== 'first'
  return (
    <section
      className={narrow ? 'dt tl dt-loose tl-narrow' : 'dt tl'}
      data-state={state}
      aria-label={label}
      aria-busy={state !== 'ready'}
    >
      <div className="dt-progress" aria-hidden="true" />
      <div className="dt-scroll" ref={scroller}>
        {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a treegrid is a table one moves in, by the ARIA pattern */}
        <table role="treegrid" aria-label={label} aria-rowcount={rows.length} style={{ minWidth: width }}>
          <colgroup>
            {columns.map((column) => (
              <col key={column.key} style={{ width: column.width }} />
            ))}
          </colgroup>
          <thead>
            <tr>
              {columns.map((column, i) => (
                <th key={column.key} scope="col" className={`${pin(i)} ${column.numeric ? 'dt-num' : ''}`.trim()}>
                  {i === 0 ? (
                    <span className="tl-first">
                      {onMove && <span className="tl-grip" />}
                      <span className="tl-leaf" />
                      {column.label}
                    </span>
                  ) : (
                    column.label
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody
            ref={body}
            onKeyDown={press}
            onClick={click}
            onPointerDown={onMove ? grab : undefined}
            onDoubleClick={(event) => {
              const row = rowOf(event.target)
              if (row && !(event.target as HTMLElement).closest('button,a,input')) onAct('view', row.node)
            }}
            onMouseOver={hint}
            onFocus={(event) => {
              const row = rowOf(event.target)
              if (row && row.node.id !== active) onActive(row.node.id)
            }}
          >
            {from > 0 && <Gap height={from * height} />}
            <PlanContext value={plan}>
              {drawn.map((row, i) => (
                <Row
                  key={row.node.id}
                  row={row}
                  name={nameOf(row.node)}
                  index={from + i}
                  waiting={row.open === true && below(row.node) === undefined}
                  active={row.node.id === active}
                  entry={row.node.id === entry}
                  looked={row.node.id === looked}
                />
              ))}
            </PlanContext>
            {to < rows.length && <Gap height={(rows.length - to) * height} />}
            {footer}
          </tbody>
        </table>
        <div ref={mark} className="tl-mark" hidden aria-hidden="true" />
        {none && <div className="dt-empty">{empty ?? <p>{t(found ? 'tree.noMatch' : 'tree.none')}</p>}</div>}
        {state === 'first' && <p className="dt-empty">{t('tree.loading')}</p>}
      </div>
    </section>
  )
}

/** The room of the rows that are not drawn. */
function Gap({ height }: { height: number }) {
  // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: it is no row of the tree, only room
  return <tr role="presentation" className="tl-gap" style={{ height }} />
}

/** What the rows of a tree have in common. */
const PlanContext = createContext<{ readonly columns: readonly TreeColumn<TreePart>[]; readonly movable: boolean }>({
  columns: [],
  movable: false,
})

interface RowProps {
  readonly row: FlatRow<TreePart>
  readonly name: string
  readonly index: number
  readonly waiting: boolean
  readonly active: boolean
  /** Where Tab comes in. */
  readonly entry: boolean
  /** It is the row looked at. */
  readonly looked: boolean
}

/** One node; drawn again only for a new record, a new column plan, or when something of its own changes. */
const Row = memo(function Row({ row, name, index, waiting, active, entry, looked }: RowProps) {
  const { node, open } = row
  const { columns, movable } = useContext(PlanContext)
  const t = useT()
  const last = columns.length - 1
  return (
    <tr
      data-key={node.id}
      aria-rowindex={index + 1}
      aria-level={row.level}
      aria-setsize={row.setSize}
      aria-posinset={row.position}
      aria-expanded={open}
      aria-busy={waiting || undefined}
      aria-current={looked ? 'true' : undefined}
      className={active ? 'dt-cursor' : undefined}
      tabIndex={entry ? 0 : -1}
    >
      {columns.map((column, i) =>
        i === 0 ? (
          <th key={column.key} scope="row" className="dt-pin dt-start dt-edge">
            <span className="tl-first" style={{ paddingInlineStart: (row.level - 1) * 20 }}>
              {movable && <span className="tl-grip" data-grip="" title={t('tree.drag')} aria-hidden="true" />}
              {open === undefined ? (
                <span className="tl-leaf" />
              ) : (
                <button
                  type="button"
                  className="tl-arrow"
                  tabIndex={-1}
                  aria-label={t(open ? 'tree.close' : 'tree.open', { name })}
                >
                  <Icon name={waiting ? 'refresh-cw' : open ? 'chevron-down' : 'chevron-right'} size={16} />
                </button>
              )}
              <span className="tl-name">{column.cell(node, active)}</span>
            </span>
          </th>
        ) : (
          <td key={column.key} className={i === last ? 'dt-pin dt-end dt-edge' : column.numeric ? 'dt-num' : undefined}>
            {column.cell(node, active)}
          </td>
        ),
      )}
    </tr>
  )
}, sameLine)
