import type { Entity, Page, Row, student } from '@data-brain/contract'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import {
  type Bulk,
  type BulkAnswer,
  type BulkRow,
  CallsContext,
  type EntityCalls,
  type HistoryEntry,
  type SavedRow,
  type ShownRow,
} from '../src/entity/data/calls.ts'
import { HttpProblem } from '../src/http/client.ts'
import { commonWords } from '../src/locales/common.ts'
import { entityWords } from '../src/locales/entity.ts'
import { specTexts } from '../src/locales/spec-texts.ts'
import { bringPageInputs } from '../src/pages/subject/index.ts'
import { keepCodes, keepSession } from '../src/session/session.ts'
import { AntdRoot } from '../src/ui/antd.tsx'
import { ConfirmHost } from '../src/ui/confirm.tsx'
import { go } from '../src/ui/place.ts'
import { toasts } from '../src/ui/toast.ts'
import { addWords, setLanguage } from '../src/ui/words.ts'

bringPageInputs()

/** Chooses from the menu of a row, which is named by its title. */
export async function rowMenu(name: string, entry: string): Promise<void> {
  fireEvent.click(screen.getByRole('button', { name: `${name}的更多操作` }))
  fireEvent.click(await screen.findByRole('menuitem', { name: entry }))
}

/** Chooses from the menu of the whole list. */
export async function listMenu(entry: string): Promise<void> {
  fireEvent.click(screen.getByRole('button', { name: /^更多：/ }))
  fireEvent.click(await screen.findByRole('menuitem', { name: entry }))
}

// A server in memory that answers as the contract says, so that the engine is tested whole and quickly.

type Pupil = Row<typeof student>

const system = { tenantId: '000001', createUser: '1', createDept: null, updateUser: '1', extId: null, version: 3 }

/** Student `n`: complete enough that the form finds nothing wrong with it. */
export function pupil(n: number): ShownRow {
  const row: Partial<Pupil> = {
    ...system,
    id: String(1000 + n),
    status: 1,
    createTime: '2026-09-01 08:00:00',
    updateTime: '2026-09-01 08:00:00',
    schoolId: '1',
    studentNo: `S${100 + n}`,
    name: `王小${'一二三四五六七八九十'[n % 10]}`,
    sex: '1',
    birthDate: '2018-03-05',
    idType: '1',
    nation: '01',
    nationality: 'CHN',
    overseas: '00',
    politics: '13',
    health: '10',
    gradeId: '11',
    classId: '21',
    enrollDate: '2025-09-01',
    enrollWay: '11',
    source: '1',
    studyWay: '1',
    phone: '*********00',
  }
  return { ...row, schoolName: '实验小学', gradeName: '一年级', className: '一年级（1）班' } as unknown as ShownRow
}

/** Answers every call of the engine from memory, and remembers what it was asked. */
export class FakeServer implements EntityCalls {
  rows: ShownRow[]
  readonly asked: string[] = []
  readonly submitted: Record<string, unknown>[] = []
  readonly removed: string[][] = []
  readonly restored: string[][] = []
  readonly undone: [string, boolean][] = []
  /** What an undo answers. */
  back: { rows: number; counts?: Record<string, number>; names?: Record<string, string[]> } = { rows: 2 }
  readonly bulked: { work: Bulk; preview: boolean }[] = []
  /** Rows that a bulk change refuses, with why. */
  readonly refuses = new Map<string, string>()
  /** Thrown by the next submit or remove. */
  failure: HttpProblem | null = null
  entries: HistoryEntry[] = []

  constructor(count: number) {
    this.rows = Array.from({ length: count }, (_, n) => pupil(n))
  }

  async list(entity: Entity, query: Record<string, unknown> | URLSearchParams): Promise<Page<ShownRow>> {
    const given = query as Record<string, string | number>
    this.asked.push(JSON.stringify(given))
    const size = Number(given.size)
    const current = Number(given.current)
    const found = this.rows.filter((row) => {
      const text = given.keyword === undefined ? '' : String(given.keyword)
      return (
        String(row[entity.title]).includes(text) &&
        (given.gradeId === undefined || row.gradeId === String(given.gradeId))
      )
    })
    const records = found.slice((current - 1) * size, current * size)
    return { total: found.length, size, current, pages: Math.ceil(found.length / size), records }
  }
  async detail(_entity: Entity, id: string): Promise<ShownRow> {
    const row = this.rows.find((other) => other.id === id)
    if (!row) throw new HttpProblem('没有找到该数据', 404, 404, null)
    return row
  }
  async submit(_entity: Entity, draft: Record<string, unknown>): Promise<ShownRow> {
    this.submitted.push(draft)
    this.fail()
    const before = this.rows.find((row) => row.id === draft.id)
    if (!before) {
      const made = { ...pupil(900), ...draft, id: '9999', version: 0 } as ShownRow
      this.rows = [made, ...this.rows]
      return made
    }
    const after = { ...before, ...draft, version: before.version + 1 } as ShownRow
    this.rows = this.rows.map((row) => (row === before ? after : row))
    return after
  }
  async change(entity: Entity, draft: Record<string, unknown>): Promise<SavedRow> {
    return { row: await this.submit(entity, draft), requestId: '8008' }
  }
  async bulk(_entity: Entity, work: Bulk, preview: boolean): Promise<BulkAnswer> {
    this.bulked.push({ work, preview })
    this.fail()
    const rows = work.ids.map((id): BulkRow => {
      const row = this.rows.find((other) => other.id === id)
      const msg = row ? this.refuses.get(id) : '没有找到该数据'
      const same = row && Object.entries(work.values).every(([name, value]) => row[name] === value)
      const before = Object.fromEntries(Object.keys(work.values).map((name) => [name, row?.[name] ?? null]))
      const named = { id, name: (row?.name as string) ?? null, version: row?.version ?? null, before }
      return msg
        ? { ...named, result: 'failed', msg, ...(row ? {} : { problem: 'not_found' }) }
        : { ...named, result: same ? 'same' : 'changed' }
    })
    const count = (result: BulkRow['result']) => rows.filter((row) => row.result === result).length
    const gone = new Set(rows.filter((row) => row.result === 'changed').map((row) => row.id))
    if (!preview)
      this.rows = this.rows.map((row) =>
        gone.has(row.id) ? ({ ...row, ...work.values, version: row.version + 1 } as ShownRow) : row,
      )
    const [changed, same, failed] = [count('changed'), count('same'), count('failed')]
    return { total: rows.length, changed, same, failed, rows, requestId: preview || changed === 0 ? null : '9009' }
  }
  async remove(_entity: Entity, ids: readonly string[]): Promise<{ requestId: string }> {
    this.removed.push([...ids])
    this.fail()
    this.rows = this.rows.filter((row) => !ids.includes(row.id))
    return { requestId: String(7006 + this.removed.length) }
  }
  async restore(_entity: Entity, id: string, historyId: string): Promise<ShownRow> {
    this.restored.push([id, historyId])
    this.fail()
    return this.rows.find((row) => row.id === id)!
  }
  async undo(requestId: string, changed: boolean) {
    this.undone.push([requestId, changed])
    this.fail()
    return this.back
  }
  async select(path: string, query: Record<string, unknown> | URLSearchParams) {
    this.asked.push(`${path} ${JSON.stringify(query)}`)
    return [
      { id: '11', name: '一年级' },
      { id: '12', name: '二年级' },
    ]
  }
  async history(): Promise<readonly HistoryEntry[]> {
    return this.entries
  }
  async personal(): Promise<Record<string, string>> {
    return { phone: '13800138000' }
  }
  async dictionaries(codes: readonly string[]) {
    const entry = (dictKey: string, dictValue: string, dictValueEn: string) => ({
      dictKey,
      dictValue,
      dictValueEn,
      sort: 1,
    })
    const known: Record<string, ReturnType<typeof entry>[]> = {
      sex: [entry('1', '男', 'Male'), entry('2', '女', 'Female')],
      student_status: [entry('1', '在读', 'Enrolled'), entry('2', '休学', 'Suspended')],
    }
    return Object.fromEntries(codes.map((code) => [code, known[code] ?? [entry('1', `${code}一`, `${code} one`)]]))
  }
  async regions() {
    return []
  }
  async regionSearch() {
    return []
  }
  async regionPaths() {
    return {}
  }
  async upload() {
    return { link: '/a.png', name: 'a.png', id: '77' }
  }

  private fail(): void {
    const failure = this.failure
    this.failure = null
    if (failure) throw failure
  }
}

// What the browser has and jsdom lacks.
Element.prototype.scrollIntoView ??= () => {}
window.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
}

/** Every code that a clerk of the students holds. */
export const clerk = ['student_view', 'student_add', 'student_edit', 'student_delete', 'student_personal']

/** A clean beginning: language, session, codes, address, nothing stored. */
export async function begin(codes: readonly string[] = clerk, path = '/blade/student'): Promise<void> {
  sessionStorage.clear()
  localStorage.clear()
  toasts.set([])
  addWords({ ...commonWords, ...specTexts, ...entityWords })
  await setLanguage('zh')
  keepSession({
    userId: '1',
    tenantId: '000001',
    tenantName: '',
    account: 'clerk',
    userName: 'clerk',
    nickName: '',
    realName: '林老师',
    avatar: '',
    roleName: '',
    roles: [],
    mustChange: false,
  })
  keepCodes(codes)
  go(path, { replace: true })
}

/** Puts a part of the engine on the page, with the server in memory behind it. */
export function show(server: EntityCalls, part: ReactNode) {
  const client = new QueryClient()
  const wrap = (inner: ReactNode) => (
    <QueryClientProvider client={client}>
      <CallsContext value={server}>
        <AntdRoot>{inner}</AntdRoot>
      </CallsContext>
      <ConfirmHost />
    </QueryClientProvider>
  )
  const view = render(wrap(part))
  return { ...view, again: (next: ReactNode) => view.rerender(wrap(next)) }
}

export const toastTexts = (): string[] => toasts.get().map((toast) => toast.text)
