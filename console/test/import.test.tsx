import { type QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { commonWords } from '../src/locales/common.ts'
import { importWords } from '../src/locales/import.ts'
import type { BatchView } from '../src/pages/import/calls.ts'
import EntityImportPage from '../src/pages/import/entity.tsx'
import { missingOf } from '../src/pages/import/match.tsx'
import { AntdRoot } from '../src/ui/antd.tsx'
import { go } from '../src/ui/place.ts'
import { addWords, setLanguage } from '../src/ui/words.ts'
import { good, serve } from './answers.ts'
import { begin, toastTexts } from './entity-world.tsx'
import {
  batchOf,
  bodyOf,
  clientOf,
  column,
  faulty,
  fields,
  path,
  planOf,
  query,
  show,
  slow,
  world,
} from './import-world.tsx'

beforeEach(async () => {
  await begin(['student_import'], path)
  addWords({ ...commonWords, ...importWords })
})
afterEach(() => vi.unstubAllGlobals())

describe('the upload', () => {
  const choose = (file: File) => fireEvent.change(screen.getByLabelText('选择文件'), { target: { files: [file] } })

  it('sends the file for the only school there is, and a file that is understood whole is checked at once', async () => {
    const server = world(batchOf())
    show()
    expect(await screen.findByText('实验小学')).toBeTruthy()
    const start = screen.getByRole<HTMLButtonElement>('button', { name: '开始检查' })
    expect(start.disabled).toBe(true)
    choose(new File(['x'], '新生.xlsx'))
    fireEvent.click(screen.getByLabelText('用文件中的内容更新'))
    fireEvent.click(start)
    await waitFor(() => expect(server.asked('mapping')).toHaveLength(1), slow)
    const [upload] = server.asked('upload')
    expect(Object.fromEntries(upload!.query)).toEqual({ schoolId: '1', duplicates: 'update' })
    expect((upload!.init.body as FormData).get('file')).toHaveProperty('name', '新生.xlsx')
    expect(bodyOf(server.asked('mapping')[0])).toEqual({
      id: '7',
      mapping: { 0: 'student.name', 1: 'student.sex', 2: 'student.birthDate' },
    })
    expect(query().get('batch')).toBe('7')
    await waitFor(() => expect(query().get('step')).toBe('check'), slow)
    expect(screen.getByRole('progressbar', { name: '正在检查…' })).toBeTruthy()
  })

  it('starts for the only school when it is known, for whoever presses before', async () => {
    const server = world(batchOf())
    let tell = () => {}
    const told = new Promise<void>((resolve) => {
      tell = resolve
    })
    server.answer('school/select', () => told.then(() => good([{ id: '1', name: '实验小学' }])) as Promise<never>)
    show()
    choose(new File(['x'], '新生.xlsx'))
    fireEvent.click(await screen.findByRole('button', { name: '开始检查' }))
    expect(screen.queryByText('请先选择学校')).toBeNull()
    expect(server.asked('upload')).toHaveLength(0)
    tell()
    await waitFor(() => expect(server.asked('upload')).toHaveLength(1), slow)
    expect(server.asked('upload')[0]!.query.get('schoolId')).toBe('1')
  })

  it('leaves the address of another page alone when the file has arrived only then', async () => {
    const server = world(batchOf())
    let arrive = () => {}
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve
    })
    server.answer('upload', () => arrived.then(() => good(batchOf())) as Promise<never>)
    show()
    await screen.findByText('实验小学')
    choose(new File(['x'], '新生.xlsx'))
    fireEvent.click(screen.getByRole('button', { name: '开始检查' }))
    await waitFor(() => expect(server.asked('upload')).toHaveLength(1))
    const lists = server.asked('list').length
    act(() => go('/system/user/import'))
    arrive()
    await waitFor(() => expect(server.asked('list').length).toBeGreaterThan(lists))
    expect([window.location.pathname, query().get('batch')]).toEqual(['/system/user/import', null])
  })

  it('R-ERR-5 says before a file is chosen that there is no school, and where one is registered', async () => {
    world(batchOf()).answer('school/select', () => good([]))
    show()
    expect((await screen.findByRole('note')).textContent).toBe('还没有学校：请先登记学校，再导入。')
    choose(new File(['x'], '新生.xlsx'))
    expect(screen.getByRole<HTMLButtonElement>('button', { name: '开始检查' }).disabled).toBe(true)
    expect(screen.queryByText('学校*')).toBeNull()
  })

  it('R-ERR-5 refuses what cannot be read, in words, before anything is sent', async () => {
    const server = world(batchOf())
    show()
    choose(new File([], '新生.csv'))
    expect((await screen.findByRole('alert')).textContent).toBe('文件是空的')
    expect(screen.getByRole<HTMLButtonElement>('button', { name: '开始检查' }).disabled).toBe(true)
    expect(server.asked('upload')).toHaveLength(0)
  })

  it('R-PERM-2 shows nothing to somebody who may not import', async () => {
    await begin(['student_view'], path)
    world(batchOf())
    show()
    expect(screen.queryByLabelText('选择文件')).toBeNull()
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('您没有此页面的权限')
  })
})

describe('the match of columns', () => {
  const unclear = () =>
    batchOf({
      columns: [
        column(0, '姓名', 'student.name'),
        column(1, '女或男', null),
        column(2, '生日', 'student.birthDate', 0.75),
      ],
      missing: [{ key: 'student.sex', label: '性别' }],
    })
  const select = (heading: string) => screen.getByRole<HTMLSelectElement>('combobox', { name: `“${heading}”导入为` })

  it('R-ERR-5 names what is required and has no column, and does not start before that', async () => {
    const server = world(unclear())
    go(`${path}?batch=7`)
    show()
    const start = await screen.findByRole<HTMLButtonElement>('button', { name: '开始检查' })
    expect(within(screen.getByText('这些必填项还没有匹配列：').parentElement!).getByRole('listitem').textContent).toBe(
      '性别',
    )
    expect(start.disabled).toBe(true)
    expect(server.asked('mapping')).toHaveLength(0)
    expect(query().get('step')).toBe('match')
    expect(screen.getByText('相近 75%')).toBeTruthy()
    fireEvent.change(select('女或男'), { target: { value: 'student.sex' } })
    expect(start.disabled).toBe(false)
    fireEvent.click(start)
    await waitFor(() => expect(server.asked('mapping')).toHaveLength(1))
    expect(bodyOf(server.asked('mapping')[0]).mapping).toEqual({
      0: 'student.name',
      1: 'student.sex',
      2: 'student.birthDate',
    })
  })

  it('takes a field away from the column that had it, and keeps the choice over a reload', async () => {
    world(unclear())
    go(`${path}?batch=7`)
    const first = show()
    await screen.findByRole('button', { name: '开始检查' })
    fireEvent.change(select('女或男'), { target: { value: 'student.name' } })
    expect([select('姓名').value, select('女或男').value]).toEqual(['', 'student.name'])
    first.unmount()
    show()
    await screen.findByRole('button', { name: '开始检查' })
    expect([select('姓名').value, select('女或男').value]).toEqual(['', 'student.name'])
  })

  it('asks once where the heading is not sure: a press on a row of the preview says it, and the file is read anew', async () => {
    const rows = [
      ['姓名', '班级'],
      ['班级', '班主任'],
      ['1班', '周老师'],
      ['学生', '性别'],
      ['王小明', '男'],
    ]
    const source = (top: number, heading: boolean) => ({
      ...{ sheets: [{ index: 0, name: '名单', hidden: false, rows: 5, table: true, headings: [] }], chosen: [0] },
      ...{ hidden: 0, hiddenAnswer: null, orders: [], notes: [], unsure: { sheets: false, heading } },
      views: [{ sheet: 0, top, bottom: top, rows: rows.map((cells, at) => ({ row: at + 1, cells })) }],
    })
    const server = world(batchOf({ source: source(1, true) }))
    server.answer('sheets', () => {
      server.move({ source: source(4, false), state: 'mapping' })
      return good({ id: '7', state: 'reading' })
    })
    go(`${path}?batch=7`)
    show()
    expect(await screen.findByText('不能确定哪一行是标题行，现按第 1 行读取')).toBeTruthy()
    // What was matched in the wrong columns is not kept.
    fireEvent.change(select('姓名'), { target: { value: '' } })
    const table = screen.getByRole('table', { name: /点选标题所在的行/ })
    expect(within(table).getByRole<HTMLInputElement>('radio', { name: '第 1 行是标题行' }).checked).toBe(true)
    expect(screen.queryByRole('button', { name: /重新读取/ })).toBeNull()
    fireEvent.click(within(table).getByText('学生'))
    fireEvent.click(screen.getByRole('button', { name: '以第 4 行为标题重新读取' }))
    await waitFor(() => expect(server.asked('sheets')).toHaveLength(1))
    expect(bodyOf(server.asked('sheets')[0])).toEqual({ id: '7', sheets: [0], heading: { sheet: 0, row: 4 } })
    expect(await screen.findByText('标题行：第 4 行', {}, slow)).toBeTruthy()
    expect(server.asked('mapping')).toHaveLength(0)
    expect(Object.keys(sessionStorage).filter((key) => key.includes('import-match'))).toEqual([])
  })

  it('knows what is required: always, once its part is begun, or not when the identity number says it', () => {
    const missing = (keys: string[]) =>
      missingOf(fields, Object.fromEntries(keys.map((key, at) => [at, key]))).map(({ key }) => key)
    expect(missing([])).toEqual(['student.name', 'student.sex', 'student.birthDate'])
    expect(missing(['student.name', 'student.idNo'])).toEqual([])
    expect(missing(['student.name', 'student.idNo', 'detail.homeAddress'])).toEqual(['detail.postcode'])
  })
})

describe('the check', () => {
  const checked = (bad: number) =>
    batchOf({
      state: 'checked',
      rows: { read: 0, good: 3 - bad, bad, duplicate: 0, out: 0 },
      counts: { add: 3 - bad, update: 0, skip: 0, bad },
    })
  const wrong = () => [
    faulty(2, 1, 'student.sex', '不是可选的值', ['王小明', '男男', '2013-09-05']),
    faulty(4, 2, 'student.birthDate', '不是有效的日期', ['李小红', '女', '2013-02-30']),
  ]
  const cell = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name })
  const commit = () => screen.getByRole<HTMLButtonElement>('button', { name: '导入' })
  const counts = () => screen.getByRole('status', { name: '检查结果' }).textContent

  async function open(rows = wrong()) {
    const server = world(checked(rows.length), rows)
    go(`${path}?batch=7&step=check`)
    show()
    await screen.findByRole('textbox', { name: '第2行 性别' })
    return server
  }

  it('R-ERR-5 tells a row of several sheets by the name of its sheet and its row there', async () => {
    const sheet = (index: number, name: string) => ({ index, name, rows: 2, hidden: false, headings: [] })
    const source = { sheets: [sheet(0, '一1'), sheet(1, '一2')], chosen: [0, 1], notes: [], orders: [], views: [] }
    const runs = [
      { no: 1, sheet: 0, row: 3 },
      { no: 4, sheet: 1, row: 5 },
    ]
    world({ ...checked(2), runs, source: source as unknown as BatchView['source'] }, wrong())
    go(`${path}?batch=7&step=check`)
    show()
    await screen.findByRole('textbox', { name: '“一1”第4行 性别' })
    expect(screen.getByRole('rowheader', { name: '“一2”第5行' })).toBeTruthy()
    expect(cell('“一2”第5行 出生日期').getAttribute('aria-invalid')).toBe('true')
  })

  it('names every faulty cell with its fault; Enter stores once and goes to the next; then it can be committed', async () => {
    const server = await open()
    expect(counts()).toBe('可导入 1 重复 0 错误 2')
    expect(commit().disabled).toBe(true)
    const sex = cell('第2行 性别')
    expect(sex.getAttribute('aria-invalid')).toBe('true')
    expect(document.getElementById(sex.getAttribute('aria-describedby')!)?.textContent).toBe('不是可选的值')
    expect(cell('第4行 性别').getAttribute('aria-invalid')).toBeNull()
    act(() => sex.focus())
    fireEvent.change(sex, { target: { value: '男' } })
    fireEvent.keyDown(sex, { key: 'Enter' })
    expect(document.activeElement).toBe(cell('第4行 出生日期'))
    await waitFor(() => expect(counts()).toBe('可导入 2 重复 0 错误 1'))
    expect(server.asked('correct').map(bodyOf)).toEqual([{ id: '7', row: 2, cells: { 1: '男' } }])
    expect(screen.getByText('已改好')).toBeTruthy()
    expect(cell('第2行 性别').value).toBe('男')

    const day = cell('第4行 出生日期')
    fireEvent.change(day, { target: { value: '2013-02-03' } })
    fireEvent.keyDown(day, { key: 'Enter' })
    await waitFor(() => expect(counts()).toBe('可导入 3 重复 0 错误 0'))
    await waitFor(() => expect(document.activeElement).toBe(commit()))
    fireEvent.click(commit())
    expect(await screen.findByRole('progressbar', { name: '正在导入…' })).toBeTruthy()
    expect(Object.fromEntries(server.asked('commit')[0]!.query)).toEqual({ id: '7' })
    server.move({ state: 'done' })
    expect(await screen.findByText('新增 3 · 更新 0 · 跳过 0', undefined, slow)).toBeTruthy()
  })

  it('stores what was typed when the cell is left, and keeps what is still wrong in sight', async () => {
    const server = await open()
    const sex = cell('第2行 性别')
    act(() => sex.focus())
    fireEvent.change(sex, { target: { value: '?' } })
    fireEvent.blur(sex)
    await waitFor(() => expect(server.asked('correct')).toHaveLength(1))
    await waitFor(() => expect(cell('第2行 性别').value).toBe('?'))
    expect(cell('第2行 性别').getAttribute('aria-invalid')).toBe('true')
    fireEvent.blur(cell('第2行 性别'))
    expect(server.asked('correct')).toHaveLength(1)
  })

  it('R-IMP-2 asks about what is compared and not stored, be it in one row alone', async () => {
    const group = {
      ...{ key: 'check.status', label: '学生状态', message: '不是在读，请选择按哪种状态导入', text: '休学' },
      ...{ count: 1, rows: [2], options: [], mayBeEmpty: true, make: null, repeats: false },
      ...{ words: [{ text: '休学', count: 1 }], spellings: 1 },
    }
    const server = world(checked(1), wrong().slice(0, 1))
    server.answer('groups', () => good([group, { ...group, key: 'student.sex', label: '性别', text: '男男' }]))
    server.answer('answer', () => good({ id: '7', state: 'checking' }))
    go(`${path}?batch=7&step=check`)
    show()
    fireEvent.click(await screen.findByRole('button', { name: '仍然导入' }))
    await waitFor(() => expect(server.asked('answer')).toHaveLength(1))
    expect(bodyOf(server.asked('answer')[0])).toEqual({
      id: '7',
      answers: [{ key: 'check.status', text: '休学', as: '' }],
    })
    // A wrong cell of one row is mended where it stands.
    expect(screen.queryByRole('button', { name: '留空' })).toBeNull()
  })

  it('R-IMP-2 shows which words of the file one answer is for, few at once and the others by a press', async () => {
    const spelt = ['火星', '木星', '土星', '天王星', '海王星', '冥王星', '水星', '金星', '谷神星']
    const server = world(checked(1), wrong().slice(0, 1))
    const group = {
      ...{ key: 'detail.nativePlaceCode', label: '籍贯', message: '不是行政区划', text: null, spellings: 60 },
      ...{ count: 61, rows: [2], options: [], mayBeEmpty: true, make: null, repeats: false },
      words: spelt.map((text, at) => ({ text, count: at === 0 ? 2 : 1 })),
    }
    const single = { ...group, key: 'student.sex', label: '性别', text: '男男', count: 2, spellings: 1 }
    server.answer('groups', () => good([group, { ...single, words: [{ text: '男男', count: 2 }] }]))
    go(`${path}?batch=7&step=check`)
    show()
    const line = (await screen.findByText('文件中的写法：')).parentElement!
    expect(line.textContent).toBe(`文件中的写法：火星（2 行）${spelt.slice(1, 8).join('')}还有 52 种`)
    fireEvent.click(within(line).getByRole('button', { name: '还有 52 种' }))
    expect(line.textContent).toBe(`文件中的写法：火星（2 行）${spelt.slice(1).join('')}还有 51 种`)
    expect(within(line).queryByRole('button')).toBeNull()
    // Of one spelling nothing is listed: the question says it.
    expect(screen.getAllByText('文件中的写法：')).toHaveLength(1)
  })

  it('leaves rows with faults out only when that is said', async () => {
    const server = await open()
    fireEvent.click(screen.getByLabelText('不管有错误的 2 行，只导入其余的'))
    fireEvent.click(commit())
    await waitFor(() => expect(server.asked('commit')).toHaveLength(1))
    expect(server.asked('commit')[0]!.query.get('skipBad')).toBe('1')
  })

  it('shows the fault of a field without a column at a cell that is judged with it', async () => {
    const rows = wrong()
    const [first] = rows
    rows[0] = {
      ...first!,
      faults: [{ row: 2, column: null, field: 'student.idNo', label: '身份证件号', message: '不能为空' }],
    }
    await open(rows)
    const note = document.getElementById(cell('第2行 性别').getAttribute('aria-describedby')!)
    expect(note?.textContent).toBe('身份证件号：不能为空（文件中没有这一列）')
  })

  it('shows how the batch stands where somebody else has gone on with it: when looked at again, and by itself', async () => {
    const server = world(checked(0))
    go(`${path}?batch=7`)
    show()
    await screen.findByRole('button', { name: '导入' })
    server.move({ state: 'committing', progress: 1 })
    act(() => void window.dispatchEvent(new Event('visibilitychange')))
    expect(await screen.findByRole('progressbar', { name: /正在导入/ }, slow)).toBeTruthy()
    server.move({ state: 'done', counts: { add: 3, update: 0, skip: 0, bad: 0 } })
    expect(await screen.findByRole('heading', { name: '导入完成' }, slow)).toBeTruthy()
    // Undone in another window, at which this one is not told to look.
    server.move({ state: 'undone' })
    expect(await screen.findByRole('heading', { name: '已撤销' }, { timeout: 9000 })).toBeTruthy()
  }, 20_000)

  it('R-BAR-4 speaks English when the language turns', async () => {
    await open()
    await act(() => setLanguage('en'))
    expect(await screen.findByRole('button', { name: 'Import' })).toBeTruthy()
    expect(screen.getByRole('status', { name: 'Result of the check' }).textContent).toContain('Errors 2')
  })
})

describe('the result', () => {
  it('can be undone as a whole, when the person says so', async () => {
    const server = world(batchOf({ state: 'done', counts: { add: 3, update: 0, skip: 0, bad: 0 } }))
    go(`${path}?batch=7`)
    show()
    fireEvent.click(await screen.findByRole('button', { name: '撤销本次导入' }))
    const dialog = await screen.findByRole('alertdialog')
    expect(dialog.textContent).toContain('“新生.xlsx”带来的这些会被删除：学生 3 名')
    expect(dialog.textContent).not.toContain('恢复原样')
    expect(within(dialog).queryByRole('radio')).toBeNull()
    fireEvent.click(within(dialog).getByRole('button', { name: '取消' }))
    expect(server.asked('undo')).toHaveLength(0)
    const button = screen.getByRole<HTMLButtonElement>('button', { name: '撤销本次导入' })
    await waitFor(() => expect(button.disabled).toBe(false))
    fireEvent.click(button)
    fireEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: '撤销' }))
    expect(await screen.findByRole('heading', { name: '已撤销' })).toBeTruthy()
    expect(query().get('step')).toBe('result')
    expect(toastTexts()).toEqual([])
  })

  it('R-STUDENT-4 says afterwards by name what went back, and what stayed for whose work', async () => {
    const undone = {
      kept: true,
      taken: [
        { ...{ entity: 'student', label: '学生', unit: '名', removed: 2, restored: 1, held: 0, heldSample: [] } },
      ].map((each) => ({ ...each, sample: ['李一', '李二'], restoredSample: ['赵四'] })),
      touched: [changed],
    }
    world(batchOf({ state: 'undone', stayed: 1, undone }))
    go(`${path}?batch=7`)
    show()
    await screen.findByRole('heading', { name: '已撤销' })
    const said = screen.getByRole('status').textContent
    expect(said).toContain('已删除：学生 2 名：李一、李二')
    expect(said).toContain('已恢复原样：学生 1 名：赵四')
    expect(said).toContain('因为有人改动过或用到，保留了（连同所属的全部内容）：学生 1 名王小明：周老师已改动')
  })

  const changed = {
    entity: 'student',
    label: '学生',
    unit: '名',
    count: 1,
    own: true,
    sample: ['王小明'],
    rows: [{ name: '王小明', of: null, how: 'changed', by: '周老师' } as const],
  }
  const done = () => batchOf({ state: 'done', counts: { add: 3, update: 0, skip: 0, bad: 0 } })
  /** Opens the question, chooses, and answers what was asked of the server. */
  const undo = async (server: ReturnType<typeof world>, choose?: RegExp) => {
    fireEvent.click(await screen.findByRole('button', { name: '撤销本次导入' }))
    const dialog = await screen.findByRole('alertdialog')
    if (choose) fireEvent.click(within(dialog).getByRole('radio', { name: choose }))
    const said = dialog.textContent
    fireEvent.click(within(dialog).getByRole('button', { name: '撤销' }))
    await waitFor(() => expect(server.asked('undo').length).toBeGreaterThan(0))
    return said
  }

  it.each([
    ['keeps what was changed since, unless told otherwise', undefined, 'keep', '学生 2 名', '三年级（9）班'],
    ['takes it back too when that is said', /全部撤销/, 'changed', '行政班 1 个：三年级（9）班', '学生 2 名'],
  ])('names what was changed since and what goes with each choice: %s', async (_says, choose, sent, told, untold) => {
    const server = world(done())
    server.answer('undo-plan', () => good(planOf([changed])))
    go(`${path}?batch=7`)
    show()
    const said = await undo(server, choose)
    expect(said).toContain('学生 1 名王小明：周老师已改动')
    expect(said).toContain('保留有关的 1 名学生')
    expect(said).toContain(told)
    expect(said).not.toContain(untold)
    expect(server.asked('undo').map((call) => Object.fromEntries(call.query))).toEqual([
      { id: '7', [sent]: '1', ...(sent === 'changed' ? { seen: 'as read' } : {}) },
    ])
  })

  it('offers no undo of everything where others have put something beside it', async () => {
    const server = world(done())
    server.answer('undo-plan', () => good(planOf([{ ...changed, own: false }])))
    go(`${path}?batch=7`)
    show()
    fireEvent.click(await screen.findByRole('button', { name: '撤销本次导入' }))
    const dialog = await screen.findByRole('alertdialog')
    expect(within(dialog).getByRole<HTMLInputElement>('radio', { name: /全部撤销/ }).disabled).toBe(true)
    expect(dialog.textContent).toContain('所以不能全部撤销')
  })

  it('asks again, with the rows, where something was changed while the question was read', async () => {
    const server = world(done())
    let late = false
    server.answer('undo-plan', () => good(planOf(late ? [changed] : [])))
    server.answer('undo', ({ query }) => {
      if (query.has('keep')) return good({})
      late = true
      return { status: 400, body: { code: 400, success: false, msg: '不能撤销', data: { own: true, blockers: [] } } }
    })
    go(`${path}?batch=7`)
    show()
    await undo(server)
    const again = await screen.findByRole('radio', { name: /保留有关的/ })
    expect(screen.getByRole('alertdialog').textContent).toContain('王小明')
    expect((again as HTMLInputElement).checked).toBe(true)
    fireEvent.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: '撤销' }))
    await waitFor(() => expect(server.asked('undo')).toHaveLength(2))
    expect(toastTexts()).toEqual([])
  })

  it('takes back no change that came while it was read, and names each row with what was done to it', async () => {
    const server = world(done())
    const gone = { name: '王大明', of: '王小明', how: 'removed', by: '周老师' } as const
    const guardians = { ...changed, entity: 'studentparents', label: '家长', count: 22, rows: [gone] }
    let late = false
    server.answer('undo-plan', () => good({ ...planOf(late ? [changed, guardians] : [changed]), seen: `${late}` }))
    server.answer('undo', ({ query }) => {
      if (query.get('seen') === 'true') return good({})
      late = true
      return { status: 400, body: { code: 400, success: false, msg: '不能撤销', data: { own: true, blockers: [] } } }
    })
    go(`${path}?batch=7`)
    show()
    await undo(server, /全部撤销/)
    const again = await screen.findByText('王小明的王大明：周老师已删除')
    expect(again.closest('ul')?.textContent).toContain('另有 21 名')
    fireEvent.click(screen.getByRole('radio', { name: /全部撤销/ }))
    fireEvent.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: '撤销' }))
    await waitFor(() => expect(server.asked('undo').map(({ query }) => query.get('seen'))).toEqual(['false', 'true']))
    expect(toastTexts()).toEqual([])
  })

  it('says why a file could not be read, and that a batch is gone', async () => {
    world(batchOf({ state: 'failed', failure: '文件已损坏' }))
    go(`${path}?batch=7`)
    const view = show()
    expect((await screen.findByRole('alert')).textContent).toBe('文件已损坏')
    view.unmount()
    serve({ 'blade-user/import/batch': { status: 404, body: { code: 404, success: false, msg: '没有', data: null } } })
    show()
    expect((await screen.findByRole('alert')).textContent).toBe('这个批次不存在，可能已被移除。')
  })
})

describe('the lists of students', () => {
  /** A list of students that counts how often it was asked for; young enough not to be asked for by itself. */
  function listOf(client: QueryClient) {
    let asked = 0
    function List() {
      const { data } = useQuery({
        queryKey: ['entity', 'student', 'list', {}],
        queryFn: () => {
          asked += 1
          return Promise.resolve(asked)
        },
        staleTime: 30_000,
        meta: { reads: ['student'] },
      })
      return <p>{`asked ${data}`}</p>
    }
    render(
      <QueryClientProvider client={client}>
        <List />
      </QueryClientProvider>,
    )
  }

  it('are asked for again when a commit ends, although the page has been left', async () => {
    const server = world(batchOf({ state: 'committing', progress: 1 }))
    const client = clientOf()
    go(`${path}?batch=7`)
    const page = show(client)
    await screen.findByRole('progressbar', { name: '正在导入…' })
    page.unmount()
    listOf(client)
    await screen.findByText('asked 1')
    server.move({ progress: 2 })
    const before = server.asked('batch').length
    await waitFor(() => expect(server.asked('batch').length).toBeGreaterThan(before + 1), slow)
    expect(screen.getByText('asked 1')).toBeTruthy()
    server.move({ state: 'done', counts: { add: 3, update: 0, skip: 0, bad: 0 } })
    expect(await screen.findByText('asked 2', undefined, slow)).toBeTruthy()
    // Then nobody asks any more.
    const after = server.asked('batch').length
    await new Promise((resolve) => setTimeout(resolve, 1_200))
    expect(server.asked('batch')).toHaveLength(after)
  })

  it('are asked for again when a commit is done before anybody could look', async () => {
    const checked = batchOf({ state: 'checked', rows: { read: 0, good: 3, bad: 0, duplicate: 0, out: 0 } })
    const server = world({ ...checked, counts: { add: 3, update: 0, skip: 0, bad: 0 } })
    const client = clientOf()
    go(`${path}?batch=7&step=check`)
    show(client)
    listOf(client)
    const commit = await screen.findByRole('button', { name: '导入' })
    await screen.findByText('asked 1')
    server.answer('commit', () => {
      server.move({ state: 'done' })
      return good({})
    })
    fireEvent.click(commit)
    expect(await screen.findByText('asked 2', undefined, slow)).toBeTruthy()
  })
})

describe('the import of users', () => {
  const calls = 'blade-user/import-user'
  const users = (more: Partial<ReturnType<typeof batchOf>> = {}) =>
    batchOf({ fileName: '用户.xlsx', schoolName: null, yearName: null, ...more })
  const showUsers = () =>
    render(
      <QueryClientProvider client={clientOf()}>
        <AntdRoot>
          <EntityImportPage />
        </AntdRoot>
      </QueryClientProvider>,
    )

  it('R-SYS-1 asks for no school, and has calls and words of its own', async () => {
    await begin(['user_import'], '/system/user/import')
    addWords({ ...commonWords, ...importWords })
    const seen = serve({
      [`${calls}/list`]: () => good({ total: 0, size: 10, current: 1, pages: 0, records: [] }),
      [`${calls}/upload`]: () => good(users()),
      [`${calls}/batch`]: () => good(users({ state: 'failed', failure: '文件是空的' })),
    })
    showUsers()
    expect(await screen.findByRole('heading', { level: 1, name: '导入用户' })).toBeTruthy()
    expect(screen.queryByText('学校')).toBeNull()
    expect(screen.getByText('已有的账号')).toBeTruthy()
    fireEvent.change(screen.getByLabelText('选择文件'), { target: { files: [new File(['x'], '用户.xlsx')] } })
    fireEvent.click(screen.getByRole('button', { name: '开始检查' }))
    expect(await screen.findByText('文件是空的')).toBeTruthy()
    expect(Object.fromEntries(seen.find((call) => call.path === `${calls}/upload`)!.query)).toEqual({
      duplicates: 'skip',
    })
    expect(seen.every((call) => call.path.startsWith(calls))).toBe(true)
  })

  it('R-SYS-1 offers the one-time passwords once, as a file', async () => {
    await begin(['user_import'], '/system/user/import?batch=7')
    addWords({ ...commonWords, ...importWords })
    let waiting = 2
    const done = () =>
      users({ state: 'done', counts: { add: 2, update: 0, skip: 0, bad: 0 }, ...{ passwords: waiting } })
    const seen = serve({
      [`${calls}/batch`]: () => good(done()),
      [`${calls}/passwords`]: () => {
        waiting = 0
        return { body: 'the file', headers: { 'Content-Disposition': 'attachment; filename="passwords.xlsx"' } }
      },
    })
    URL.createObjectURL = () => 'blob:test'
    URL.revokeObjectURL = () => {}
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
    showUsers()
    expect(await screen.findByText(/2 名新用户的初始密码可以下载一次/)).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: '下载 Excel' }))
    expect(await screen.findByText(/已下载。请妥善保管/)).toBeTruthy()
    expect(click).toHaveBeenCalledTimes(1)
    const asked = seen.filter((call) => call.path === `${calls}/passwords`)
    expect([asked.length, asked[0]?.init.method, asked[0]?.query.get('format')]).toEqual([1, 'POST', 'xlsx'])
    expect(screen.queryByRole('button', { name: '下载 Excel' })).toBeNull()
    click.mockRestore()
  })
})

describe('ISSUE-15-5 a timetable of another program', () => {
  const noteOf = (text: string) => ({ kind: 'note', sheet: 0, row: 9, text })
  const source = (notes: ReturnType<typeof noteOf>[]) => ({
    ...{ sheets: [], chosen: [0], unsure: { sheets: false, heading: false }, views: [], notes },
    ...{ hidden: 0, hiddenAnswer: null, orders: [] },
  })
  const checked = batchOf({
    state: 'checked',
    rows: { read: 0, good: 3, bad: 0, duplicate: 0, out: 0 },
    counts: { add: 3, update: 0, skip: 0, bad: 0 },
    source: source([
      noteOf('注：填表人签字'),
      noteOf('注：4个约束未读取：教师每日空节上限 4\u001fConstraints not read (4): Teacher max gaps per day 4'),
    ]),
  })

  it.each([
    ['zh', '文件中没有读取的内容，以及要核对的地方', '4个约束未读取：教师每日空节上限 4'],
    ['en', 'Not read from the file, or to be compared', 'Constraints not read (4): Teacher max gaps per day 4'],
  ] as const)('says at the check what is not taken, in %s', async (language, heading, line) => {
    await act(() => setLanguage(language))
    world(checked)
    go(`${path}?batch=7&step=check`)
    show()
    const told = within(await screen.findByRole('region', { name: heading }))
    expect(told.getAllByRole('listitem').map((item) => item.textContent)).toEqual([line])
    await act(() => setLanguage('zh'))
  })

  it('is refused before it is sent where it is aSc’s own kind of file, with what to do', async () => {
    const server = world(batchOf())
    show()
    fireEvent.change(await screen.findByLabelText('选择文件'), { target: { files: [new File(['x'], '课表.ROZ')] } })
    expect((await screen.findByRole('alert')).textContent).toMatch(/aSc Timetables XML/)
    expect(server.asked('upload')).toHaveLength(0)
  })
})
