import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import type { BatchView, FormField, ImportRow, UndoPlan } from '../src/pages/import/calls.ts'
import ImportPage from '../src/pages/import/page.tsx'
import { AntdRoot } from '../src/ui/antd.tsx'
import { ConfirmHost } from '../src/ui/confirm.tsx'
import { good, type Seen, serve } from './answers.ts'

export const path = '/student/import'

const field = (key: string, label: string, need: FormField['need'] = 'no'): FormField => ({
  key,
  part: key.split('.')[0] ?? '',
  label,
  need,
  starred: false,
})
export const fields = [
  field('student.name', '姓名', 'always'),
  field('student.sex', '性别', 'always'),
  field('student.birthDate', '出生日期', 'always'),
  field('student.idNo', '身份证件号'),
  field('detail.homeAddress', '现住址'),
  field('detail.postcode', '邮政编码', 'part'),
]

export const column = (index: number, heading: string, key: string | null, confidence = 1) => ({
  index,
  heading,
  key,
  label: fields.find((each) => each.key === key)?.label ?? null,
  confidence: key ? confidence : null,
  from: 'file' as const,
  samples: ['一', '二'],
})

/** A batch of three rows, whose file is understood. */
export function batchOf(more: Partial<BatchView> = {}): BatchView {
  return {
    id: '7',
    kind: 'student',
    fileName: '新生.xlsx',
    state: 'mapping',
    duplicates: 'skip',
    progress: 0,
    total: 3,
    counts: {},
    failure: null,
    userName: '林老师',
    createTime: '2026-09-01 08:00:00',
    updateTime: '2026-09-01 08:00:00',
    ...{ fixed: {}, source: null, alike: 0, placed: [], makes: [], stored: null, stayed: 0, undone: null },
    ...{ classes: [], leftOut: 0, passwords: 0, told: [], waiting: { rows: 0, classes: 0 } },
    schoolName: '实验小学',
    yearName: '2026-2027学年',
    columns: [
      column(0, '姓名', 'student.name'),
      column(1, '性别', 'student.sex'),
      column(2, '生日', 'student.birthDate'),
    ],
    fields,
    missing: [],
    runs: [],
    ...more,
  }
}

const taken = (entity: string, label: string, removed: number, sample: string[] = []) => ({
  ...{
    entity,
    label,
    unit: entity === 'schoolclass' ? '个' : '名',
    removed,
    restored: 0,
    sample,
    held: 0,
    heldSample: [],
  },
})

/** What an undo of a batch of three pupils would do; with `touched`, one of them stays if that is chosen. */
export const planOf = (touched: UndoPlan['touched'] = []): UndoPlan => ({
  all: [taken('student', '学生', 3), taken('schoolclass', '行政班', 1, ['三年级（9）班'])],
  keeping: [taken('student', '学生', touched.length > 0 ? 2 : 3)],
  staying: touched.length > 0 ? 1 : 0,
  ...{ touched, about: { label: '学生', unit: '名' }, seen: 'as read' },
})

export const faulty = (row: number, at: number, key: string, message: string, cells: string[]): ImportRow => ({
  row,
  state: 'bad',
  cells,
  faults: [{ row, column: at, field: key, label: fields.find((each) => each.key === key)?.label ?? '', message }],
})

/** The server's side of one batch: its state moves on as the calls say. */
export function world(start: BatchView, rows: ImportRow[] = []) {
  let batch = start
  const answers: Parameters<typeof serve>[0] = {
    'blade-user/import/batch': () => good(batch),
    'blade-user/import/list': () => good({ total: 1, size: 10, current: 1, pages: 1, records: [batch] }),
    'blade-user/import/rows': () => good({ total: rows.length, size: 30, current: 1, pages: 1, records: rows }),
    'blade-user/school/select': good([{ id: '1', name: '实验小学' }]),
    'blade-user/schoolyear/select': good([]),
    'blade-user/import/upload': () => good(batch),
    'blade-user/import/mapping': () => {
      batch = { ...batch, state: 'checking' }
      return good({ id: '7', state: 'checking' })
    },
    'blade-user/import/correct': ({ init }) => {
      const { row, cells } = JSON.parse(String(init.body)) as { row: number; cells: Record<string, string> }
      const [[at = '', text = ''] = []] = Object.entries(cells)
      const before = rows.find((each) => each.row === row)!
      const right = text !== '?'
      const after: ImportRow = {
        ...before,
        cells: before.cells.with(Number(at), text),
        state: right ? 'good' : 'bad',
        faults: right ? [] : before.faults,
      }
      rows.splice(rows.indexOf(before), 1, after)
      const bad = rows.filter((each) => each.state === 'bad').length
      const states = { read: 0, good: 3 - bad, bad, duplicate: 0, out: 0 }
      const counts = { add: 3 - bad, update: 0, skip: 0, bad }
      batch = { ...batch, rows: states, counts }
      return good({ rows: [after], states, counts })
    },
    'blade-user/import/commit': () => {
      batch = { ...batch, state: 'committing', progress: 1 }
      return good(batch)
    },
    'blade-user/import/undo-plan': () => good(planOf()),
    'blade-user/import/undo': () => {
      batch = { ...batch, state: 'undone' }
      return good(batch)
    },
  }
  const seen = serve(answers)
  return {
    answer: (name: string, answer: (seen: Seen) => ReturnType<typeof good> | Promise<never>) => {
      answers[`blade-user/${name.includes('/') ? name : `import/${name}`}`] = answer
    },
    asked: (name: string): Seen[] => seen.filter((call) => call.path === `blade-user/import/${name}`),
    move: (more: Partial<BatchView>) => {
      batch = { ...batch, ...more }
    },
  }
}

export const clientOf = () => new QueryClient({ defaultOptions: { queries: { retry: false } } })

/** The page, in a client of its own unless one is given. */
export function show(client = clientOf()) {
  return render(
    <QueryClientProvider client={client}>
      <AntdRoot>
        <ImportPage />
      </AntdRoot>
      <ConfirmHost />
    </QueryClientProvider>,
  )
}

export const query = () => new URLSearchParams(window.location.search)
export const bodyOf = (call: Seen | undefined) => JSON.parse(String(call?.init.body)) as Record<string, unknown>
/** Longer than the page waits between two questions. */
export const slow = { timeout: 4000 }
