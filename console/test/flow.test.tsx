import type { FlowStep, FlowTask, ProcessDetail } from '@data-brain/contract/calls/flow'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { httpCalls } from '../src/entity/data/calls.ts'
import { fieldsOf } from '../src/entity/form/index.ts'
import ProcessPage from '../src/pages/flow/detail/page.tsx'
import { begunWith, dictionariesOf, entityOfFields, sentOf } from '../src/pages/flow/form/fields.ts'
import {
  lengthOfStep,
  sentenceOf,
  statesOf,
  takenFlows,
  toldSteps,
  wordOfStep,
} from '../src/pages/flow/history/steps.ts'
import { Timeline } from '../src/pages/flow/history/timeline.tsx'
import ClaimPage from '../src/pages/flow/lists/claim.tsx'
import { detailAddress, handleAddress, startAddress } from '../src/pages/flow/places.ts'
import { keepPhrase, ownPhrases } from '../src/pages/flow/task/phrases.ts'
import { spanText, usualText, waitingOf } from '../src/pages/flow/time.ts'
import TodoPage from '../src/pages/flow/todo/page.tsx'
import { decide, failuresStore, leavingStore, sendNow, undoMs } from '../src/pages/flow/todo/sending.ts'
import { createForm } from '../src/ui/form/store.ts'
import { momentOf } from '../src/ui/instant.ts'
import { matchPath, startPlaces } from '../src/ui/place.ts'
import { undoLast } from '../src/ui/undo.ts'
import { setLanguage, translate as t } from '../src/ui/words.ts'
import { good, type Seen, serve } from './answers.ts'
import { begin, show, toastTexts } from './entity-world.tsx'

const hour = 3_600_000
const now = Date.parse('2026-11-26T10:00:00+08:00')
const ago = (ms: number) => momentOf(now - ms)

const task = (n: number, more: Partial<FlowTask> = {}): FlowTask => ({
  ...{ taskId: String(100 + n), taskName: '教务审批', taskDefinitionKey: 'one', assignee: '1', assigneeName: '林老师' },
  ...{ candidateNames: null, category: '9', createTime: ago(hour), claimTime: null, endTime: null, dueTime: null },
  ...{ isOverdue: false, processInstanceId: String(500 + n), processDefinitionId: '7', processDefinitionKey: 'p' },
  ...{ processDefinitionName: '用品申领', processDefinitionVersion: 1, processIsFinished: 'unfinished' as const },
  ...{ instanceState: '1', title: `申领 ${n} 箱`, serialNo: `20261126-000${n}`, startUser: '2', startUserName: '孙敏' },
  ...{ startTime: ago(hour), formKey: null, businessTable: null, businessId: null, outcome: null, flag: null },
  ...{ isPass: null, comment: null, activity: null },
  ...more,
})

const detailOf = (one: FlowTask): ProcessDetail => ({
  ...one,
  fields: [],
  may: {
    ...{ claim: false, decide: true, release: false, delegate: true, transfer: true },
    ...{ addSigner: true, withdraw: false, remind: false, copy: true },
  },
  returnTo: [],
  reason: null,
})

const step = (id: string, type: string, state: FlowStep['state'], more: Partial<FlowStep> = {}): FlowStep => ({
  ...{ historyActivityId: id, historyActivityName: id, historyActivityType: type, historyActivityDurationTime: null },
  ...{ cameBy: null, processDefinitionId: '7', processInstanceId: '501', taskId: null, assignee: null },
  ...{ assigneeName: null, candidateNames: null, outcome: null, comment: null, files: [] },
  ...{ createTime: ago(2 * hour), endTime: ago(hour) },
  state,
  incident: null,
  ...more,
})

const steps = [
  step('start', 'startEvent', 'done', { historyActivityName: null, assigneeName: '孙敏', endTime: ago(2 * hour) }),
  step('班主任', 'userTask', 'done', {
    cameBy: 'f1',
    outcome: 'ok',
    assigneeName: '许杰',
    comment: '同意',
    taskId: '1',
  }),
  step('x', 'exclusiveGateway', 'done', { cameBy: 'f2' }),
  step('教务处', 'userTask', 'waiting', { cameBy: 'f3', assigneeName: '林老师', endTime: null, taskId: '2' }),
]

beforeEach(async () => {
  await begin([], '/work/todo')
})
afterEach(async () => {
  await sendNow()
  leavingStore.set(new Set())
  failuresStore.set(new Map())
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('R-FLOW-8 the way of an instance in words', () => {
  it('leaves out what stands in it for the engine alone, and says who, what and how long', () => {
    expect(toldSteps(steps).map(({ historyActivityId }) => historyActivityId)).toEqual(['start', '班主任', '教务处'])
    expect([...statesOf(steps)]).toEqual([
      ['start', 'done'],
      ['班主任', 'done'],
      ['x', 'done'],
      ['教务处', 'waiting'],
    ])
    expect([...takenFlows(steps)]).toEqual(['f1', 'f2', 'f3'])
    expect(sentenceOf(steps, t)).toBe('流程图。已完成：提交申请、班主任；等待中：教务处')
    expect(lengthOfStep(steps[1]!, t)).toBe('1 小时')
  })

  it('a step that waits again after it was done stands as waiting, and one of several that waits before the others', () => {
    const again = [step('a', 'userTask', 'done'), step('a', 'userTask', 'waiting', { endTime: null })]
    expect(statesOf(again).get('a')).toBe('waiting')
    expect(statesOf([again[1]!, again[0]!]).get('a')).toBe('waiting')
  })

  it('what went to somebody else without a decision says how, and is not called cancelled', () => {
    const word = (outcome: string | null) => wordOfStep(step('a', 'userTask', 'gone', { outcome }), t)
    expect(['overdue', 'away', 'left', 'transfer', 'delegate', 'signer', null].map(word)).toEqual([
      ...['超时，已上交', '请假，由他人代办', '账号停用，已移交', '已转办', '已委派', '已加签', '已取消'],
    ])
  })

  it('names who could take a step that waits for one of them', () => {
    const open = [
      steps[0]!,
      step('总务处', 'userTask', 'waiting', { endTime: null, taskId: '2', candidateNames: '许杰、孙敏' }),
    ]
    show(httpCalls, <Timeline steps={open} />)
    expect(screen.getAllByRole('listitem')[1]!.textContent).toContain('许杰、孙敏')
  })

  it('is an ordered list that needs no drawing', async () => {
    show(httpCalls, <Timeline steps={steps} />)
    const items = screen.getAllByRole('listitem')
    expect(items.map((item) => item.textContent)).toHaveLength(3)
    expect(items[1]!.textContent).toContain('许杰')
    within(items[1]!).getByText('同意', { selector: 'q' })
    within(items[2]!).getByText('等待中')
    await act(() => setLanguage('en'))
    within(screen.getAllByRole('listitem')[2]!).getByText('waiting')
  })
})

describe('R-FLOW-6 tasks of a group', () => {
  it('R-FLOW-10 name who can take them, in the list to claim and in the history', async () => {
    const names = '李老师、教务处'
    const one = task(1, { assigneeName: null, candidateNames: names })
    serve({
      'blade-flow/work/claim-list': good({ total: 1, size: 10, current: 1, pages: 1, records: [one] }),
      'blade-system/dict-biz/dictionaries': good({ flow: [], flow_instance_state: [] }),
    })
    show(httpCalls, <ClaimPage />)
    await screen.findByText(names)
    const { container } = show(
      httpCalls,
      <Timeline steps={[step('a', 'userTask', 'waiting', { candidateNames: names })]} />,
    )
    expect(container.textContent).toContain(names)
  })
})

describe('R-FLOW-6 lists of work as files', () => {
  const open = async (name: string, path: string, page: ReactNode) => {
    await begin([], `${path}?overdue=1`)
    const list = `blade-flow/work/${name}-list`
    const seen = serve({
      [list]: good({ total: 1, size: 10, current: 1, pages: 1, records: [task(1)] }),
      [`${list}/export`]: good(null),
      'blade-flow/process/detail': good(detailOf(task(1))),
      'blade-flow/process/history-flow-list': good(steps),
      'blade-system/dict-biz/dictionaries': good({ flow: [], flow_instance_state: [] }),
    })
    show(httpCalls, page)
    await waitFor(() => expect(seen.find((each) => each.path === list)?.query.get('overdue')).toBe('1'))
    fireEvent.click(await screen.findByRole('button', { name: /导出/ }))
    fireEvent.click(await screen.findByRole('menuitem', { name: /导出/ }))
    fireEvent.click(await screen.findByRole('button', { name: '导出' }))
    await waitFor(() => expect(seen.some((each) => each.path === `${list}/export`)).toBe(true))
    return seen.find((each) => each.path === `${list}/export`)!.query
  }

  it('are taken out by whoever has the page, narrowed as it is: the list to claim in its columns', async () => {
    const asked = await open('claim', '/work/claim', <ClaimPage />)
    expect([asked.get('overdue'), asked.get('format')]).toEqual(['1', 'xlsx'])
    expect(asked.get('columns')).toContain('candidates')
  })

  it('are taken out by whoever has the page, narrowed as it is: the list to do, which has no columns', async () => {
    const asked = await open('todo', '/work/todo', <TodoPage />)
    expect([asked.get('overdue'), asked.get('format'), asked.get('columns') ?? '']).toEqual(['1', 'xlsx', ''])
  })
})

describe('R-FLOW-6 words of time', () => {
  it('tell in one unit how long, and mark what waits long or is overdue', () => {
    expect([30_000, 12 * 60_000, 5 * hour, 50 * hour].map((span) => spanText(t, span))).toEqual([
      ...['不到1分钟', '12 分钟', '5 小时', '2 天'],
    ])
    expect(waitingOf(t, task(1), now)).toEqual({ text: '1 小时' })
    expect(waitingOf(t, task(1, { createTime: ago(50 * hour) }), now).pill).toEqual({ tone: 'warn', text: '已 2 天' })
    expect(waitingOf(t, task(1, { isOverdue: true }), now).pill).toEqual({ tone: 'bad', text: '已超期' })
    expect([3, 31].map((hours) => usualText(t, hours))).toEqual(['平均 3 小时', '平均 1.3 天'])
  })
})

describe('R-FLOW-6 addresses', () => {
  it('lead to the pages of a process’s own where it has some', () => {
    const leave = task(1, { formKey: 'leave', businessId: '9' })
    expect(startAddress('leave', '7')).toBe('/work/process/leave/form/7')
    expect(startAddress(null, '7')).toBe('/work/process/form/7')
    expect(detailAddress(leave)).toBe('/work/process/leave/detail/501/9')
    expect(handleAddress('101', leave)).toBe('/work/process/leave/handle/101/501/9')
    expect(detailAddress(task(1))).toBe('/work/process/detail/501')
    expect(handleAddress('101', task(1))).toBe('/work/process/handle/101/501')
  })
})

describe('R-FLOW-5 a form that a process brings', () => {
  const field = (name: string, kind: string, more: object = {}) => ({
    ...{ name, label: name, kind, required: false, writable: true, options: [], min: null, max: null },
    ...{ help: null, value: null, shown: null, files: [] },
    ...more,
  })
  const fields = [
    field('item', 'text', { required: true }),
    field('count', 'integer', { min: 1, max: 5 }),
    field('sort', 'choice', { options: [{ key: 'a', label: '甲' }] }),
    field('urgent', 'flag'),
    field('papers', 'files'),
    field('who', 'user'),
    field('was', 'text', { value: '旧' }),
  ]

  it('stands in the inputs of the engine, and travels as the server takes it', () => {
    const entity = entityOfFields('7', fields)
    expect(fieldsOf(entity)).toEqual(fields.map(({ name }) => name))
    expect(entity.fields.count).toMatchObject({ kind: 'integer', min: 1, max: 5 })
    expect(dictionariesOf(fields)['flow:sort']).toMatchObject([{ dictKey: 'a', dictValue: '甲' }])
    const form = createForm(begunWith(entity, fields))
    for (const [name, value] of Object.entries({ item: '粉笔', count: 3, urgent: 0, papers: ['8'], was: null }))
      form.set(name, value)
    // What is empty is left out, but where there was something before.
    expect(sentOf(entity, fields, form)).toEqual({ item: '粉笔', count: 3, urgent: false, papers: ['8'], was: null })
  })
})

describe('R-FLOW-6 phrases of one’s own', () => {
  it('are kept in the browser for this person, the newest first', () => {
    for (let n = 1; n <= 8; n += 1) keepPhrase(`话 ${n}`)
    keepPhrase('话 5')
    expect(ownPhrases()).toEqual(['话 5', '话 8', '话 7', '话 6', '话 4', '话 3'])
  })
})

const body = ({ init }: Seen) => JSON.parse(String(init.body)) as Record<string, unknown>

describe('R-FLOW-6 decisions that can be taken back', () => {
  it('are sent after some seconds, several of them in one call; what is taken back is never sent', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const seen = serve({
      'blade-flow/work/complete-tasks': good([
        { taskId: '101', success: true, message: null },
        { taskId: '102', success: false, message: '该任务已由许杰办理（同意）' },
      ]),
      'blade-flow/work/counts': good({ todo: 0, claim: 0, copy: 0, overdue: 0 }),
    })
    decide([task(3)], { flag: 'ok', comment: '' })
    expect(leavingStore.get().has('103')).toBe(true)
    expect(undoLast()).toBe(true)
    expect(leavingStore.get().has('103')).toBe(false)
    decide([task(1), task(2)], { flag: 'ok', comment: '同意' })
    await vi.advanceTimersByTimeAsync(undoMs - 100)
    expect(seen).toEqual([])
    await vi.advanceTimersByTimeAsync(200)
    await waitFor(() => expect(leavingStore.get().size).toBe(0))
    const sent = seen.filter(({ path }) => path.includes('complete'))
    expect(sent.map(({ path }) => path)).toEqual(['blade-flow/work/complete-tasks'])
    expect(body(sent[0]!)).toEqual({ tasks: [{ taskId: '101' }, { taskId: '102' }], flag: 'ok', comment: '同意' })
    // Each that failed says why, by its name.
    expect([...failuresStore.get()]).toEqual([['102', '该任务已由许杰办理（同意）']])
    expect(toastTexts()).toContain('1 件没有办成')
  })

  it('are sent at once when the page goes', async () => {
    const seen = serve({ 'blade-flow/work/complete-task': good(null) })
    decide([task(1)], { flag: 'no', comment: '材料不全' })
    window.dispatchEvent(new Event('pagehide'))
    await waitFor(() => expect(seen.some(({ path }) => path === 'blade-flow/work/complete-task')).toBe(true))
    expect(seen[0]!.init.keepalive).toBe(true)
    expect(body(seen[0]!)).toEqual({ taskId: '101', flag: 'no', comment: '材料不全' })
  })
})

describe('R-FLOW-7 R-FLOW-9 the page of an instance', () => {
  const pattern = '/work/process/leave/detail/:processInstanceId/:businessId'
  const openPage = async (answers: Parameters<typeof serve>[0], codes: readonly string[], path: string) => {
    startPlaces({ params: (address) => matchPath(pattern, address) ?? {} })
    await begin(codes, path)
    const seen = serve({
      'blade-flow/process/history-flow-list': good(steps),
      'blade-flow/work/counts': good({ todo: 0, claim: 0, copy: 0, overdue: 0 }),
      'blade-system/dict-biz/dictionaries': good({}),
      ...answers,
    })
    show(httpCalls, <ProcessPage />)
    return seen
  }
  const one = detailOf(task(1, { taskId: null }))
  const stuck = { ...one, instanceState: '6', may: { ...one.may, decide: false, remind: true } }

  it('tries an incident again for whoever may, and hurries nobody where nobody is asked', async () => {
    const broken = [steps[0]!, step('记账', 'serviceTask', 'incident', { endTime: null })]
    const seen = await openPage(
      {
        'blade-flow/process/detail': good(stuck),
        'blade-flow/process/history-flow-list': good(broken),
        'blade-flow/follow/retry': good(null),
      },
      ['flowinstance_retry'],
      '/work/process/detail/501',
    )
    const retry = await screen.findByRole('button', { name: '重试' })
    await screen.findAllByRole('listitem')
    expect(screen.queryByRole('button', { name: '催办' })).toBeNull()
    await act(async () => fireEvent.click(retry))
    expect(seen.some(({ path }) => path === 'blade-flow/follow/retry')).toBe(true)
    expect(toastTexts().join()).toContain('已重试')
  })

  it('hurries whoever is asked, and offers no retry where nothing went wrong', async () => {
    const runs = { ...stuck, instanceState: '1' }
    await openPage({ 'blade-flow/process/detail': good(runs) }, ['flowinstance_retry'], '/work/process/detail/501')
    await screen.findByRole('button', { name: '催办' })
    expect(screen.queryByRole('button', { name: '重试' })).toBeNull()
  })

  it('leads whoever was refused back to the form with what was asked for, and nobody else', async () => {
    const refused = { ...one, instanceState: '3', startUser: '1', formKey: null, businessId: null }
    await openPage({ 'blade-flow/process/detail': good(refused) }, [], '/work/process/detail/501')
    const again = await screen.findByRole('link', { name: '重新发起' })
    expect(again.getAttribute('href')).toBe(
      `/work/process/form/${one.processDefinitionId}?from=${one.processInstanceId}`,
    )
    for (const other of [
      { ...refused, startUser: '2' },
      { ...refused, instanceState: '1' },
      { ...refused, instanceState: '2' },
    ]) {
      cleanup()
      await openPage({ 'blade-flow/process/detail': good(other) }, [], '/work/process/detail/501')
      await screen.findByRole('button', { name: /打印/ })
      expect(screen.queryByRole('link', { name: '重新发起' })).toBeNull()
    }
  })

  it('shows a leave with its ways to end it to the office that takes no part in the process', async () => {
    await openPage(
      {
        'blade-flow/process/detail': { body: { code: 404, success: false, msg: '没有找到该数据', data: null } },
        'blade-desk/process/leave/detail': good({
          ...{ id: '9', status: 2, reason: '发烧在家休息', leaveType: '1', days: 1, lessons: 0, missed: [], files: [] },
          ...{ startTime: '2026-12-01 08:00:00', endTime: '2026-12-01 16:00:00', userId: null, personName: '王小明' },
          ...{ className: '一年级（1）班', pickupName: null, guardPassNo: null, backTime: null, substitutePlan: null },
          ...{ may: { withdraw: false, cancel: true, back: true }, needsProof: false },
        }),
      },
      [],
      '/work/process/leave/detail/501/9',
    )
    await screen.findByText('发烧在家休息')
    screen.getByRole('button', { name: '销假' })
    screen.getByRole('button', { name: '取消请假' })
    screen.getByText('共1天')
    expect(screen.queryByText('试算')).toBeNull()
  })
})

describe('R-FLOW-6 the to-do list by keys', () => {
  const open = async (count = 3) => {
    const tasks = Array.from({ length: count }, (_, n) => task(n + 1))
    const seen = serve({
      'blade-flow/work/todo-list': good({ total: count, size: 50, current: 1, pages: 1, records: tasks }),
      'blade-flow/process/detail': ({ query }) =>
        good(detailOf(tasks.find(({ processInstanceId }) => processInstanceId === query.get('processInstanceId'))!)),
      'blade-flow/process/history-flow-list': good(steps),
      'blade-flow/work/counts': good({ todo: count, claim: 0, copy: 0, overdue: 0 }),
      'blade-flow/work/complete-task': good(null),
      'blade-flow/work/complete-tasks': good([]),
      'blade-system/dict-biz/dictionaries': good({ flow: [], flow_instance_state: [] }),
    })
    show(httpCalls, <TodoPage />)
    await screen.findByRole('heading', { level: 2, name: '申领 1 箱' })
    return seen
  }
  const press = (code: string, more: object = {}) =>
    act(async () => {
      fireEvent.keyDown(document.body, { code, key: code.replace('Key', '').toLowerCase(), ...more })
    })
  const current = () => document.querySelector('.flow-task[aria-current]')?.textContent ?? ''

  it('j and k walk; a agrees, the row goes at once and the next one opens by itself', async () => {
    await open()
    await press('KeyJ')
    await screen.findByRole('heading', { level: 2, name: '申领 2 箱' })
    expect(current()).toContain('申领 2 箱')
    await press('KeyK')
    await screen.findByRole('heading', { level: 2, name: '申领 1 箱' })
    await press('KeyA')
    await screen.findByRole('heading', { level: 2, name: '申领 2 箱' })
    expect(document.querySelectorAll('.flow-tasks > li')).toHaveLength(2)
    expect(toastTexts()).toContain('已同意')
  })

  it('a refusal asks why, and is made with the words', async () => {
    const seen = await open(1)
    await press('KeyR')
    await screen.findByText('请写明驳回的原因')
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: '意见' }))
    expect(leavingStore.get().size).toBe(0)
    fireEvent.change(screen.getByRole('textbox', { name: '意见' }), { target: { value: '请补充材料' } })
    await act(async () => fireEvent.click(screen.getByRole('button', { name: '驳回' })))
    expect([...leavingStore.get()]).toEqual(['101'])
    await act(async () => void (await sendNow()))
    const [sent] = seen.filter(({ path }) => path.includes('complete'))
    expect(body(sent!)).toEqual({ taskId: '101', flag: 'no', comment: '请补充材料' })
  })

  it('R-FLOW-6 what is taken back is open again with its words, and the next key answers it and no other', async () => {
    await open()
    const box = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: '意见' })
    fireEvent.change(box(), { target: { value: '请补充材料' } })
    await press('KeyR')
    await screen.findByRole('heading', { level: 2, name: '申领 2 箱' })
    expect([...leavingStore.get()]).toEqual(['101'])
    await act(async () => void undoLast())
    await screen.findByRole('heading', { level: 2, name: '申领 1 箱' })
    expect(current()).toContain('申领 1 箱')
    expect(box().value).toBe('请补充材料')
    await press('KeyA')
    expect([...leavingStore.get()]).toEqual(['101'])
  })

  it('R-FLOW-6 several that are taken back are selected again', async () => {
    await open()
    await press('KeyX')
    await press('KeyJ')
    await press('KeyX')
    await press('KeyA')
    const dialog = await screen.findByRole('dialog', { name: '同意选中的 2 件？' })
    await act(async () => fireEvent.submit(dialog.querySelector('form')!))
    expect([...leavingStore.get()]).toEqual(['101', '102'])
    await act(async () => void undoLast())
    await screen.findByText('已选 2 件')
    expect(current()).toContain('申领 1 箱')
  })

  it('R-FLOW-6 all of them are selected, asked about once, and go in one call', async () => {
    const seen = await open(20)
    await press('KeyA', { ctrlKey: true })
    await screen.findByText('已选 20 件')
    await press('KeyA')
    const dialog = await screen.findByRole('dialog', { name: '同意选中的 20 件？' })
    await act(async () => fireEvent.submit(dialog.querySelector('form')!))
    await waitFor(() => expect(document.querySelectorAll('.flow-tasks > li')).toHaveLength(0))
    await act(async () => void (await sendNow()))
    const sent = seen.filter(({ path }) => path.includes('complete'))
    expect(sent).toHaveLength(1)
    expect(body(sent[0]!).tasks).toHaveLength(20)
  })
})
