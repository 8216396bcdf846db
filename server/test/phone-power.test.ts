import { expect, it } from 'vitest'
import { sql } from '../src/database/statement.ts'
import { raiseGrants } from '../src/kernel/authenticate.ts'
import { deliverDue } from '../src/modules/sms/index.ts'
import { makeDoor } from './auth-door.ts'
import { batchOf, mappingOf, type RowView, sendFile, xlsx } from './import-parts.ts'
import { setParameter } from './login-parts.ts'
import { checked, imported, packed, small } from './oneroster-parts.ts'
import { gateway, services, tenantWith, useSms, world } from './sms-parts.ts'
import type { Person, Row } from './world.ts'

/* R-PERM-5: where codes to log in are sent to phones, whoever writes somebody's number becomes them. */

useSms()

const number = '13912345678'
const refusal = '该用户的权限超出您的权限范围'

/** A tenant that logs people in by phone, and somebody who may edit its users. */
async function byPhone(): Promise<{ admin: Person; clerk: Person }> {
  const admin = await tenantWith('gateway')
  await setParameter(admin, 'login.phone', '1')
  return { admin, clerk: await world.colleague(admin, ['user_view', 'user_edit']) }
}

const phoneOf = async (admin: Person, id: string): Promise<unknown> =>
  (await admin.get<Row>('blade-user/detail', { id })).data.phone

it('R-PERM-5 nobody gives their own phone to a user who may do more, by any way of saving one', async () => {
  const { admin, clerk } = await byPhone()
  const draft = { id: admin.userId, phone: number }
  for (const path of ['submit', 'update'])
    expect((await clerk.post(`blade-user/${path}`, draft)).msg, path).toBe(refusal)
  const many = await clerk.post<{ rows: { result: string; msg: string }[] }>(
    'blade-user/bulk',
    { values: { phone: number } },
    { query: { ids: admin.userId } },
  )
  expect(many.data.rows).toMatchObject([{ result: 'failed', msg: refusal }])
  expect(await phoneOf(admin, admin.userId)).toBeNull()
  // A number that was the administrator's before is brought back by nobody less either.
  expect((await admin.post('blade-user/update-info', { phone: number })).code).toBe(200)
  const other = await admin.post('blade-user/update-info', { phone: '13800000000' })
  expect(other.code).toBe(200)
  const { rows } = await world.owner.query<{ request_id: string; id: string }>(
    `select request_id, id::text as id from history where tenant_id = $1 and entity = 'user' and row_id = $2 order by id desc limit 1`,
    [admin.tenantId, admin.userId],
  )
  const undoer = await world.colleague(admin, ['user_view', 'user_edit', 'history_undo'])
  const undone = await undoer.post('blade-log/history/undo', undefined, { query: { requestId: rows[0]!.request_id } })
  expect([undone.code, undone.msg]).toEqual([400, refusal])
  const restored = await undoer.post('blade-user/restore', undefined, {
    query: { id: admin.userId, historyId: rows[0]!.id },
  })
  expect(restored.code).not.toBe(200)
  // Everything else of the row is the clerk's to correct, and so are the phones of those who may do no more.
  expect((await clerk.post('blade-user/submit', { id: admin.userId, realName: '改了名' })).code).toBe(200)
  const { userId } = await world.colleague(admin, ['user_view'])
  expect((await clerk.post('blade-user/submit', { id: userId, phone: number })).code).toBe(200)
})

it('R-PERM-5 an import gives it to none of them either, and says so by the row', async () => {
  const { admin } = await byPhone()
  const importer = await world.colleague(admin, ['user_view', 'user_edit', 'user_add', 'user_import'])
  const path = 'blade-user/import-user'
  const rows = [
    ['账号', '姓名', '手机'],
    ['admin', '管理员', number],
  ]
  const sent = await sendFile<{ id: string }>(
    world,
    importer,
    '用户.xlsx',
    await xlsx(rows),
    { duplicates: 'update' },
    path,
  )
  const read = await batchOf(importer, sent.data.id, path)
  expect((await importer.post(`${path}/mapping`, { id: read.id, mapping: mappingOf(read) })).code).toBe(200)
  await batchOf(importer, read.id, path)
  const bad = await importer.get<{ records: RowView[] }>(`${path}/rows`, { id: read.id, state: 'bad', size: 10 })
  expect(bad.data.records.flatMap((row) => row.faults)).toMatchObject([{ label: '手机', message: refusal }])
  expect(await phoneOf(admin, admin.userId)).toBeNull()
})

it('R-PERM-5 a OneRoster archive gives it to none of them either', async () => {
  const { admin } = await byPhone()
  await imported(world, admin, packed(small()))
  const { data } = await admin.get<{ records: Row[] }>('blade-user/list', { account: 'wang' })
  const teacher = data.records[0]!.id
  const clerk = await world.colleague(admin, ['oneroster_import'])
  const changed = small()
  changed['users.csv'] = changed['users.csv']!.replace('王,,T9,,,', `王,,T9,,${number},`)
  // Who may do no more than the clerk is the clerk's to change.
  expect((await checked(world, clerk, packed(changed))).report.faults).toEqual([])
  const [role] = await world.menuIds(['user_edit'])
  await world.inTenant(admin.tenantId, async (tx) => {
    await tx.run(
      sql`insert into role (tenant_id, id, role_name, role_alias, sort) values (${admin.tenantId}, 7, '主任', 'dean', 9)`,
    )
    await tx.run(sql`insert into role_menu (tenant_id, role_id, menu_id) values (${admin.tenantId}, 7, ${role})`)
    await tx.run(
      sql`insert into app_user_role (tenant_id, owner_id, target_id, ord) values (${admin.tenantId}, ${teacher}, 7, 1)`,
    )
    await raiseGrants(tx, admin.tenantId)
  })
  expect((await checked(world, clerk, packed(changed))).report.faults).toMatchObject([
    { file: 'users.csv', line: 2, message: refusal },
  ])
  await imported(world, admin, packed(changed))
  expect(await phoneOf(admin, teacher)).toBe('*********78')
})

it('R-AUTH-3 who logs in by phone is told when the number is another', async () => {
  const { admin, clerk } = await byPhone()
  const { userId } = await makeDoor(world).account(admin)
  const inbox = async () =>
    (
      await world.owner.query<{ title: string }>('select title from inbox where tenant_id = $1 and user_id = $2', [
        admin.tenantId,
        userId,
      ])
    ).rows.map(({ title }) => title)
  expect((await clerk.post('blade-user/submit', { id: userId, phone: number })).code).toBe(200)
  expect((await clerk.post('blade-user/submit', { id: userId, name: '小张' })).code).toBe(200)
  expect(await inbox()).toEqual(['您用于登录的手机号码已更改'])
  await world.call('POST', 'blade-auth/oauth/sms-code', null, { form: { tenantId: admin.tenantId, phone: number } })
  await deliverDue(services, admin.tenantId)
  const { code } = (JSON.parse(gateway.arrived.at(-1)!.body) as { params: { code: string } }).params
  const answer = await makeDoor(world).token({ grant_type: 'sms_code', tenantId: admin.tenantId, phone: number, code })
  expect(answer.user_id).toBe(userId)
})
