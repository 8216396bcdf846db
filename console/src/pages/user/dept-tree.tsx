import { deptTree } from '@data-brain/contract/calls/dept'
import type { ChoiceNode } from '@data-brain/contract/calls/trees'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type MouseEvent, useDeferredValue, useId, useMemo, useRef, useState } from 'react'
import { LoadFailed } from '../../entity/list/index.ts'
import { call } from '../../http/call.ts'
import { TextInput } from '../../ui/form/text-input.tsx'
import { Icon } from '../../ui/icon.tsx'
import { everyNode, findIn, flattenTree, textIn } from '../../ui/tree/flat.ts'
import { MarkedText } from '../../ui/tree/marked.tsx'
import { useT } from '../../ui/words.ts'
import '../../ui/tree/tree.css'

interface DeptTreeProps {
  /** The department that the list is narrowed to, if any. */
  readonly chosen: string | null
  readonly onChoose: (id: string | null) => void
}

const NONE: ReadonlySet<string> = new Set()
const ALL = 'all'
/** Small trees stand open. */
const OPEN = 40

/** The ids above a department, so that it is in sight when the address names it. */
const above = (roots: readonly ChoiceNode[], id: string | null): string[] => {
  const parents = new Map(everyNode(roots).map((node) => [node.id, node.parentId]))
  const path: string[] = []
  for (let at = id ? parents.get(id) : undefined; at && parents.has(at); at = parents.get(at)) path.push(at)
  return path
}

/** The departments as a tree: one of them narrows the list to itself and what is below. Arrows, Enter, letters. */
export function DeptTree({ chosen, onChoose }: DeptTreeProps) {
  const t = useT()
  const id = useId()
  const found = useQuery({
    queryKey: ['dept-tree'],
    queryFn: ({ signal }) => call(deptTree, {}, { signal, silent: true }),
    meta: { reads: ['dept'] },
    retry: false,
  })
  const [text, setText] = useState('')
  const search = useDeferredValue(text.trim())
  const [touched, setTouched] = useState<ReadonlySet<string> | null>(null)
  const [active, setActive] = useState<string | null>(null)
  const box = useRef<HTMLDivElement>(null)
  const roots = found.data
  const opened = useMemo(() => {
    if (touched || !roots) return touched ?? NONE
    const all = everyNode(roots)
    return new Set([...(all.length <= OPEN ? all : roots).map((node) => node.id), ...above(roots, chosen)])
  }, [touched, roots, chosen])
  const rows = useMemo(() => {
    if (!roots) return []
    const matches = search === '' ? null : findIn(roots, (node) => textIn(search, node.title))
    const isOpen = (key: string) => (matches?.opened ?? opened).has(key)
    const lines = flattenTree(roots, matches ? { isOpen, isShown: (key) => matches.shown.has(key) } : { isOpen })
    // The way back to everybody stands first, and goes while one looks for a name.
    const all = { node: { id: ALL, parentId: '0', title: t('user.allDepts') }, level: 1, open: undefined }
    return matches ? lines : [all, ...lines]
  }, [roots, search, opened, t])

  if (found.isError) return <LoadFailed problem={found.error} onRetry={() => void found.refetch()} />
  const at = Math.max(
    0,
    rows.findIndex(({ node }) => node.id === (active ?? chosen ?? ALL)),
  )
  const toggle = (key: string) => {
    const next = new Set(opened)
    if (!next.delete(key)) next.add(key)
    setTouched(next)
  }
  const stand = (index: number) => {
    const row = rows[Math.max(0, Math.min(index, rows.length - 1))]
    if (!row) return
    setActive(row.node.id)
    box.current?.querySelector(`[data-node="${CSS.escape(row.node.id)}"]`)?.scrollIntoView({ block: 'nearest' })
  }
  const choose = (key: string) => {
    setActive(key)
    onChoose(key === ALL ? null : key)
  }
  const press = (event: KeyboardEvent) => {
    const row = rows[at]
    if (!row || event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    const { key } = event
    if (key === 'ArrowDown') stand(at + 1)
    else if (key === 'ArrowUp') stand(at - 1)
    else if (key === 'Home') stand(0)
    else if (key === 'End') stand(rows.length - 1)
    else if (key === 'ArrowRight') row.open === false ? toggle(row.node.id) : row.open && stand(at + 1)
    else if (key === 'ArrowLeft')
      row.open ? toggle(row.node.id) : stand(rows.slice(0, at).findLastIndex(({ level }) => level < row.level))
    else if (key === 'Enter' || key === ' ') choose(row.node.id)
    else if ([...key].length === 1) {
      const starts = (i: number) => rows[i % rows.length]!.node.title.toLowerCase().startsWith(key.toLowerCase())
      const next = rows.findIndex((_, i) => starts(at + 1 + i))
      if (next >= 0) stand((at + 1 + next) % rows.length)
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  const click = (event: MouseEvent<HTMLElement>) => {
    const target = event.target as HTMLElement
    const key = target.closest<HTMLElement>('[data-node]')?.dataset.node
    if (key === undefined) return
    if (target.closest('.ct-arrow') && rows.find(({ node }) => node.id === key)?.open !== undefined) toggle(key)
    else choose(key)
  }
  return (
    <>
      <TextInput
        icon="search"
        aria-label={t('user.searchDepts')}
        placeholder={t('user.searchDepts')}
        value={text}
        onClear={() => setText('')}
        onChange={(event) => setText(event.target.value)}
      />
      {roots === undefined ? (
        <p className="muted dept-wait" aria-busy="true">
          {t('common.loading')}
        </p>
      ) : rows.length === 0 ? (
        <p className="muted dept-wait">{t('entity.noMatch')}</p>
      ) : (
        <div
          ref={box}
          className="dept-tree"
          role="tree"
          tabIndex={0}
          aria-label={t('user.depts')}
          aria-activedescendant={rows[at] ? `${id}-${rows[at].node.id}` : undefined}
          onKeyDown={press}
          onClick={click}
        >
          {rows.map(({ node, level, open }, i) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the tree holds the focus and names the active line
            <div
              key={node.id}
              id={`${id}-${node.id}`}
              data-node={node.id}
              className={i === at ? 'ct-line ct-active' : 'ct-line'}
              role="treeitem"
              aria-level={level}
              aria-expanded={open}
              aria-selected={node.id === (chosen ?? ALL)}
              style={{ paddingInlineStart: (level - 1) * 16 }}
            >
              <span className="ct-arrow" aria-hidden="true">
                {open !== undefined && <Icon name={open ? 'chevron-down' : 'chevron-right'} size={16} />}
              </span>
              <span className="ct-title" title={node.title}>
                <MarkedText text={node.title} search={search} />
              </span>
            </div>
          ))}
        </div>
      )}
    </>
  )
}
