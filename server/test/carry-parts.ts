import { randomBytes } from 'node:crypto'
import { datasource, entities, sms } from '@data-brain/contract'
import sharp from 'sharp'
import { expect } from 'vitest'
import { newId } from '../src/database/id.ts'
import { modelOf } from '../src/entity/model.ts'
import { Repository } from '../src/entity/repository.ts'
import { system } from '../src/kernel/actor.ts'
import type { CarryContext } from '../src/modules/tenant/carry/export.ts'
import { sample } from './sample.ts'
import type { Person, Row, World } from './world.ts'

export const passphrase = 'correct horse battery'

/** What exporting and importing work with in a world. */
export const carrierOf = ({ services }: World): CarryContext & { pepper: Buffer } => ({
  environment: services.environment,
  platform: services.platform,
  pool: services.pool,
  cipher: services.cipher,
  pepper: services.secrets.pepper,
  clientId: services.secrets.clientId,
})

/** A picture that cannot be packed, so that the file has several frames. */
const png = await sharp(randomBytes(320 * 320 * 3), { raw: { width: 320, height: 320, channels: 3 } })
  .png()
  .toBuffer()

async function upload(
  world: World,
  person: Person,
  name: string,
  bytes: Buffer,
): Promise<{ name: string; attachId: string }> {
  const head = `--x\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: image/png\r\n\r\n`
  const answer = await world.call<{ name: string; attachId: string }>(
    'POST',
    'blade-resource/oss/endpoint/put-file',
    person.token,
    {
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      body: Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n--x--\r\n')]),
    },
  )
  expect(answer.msg).toBe('操作成功')
  return answer.data
}

/** A tenant with a row of nearly every kind, made as people make them: with history, links, files and sealed numbers. */
export async function furnish(world: World): Promise<{ admin: Person; student: Row }> {
  const admin = await world.tenant()
  const made = new Map<string, string>()
  for (const entity of entities) {
    if (['attach', 'role', 'dictbiz', 'datasource'].includes(entity.name) || modelOf(entity).platform) continue
    const { draft } = await sample(admin, entity, entity.name.startsWith('student') ? made : new Map(made))
    const answer = await admin.post<{ id: string }>(`${entity.path}/submit`, draft)
    if (answer.code === 200) made.set(entity.name, answer.data.id)
  }
  let student = (await admin.get<Row>('blade-user/student/detail', { id: made.get('student')! })).data
  await admin.post('blade-user/student/submit', { id: student.id, phone: '13912345678', name: '欧阳静怡' })
  const { attachId } = await upload(world, admin, '照片.png', png)
  await admin.post('blade-user/student/submit', { id: student.id, photo: attachId })
  const gone = await sample(admin, entities.find((entity) => entity.name === 'student')!)
  const leaver = await admin.post<Row>('blade-user/student/submit', gone.draft)
  await admin.remove('blade-user/student', leaver.data.id)
  student = (await admin.get<Row>('blade-user/student/detail', { id: student.id })).data
  await world.inTenant(admin.tenantId, async (tx) => {
    const context = {
      tx,
      actor: system('test', admin.tenantId),
      circumstance: { requestId: 'test', language: 'zh' as const },
      cipher: world.services.cipher,
    }
    await new Repository(datasource, context).add({
      name: '旧系统',
      driverClass: 'mysql',
      url: 'mysql://old/school',
      username: 'u',
    })
    const ways = new Repository(sms, context)
    const way = await ways.add({ category: '1', smsCode: 'old', secretKey: 'sealed-too' })
    await ways.edit(way.id, { secretKey: 'sealed-anew' })
    // A parent that was made after its child, and one that points at itself by way of it: rows that point forward.
    await tx.run({
      text: 'update dept set leader_id = $2 where tenant_id = $1',
      values: [admin.tenantId, admin.userId],
    })
  })
  const role = newId()
  const { rows: scopes } = await world.owner.query('select id from data_scope where tenant_id = $1', [admin.tenantId])
  const { rows: client } = await world.owner.query('select id from client where client_id = $1', [
    world.services.secrets.clientId,
  ])
  await world.owner.query(
    `insert into role (tenant_id, id, role_name, role_alias, sort) values ('${admin.tenantId}', ${role}, '教务', 'jiaowu', 2)`,
  )
  await world.owner.query(
    `insert into role_menu (tenant_id, role_id, menu_id) select $1, $2, id from menu where code in ('student_view', 'student_edit')`,
    [admin.tenantId, role],
  )
  await world.owner.query(
    `insert into role_data_scope (tenant_id, role_id, scope_id) select $1, $2, unnest($3::bigint[])`,
    [admin.tenantId, role, scopes.map((row) => row.id)],
  )
  for (const [table, column, id] of [
    ['tenant_client', '', ''],
    ['user_client', ', user_id', `, ${admin.userId}`],
  ])
    await world.owner.query(
      `insert into ${table} (tenant_id, client_id${column}) values ('${admin.tenantId}', ${client[0].id}${id})`,
    )
  await world.owner.query(
    `insert into import_batch (tenant_id, id, entity, template, file_name, state, total) values ($1, $2, 'student', 'v1', 'a.xlsx', 'done', 3), ($1, $3, 'student', 'v1', 'b.xlsx', 'mapping', 3)`,
    [admin.tenantId, newId(), newId()],
  )
  await world.owner.query(
    `update student set remark = 'x', update_time = '2026-01-02 03:04:05.678901+08' where tenant_id = $1`,
    [admin.tenantId],
  )
  return { admin, student }
}
