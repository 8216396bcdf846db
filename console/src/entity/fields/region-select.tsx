import { useQuery } from '@tanstack/react-query'
import { Cascader } from 'antd'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useClearing } from '../../ui/form/clearing.tsx'
import type { InputTies } from '../../ui/form/field.tsx'
import { useT } from '../../ui/words.ts'
import type { FoundRegions, RegionNode } from '../data/calls.ts'
import { useCalls } from '../data/calls.ts'
import { useRegionPaths } from '../data/client.ts'

interface RegionProps extends Partial<InputTies> {
  readonly label: string
  readonly value: string | null
  readonly placeholder?: string
  readonly disabled?: boolean
  readonly className?: string
  readonly onChange: (code: string | null) => void
  readonly onBlur?: () => void
}

interface Node {
  value: string
  label: string
  isLeaf: boolean
  children?: Node[]
}

/** Where the tree of regions begins. */
const ROOT = '00'
/** Time for another key before the server is asked. */
const PAUSE = 200

const nodeOf = (node: RegionNode): Node => ({ value: node.id, label: node.title, isLeaf: !node.hasChildren })

/** The ways to what was found, as one tree. */
function treeOf(found: FoundRegions): Node[] {
  const roots: Node[] = []
  for (const { path } of found) {
    let level = roots
    for (const { code, name } of path) {
      let node = level.find(({ value }) => value === code)
      if (!node) {
        node = { value: code, label: name, isLeaf: true }
        level.push(node)
      }
      if (code === path.at(-1)!.code) break
      node.isLeaf = false
      node.children ??= []
      level = node.children
    }
  }
  return roots
}

/** A text as it stands once the keys have paused. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE)
    return () => clearTimeout(timer)
  }, [text])
  return paused
}

/**
 * Chooses a region: step by step, each level asked for when it is opened, or by typing its name, pinyin, initials or code.
 * Any level may be chosen.
 */
export default function RegionSelect({ label, value, onChange, ...rest }: RegionProps) {
  const clearing = useClearing(label)
  const t = useT()
  const calls = useCalls()
  const [nodes, setNodes] = useState<Node[] | null>(null)
  // The way down to the code chosen here: without it the columns close at every step.
  const [way, setWay] = useState<string[]>([])
  const [typed, setTyped] = useState('')
  const keyword = typed.trim()
  const asked = usePaused(keyword)
  const found = useQuery({
    queryKey: ['region-search', asked],
    queryFn: ({ signal }) => calls.regionSearch(asked, signal),
    enabled: asked !== '' && keyword !== '',
    retry: false,
    staleTime: 300_000,
    meta: { reads: ['region'] },
  })
  const searching = keyword !== '' && (asked !== keyword || found.isFetching)
  const results = keyword !== '' && !searching ? found.data : undefined
  const tree = useMemo(() => treeOf(results ?? []), [results])
  const order = useMemo(() => new Map((results ?? []).map(({ path }, at) => [path.at(-1)!.code, at])), [results])
  const paths = useRegionPaths(value ? [value] : [])
  const open = useCallback(
    (opened: boolean) => {
      if (!opened) setTyped('')
      if (!opened || nodes) return
      void calls.regions(ROOT).then((roots) => setNodes(roots.map(nodeOf)))
    },
    [calls, nodes],
  )
  const load = async (chosen: Node[]) => {
    const last = chosen.at(-1)
    if (!last || last.children || keyword !== '') return
    const below = await calls.regions(last.value)
    last.children = below.map(nodeOf)
    if (below.length === 0) last.isLeaf = true
    setNodes((now) => (now ? [...now] : now))
  }
  const rank = (path: readonly Node[]): number => order.get(path.at(-1)?.value ?? '') ?? order.size
  return (
    <Cascader<Node>
      {...rest}
      aria-label={rest.id ? undefined : label}
      options={keyword === '' ? (nodes ?? []) : tree}
      loading={nodes === null ? undefined : searching}
      value={value ? (way.at(-1) === value ? way : [value]) : undefined}
      displayRender={() => (value ? (paths[value] ?? value) : '')}
      changeOnSelect
      allowClear={clearing}
      showSearch={{
        searchValue: typed,
        onSearch: setTyped,
        // What was found is what is offered, in the server's order, each with what it stands in.
        filter: (_, path) => order.has(String(path.at(-1)?.value)),
        sort: (a, b) => rank(a) - rank(b),
        render: (_, path) => path.map((node) => node.label).join(' / '),
        limit: false,
        matchInputWidth: false,
      }}
      notFoundContent={searching ? t('entity.searching') : found.isError ? t('entity.notLoaded') : t('entity.noMatch')}
      loadData={(chosen) => void load(chosen)}
      onOpenChange={open}
      onChange={(path) => {
        const codes = (path ?? []).map(String)
        setWay(keyword === '' ? codes : [])
        setTyped('')
        onChange(codes.at(-1) ?? null)
      }}
    />
  )
}
