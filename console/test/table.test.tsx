import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { commonWords } from '../src/locales/common.ts'
import { entityWords } from '../src/locales/entity.ts'
import { createMarks, type Marks } from '../src/ui/table/marks.ts'
import { numbersOf, Pager } from '../src/ui/table/pager.tsx'
import { placesOf } from '../src/ui/table/row.tsx'
import { type Column, DataTable } from '../src/ui/table/table.tsx'
import { densitySizes } from '../src/ui/theme.ts'
import { addWords, setLanguage } from '../src/ui/words.ts'

interface Thing {
  readonly id: string
  readonly name: string
}
const things = (count: number, from = 0): Thing[] =>
  Array.from({ length: count }, (_, i) => ({ id: `t${from + i}`, name: `thing ${from + i}` }))
const keyOf = (thing: Thing) => thing.id
const nameOf = (thing: Thing) => thing.name

/** A table whose cells and row marks say which rows were looked at. */
function watched(count: number) {
  const drawn: string[] = []
  const looked: string[] = []
  const columns: readonly Column<Thing>[] = [
    {
      key: 'name',
      label: 'Name',
      width: 100,
      sortable: true,
      title: true,
      pin: 'start',
      cell: (thing) => {
        drawn.push(thing.id)
        return (
          <a href="?id=1" data-act="view">
            {thing.name}
          </a>
        )
      },
    },
    { key: 'other', label: 'Other', width: 100, cell: () => 'x' },
  ]
  const plain = createMarks<Thing>()
  const marks: Marks<Thing> = {
    ...plain,
    of: (key) => {
      looked.push(key)
      return plain.of(key)
    },
  }
  const rows = things(count)
  const onSort = vi.fn()
  const onAct = vi.fn()
  type Props = Parameters<typeof DataTable<Thing>>[0]
  const table = (extra: Partial<Props> = {}, other: Partial<Props['records']> = {}) => (
    <DataTable
      label="Things"
      records={{ rows, keyOf, nameOf, ...other }}
      columns={columns}
      marks={marks}
      order={{ sort: null, onSort }}
      onAct={onAct}
      {...extra}
    />
  )
  return { drawn, looked, marks: plain, rows, table, onSort, onAct }
}
const box = (name: string) => screen.getByRole('checkbox', { name: `选择 ${name}` }) as HTMLInputElement

beforeAll(() => addWords({ ...commonWords, ...entityWords }))

describe('DataTable', () => {
  it('R-LIST-1 ticking one of 50 rows draws that row again and no other', () => {
    const { drawn, looked, marks, table } = watched(50)
    render(table())
    expect(drawn).toHaveLength(50)
    drawn.length = 0
    looked.length = 0
    fireEvent.click(box('thing 7'))
    expect([...marks.selected().keys()]).toEqual(['t7'])
    expect(box('thing 7').checked).toBe(true)
    expect(drawn).toEqual([])
    // The press itself and the row's own snapshot ask; no other row does.
    expect(new Set(looked)).toEqual(new Set(['t7']))
    expect(box('thing 8').closest('tr')?.getAttribute('aria-selected')).toBe('false')
  })

  it('draws no row again when its parent is drawn again with the same records', () => {
    const { drawn, table } = watched(50)
    const view = render(table())
    drawn.length = 0
    view.rerender(table({}, { state: 'refresh' }))
    expect(drawn).toEqual([])
    expect(screen.getByRole('region', { name: 'Things' }).getAttribute('aria-busy')).toBe('true')
  })

  it('shows the first rows of 200 at once and all of them soon after', async () => {
    const { table } = watched(200)
    render(table())
    // As many as the window can hold, at 36 px each: fewer would leave a gap, more would keep the first frame waiting.
    expect(document.querySelectorAll('tbody tr')).toHaveLength(Math.ceil(window.innerHeight / 36))
    await waitFor(() => expect(document.querySelectorAll('tbody tr')).toHaveLength(200))
  })

  it('says how it is ordered, and asks for another order by its head', () => {
    const { table, onSort } = watched(3)
    render(table({ order: { sort: { key: 'name', descending: true }, onSort } }))
    const head = screen.getByRole('columnheader', { name: /Name/ })
    expect(head.getAttribute('aria-sort')).toBe('descending')
    expect(screen.getByRole('columnheader', { name: 'Other' }).hasAttribute('aria-sort')).toBe(false)
    fireEvent.click(screen.getByRole('button', { name: 'Name' }))
    expect(onSort).toHaveBeenCalledWith('name')
  })

  it('ticks a range with Shift, and the page by the box in the head', () => {
    const { marks, table } = watched(6)
    render(table())
    fireEvent.click(box('thing 1'))
    fireEvent.click(box('thing 4'), { shiftKey: true })
    expect([...marks.selected().keys()]).toEqual(['t1', 't2', 't3', 't4'])
    const all = screen.getByRole('checkbox', { name: '选择本页' }) as HTMLInputElement
    expect(all.indeterminate).toBe(true)
    fireEvent.click(all)
    expect(marks.selected().size).toBe(6)
    fireEvent.click(all)
    expect(marks.selected().size).toBe(0)
  })

  it('keeps ticks while the rows change, and tells presses in a row by record', () => {
    const { marks, table, onAct, rows } = watched(3)
    const view = render(table())
    fireEvent.click(box('thing 2'))
    view.rerender(table({}, { rows: things(3, 10) }))
    expect([...marks.selected().keys()]).toEqual(['t2'])
    view.rerender(table())
    expect(box('thing 2').checked).toBe(true)
    fireEvent.click(screen.getByText('thing 1'))
    expect(onAct).toHaveBeenCalledWith('view', rows[1], expect.anything())
    fireEvent.click(screen.getByText('thing 1'), { ctrlKey: true })
    expect(onAct).toHaveBeenCalledTimes(1)
  })

  it('is a skeleton before the first answer, and says why it is empty after it', () => {
    const { table } = watched(0)
    const view = render(table({}, { state: 'first', empty: 'nothing here' }))
    expect(document.querySelectorAll('tr.dt-waiting')).toHaveLength(10)
    expect(screen.queryByText('nothing here')).toBeNull()
    view.rerender(table({}, { state: 'ready', empty: 'nothing here' }))
    expect(document.querySelectorAll('tr.dt-waiting')).toHaveLength(0)
    expect(screen.getByText('nothing here')).toBeTruthy()
    // A page of more rows holds the place of more, though of none that the window (768 px) cannot show.
    view.rerender(table({ layout: { density: 'loose' } }, { state: 'first', expected: 200 }))
    expect(document.querySelectorAll('tr.dt-waiting')).toHaveLength(Math.ceil(768 / densitySizes.loose.row))
    view.rerender(table({}, { state: 'first', expected: 13 }))
    expect(document.querySelectorAll('tr.dt-waiting')).toHaveLength(13)
  })

  it('stands as cards on the narrowest screens, with the same ticks', () => {
    const { marks, table } = watched(2)
    render(table({ layout: { cards: true } }))
    expect(document.querySelectorAll('li.dt-card')).toHaveLength(2)
    fireEvent.click(box('thing 0'))
    expect(marks.selected().size).toBe(1)
  })

  it('R-LIST-1 tells on a card that opens its record what is there: no empty field, and of a number what it counts', () => {
    const { table } = watched(0)
    const facts: readonly Column<Thing>[] = ['name', 'class', 'room', 'period', 'teacher', 'weeks'].map((key) => ({
      key,
      label: { period: '节次' }[key] ?? key,
      width: 100,
      ...(key === 'name' ? { title: true } : {}),
      cell: (thing) => String((thing as unknown as Record<string, unknown>)[key] ?? '—'),
    }))
    const lesson = {
      id: 't0',
      name: '英语',
      class: '七（1）班',
      room: null,
      period: 3,
      teacher: '唐老师',
      weeks: '每周',
    }
    render(table({ layout: { cards: true }, columns: facts, pointer: { onRow: () => {} } }, { rows: [lesson] }))
    const shown = [...document.querySelectorAll('.dt-facts > span')].map((each) => each.textContent)
    expect(shown).toEqual(['七（1）班', '节次 3', '唐老师'])
  })

  it('tints a row that was just saved for two seconds', () => {
    vi.useFakeTimers()
    const { marks, table } = watched(2)
    render(table())
    act(() => marks.refresh('t1'))
    expect(document.querySelectorAll('tr.dt-fresh')).toHaveLength(1)
    act(() => void vi.advanceTimersByTime(2100))
    expect(document.querySelectorAll('tr.dt-fresh')).toHaveLength(0)
    vi.useRealTimers()
  })
})

describe('the places of columns', () => {
  const column = (key: string, more: Partial<Column<Thing>> = {}): Column<Thing> => ({
    key,
    label: key,
    width: 100,
    cell: () => key,
    ...more,
  })

  it('stand pinned at the ends beside each other, after the ticks', () => {
    const columns = [
      column('end1', { pin: 'end', width: 80 }),
      column('plain'),
      column('start1', { pin: 'start' }),
      column('number', { numeric: true }),
      column('start2', { pin: 'start' }),
      column('end2', { pin: 'end' }),
    ]
    expect(placesOf(columns, true).map(({ key, className, style }) => [key, className, style])).toEqual([
      ['start1', 'dt-pin dt-start', { insetInlineStart: 48 }],
      ['start2', 'dt-pin dt-start dt-edge', { insetInlineStart: 148 }],
      ['plain', undefined, undefined],
      ['number', 'dt-num', undefined],
      ['end1', 'dt-pin dt-end dt-edge', { insetInlineEnd: 100 }],
      ['end2', 'dt-pin dt-end', { insetInlineEnd: 0 }],
    ])
    expect(placesOf(columns, false)[0]?.style).toEqual({ insetInlineStart: 0 })
  })
})

describe('Pager', () => {
  it('R-LIST-1 offers 10, 30, 50, 100 and 200 rows a page', () => {
    const onSize = vi.fn()
    render(<Pager total={900} current={1} size={10} onPage={vi.fn()} onSize={onSize} />)
    expect(screen.getAllByRole('option').map((option) => (option as HTMLOptionElement).value)).toEqual([
      '10',
      '30',
      '50',
      '100',
      '200',
    ])
    fireEvent.change(screen.getByRole('combobox'), { target: { value: '50' } })
    expect(onSize).toHaveBeenCalledWith(50)
  })

  it('leads to the neighbours, the ends and any page by number', () => {
    const onPage = vi.fn()
    render(<Pager total={2486} current={5} size={10} onPage={onPage} onSize={vi.fn()} />)
    expect(screen.getByText('第 41–50 条，共 2,486 条')).toBeTruthy()
    expect(screen.getByRole('button', { name: '第 5 页' }).getAttribute('aria-current')).toBe('page')
    fireEvent.click(screen.getByRole('button', { name: '下一页' }))
    expect(onPage).toHaveBeenLastCalledWith(6)
    const jump = screen.getByRole('textbox') as HTMLInputElement
    jump.value = '99999'
    fireEvent.submit(jump.closest('form')!)
    expect(onPage).toHaveBeenLastCalledWith(249)
  })

  it('says how many rows there are where one page has them all, and nothing where there are none', () => {
    const { container, rerender } = render(<Pager total={3} current={1} size={10} onPage={vi.fn()} onSize={vi.fn()} />)
    expect(container.textContent).toBe('共 3 条')
    rerender(<Pager total={0} current={1} size={10} onPage={vi.fn()} onSize={vi.fn()} />)
    expect(container.innerHTML).toBe('')
  })

  it('names every page as it is written on it (WCAG 2.5.3), in both languages', async () => {
    const { rerender } = render(<Pager total={14_070} current={1} size={10} onPage={vi.fn()} onSize={vi.fn()} />)
    const last = screen.getByText('1,407')
    expect(last.getAttribute('aria-label')).toBe('第 1,407 页')
    await act(() => setLanguage('en'))
    rerender(<Pager total={14_070} current={1} size={10} onPage={vi.fn()} onSize={vi.fn()} />)
    expect(screen.getByRole('button', { name: 'Page 1,407' }).textContent).toBe('1,407')
    await act(() => setLanguage('zh'))
  })

  it('names no page that does not exist, and shows a gap only over more than one page', () => {
    expect(numbersOf(1, 1)).toEqual([1])
    expect(numbersOf(1, 3)).toEqual([1, 2, 3])
    expect(numbersOf(4, 9)).toEqual([1, 2, 3, 4, 5, 0, 9])
    expect(numbersOf(9, 9)).toEqual([1, 0, 8, 9])
  })
})
