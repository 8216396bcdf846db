import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeDoor, password } from './auth-door.ts'
import { makeWorld, type Person, type World } from './world.ts'

interface Client {
  id: string
  clientId: string
}

let world: World
let door: ReturnType<typeof makeDoor>
let own: string
let other: string
beforeAll(async () => {
  world = await makeWorld()
  door = makeDoor(world)
  await world.owner.query(
    `insert into client (id, client_id, client_secret_hash) values (901, 'second-app', sha256('secret'))`,
  )
  own = (
    await world.owner.query<{ id: string }>('select id::text as id from client where client_id = $1', [
      world.services.secrets.clientId,
    ])
  ).rows[0]!.id
  other = '901'
})
afterAll(() => world.close())

const path = 'blade-system/userclientrelevance'
const named = async (person: Person, userId: string) =>
  (await person.get<Client[]>(`${path}/selectClientByUserId`, { userId })).data.map((client) => client.id)
const save = (person: Person, userId: string, clientIds: unknown) => person.post(`${path}/save`, { userId, clientIds })

describe('R-SYS-7 clients of a user', () => {
  it('are named, replaced and taken away', async () => {
    const admin = await world.tenant()
    const { userId } = await door.account(admin)
    expect(await named(admin, userId)).toEqual([])
    expect((await save(admin, userId, [own, other])).status).toBe(200)
    expect((await named(admin, userId)).sort()).toEqual([own, other].sort())
    expect((await save(admin, userId, other)).status).toBe(200)
    const [client] = (await admin.get<Client[]>(`${path}/selectClientByUserId`, { userId })).data
    expect(client).toMatchObject({ id: other, clientId: 'second-app' })
    expect(client).toHaveProperty('clientGroup')
    expect(JSON.stringify(client)).not.toContain('ecret')
    for (const [body, expected] of [
      [{ userId, clientIds: ['7'] }, 400],
      [{ userId, clientIds: ['x'] }, 400],
      [{ userId: '7', clientIds: [own] }, 404],
      [{ clientIds: [own] }, 400],
      [[], 400],
    ] as const)
      expect((await admin.post(`${path}/save`, body)).status, JSON.stringify(body)).toBe(expected)
    const query = { userId, clientIds: `${own},${other}` }
    expect((await admin.post(`${path}/removeByUserIdAndClientIds`, undefined, { query })).status).toBe(200)
    expect(await named(admin, userId)).toEqual([])
  })

  it('end the user’s sessions with the others at once', async () => {
    const admin = await world.tenant()
    const { userId, account } = await door.account(admin)
    const session = await door.logIn(admin.tenantId, account, password)
    const status = async () => (await world.call('GET', 'blade-auth/oauth/user-info', session.access_token)).status
    await save(admin, userId, [own])
    expect(await status()).toBe(200)
    await save(admin, userId, [other])
    expect(await status()).toBe(401)
  })

  it('are only those that the tenant may use', async () => {
    const admin = await world.tenant()
    const { userId } = await door.account(admin)
    await world.owner.query('insert into tenant_client (tenant_id, client_id) values ($1, $2)', [admin.tenantId, own])
    expect((await save(admin, userId, [other])).msg).toBe('本租户不能使用该客户端')
    expect((await save(admin, userId, [own])).status).toBe(200)
  })

  it('R-PERM-5 R-PROD-2 are for who may change users, of whom no one may do more', async () => {
    const [admin, stranger] = [await world.tenant(), await world.tenant()]
    const { userId } = await door.account(admin, { codes: ['student_view'] })
    const viewer = await world.colleague(admin, ['user_view'])
    const editor = await world.colleague(admin, ['user_view', 'user_edit'])
    expect(await named(viewer, userId)).toEqual([])
    expect((await save(viewer, userId, [own])).status).toBe(403)
    expect((await save(editor, userId, [own])).status).toBe(400)
    expect((await save(stranger, userId, [own])).status).toBe(404)
    expect((await stranger.get(`${path}/selectClientByUserId`, { userId })).status).toBe(404)
    expect(await named(admin, userId)).toEqual([])
  })
})
