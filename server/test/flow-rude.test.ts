import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { document } from './flow-bpmn-parts.ts'
import { bpmn, decide, deploy, detail, list, people, start, step, taskOf, waits } from './flow-parts.ts'
import { type Answer, makeWorld, type Person, type Row, type World } from './world.ts'

/* What no client should send to the workflow: refused in words that name it, and nothing moves. */

let world: World
let admin: Person
let other: Person
let at: Record<'zhang' | 'li' | 'wang', Person>
let there: Record<'li', Person>
let id: string
const form = `<extensionElements><db:form><db:field name="reason" label="事由" kind="text" required="true" max="20"/><db:field name="count" label="数量" kind="integer" min="1" max="9"/><db:field name="secret" label="内部意见" kind="text"/></db:form></extensionElements>`
const access =
  '<extensionElements><db:fields><db:access field="secret" as="write"/><db:access field="count" as="hidden"/></db:fields></extensionElements>'
const xml = bpmn('start -> one -> two -> end', step('one', 'li', access) + step('two', 'wang'), {
  key: 'rude',
}).replace('<startEvent id="start"/>', `${form}<startEvent id="start"/>`)

beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  other = await world.tenant()
  at = await people(world, admin, 'zhang', 'li', 'wang')
  there = await people(world, other, 'li')
  id = await deploy(admin, xml)
}, 60_000)
afterAll(() => world.close())

const work = (who: Person, name: string, body: object): Promise<Answer> => who.post(`blade-flow/work/${name}`, body)
const claim = (who: Person, name: 'claim-task' | 'release', taskId: string): Promise<Answer> =>
  who.post(`blade-flow/work/${name}`, undefined, { query: { taskId } })
const told = ({ status, msg }: Answer): [number, string] => [status, msg]

/** Each thing that can be done with a task, by somebody. */
const acts = (who: Person, taskId: string): readonly (readonly [string, () => Promise<Answer>])[] => [
  ['complete-task', () => work(who, 'complete-task', { taskId, flag: 'ok' })],
  ['transfer', () => work(who, 'transfer', { taskId, userId: at.wang.userId })],
  ['delegate', () => work(who, 'delegate', { taskId, userId: at.wang.userId })],
  ['add-signer', () => work(who, 'add-signer', { taskId, userId: at.wang.userId, when: 'before' })],
  ['return', () => work(who, 'return', { taskId, nodeId: 'one' })],
  ['claim-task', () => claim(who, 'claim-task', taskId)],
  ['release', () => claim(who, 'release', taskId)],
]

/** Starts an instance; answers it with li's task. */
async function begun(): Promise<{ instance: string; taskId: string }> {
  const instance = await start(at.zhang, id, { reason: '开会' })
  const [task] = (await list(at.li, 'todo')).filter((each) => each.processInstanceId === instance)
  return { instance, taskId: task!.taskId! }
}

describe('R-FLOW-10 a task that is not one’s own', () => {
  it('of another tenant, of somebody else, or no task at all, is not there, whatever is asked of it', async () => {
    const { instance, taskId } = await begun()
    for (const who of [other, there.li, at.wang, admin])
      for (const [name, act] of acts(who, taskId))
        expect([name, ...told(await act())]).toEqual([name, 404, '没有找到该数据'])
    for (const [name, act] of acts(at.li, '1'))
      expect([name, ...told(await act())]).toEqual([name, 404, '没有找到该数据'])
    const many = await work(there.li, 'complete-tasks', { tasks: [{ taskId }], flag: 'ok' })
    expect(many.data).toEqual([{ taskId, success: false, message: '没有找到该数据' }])
    for (const path of ['process/detail', 'process/history-flow-list'])
      for (const who of [other, there.li])
        expect((await who.get(`blade-flow/${path}`, { processInstanceId: instance })).status).toBe(404)
    for (const name of ['withdraw', 'copy'])
      expect((await work(there.li, name, { processInstanceId: instance, userIds: there.li.userId })).status).toBe(404)
    expect((await detail(at.zhang, instance)).activity).toBe('one')
  })

  it('cannot be given to anybody of another tenant, nor to the applicant or oneself', async () => {
    const { taskId } = await begun()
    for (const name of ['transfer', 'delegate', 'add-signer']) {
      const give = (userId: string) =>
        work(at.li, name, { taskId, userId, ...(name === 'add-signer' ? { when: 'after' } : {}) })
      expect(told(await give(there.li.userId))).toEqual([400, expect.stringContaining('人员')])
      expect(told(await give(at.zhang.userId))).toEqual([400, 'zhang老师是申请人，不能审批'])
      expect(told(await give(at.li.userId))).toEqual([400, '请选择本人以外的人员'])
    }
  })
})

describe('R-FLOW-6 a task that is not open', () => {
  it('that was decided says by whom, whatever is asked of it', async () => {
    const { taskId } = await begun()
    expect((await decide(at.li, taskId)).status).toBe(200)
    for (const [name, act] of acts(at.li, taskId))
      expect([name, ...told(await act())]).toEqual([name, 400, '该任务已由li老师办理（同意）'])
  })

  it('of a suspended process says so, and so does a start', async () => {
    const { instance, taskId } = await begun()
    const state = (to: string) =>
      admin.post('blade-flow/manager/change-state', undefined, { query: { processId: id, state: to } })
    await state('suspend')
    const words = '流程“测试流程”已挂起，激活后才能办理'
    for (const [name, act] of acts(at.li, taskId)) expect([name, ...told(await act())]).toEqual([name, 400, words])
    expect(told(await work(at.zhang, 'withdraw', { processInstanceId: instance }))).toEqual([400, words])
    const begin = await work(at.zhang, 'start-process', { processDefinitionId: id, variables: { reason: '又' } })
    expect(told(begin)).toEqual([400, '流程“测试流程”已挂起，请联系管理员激活'])
    await state('active')
    expect((await decide(at.li, taskId)).status).toBe(200)
  })

  it('of an instance that is over says so', async () => {
    const { instance, taskId } = await begun()
    await work(at.zhang, 'withdraw', { processInstanceId: instance })
    for (const [name, act] of acts(at.li, taskId))
      expect([name, ...told(await act())]).toEqual([name, 400, '该任务已不需要办理'])
    expect(told(await work(at.zhang, 'withdraw', { processInstanceId: instance }))).toEqual([400, '流程“一件事”已结束'])
  })
})

describe('R-FLOW-5 a form that says what it may not', () => {
  it.each([
    ['an unknown field', { reason: '会', salary: 1 }, 'salary：表单没有这个字段'],
    ['a name of the language', JSON.parse('{"reason":"会","constructor":{"x":1}}'), 'constructor：表单没有这个字段'],
    ['what the engine keeps', { reason: '会', $terms: {}, chosen: {} }, '$terms：表单没有这个字段'],
    ['nothing where something is required', { reason: ' ' }, '事由：必填'],
    ['a text that is too long', { reason: '长'.repeat(21) }, '事由：不能超过20个字'],
    ['another kind', { reason: ['会'], count: '3' }, '事由：应为文字'],
    ['beyond its bounds', { reason: '会', count: 10 }, '数量：不能大于9'],
  ])('%s', async (_, variables, words) => {
    const before = await list(at.zhang, 'send')
    expect(told(await work(at.zhang, 'start-process', { processDefinitionId: id, variables }))).toEqual([400, words])
    expect(await list(at.zhang, 'send')).toEqual(before)
  })

  it('at a step: what it may not write, and what it does not see', async () => {
    const { instance, taskId } = await begun()
    for (const [variables, words] of [
      [{ reason: '改' }, '事由：本步骤不能修改'],
      [{ count: 2 }, '数量：本步骤不能修改'],
      [{ salary: 2 }, 'salary：表单没有这个字段'],
    ] as const)
      expect(told(await decide(at.li, taskId, 'ok', { variables }))).toEqual([400, words])
    const [second] = await Promise.all([begun()])
    expect((await decide(at.li, second.taskId)).status).toBe(200)
    const [ofWang] = (await list(at.wang, 'todo')).filter((each) => each.processInstanceId === second.instance)
    expect(told(await decide(at.wang, ofWang!.taskId!, 'ok', { variables: { secret: '写' } }))).toEqual([
      400,
      '内部意见：本步骤不能修改',
    ])
    expect((await detail(at.zhang, instance)).activity).toBe('one')
  })
})

describe('R-FLOW-6 a decision that is none', () => {
  it('a comment of 1 MB, files that are not one’s own, an answer that is none', async () => {
    const { instance, taskId } = await begun()
    const long = await decide(at.li, taskId, 'ok', { comment: '长'.repeat(300_000) })
    expect(told(long)).toEqual([400, expect.stringContaining('意见')])
    const many = await work(at.li, 'complete-tasks', {
      tasks: [{ taskId }],
      flag: 'ok',
      comment: 'x'.repeat(1_000_000),
    })
    expect(told(many)).toEqual([400, expect.stringContaining('意见')])
    for (const [body, words] of [
      [{ flag: 'maybe' }, '审批结果'],
      [{ flag: undefined }, '审批结果'],
      [{ flag: 'ok', fileIds: ['1'] }, '附件：含有不是您上传的文件，请重新上传'],
      [{ flag: 'ok', processInstanceId: '1' }, '任务与所给的流程或业务不符，请刷新后重试'],
      [{ flag: 'ok', businessId: '1' }, '任务与所给的流程或业务不符，请刷新后重试'],
    ] as const)
      expect(told(await work(at.li, 'complete-task', { taskId, ...body }))).toEqual([
        400,
        expect.stringContaining(words),
      ])
    for (const wrong of ['', 'x', '-1', '9'.repeat(40), '1 or 1=1', ['1'], { id: 1 }])
      expect((await work(at.li, 'complete-task', { taskId: wrong, flag: 'ok' })).status).toBe(400)
    expect(told(await work(at.li, 'return', { taskId, nodeId: '__proto__' }))).toEqual([
      400,
      '不能退回到该步骤，请从列表中选择',
    ])
    expect(
      (await work(at.li, 'complete-tasks', { tasks: Array.from({ length: 101 }, () => ({ taskId })), flag: 'ok' }))
        .status,
    ).toBe(400)
    const texts = await decide(at.li, taskId, 'ok', { comment: '好\u0000' })
    expect([texts.status, (await detail(at.zhang, instance)).activity]).toEqual([400, 'one'])
  })

  it('one task named 100 times in one call is decided once', async () => {
    const { taskId } = await begun()
    const many = await work(at.li, 'complete-tasks', {
      tasks: Array.from({ length: 100 }, () => ({ taskId })),
      flag: 'ok',
    })
    expect((many.data as { success: boolean }[]).filter(({ success }) => success)).toHaveLength(1)
  })
})

describe('R-FLOW-7 a model that is none', () => {
  const nested = (of: number): string =>
    document(
      `<process id="deep" name="深" isExecutable="true">${'<subProcess id="s">'.repeat(of)}${'</subProcess>'.repeat(of)}</process>`,
    )
  const bad = [
    ['1,000 deep', nested(1_000), '嵌套超过200层'],
    ['a document type', `<!DOCTYPE definitions SYSTEM "file:///etc/passwd">${document()}`, 'DOCTYPE'],
    ['entities', `<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "lol">]><l>&a;</l>`, 'DOCTYPE'],
    ['cut off', document(nested(2)).slice(0, 200), 'XML 文件已损坏'],
    ['another document', '<html><body/></html>', '最外层元素是 <html>'],
    ['nothing', ' ', '空'],
  ] as const

  it.each(bad)('%s: by its words, at the check, the deployment and the upload', async (_, text, words) => {
    const check = await admin.post<{ faults: { message: string }[] }>('blade-flow/model/check', { xml: text })
    const said = check.status === 200 ? check.data.faults.map(({ message }) => message).join() : check.msg
    expect(said, JSON.stringify(check)).toContain(words === '空' && check.status === 400 ? '流程图' : words)
    const upload = await world.http.inject({
      method: 'POST',
      url: '/api/blade-flow/manager/deploy-upload',
      headers: {
        'blade-auth': `bearer ${admin.token}`,
        'content-type': 'multipart/form-data; boundary=X',
        'accept-language': 'zh',
      },
      payload: `--X\r\nContent-Disposition: form-data; name="file"; filename="a.bpmn"\r\n\r\n${text}\r\n--X--\r\n`,
    })
    const answer = upload.json() as { data: { success: boolean; message: string }[] | null; msg: string }
    expect(answer.data?.[0]?.success ?? false).toBe(false)
    expect(answer.data?.[0]?.message ?? answer.msg).toContain(words)
  })

  it('a form whose fields are called as what the engine decides by', async () => {
    for (const name of ['outcome', 'applicant', 'chosen', 'pass', 'flag']) {
      const named = xml
        .replace('name="secret" label', `name="${name}" label`)
        .replace('field="secret"', `field="${name}"`)
      const { data } = await admin.post<{ faults: { message: string }[] }>('blade-flow/model/check', { xml: named })
      expect(data.faults.map(({ message }) => message)).toEqual([`表单字段名“${name}”由系统使用，请换一个`])
    }
  })

  it('a title of 1 MB, people of another tenant and steps that are not there', async () => {
    const chosen = bpmn(
      'start -> pick -> end',
      '<userTask id="pick" name="选人"><extensionElements><db:assignees><db:assignee kind="chosen"/></db:assignees></extensionElements></userTask>',
      { key: 'chosen' },
    )
    const processDefinitionId = await deploy(admin, chosen)
    const begin = (more: object) => work(at.zhang, 'start-process', { processDefinitionId, ...more })
    expect(told(await begin({ title: 'x'.repeat(1_000_000) }))).toEqual([400, expect.stringContaining('标题')])
    expect(told(await begin({ chosen: [{ nodeId: 'pick', userIds: [there.li.userId] }] }))).toEqual([
      400,
      '所选审批人不存在或已停用',
    ])
    expect(told(await begin({ chosen: [{ nodeId: '__proto__', userIds: [at.li.userId] }] }))).toEqual([
      400,
      '所选审批步骤不存在',
    ])
    expect(told(await begin({ chosen: [{ nodeId: 'pick', userIds: [at.zhang.userId] }] }))).toEqual([
      400,
      '不能选择自己为审批人',
    ])
    expect(told(await begin({}))).toEqual([400, '请选择“选人”的审批人'])
    expect(await waits(at.li)).not.toContain('选人')
    expect((await begin({ chosen: [{ nodeId: 'pick', userIds: [at.li.userId] }] })).status).toBe(200)
    expect(await taskOf(at.li, '选人')).toBeTruthy()
    const foreign = await there.li.post<Row>('blade-flow/work/start-process', { processDefinitionId })
    expect(told(foreign)).toEqual([404, '没有找到该数据'])
  })
})
