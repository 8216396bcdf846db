import { Cascader } from 'antd'
import { useCallback, useState } from 'react'
import type { InputTies } from '../ui/form/field.tsx'
import type { RegionNode } from './calls.ts'
import { useCalls } from './calls.ts'
import { useRegionPaths } from './client.ts'

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

const nodeOf = (node: RegionNode): Node => ({ value: node.id, label: node.title, isLeaf: !node.hasChildren })

/** Chooses a region step by step; each level is asked for when it is opened, and any level may be chosen. */
export default function RegionSelect({ label, value, onChange, ...rest }: RegionProps) {
  const calls = useCalls()
  const [nodes, setNodes] = useState<Node[] | null>(null)
  // The way down to the code chosen here: without it the columns close at every step.
  const [way, setWay] = useState<string[]>([])
  const paths = useRegionPaths(value ? [value] : [])
  const open = useCallback(
    (opened: boolean) => {
      if (!opened || nodes) return
      void calls.regions(ROOT).then((found) => setNodes(found.map(nodeOf)))
    },
    [calls, nodes],
  )
  const load = async (chosen: Node[]) => {
    const last = chosen.at(-1)
    if (!last || last.children) return
    const found = await calls.regions(last.value)
    last.children = found.map(nodeOf)
    if (found.length === 0) last.isLeaf = true
    setNodes((now) => (now ? [...now] : now))
  }
  return (
    <Cascader<Node>
      {...rest}
      aria-label={rest.id ? undefined : label}
      options={nodes ?? []}
      loading={nodes === null ? undefined : false}
      value={value ? (way.at(-1) === value ? way : [value]) : undefined}
      displayRender={() => (value ? (paths[value] ?? value) : '')}
      changeOnSelect
      allowClear
      loadData={(chosen) => void load(chosen)}
      onOpenChange={open}
      onChange={(path) => {
        const codes = (path ?? []).map(String)
        setWay(codes)
        onChange(codes.at(-1) ?? null)
      }}
    />
  )
}
