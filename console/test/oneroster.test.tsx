import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { commonWords } from '../src/locales/common.ts'
import OneRosterPage from '../src/pages/oneroster/page.tsx'
import { keepCodes } from '../src/session/session.ts'
import { toasts } from '../src/ui/toast.ts'
import { addWords, setLanguage } from '../src/ui/words.ts'
import { good, serve } from './answers.ts'

const count = (entity: string, more: object) => ({
  file: 'users.csv',
  entity,
  label: entity,
  add: 0,
  update: 0,
  unchanged: 0,
  missing: 0,
  missingNames: [],
  ...more,
})
const report = (more: object) => ({
  faults: [],
  faultCount: 0,
  counts: [count('student', { add: 2, missing: 12, missingNames: ['王小明'] })],
  otherFiles: ['lineItems.csv'],
  passed: [],
  plan: 'p1',
  committed: false,
  batchId: null,
  ...more,
})
const carried = {
  carried: [{ entity: 'student', label: '学生', file: 'users.csv' }],
  notCarried: ['课程表'],
  masked: ['学生'],
}

function show(answers: Parameters<typeof serve>[0]) {
  const seen = serve({ 'blade-user/oneroster/carried': good(carried), ...answers })
  render(
    <QueryClientProvider client={new QueryClient()}>
      <OneRosterPage />
    </QueryClientProvider>,
  )
  return seen
}
const choose = (name: string) =>
  fireEvent.change(document.querySelector('input[type=file]')!, { target: { files: [new File(['zip'], name)] } })

beforeEach(async () => {
  addWords(commonWords)
  await setLanguage('zh')
  keepCodes(['oneroster_export', 'oneroster_import'])
  toasts.set([])
})

describe('the OneRoster page', () => {
  it('says what is carried, what is not, and whose personal values leave masked', async () => {
    show({})
    expect(await screen.findByText('课程表')).toBeTruthy()
    expect(screen.getByText(/学生的证件号和电话将带星号导出/)).toBeTruthy()
  })

  it('offers only what the person may do', async () => {
    keepCodes(['oneroster_export'])
    show({})
    expect(await screen.findByRole('button', { name: '下载压缩包' })).toBeTruthy()
    expect(screen.queryByRole('heading', { name: '导入' })).toBeNull()
  })

  it('lists faults by file, line and column, and offers no import', async () => {
    const faults = [{ file: 'users.csv', line: 7, column: 'sms', message: '手机号码格式不正确' }]
    show({ 'blade-user/oneroster/import': good(report({ faults, faultCount: 300, counts: [] })) })
    choose('roster.zip')
    expect((await screen.findByRole('alert')).textContent).toBe('发现 300 处问题，未写入任何数据 以下是前 1 处。')
    const cells = within(screen.getByRole('table')).getAllByRole('cell')
    expect(cells.map((cell) => cell.textContent)).toEqual(['users.csv', '7', 'sms', '手机号码格式不正确'])
    expect(screen.queryByRole('button', { name: '导入' })).toBeNull()
  })

  it('checks first, shows what it would retire, and imports the plan that was shown', async () => {
    const seen = show({
      'blade-user/oneroster/import': ({ query }) =>
        good(query.get('commit') ? report({ committed: true, batchId: '42' }) : report({})),
    })
    choose('roster.zip')
    expect(await screen.findByText(/王小明 等 12 条/)).toBeTruthy()
    expect(screen.getByText('未读取的文件：lineItems.csv')).toBeTruthy()
    fireEvent.click(screen.getByRole('checkbox'))
    fireEvent.click(screen.getByRole('button', { name: '导入' }))
    expect(await screen.findByText('导入完成：新增 2 条，修改 0 条')).toBeTruthy()
    const sent = seen.filter((call) => call.path.endsWith('/import'))
    expect(sent.map((call) => Object.fromEntries(call.query))).toEqual([{}, { commit: '1', plan: 'p1', retire: '1' }])
    expect((sent[1]!.init.body as FormData).get('file')).toBeInstanceOf(File)
  })

  it('shows the new result when the data have changed since the check', async () => {
    show({
      'blade-user/oneroster/import': ({ query }) =>
        good(query.get('commit') ? report({ plan: 'p2', counts: [count('student', { add: 3 })] }) : report({})),
    })
    choose('roster.zip')
    fireEvent.click(await screen.findByRole('button', { name: '导入' }))
    expect(await screen.findByText('3')).toBeTruthy()
    expect(toasts.get().map((toast) => toast.text)).toEqual(['检查之后数据已有变化，请核对新的结果后再导入'])
  })

  it('takes only zip files', async () => {
    const seen = show({})
    await screen.findByText('课程表')
    choose('roster.csv')
    expect(toasts.get().map((toast) => toast.text)).toEqual(['请选择 .zip 文件'])
    expect(seen.some((call) => call.path.endsWith('/import'))).toBe(false)
  })
})
