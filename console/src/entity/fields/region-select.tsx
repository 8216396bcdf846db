import { useQuery } from '@tanstack/react-query'
import { Cascader, type CascaderProps } from 'antd'
import { type ComponentRef, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useClearing } from '../../ui/form/clearing.tsx'
import type { InputTies } from '../../ui/form/field.tsx'
import { toast } from '../../ui/toast.ts'
import { useT } from '../../ui/words.ts'
import type { FoundRegions, RegionNode } from '../data/calls.ts'
import { useCalls } from '../data/calls.ts'
import { useRegionPaths } from '../data/client.ts'
import '../form/form-words.ts'

interface RegionProps extends Partial<InputTies>, Pick<CascaderProps, 'placeholder' | 'disabled' | 'className'> {
  readonly label: string
  readonly value: string | null
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

/** A text as it stands once the keys have paused, or somebody does not wait for that. */
function usePaused(text: string): readonly [string, (text: string) => void] {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE)
    return () => clearTimeout(timer)
  }, [text])
  return [paused, setPaused]
}

interface Typing {
  readonly open: boolean
  readonly keyword: string
  /** What was found for it; nothing while the answer is on its way. */
  readonly results: FoundRegions | undefined
  /** Asks at once: somebody waits. */
  readonly hurry: () => void
  readonly take: (code: string | null) => void
  /** It was typed and left, and is none of the regions, or several. */
  readonly missed: (several: boolean) => void
}

/**
 * Enter and Tab choose what was typed, also where the answer is still on its way. Of several none is taken unseen: Enter
 * takes the first once they are on the screen. After an arrow, the list itself knows what is marked.
 */
function useTyping(typing: Typing) {
  // The list has its element, of which its types do not tell.
  const box = useRef<ComponentRef<typeof Cascader> & { readonly nativeElement: HTMLElement }>(null)
  const now = useRef(typing)
  now.current = typing
  const waits = useRef<'Enter' | 'Tab' | null>(null)
  const { keyword, results } = typing
  /** The text whose list somebody walks over by arrows. */
  const [walked, setWalked] = useState('')
  const isWalked = walked !== '' && walked === keyword
  const walk = useRef(isWalked)
  walk.current = isWalked
  const decide = useCallback((found: FoundRegions, key: 'Enter' | 'Tab', seen: boolean) => {
    waits.current = null
    const { keyword, take, missed } = now.current
    const called = found.filter(({ path }) => path.at(-1)!.name === keyword)
    const [meant] = seen || found.length === 1 ? found : called.length === 1 ? called : []
    if (meant) return take(meant.path.at(-1)!.code)
    // The list, still open, shows which of them are meant, or that there is none.
    if (key === 'Enter') return
    missed(found.length > 1)
    take(null)
  }, [])
  useEffect(() => {
    if (waits.current && results) decide(results, waits.current, false)
  }, [results, decide])
  useLayoutEffect(() => {
    const root = box.current?.nativeElement
    if (!root) return
    const hear = (event: KeyboardEvent) => {
      const { open, keyword, results, hurry } = now.current
      if (!open || keyword === '' || event.isComposing || event.keyCode === 229) return
      const { key } = event
      if ((key === 'ArrowDown' || key === 'ArrowUp') && results) setWalked(keyword)
      if ((key !== 'Enter' && key !== 'Tab') || walk.current) return
      if (key === 'Enter') {
        event.preventDefault()
        event.stopPropagation()
      }
      if (results) flushSync(() => decide(results, key, key === 'Enter'))
      else {
        waits.current = key
        hurry()
      }
    }
    root.addEventListener('keydown', hear, true)
    return () => root.removeEventListener('keydown', hear, true)
  }, [decide])
  return { box, isWalked, isWaiting: () => waits.current !== null }
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
  const [opened, setOpened] = useState(false)
  /** Something was chosen since the last letter: what is typed is done with. */
  const chose = useRef(false)
  const keyword = typed.trim()
  const [asked, setAsked] = usePaused(keyword)
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
  const missed = (several: boolean) =>
    void toast.warning(t(several ? 'form.several' : 'form.notChosen', { text: keyword, label }))
  const { box, isWalked, isWaiting } = useTyping({
    open: opened,
    keyword,
    results,
    hurry: () => setAsked(keyword),
    take: (code) => {
      chose.current = code !== null
      setTyped('')
      setOpened(false)
      if (code === null) return
      setWay([])
      onChange(code)
    },
    missed,
  })
  const open = (opened: boolean) => {
    setOpened(opened)
    if (!opened && !isWaiting()) setTyped('')
    if (!opened || nodes) return
    void calls.regions(ROOT).then((roots) => setNodes(roots.map(nodeOf)))
  }
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
      ref={box}
      aria-label={rest.id ? undefined : label}
      classNames={{ popup: { root: keyword === '' || isWalked ? '' : 'region-found' } }}
      open={opened}
      options={keyword === '' ? (nodes ?? []) : tree}
      loading={nodes === null ? undefined : searching}
      value={value ? (way.at(-1) === value ? way : [value]) : undefined}
      displayRender={() => (value ? (paths[value] ?? value) : '')}
      changeOnSelect
      allowClear={clearing}
      showSearch={{
        searchValue: typed,
        onSearch: (text) => {
          chose.current = false
          setTyped(text)
        },
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
      onBlur={() => {
        if (keyword !== '' && !isWaiting() && !chose.current) missed(false)
        rest.onBlur?.()
      }}
      onChange={(path) => {
        const codes = (path ?? []).map(String)
        chose.current = true
        setWay(keyword === '' ? codes : [])
        setTyped('')
        onChange(codes.at(-1) ?? null)
      }}
    />
  )
}
