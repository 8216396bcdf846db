import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Report } from '../src/pages/oneroster/calls.ts'
import OneRosterPage from '../src/pages/oneroster/page.tsx'
import { good, type Seen, serve } from './answers.ts'
import { begin } from './entity-world.tsx'

const report = (more: Partial<Report> = {}): Report => ({
  faults: [],
  faultCount: 0,
  counts: [
    {
      file: 'users.csv',
      entity: 'student',
      label: '学生',
      add: 1200,
      update: 3,
      unchanged: 0,
      missing: 2,
      missingNames: ['王小明', '李小红'],
    },
  ],
  otherFiles: [],
  passed: [],
  plan: 'plan-1',
  committed: false,
  batchId: null,
  ...more,
})

function open(answer: (call: Seen) => ReturnType<typeof good>): Seen[] {
  const seen = serve({
    'blade-user/oneroster/carried': good({
      carried: [{ entity: 'student', label: '学生', file: 'users.csv' }],
      notCarried: ['照片'],
      masked: ['家长'],
    }),
    'blade-user/oneroster/import': answer,
  })
  render(
    <QueryClientProvider client={new QueryClient()}>
      <OneRosterPage />
    </QueryClientProvider>,
  )
  return seen
}

const bring = (name = 'roster.zip') =>
  fireEvent.change(screen.getByLabelText('选择文件'), { target: { files: [new File(['x'], name)] } })
const imports = (seen: Seen[]) =>
  seen.filter((call) => call.path.endsWith('/import')).map((call) => Object.fromEntries(call.query))

beforeEach(() => begin(['oneroster_export', 'oneroster_import'], '/student/oneroster'))
afterEach(() => vi.unstubAllGlobals())

describe('the OneRoster page', () => {
  it('shows what would change and be retired before anything is written, then carries out that plan', async () => {
    const seen = open((call) => good(report({ committed: call.query.get('commit') === '1', batchId: '9' })))
    bring()
    const line = (await screen.findByRole('rowheader', { name: '学生' })).closest('tr')!
    expect(
      within(line)
        .getAllByRole('cell')
        .map((cell) => cell.textContent),
    ).toEqual(['1,200', '3', '0', '2', 'users.csv'])
    expect(screen.getByText('学生：王小明、李小红')).toBeTruthy()
    expect(imports(seen)).toEqual([{}])
    fireEvent.click(screen.getByLabelText('把这 2 条标为停用、转出或结束'))
    fireEvent.click(screen.getByRole('button', { name: '导入' }))
    expect(await screen.findByText('导入完成：新增 1,200 条，修改 3 条')).toBeTruthy()
    expect(imports(seen)).toEqual([{}, { commit: '1', plan: 'plan-1', retire: '1' }])
  })

  it('R-ERR-1 keeps the reason in sight when an archive cannot be read', async () => {
    open(
      () => ({ status: 400, body: { code: 400, success: false, msg: '文件不是有效的zip压缩包', data: null } }) as never,
    )
    bring()
    expect((await screen.findByRole('alert')).textContent).toBe('roster.zip 文件不是有效的zip压缩包')
    expect(screen.getByRole('button', { name: '选择文件' })).toBeTruthy()
  })
})
