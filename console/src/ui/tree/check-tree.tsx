import { type KeyboardEvent, memo, useDeferredValue, useEffect, useId, useMemo, useRef, useState } from 'react'
import { treeWords } from '../../locales/tree.ts'
import { Icon } from '../icon.tsx'
import { addWords, useT } from '../words.ts'
import { allNodes, type IsItem, type Tick, ticksOf, toggleNode } from './checks.ts'
import { besideAt } from './drag.ts'
import { type FlatRow, findIn, flattenTree, sameLine, type TreeNode, textIn } from './flat.ts'
import { MarkedText } from './marked.tsx'
import { useSpan } from './window.ts'
import './tree.css'

export { allIds, invertChecks } from './checks.ts'

addWords(treeWords)

/** What is shown of a tree, with what leads to it. */
interface Narrowing {
  /** The nodes whose title has this text. */
  readonly search?: string
  /** Only what is ticked. */
  readonly onlyChecked?: boolean
}

export interface CheckTreeProps<N extends TreeNode> {
  /** What the tree holds, for assistive technology. */
  readonly label: string
  /** Roots with everything below them; keep the identity between renders. */
  readonly nodes: readonly N[]
  /** Ids that are ticked; parents that are granted for what is below them are among them. */
  readonly checked: ReadonlySet<string>
  readonly onChange: (checked: ReadonlySet<string>) => void
  /** A tick reaches what is below, and takes what is above along; else each stands for itself. */
  readonly linked: boolean
  readonly narrow?: Narrowing
  /** Which nodes may be ticked; the others only lead to those. All, when not given. Keep its identity. */
  readonly isItem?: IsItem<N>
  /** Looked at, not changed. */
  readonly readOnly?: boolean
}

const ROW = 32
const FEW = 8
const NONE: ReadonlySet<string> = new Set()
const ARIA = { 0: 'false', 1: 'mixed', 2: 'true' } as const

const flip = (ids: ReadonlySet<string>, id: string): ReadonlySet<string> => {
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return next
}

/**
 * A tree of ticks. Parents show that some of what is below them is ticked. Arrows move, open and close, Space ticks,
 * `*` opens what stands beside, letters jump; a thousand nodes open in a frame or two.
 */
export function CheckTree<N extends TreeNode>(props: CheckTreeProps<N>) {
  const { label, nodes, checked, onChange, linked, narrow = {}, isItem = allNodes, readOnly = false } = props
  const { onlyChecked = false } = narrow
  const t = useT()
  const id = useId()
  // Typing stays quick in a large tree: the tree follows when there is time.
  const search = useDeferredValue(narrow.search?.trim() ?? '')
  const [touched, setOpened] = useState<ReadonlySet<string> | null>(null)
  // A few roots open at first: an almost empty pane would tell nothing.
  const opened = useMemo(
    () => touched ?? (nodes.length <= FEW ? new Set(nodes.map((node) => node.id)) : NONE),
    [touched, nodes],
  )
  const [turned, setTurned] = useState(NONE)
  const [active, setActive] = useState<string | null>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const ticks = useMemo(() => ticksOf(nodes, checked, linked, isItem), [nodes, checked, linked, isItem])
  const narrowed = search !== '' || onlyChecked
  const found = useMemo(() => {
    if (!narrowed) return null
    const isTicked = (node: N) => isItem(node) && checked.has(node.id)
    return findIn(nodes, (node) => (!onlyChecked || isTicked(node)) && textIn(search, node.title))
  }, [nodes, narrowed, onlyChecked, search, checked, isItem])
  const rows = useMemo(() => {
    // A narrowed tree opens what leads to a match; what the person opens or closes in it is remembered apart.
    const isOpen = found ? (key: string) => found.opened.has(key) !== turned.has(key) : (key: string) => opened.has(key)
    const isShown = found
      ? (key: string) => found.shown.has(key) && (!onlyChecked || (ticks.get(key) ?? 0) > 0 || found.opened.has(key))
      : undefined
    return flattenTree(nodes, { isOpen, isShown })
  }, [nodes, found, turned, opened, onlyChecked, ticks])
  const { from, to } = useSpan(scroller, rows.length, ROW)

  // What is closed by hand in one search says nothing about the next.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another search, a fresh start
  useEffect(() => setTurned(NONE), [search, onlyChecked])

  const at = Math.max(
    0,
    rows.findIndex(({ node }) => node.id === active),
  )
  const toggle = (key: string) =>
    found ? setTurned((now) => flip(now, key)) : setOpened((now) => flip(now ?? opened, key))
  const tick = (key: string) => {
    if (readOnly) return
    const node = rows.find((row) => row.node.id === key)?.node
    if (!node) return
    onChange(toggleNode(nodes, checked, key, (ticks.get(key) ?? 0) !== 2, linked, isItem))
  }
  const stand = (index: number) => {
    const row = rows[Math.max(0, Math.min(index, rows.length - 1))]
    if (!row) return
    setActive(row.node.id)
    const box = scroller.current
    const top = rows.indexOf(row) * ROW
    if (!box) return
    if (top < box.scrollTop) box.scrollTop = top
    else if (top + ROW > box.scrollTop + box.clientHeight) box.scrollTop = top + ROW - box.clientHeight
  }
  const openBeside = () => {
    for (const row of besideAt(rows, at)) if (row.open === false) toggle(row.node.id)
  }
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    const row = rows[at]
    if (!row) return
    const { key } = event
    if (key === 'ArrowDown') stand(at + 1)
    else if (key === 'ArrowUp') stand(at - 1)
    else if (key === 'Home') stand(0)
    else if (key === 'End') stand(rows.length - 1)
    else if (key === 'PageDown') stand(at + 10)
    else if (key === 'PageUp') stand(at - 10)
    else if (key === 'ArrowRight') {
      if (row.open === false) toggle(row.node.id)
      else if (row.open) stand(at + 1)
    } else if (key === 'ArrowLeft') {
      if (row.open) toggle(row.node.id)
      else stand(rows.slice(0, at).findLastIndex(({ level }) => level < row.level))
    } else if (key === '*') openBeside()
    else if (key === ' ' || key === 'Enter') tick(row.node.id)
    else if ([...key].length === 1) {
      const starts = (index: number) =>
        rows[index % rows.length]?.node.title.toLowerCase().startsWith(key.toLowerCase())
      const next = rows.findIndex((_, i) => starts(at + 1 + i))
      if (next >= 0) stand((at + 1 + next) % rows.length)
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  // One hearer for all rows: a click on the arrow opens, anywhere else in the row ticks.
  const click = (event: React.MouseEvent<HTMLElement>) => {
    const target = event.target as HTMLElement
    const key = target.closest<HTMLElement>('[data-node]')?.dataset.node
    if (key === undefined) return
    setActive(key)
    if (target.closest('.ct-arrow')) toggle(key)
    else tick(key)
  }
  if (rows.length === 0) return <p className="ct-none">{t(narrowed ? 'tree.noMatch' : 'tree.none')}</p>
  return (
    <div
      ref={scroller}
      className="ct"
      role="tree"
      aria-label={label}
      aria-multiselectable
      aria-disabled={readOnly || undefined}
      tabIndex={0}
      aria-activedescendant={rows[at] ? `${id}-${rows[at].node.id}` : undefined}
      onKeyDown={press}
      onClick={click}
    >
      <div className="ct-all" style={{ height: rows.length * ROW }} role="presentation">
        <div style={{ transform: from > 0 ? `translateY(${from * ROW}px)` : undefined }} role="presentation">
          {rows.slice(from, to).map((row, i) => (
            <Line
              key={row.node.id}
              id={`${id}-${row.node.id}`}
              row={row}
              search={search}
              tick={ticks.get(row.node.id) ?? 0}
              active={from + i === at}
            />
          ))}
        </div>
      </div>
    </div>
  )
}

interface LineProps {
  readonly id: string
  readonly row: FlatRow<TreeNode>
  readonly search: string
  readonly tick: Tick
  readonly active: boolean
}

/** One node; drawn again only when something of its own changes. */
const Line = memo(function Line({ id, row, search, tick, active }: LineProps) {
  const { node, level, open } = row
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the tree holds the focus and names the active line
    <div
      id={id}
      data-node={node.id}
      className={active ? 'ct-line ct-active' : 'ct-line'}
      role="treeitem"
      aria-level={level}
      aria-setsize={row.setSize}
      aria-posinset={row.position}
      aria-expanded={open}
      aria-checked={ARIA[tick]}
      aria-label={node.title}
      style={{ paddingInlineStart: (level - 1) * 20 }}
    >
      <span className="ct-arrow" aria-hidden="true">
        {open !== undefined && <Icon name={open ? 'chevron-down' : 'chevron-right'} size={16} />}
      </span>
      <span className="ct-box" data-tick={tick} aria-hidden="true">
        {tick === 2 && <Icon name="check" size={12} />}
      </span>
      <span className="ct-title">
        <MarkedText text={node.title} search={search} />
      </span>
    </div>
  )
}, sameLine)
