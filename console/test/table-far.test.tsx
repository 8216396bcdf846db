import { act, fireEvent, render } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { type Column, DataTable } from '../src/ui/table/table.tsx'

interface Thing {
  readonly id: string
}
const columns: readonly Column<Thing>[] = [{ key: 'name', label: 'Name', width: 100, cell: ({ id }) => id }]
const keyOf = ({ id }: Thing) => id
const things = (count: number): Thing[] => Array.from({ length: count }, (_, nth) => ({ id: `t${nth}` }))
const table = (rows: readonly Thing[]) => (
  <DataTable label="Things" records={{ rows, keyOf, nameOf: keyOf }} columns={columns} />
)

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

it('R-LIST-1 marks what is far from the rows that are seen, and no row near them', async () => {
  // Rows of 36 px in a region of 360 px: ten are seen at a time. Before it is laid out, it may fill the window.
  vi.stubGlobal('innerHeight', 720)
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(360)
  const { container, rerender } = render(table(things(200)))
  const rows = () => [...container.querySelectorAll('tbody tr')]
  await vi.waitFor(() => expect(rows()).toHaveLength(200), { timeout: 5_000 })
  const far = () => rows().map((row) => row.hasAttribute('data-far'))
  const near = () => [far().indexOf(false), far().lastIndexOf(false)]
  expect(near()).toEqual([0, 45])

  const region = container.querySelector<HTMLElement>('.dt-scroll')!
  act(() => {
    region.scrollTop = 3_600
    fireEvent.scroll(region)
  })
  expect(near()).toEqual([75, 135])

  rerender(table(things(40)))
  expect(far()).toEqual(Array.from({ length: 40 }, () => false))
})
