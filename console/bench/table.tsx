import { flushSync } from 'react-dom'
import { createRoot, type Root } from 'react-dom/client'
import { entityWords } from '../src/locales/entity.ts'
import '../src/shell/base.css'
import { createMarks } from '../src/ui/table/marks.ts'
import { type Column, DataTable } from '../src/ui/table/table.tsx'
import { startTheme } from '../src/ui/theme.ts'
import { addWords } from '../src/ui/words.ts'

// The page the bench script drives: the list table alone, with records made from their number, so that every run
// measures the same work.

interface Pupil {
  readonly id: string
  readonly cells: readonly string[]
}

const COLUMNS = 15
const family = '王李张刘陈杨黄赵吴周徐孙马朱胡'
const given = '欣梓子雨浩宇佳思若一'

const pupil = (n: number): Pupil => ({
  id: `${2026100000 + n}`,
  cells: Array.from({ length: COLUMNS }, (_, i) =>
    i === 0
      ? `${2026100000 + n}`
      : i === 1
        ? `${family[n % family.length]}${given[n % 7]}${given[(n + 3) % given.length]}`
        : `${i}·${(n * 7919 + i * 104729) % 99991}`,
  ),
})

const page = (size: number, number: number): Pupil[] => Array.from({ length: size }, (_, i) => pupil(number * size + i))

const columns: readonly Column<Pupil>[] = Array.from({ length: COLUMNS }, (_, i) => ({
  key: `c${i}`,
  label: `列${i + 1}`,
  width: 120,
  sortable: i < 2,
  title: i === 1,
  pin: i < 2 ? ('start' as const) : i === COLUMNS - 1 ? ('end' as const) : undefined,
  cell:
    i === 1
      ? (record: Pupil) => (
          <a className="dt-link" data-act="view" href={`?id=${record.id}`}>
            {record.cells[i]}
          </a>
        )
      : i === 4
        ? (record: Pupil) => <span className="tag tag-good">{record.cells[i]}</span>
        : (record: Pupil) => record.cells[i],
}))

const keyOf = (record: Pupil) => record.id
const nameOf = (record: Pupil) => record.cells[1]!

addWords(entityWords)
startTheme()

const place = document.getElementById('table')!
const marks = createMarks<Pupil>()
let root: Root | undefined
let rows: readonly Pupil[] = []

const draw = () =>
  root?.render(
    <DataTable
      label="学生"
      records={{ rows, keyOf, nameOf }}
      columns={columns}
      marks={marks}
      order={{ sort: null, onSort: () => {} }}
      layout={{ onWidth: () => {} }}
      pointer={{ onNear: () => {} }}
    />,
  )

/** What the bench script calls; each step is finished in React when the call returns, and painted a frame later. */
const bench = {
  mount(size: number) {
    root = createRoot(place)
    rows = page(size, 0)
    flushSync(draw)
  },
  unmount() {
    root?.unmount()
    marks.clear()
  },
  next(size: number, number: number) {
    rows = page(size, number)
    flushSync(draw)
  },
  again() {
    flushSync(draw)
  },
  tick: (at: number) => document.querySelectorAll<HTMLInputElement>('tbody [data-tick]')[at]?.click(),
  tickAll: () => document.querySelector<HTMLInputElement>('thead input')?.click(),
  rows: () => document.querySelectorAll('tbody tr').length,
}

declare global {
  interface Window {
    bench: typeof bench
  }
}
window.bench = bench
