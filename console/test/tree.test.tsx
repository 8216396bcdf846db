import { act, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { beforeEach, describe, expect, it } from 'vitest'
import { backOf, movedForest, type TreeRow } from '../src/entity/tree/tree-source.ts'
import { treeWords } from '../src/locales/tree.ts'
import { CheckTree, invertChecks } from '../src/ui/tree/check-tree.tsx'
import { ticksOf, toggleNode } from '../src/ui/tree/checks.ts'
import { moveOf } from '../src/ui/tree/drag.ts'
import { flattenTree, type TreeNode, type TreePart } from '../src/ui/tree/flat.ts'
import { type TreeColumn, TreeList, type TreeMove } from '../src/ui/tree/tree-list.tsx'
import { addWords, setLanguage } from '../src/ui/words.ts'

const node = (id: string, ...children: TreeNode[]): TreeNode => ({
  id,
  title: `节点${id}`,
  ...(children.length > 0 ? { children } : {}),
})
const forest = [node('a', node('a1', node('a1x'), node('a1y')), node('a2')), node('b', node('b1'))]
const ids = (...list: string[]) => new Set(list)
const sorted = (set: ReadonlySet<string>) => [...set].sort()

beforeEach(async () => {
  addWords(treeWords)
  await setLanguage('zh')
})

describe('ticks of a tree', () => {
  it('R-PERM-1 linked: ticking takes what is below and what leads there, unticking the last lets go of the parents', () => {
    const on = toggleNode(forest, ids(), 'a1', true, true)
    expect(sorted(on)).toEqual(['a', 'a1', 'a1x', 'a1y'])
    expect(Object.fromEntries(ticksOf(forest, on, true))).toMatchObject({ a: 1, a1: 2, a1x: 2, a2: 0, b: 0 })
    const off = toggleNode(forest, toggleNode(forest, on, 'a1x', false, true), 'a1y', false, true)
    expect(sorted(off)).toEqual([])
  })

  it('unlinked: each node stands for itself', () => {
    const on = toggleNode(forest, ids(), 'a', true, false)
    expect(sorted(on)).toEqual(['a'])
    expect(Object.fromEntries(ticksOf(forest, on, false))).toMatchObject({ a: 2, a1: 0 })
  })

  it('inverts the leaves and lets the parents follow', () => {
    expect(sorted(invertChecks(forest, ids('a', 'a1', 'a1x', 'a1y', 'b', 'b1'), true))).toEqual(['a', 'a2'])
    expect(sorted(invertChecks(forest, ids('a'), false))).toEqual(['a1', 'a1x', 'a1y', 'a2', 'b', 'b1'])
  })

  it('ticks only what may be ticked: what stands above scopes is never sent', () => {
    const isLeaf = (one: TreeNode) => one.children === undefined
    const on = toggleNode(forest, ids(), 'a', true, true, isLeaf)
    expect(sorted(on)).toEqual(['a1x', 'a1y', 'a2'])
    expect(ticksOf(forest, on, true, isLeaf).get('a')).toBe(2)
  })
})

function Ticks({ search = '', only = false, from = ids() as ReadonlySet<string> }) {
  const [checked, setChecked] = useState(from)
  return (
    <>
      <output data-testid="ticked">{sorted(checked).join(' ')}</output>
      <CheckTree
        label="权限"
        nodes={forest}
        checked={checked}
        onChange={setChecked}
        linked
        narrow={{ search, onlyChecked: only }}
      />
    </>
  )
}
const titles = () => screen.getAllByRole('treeitem').map((item) => item.getAttribute('aria-label'))

describe('CheckTree', () => {
  it('is worked by keys alone: arrows open and move, Space ticks, the state is told', () => {
    render(<Ticks />)
    const tree = screen.getByRole('tree')
    expect(titles()).toEqual(['节点a', '节点a1', '节点a2', '节点b', '节点b1'])
    for (const key of ['ArrowDown', 'ArrowRight', 'ArrowRight', ' ']) fireEvent.keyDown(tree, { key })
    expect(screen.getByTestId('ticked').textContent).toBe('a a1 a1x')
    const state = (title: string) => screen.getByRole('treeitem', { name: title }).getAttribute('aria-checked')
    expect([state('节点a'), state('节点a1'), state('节点a1x'), state('节点a1y')]).toEqual([
      'mixed',
      'mixed',
      'true',
      'false',
    ])
    expect(tree.getAttribute('aria-activedescendant')).toBe(screen.getByRole('treeitem', { name: '节点a1x' }).id)
  })

  it('a search shows matches with what leads to them; only ticked shows what is ticked', () => {
    const { rerender } = render(<Ticks search="A1X" />)
    expect(titles()).toEqual(['节点a', '节点a1', '节点a1x'])
    rerender(<Ticks key="2" only from={ids('b', 'b1')} />)
    expect(titles()).toEqual(['节点b', '节点b1'])
  })
})

const columns: readonly TreeColumn<TreeNode>[] = [
  { key: 'title', label: '名称', width: 200, cell: (one) => one.title },
  { key: 'id', label: '编号', width: 100, cell: (one) => one.id },
]
function List({ onMove, onAct }: { onMove?: (move: TreeMove) => void; onAct?: (act: string, id: string) => void }) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(ids('a'))
  const [active, setActive] = useState<string | null>(null)
  return (
    <TreeList
      label="部门"
      forest={{ roots: forest, nameOf: (one) => one.title }}
      columns={columns}
      expansion={{ opened, onOpened: setOpened }}
      cursor={{ active, onActive: setActive }}
      onAct={(act, one) => onAct?.(act, one.id)}
      moving={onMove && { onMove }}
    />
  )
}
const keys = () => [...document.querySelectorAll<HTMLElement>('tr[data-key]')].map((row) => row.dataset.key)

describe('TreeList', () => {
  it('follows the treegrid pattern: arrows, *, levels and places are told', () => {
    const acts: string[] = []
    render(<List onAct={(act, id) => acts.push(`${act} ${id}`)} />)
    expect(keys()).toEqual(['a', 'a1', 'a2', 'b'])
    const press = (key: string) => fireEvent.keyDown(document.activeElement!, { key })
    act(() => document.querySelector<HTMLElement>('tr[data-key=a]')!.focus())
    press('*')
    expect(keys()).toEqual(['a', 'a1', 'a2', 'b', 'b1'])
    press('ArrowDown')
    press('ArrowRight')
    expect(keys()).toContain('a1x')
    press('ArrowRight')
    expect((document.activeElement as HTMLElement).dataset.key).toBe('a1x')
    press('ArrowLeft')
    expect((document.activeElement as HTMLElement).dataset.key).toBe('a1')
    press('ArrowLeft')
    expect(keys()).not.toContain('a1x')
    press('F2')
    press('Insert')
    press('Delete')
    press('Enter')
    expect(acts).toEqual(['edit a1', 'add a1', 'delete a1', 'view a1'])
    const row = document.querySelector('tr[data-key=a2]')!
    expect([
      row.getAttribute('aria-level'),
      row.getAttribute('aria-posinset'),
      row.getAttribute('aria-setsize'),
    ]).toEqual(['2', '2', '2'])
  })

  it('Alt and an arrow put a row one place up or down among those beside it', () => {
    const moves: TreeMove[] = []
    render(<List onMove={(move) => moves.push(move)} />)
    act(() => document.querySelector<HTMLElement>('tr[data-key=a2]')!.focus())
    fireEvent.keyDown(document.activeElement!, { key: 'ArrowUp', altKey: true })
    fireEvent.keyDown(document.activeElement!, { key: 'ArrowDown', altKey: true })
    expect(moves).toEqual([{ id: 'a2', parentId: 'a', beforeId: 'a1' }])
  })

  it('of a thousand nodes draws those near the window, and says how many there are', () => {
    const many = [node('root', ...Array.from({ length: 1000 }, (_, i) => node(`n${i}`)))]
    render(
      <TreeList
        label="很多"
        forest={{ roots: many, nameOf: (one) => one.title }}
        columns={columns}
        expansion={{ opened: ids('root'), onOpened: () => {} }}
        cursor={{ active: null, onActive: () => {} }}
        onAct={() => {}}
      />,
    )
    expect(screen.getByRole('treegrid').getAttribute('aria-rowcount')).toBe('1001')
    expect(keys().length).toBeLessThan(100)
    expect(keys()[0]).toBe('root')
  })
})

describe('moving rows', () => {
  const open = flattenTree(forest, { isOpen: () => true })
  const at = (id: string) => open.find((row) => row.node.id === id)!
  const rows = (list: readonly TreePart[], parentId = '0'): TreeRow[] =>
    list.map(
      (one) =>
        ({ ...one, parentId, ...(one.children ? { children: rows(one.children, one.id) } : {}) }) as unknown as TreeRow,
    )
  const shape = (list: readonly TreeRow[]): unknown =>
    list.map((row) => (row.children ? [row.id, shape(row.children)] : row.id))

  it('a drop before, inside and after a row names the parent and the row it stands before', () => {
    expect(moveOf(open, 'b1', { row: at('a2'), spot: 'before' })).toEqual({ id: 'b1', parentId: 'a', beforeId: 'a2' })
    expect(moveOf(open, 'b1', { row: at('a2'), spot: 'inside' })).toEqual({ id: 'b1', parentId: 'a2', beforeId: null })
    expect(moveOf(open, 'b1', { row: at('a2'), spot: 'after' })).toEqual({ id: 'b1', parentId: 'a', beforeId: null })
    expect(moveOf(open, 'b1', { row: at('a'), spot: 'after' })).toEqual({ id: 'b1', parentId: 'a', beforeId: 'a1' })
    const shut = flattenTree(forest, { isOpen: (id) => id === 'a' })
    expect(moveOf(shut, 'a2', { row: shut[1]!, spot: 'after' })).toEqual({ id: 'a2', parentId: 'a', beforeId: null })
  })

  it('is shown as the server will answer it, and the way back leads to where the row was', () => {
    const before = rows(forest)
    const move = { id: 'a1', parentId: 'b', beforeId: 'b1' }
    const back = backOf(before, 'a1')
    const after = movedForest(before, move)
    expect(shape(after)).toEqual([
      ['a', ['a2']],
      ['b', [['a1', ['a1x', 'a1y']], 'b1']],
    ])
    expect(back).toEqual({ id: 'a1', parentId: 'a', beforeId: 'a2' })
    expect(shape(movedForest(after, back))).toEqual(shape(before))
  })
})
