import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bpmn, people, start, step, taskOf, waits } from './flow-parts.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

let world: World
let platform: Person
let tenant: Person
beforeAll(async () => {
  world = await makeWorld()
  platform = await world.platform()
  tenant = await world.tenant()
}, 60_000)
afterAll(() => world.close())

interface Deployed {
  readonly tenantId: string
  readonly success: boolean
  readonly message: string | null
}
const save = async (who: Person, modelKey: string, xml: string): Promise<string> => {
  const saved = await who.post<Row>('blade-flow/model/submit', { name: modelKey, modelKey, category: '9', xml })
  expect(saved.code, saved.msg).toBe(200)
  return saved.data.id
}
const deploy = async (who: Person, modelId: string, tenantIds?: string): Promise<readonly Deployed[]> =>
  (
    await who.post<Deployed[]>('blade-flow/model/deploy', undefined, {
      query: { modelId, ...(tenantIds ? { tenantIds } : {}) },
    })
  ).data
const simple = (key: string): string => bpmn('start -> one -> end', step('one', 'li'), { key })

describe('R-FLOW-7 R-FLOW-10 a model is deployed to other tenants', () => {
  it('by an administrator of the platform, one result each, and runs there', async () => {
    const model = await save(platform, 'handed', simple('handed'))
    const results = await deploy(platform, model, `${tenant.tenantId},999999`)
    expect(results.map(({ tenantId, success }) => [tenantId, success])).toEqual([
      [tenant.tenantId, true],
      ['999999', false],
    ])
    expect(results[1]!.message).toContain('没有这个租户')
    const at = await people(world, tenant, 'zhang', 'li')
    const listed = await at.zhang.get<{ records: { id: string; key: string }[] }>('blade-flow/work/start-list')
    const there = listed.data.records.find(({ key }) => key === 'handed')
    await start(at.zhang, there!.id)
    expect(await waits(at.li)).toEqual(['one'])
    // The platform’s own tenant has none of it.
    const own = await platform.get<{ total: number }>('blade-flow/manager/list', { key_equal: 'handed' })
    expect(own.data.total).toBe(0)
  })

  it('by nobody else', async () => {
    const model = await save(tenant, 'mine', simple('mine'))
    const answer = await tenant.post('blade-flow/model/deploy', undefined, {
      query: { modelId: model, tenantIds: platform.tenantId },
    })
    expect(answer.msg).toContain('平台管理员')
  })
})

describe('R-FLOW-7 a model makes versions of its own process alone', () => {
  it('so a diagram that calls its process otherwise is not deployed', async () => {
    const model = await save(tenant, 'key-x', simple('other-key'))
    const [result] = await deploy(tenant, model)
    expect(result).toMatchObject({ success: false })
    expect(result!.message).toContain('“other-key”与模型标识“key-x”不一致')
    const listed = await tenant.get<{ total: number }>('blade-flow/manager/list', { key_equal: 'other-key' })
    expect(listed.data.total).toBe(0)
  })
})

describe('R-FLOW-6 of several who decide a step', () => {
  it('nobody is given a second voice by a transfer', async () => {
    const admin = await world.tenant()
    const at = await people(world, admin, 'zhang', 'li', 'wang', 'zhao')
    const several =
      '<userTask id="one" name="one" camunda:candidateUsers="li,wang"><extensionElements><db:assignees><db:assignee kind="account" names="li,wang"/></db:assignees></extensionElements><multiInstanceLoopCharacteristics/></userTask>'
    const id = (
      await deploy(admin, await save(admin, 'several', bpmn('start -> one -> end', several, { key: 'several' })))
    )[0]
    expect(id).toMatchObject({ success: true })
    const listed = await at.zhang.get<{ records: { id: string; key: string }[] }>('blade-flow/work/start-list')
    await start(at.zhang, listed.data.records.find(({ key }) => key === 'several')!.id)
    expect([await waits(at.li), await waits(at.wang)]).toEqual([['one'], ['one']])
    const handed = async (to: Person) =>
      (await at.li.post('blade-flow/work/transfer', { taskId: await taskOf(at.li, 'one'), userId: to.userId })).msg
    expect(await handed(at.wang)).toContain('已在办理本步骤')
    await handed(at.zhao)
    expect(await waits(at.zhao)).toEqual(['one'])
  })
})
