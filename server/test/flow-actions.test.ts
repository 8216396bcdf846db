import { entityOf, type Page } from '@data-brain/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { escaped } from './flow-bpmn-parts.ts'
import { bpmn, deploy, history, pass, people, start, step, waits } from './flow-parts.ts'
import { sample } from './sample.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

/* Service tasks that do something with the product's own rows. */

let world: World
let admin: Person
let at: Record<'zhang' | 'li', Person>
let pupil: Row
beforeAll(async () => {
  world = await makeWorld()
}, 60_000)
beforeEach(async () => {
  admin = await world.tenant()
  at = await people(world, admin, 'zhang', 'li')
  const { draft } = await sample(admin, entityOf('student'))
  pupil = (await admin.post<Row>('blade-user/student/submit', { ...draft, studyWay: '1' })).data
}, 60_000)
afterAll(() => world.close())

const doing = (name: string, inputs: Readonly<Record<string, string>>): string =>
  `<serviceTask id="do" name="自动执行"><extensionElements><db:action kind="action" name="${name}">${Object.entries(
    inputs,
  )
    .map(([input, value]) => `<db:input name="${input}" value="${escaped(value)}"/>`)
    .join('')}</db:action></extensionElements></serviceTask>`

const form = `<extensionElements><db:form>
  <db:field name="pupil" label="学生" kind="student"/><db:field name="way" label="就读方式" kind="text"/><db:field name="reason" label="事由" kind="longText"/>
</db:form></extensionElements>`

const model = (name: string, inputs: Readonly<Record<string, string>>, key = 'act'): string =>
  bpmn('start -> one -> do -> end', step('one', 'li') + doing(name, inputs), { key }).replace(
    '<startEvent id="start"/>',
    `${form}<startEvent id="start"/>`,
  )

const row = async (): Promise<Row> => (await admin.get<Row>('blade-user/student/detail', { id: pupil.id })).data
/** A colleague who may look at pupils, with an account for steps of people. */
const teacher = (): Promise<Person> => world.colleague(admin, ['student_view'])

async function refusedWith(who: Person, xml: string): Promise<{ element: string; message: string }[]> {
  const answer = await who.post<{ faults: { element: string; message: string }[] }>('blade-flow/model/check', { xml })
  expect(answer.status, answer.msg).toBe(200)
  return answer.data.faults
}

describe('R-FLOW-2 a service task that does an action of the product', () => {
  it('changes a pupil’s status once it is approved, recorded as done by the workflow', async () => {
    const id = await deploy(admin, model('studentStatus', { student: 'pupil', status: '2' }))
    const applicant = await teacher()
    const instance = await start(applicant, id, { pupil: pupil.id })
    expect((await row()).status).toBe(1)
    await pass(at.li, 'one')
    expect((await row()).status).toBe(2)
    const [line] = (await admin.get<Row[]>('blade-user/student/history', { id: pupil.id })).data
    expect(line).toMatchObject({ userName: '流程', changes: [{ field: 'status', before: 1, after: 2 }] })
    expect((await history(applicant, instance)).map(({ state }) => state)).toEqual(['done', 'done', 'done', 'done'])
  })

  it('sets a field that is among those listed, and nothing where the request is refused', async () => {
    const id = await deploy(admin, model('studentField', { student: 'pupil', field: 'studyWay', value: '{way}' }))
    const applicant = await teacher()
    await start(applicant, id, { pupil: pupil.id, way: '2' })
    await pass(at.li, 'one', 'no')
    expect((await row()).studyWay).toBe('1')
    await start(applicant, id, { pupil: pupil.id, way: '2' })
    await pass(at.li, 'one')
    expect((await row()).studyWay).toBe('2')
  })

  it('what the product refuses stands as an incident in its words, and changes nothing', async () => {
    const id = await deploy(admin, model('studentField', { student: 'pupil', field: 'studyWay', value: '{way}' }))
    const applicant = await teacher()
    const instance = await start(applicant, id, { pupil: pupil.id, way: '住在学校' })
    await pass(at.li, 'one')
    const stands = (await history(applicant, instance)).find(({ state }) => state === 'incident')
    expect(stands?.incident?.zh).toMatch(/^“自动执行”没有执行：.*就读方式/)
    expect((await row()).studyWay).toBe('1')
  })

  it('publishes a notice, in which what was typed is text and no markup', async () => {
    const inputs = { title: '{way}', content: '事由：{reason}', category: '6', audience: 'all' }
    await start(at.zhang, await deploy(admin, model('notice', inputs)), {
      way: '停水通知',
      reason: '<b>检修</b>\n请知悉',
    })
    await pass(at.li, 'one')
    const found = await at.zhang.get<Page<Row>>('blade-desk/notice/noticeListByTenantIdAndClient')
    expect(found.data.records[0]).toMatchObject({ title: '停水通知' })
    const [notice] = (await admin.get<Page<Row>>('blade-desk/notice/list')).data.records
    const { data } = await admin.get<Row>('blade-desk/notice/detail', { id: notice!.id })
    expect(data).toMatchObject({ status: 2, content: '<p>事由：&lt;b&gt;检修&lt;/b&gt;</p><p>请知悉</p>' })
  })

  it('R-FLOW-10 names only pupils of one’s own scope, and those of one’s own tenant', async () => {
    const id = await deploy(admin, model('studentStatus', { student: 'pupil', status: '2' }))
    const begin = (who: Person, value: string) =>
      who.post('blade-flow/work/start-process', { processDefinitionId: id, variables: { pupil: value } })
    const refused = '学生：所选学生不存在或不在您的数据范围内'
    // Whoever may look at no pupils names none.
    expect((await begin(at.zhang, pupil.id)).msg).toBe(refused)
    const other = await world.tenant()
    const { draft } = await sample(other, entityOf('student'))
    const foreign = (await other.post<Row>('blade-user/student/submit', draft)).data
    expect((await begin(await teacher(), foreign.id)).msg).toBe(refused)
    expect(await waits(at.li)).toEqual([])
  })
})

describe('R-FLOW-2 what no service task does is refused at deployment, by its element', () => {
  it.each([
    ['removeAll', {}, '服务任务“自动执行”的动作“removeAll”不是本系统提供的，请从列表中选择'],
    ['studentStatus', { student: 'pupil' }, '服务任务“自动执行”没有填写“改为”'],
    ['studentStatus', { student: 'way', status: '2' }, '的“学生字段”应是表单中合适类型的字段，“way”不是'],
    ['studentField', { student: 'pupil', field: 'idNo', value: '1' }, '的“更新字段”不能是“idNo”，请从列表中选择'],
    ['studentField', { student: 'pupil', field: 'remark', value: '{nothing}' }, '用到了表单中没有的字段“nothing”'],
    ['notice', { title: 'x', content: 'y', category: '1', audience: 'all', to: 'z' }, '的动作没有参数“to”'],
  ])('%s %j', async (name, inputs, words) => {
    const faults = await refusedWith(admin, model(name, inputs as unknown as Record<string, string>))
    expect(faults.find(({ message }) => message.includes(words))?.element, JSON.stringify(faults)).toBe('do')
  })

  it('whoever may not do it themselves does not deploy it', async () => {
    const xml = model('studentStatus', { student: 'pupil', status: '2' }, 'rights')
    const designer = await world.colleague(admin, ['flowmodel_view', 'flowmodel_add', 'flowmodel_deploy'])
    const words = '服务任务“自动执行”要变更学生状态，您没有这项权限（student_edit），不能部署'
    expect(await refusedWith(designer, xml)).toEqual([{ element: 'do', message: words }])
    const saved = await designer.post<Row>('blade-flow/model/submit', {
      ...{ name: 'x', modelKey: 'rights', category: '9', xml },
    })
    const [result] = (
      await designer.post<{ success: boolean; message: string }[]>('blade-flow/model/deploy', undefined, {
        query: { modelId: saved.data.id },
      })
    ).data
    expect(result).toMatchObject({ success: false, message: words })
  })
})
