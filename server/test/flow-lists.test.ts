import type { Page } from '@data-brain/contract'
import type { FlowTask } from '@data-brain/contract/calls/flow'
import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bpmn, decide, deploy, list, people, start, step } from './flow-parts.ts'
import { makeWorld, type Person, type World } from './world.ts'

/* The lists of work as files, and what of them is overdue. */

const names = ['todo', 'claim', 'done', 'send', 'copy'] as const
type Name = (typeof names)[number]

let world: World
let admin: Person
let li: Person
let zhang: Person
let zhao: Person
let late: string
let early: string
beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  ;({ zhao } = await people(world, admin, 'zhao'))
  const own = async (name: string) => {
    const person = await world.colleague(
      admin,
      names.map((each) => `work${each}`),
    )
    await world.owner.query('update app_user set account = $1, real_name = $2 where tenant_id = $3 and id = $4', [
      ...[name, `${name}老师`, admin.tenantId, person.userId],
    ])
    return person
  }
  li = await own('li')
  zhang = await own('zhang')
  const xml = bpmn('start -> one -> two -> end', step('one', 'li') + step('two', 'li,zhao'), { name: '用品申领' })
  const id = await deploy(admin, xml)
  late = await start(zhang, id)
  early = await start(zhang, id)
  await world.owner.query(
    "update flow_task set due_time = now() + case when instance_id = $2 then interval '-1 hour' else interval '1 hour' end where tenant_id = $1",
    [admin.tenantId, late],
  )
})
afterAll(() => world.close())

async function fetched(person: Person, name: Name, query: Record<string, string> = {}) {
  const answer = await world.http.inject({
    method: 'GET',
    url: `/api/blade-flow/work/${name}-list/export`,
    query,
    headers: { 'blade-auth': `bearer ${person.token}`, 'accept-language': 'zh' },
  })
  return { status: answer.statusCode, bytes: answer.rawPayload, text: answer.payload }
}
const lines = async (person: Person, name: Name, query: Record<string, string> = {}): Promise<string[][]> => {
  const file = await fetched(person, name, { format: 'csv', ...query })
  expect(file.status, file.text).toBe(200)
  const [first = '', ...rest] = file.text.replace('\ufeff', '').trimEnd().split('\r\n')
  return [first, ...rest].map((line) => line.split(',').map((cell) => cell.replaceAll('"', '')))
}

describe('R-FLOW-6 lists of work as files', () => {
  it('hold what the page shows, in its order, with words in place of keys', async () => {
    const [heads, first, second, more] = await lines(li, 'todo')
    expect(heads).toEqual(['标题', '编号', '流程名称', '流程分类', '申请人', '步骤', '到达时间', '办理期限'])
    expect([first?.[0], first?.[3], first?.[4], first?.[5]]).toEqual(['一件事', '其他', 'zhang老师', 'one'])
    expect(first?.[6]).toMatch(/^20\d\d-\d\d-\d\d \d\d:\d\d:\d\d$/)
    expect([second?.[1]?.slice(-4), more]).toEqual(['0002', undefined])
    const file = await fetched(li, 'todo', { columns: 'applicant,title' })
    const book = unzipSync(file.bytes)
    expect(strFromU8(book['xl/worksheets/sheet1.xml']!)).toContain('一件事')
  })

  it('R-FLOW-10 are one’s own: of what one was not asked there is nothing, and without the page no file', async () => {
    expect(await lines(zhang, 'todo')).toHaveLength(1)
    expect((await lines(zhang, 'send', { columns: 'title,activity,state' })).slice(1)).toEqual([
      ['一件事', 'one（li老师）', '审批中'],
      ['一件事', 'one（li老师）', '审批中'],
    ])
    expect((await fetched(zhao, 'todo')).status).toBe(403)
    expect((await fetched(li, 'todo', { columns: 'variables' })).status).toBe(400)
  })

  it('are narrowed as the page is, and every one of the five has its file', async () => {
    expect(await lines(li, 'todo', { title: '没有' })).toHaveLength(1)
    expect(await lines(li, 'todo', { startUser: zhang.userId })).toHaveLength(3)
    const [task] = (await list(li, 'todo')).filter(({ processInstanceId }) => processInstanceId === early)
    expect((await decide(li, task!.taskId!, 'ok', { comment: '可以' })).status).toBe(200)
    await zhang.post('blade-flow/work/copy', { processInstanceId: early, userIds: li.userId, comment: '请知悉' })
    expect((await lines(li, 'done', { columns: 'title,decision,comment' })).slice(1)).toEqual([
      ['一件事', '同意', '可以'],
    ])
    expect((await lines(li, 'copy', { columns: 'comment' })).slice(1)).toEqual([['请知悉']])
    expect((await lines(li, 'claim', { columns: 'step,candidates' })).slice(1)).toEqual([['two', 'zhao老师、li老师']])
    const behind = await li.post<{ jobId: string }>('blade-flow/work/done-list/export-job')
    expect(behind.status, behind.msg).toBe(200)
  })
})

describe('R-FLOW-6 what is overdue', () => {
  it('is found in the list to do, in what one has sent, and in the file', async () => {
    const found = async (who: Person, name: Name, overdue?: number) =>
      (
        await who.get<Page<FlowTask>>(`blade-flow/work/${name}-list`, overdue === undefined ? {} : { overdue })
      ).data.records.map(({ processInstanceId }) => processInstanceId)
    expect(await found(li, 'todo', 1)).toEqual([late])
    expect(await found(zhang, 'send', 1)).toEqual([late])
    expect(await found(zhang, 'send', 0)).toHaveLength(2)
    expect(await found(li, 'claim', 1)).toEqual([])
    expect(await lines(li, 'todo', { overdue: '1' })).toHaveLength(2)
    expect((await li.get('blade-flow/work/todo-list', { overdue: 2 })).status).toBe(400)
  })
})
