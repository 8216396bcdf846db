import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../src/database/id.ts'
import { tenantTables } from '../src/database/tables.ts'
import { inTenant } from '../src/database/transaction.ts'
import { sweepFiles } from '../src/modules/resource/index.ts'
import { sweepTenants } from '../src/modules/tenant/purge.ts'
import { purgeRows } from '../src/seed/tenant.ts'
import { makeDoor } from './auth-door.ts'
import { png as newPng, put as putFile } from './storage-parts.ts'
import { makeOffice, path, type TenantRow } from './tenant-parts.ts'
import { type Answer, jobEnded, makeWorld, type Person, type World } from './world.ts'

let world: World
let door: ReturnType<typeof makeDoor>
let platform: Person
let office: ReturnType<typeof makeOffice>
beforeAll(async () => {
  world = await makeWorld()
  door = makeDoor(world)
  platform = await world.platform()
  office = makeOffice(world, door, platform)
})
afterAll(() => world.close())

/** Asks for a tenant to be purged, and waits for the end of the job. */
const purged = async (row: TenantRow) =>
  jobEnded(platform, (await office.act('purge', { ids: row.id, confirm: row.tenantId })) as Answer<{ jobId: string }>)

describe('R-SYS-2 the account quota', () => {
  const user = (account: string) => ({ account, realName: '王芳', userType: '1', staffStatus: '1' })
  const words = '账号数已达租户额度（3个）：请删除不再使用的账号，或请平台管理员提高额度'

  it('refuses one more, names itself and what to do, and ends with the limit', async () => {
    const admin = await world.tenant()
    const { rows } = await world.owner.query('select id::text from tenant where tenant_id = $1', [admin.tenantId])
    await office.act('setting', { ids: rows[0].id, accountNumber: 3 })
    for (const account of ['wang1', 'wang2'])
      expect((await admin.post('blade-user/submit', user(account))).status).toBe(200)
    const third = await admin.post('blade-user/submit', user('wang3'))
    expect([third.status, third.msg]).toEqual([400, words])
    const before = await office.rowsOf(admin.tenantId)
    expect(before.app_user).toBe(3)
    await office.act('setting', { ids: rows[0].id, accountNumber: -1 })
    expect((await admin.post('blade-user/submit', user('wang3'))).status).toBe(200)
  })

  it('is not passed by many at once', async () => {
    const admin = await world.tenant()
    await world.owner.query('update tenant set account_number = 3 where tenant_id = $1', [admin.tenantId])
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, at) => admin.post('blade-user/submit', user(`race${at}`))),
    )
    expect(answers.filter((answer) => answer.status === 200).length).toBe(2)
    expect(new Set(answers.filter((answer) => answer.status !== 200).map((answer) => answer.msg))).toEqual(
      new Set([words]),
    )
    expect((await office.rowsOf(admin.tenantId)).app_user).toBe(3)
  })

  it('holds for rows that are written many at once, all of them or none', async () => {
    const admin = await world.tenant()
    await world.owner.query('update tenant set account_number = 3 where tenant_id = $1', [admin.tenantId])
    const { writeMany } = await import('../src/entity/bulk.ts')
    const { modelOf } = await import('../src/entity/model.ts')
    const { user: entity } = await import('@data-brain/contract')
    const { system } = await import('../src/kernel/actor.ts')
    const many = (count: number) =>
      world.inTenant(admin.tenantId, (tx) =>
        writeMany(
          modelOf(entity),
          {
            tx,
            actor: system('import', admin.tenantId),
            circumstance: { requestId: 'test', language: 'zh' },
            cipher: world.services.cipher,
          },
          Array.from({ length: count }, (_, at) => ({ id: newId(), values: user(`bulk${count}${at}`) })),
        ),
      )
    await expect(many(3)).rejects.toMatchObject({ problem: 'quota_reached' })
    expect((await office.rowsOf(admin.tenantId)).app_user).toBe(1)
    await many(2)
    expect((await office.rowsOf(admin.tenantId)).app_user).toBe(3)
  })
})

describe('R-SYS-3 removing, restoring and purging', () => {
  it('gives thirty days, in which it can be brought back', async () => {
    const { row, first } = await office.inhabited()
    expect((await office.act('remove', { ids: row.id })).status).toBe(200)
    const removed = await office.detail(row.id)
    expect(removed.status).toBe(9)
    const days = (Date.parse(`${removed.purgeAfter!.replace(' ', 'T')}+08:00`) - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(29.9)
    expect(days).toBeLessThan(30.1)
    // A second removal does not begin anew, and no submit gets past the restoring.
    await office.act('remove', { ids: row.id })
    expect((await office.detail(row.id)).purgeAfter).toBe(removed.purgeAfter)
    expect((await platform.post(`${path}/submit`, { id: row.id, status: 1 })).msg).toBe('状态：待清除的租户须先恢复')
    expect((await office.act('restore', { ids: row.id })).status).toBe(200)
    expect(await office.detail(row.id)).toMatchObject({ status: 1, purgeAfter: null })
    expect((await office.act('restore', { ids: row.id })).status).toBe(400)
    expect((await office.whoami(first.access_token)).status).toBe(200)
  })

  it('purges every row of every table and the files, and keeps a certificate with the counts', async () => {
    const other = await world.tenant()
    const neighbours = await office.rowsOf(other.tenantId)
    const row = await office.make({ domain: 'gone.example.cn' })
    await door.logIn(row.tenantId, 'admin', row.password!)
    const { data } = await platform.get<unknown>('blade-system/client/list')
    const client = (data as { records: { id: string }[] }).records[0]!
    await platform.post(
      'blade-system/tenantclientrelevance/add',
      { clientIds: [client.id] },
      { query: { tableTenantId: row.tenantId } },
    )
    const folder = join(world.services.environment.dataDir, 'files', row.tenantId)
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'picture.png'), 'x')

    expect((await office.act('purge', { ids: row.id, confirm: row.tenantId })).msg).toBe('请先删除该租户，再彻底清除')
    await office.act('remove', { ids: row.id })
    const before = await office.rowsOf(row.tenantId)
    expect(before).toMatchObject({ app_user: 1, session: 1, tenant_client: 1, tenant: 1 })
    expect((await office.act('purge', { ids: row.id, confirm: other.tenantId })).msg).toBe(
      '租户编号：与要清除的租户编号不一致',
    )
    expect(await office.rowsOf(row.tenantId)).toEqual(before)
    expect(existsSync(folder)).toBe(true)

    const job = await purged(row)
    expect(job).toMatchObject({ kind: 'tenant-purge', subject: `${row.tenantName} (${row.tenantId})`, state: 'done' })
    const certificate = job.result as { tenantId: string; tenantName: string; rows: Record<string, number> }
    expect([certificate.tenantId, certificate.tenantName]).toEqual([row.tenantId, row.tenantName])
    expect(Object.fromEntries(Object.entries(certificate.rows).filter(([, count]) => count > 0))).toEqual(before)
    expect(Object.keys(certificate.rows).sort()).toEqual([...Object.keys(tenantTables), 'tenant'].sort())
    expect(await office.rowsOf(row.tenantId)).toEqual({})
    expect(existsSync(folder)).toBe(false)
    expect(await office.rowsOf(other.tenantId)).toEqual(neighbours)
    const told = await platform.get<{ total: number; records: Record<string, unknown>[] }>(`${path}/purges`)
    expect(told.data.records[0]).toMatchObject({
      tenantId: row.tenantId,
      tenantName: row.tenantName,
      purgedBy: '管理员',
      rowCounts: certificate.rows,
    })
    expect((await door.logIn(row.tenantId, 'admin', row.password!)).msg).toBe('用户名或密码错误')
    // The code and the domain are free again, and a tenant made of them begins empty.
    const heir = await office.make({ tenantId: row.tenantId, domain: 'gone.example.cn' })
    expect((await office.rowsOf(heir.tenantId)).app_user).toBe(1)
  })

  it('waits for an import that is under way', async () => {
    const row = await office.make()
    await office.act('remove', { ids: row.id })
    await world.owner.query(
      `insert into import_batch (tenant_id, id, entity, template, file_name, state) values ($1, 1, 'student', 'x', 'x', 'committing')`,
      [row.tenantId],
    )
    expect(await purged(row)).toMatchObject({
      state: 'failed',
      result: null,
      failure: { zh: '该租户的任务正在进行，请稍后再清除', en: 'A job of this tenant is under way: try again shortly' },
    })
    expect((await office.rowsOf(row.tenantId)).app_user).toBe(1)
    await world.owner.query(`update import_batch set state = 'done' where tenant_id = $1`, [row.tenantId])
    expect(await purged(row)).toMatchObject({ state: 'done' })
    expect(await office.rowsOf(row.tenantId)).toEqual({})
  })

  it('is swept when the grace has passed and not before, by one of several processes', async () => {
    const [due, waiting] = [await office.make(), await office.make()]
    await office.act('remove', { ids: `${due.id},${waiting.id}` })
    await world.owner.query(`update tenant set purge_after = now() - interval '1 second' where tenant_id = $1`, [
      due.tenantId,
    ])
    const swept = await Promise.all([sweepTenants(world.services), sweepTenants(world.services)])
    expect(swept.flat()).toEqual([due.tenantId])
    expect(await office.rowsOf(due.tenantId)).toEqual({})
    expect((await office.rowsOf(waiting.tenantId)).app_user).toBe(1)
    const { rows } = await world.owner.query('select purged_by from tenant_purge where tenant_id = $1', [due.tenantId])
    expect(rows).toEqual([{ purged_by: '租户清理' }])
  })

  it('is done by no role in any other way', async () => {
    const { tenantId } = await world.tenant()
    // Not by the platform's role on a tenant that is in use, not on the tables themselves, and not by the app's role.
    await expect(inTenant(world.services.platform, '000000', (tx) => purgeRows(tx, tenantId))).rejects.toThrow(
      'is not marked for removal',
    )
    for (const table of ['app_user', 'history', 'session'])
      await expect(
        inTenant(world.services.platform, tenantId, (tx) => tx.run({ text: `delete from ${table}`, values: [] })),
        table,
      ).rejects.toMatchObject({ code: '42501' })
    await expect(
      inTenant(world.services.pool, tenantId, (tx) =>
        tx.run({ text: 'select purge_tenant($1, $2)', values: [tenantId, ['app_user']] }),
      ),
    ).rejects.toMatchObject({ code: '42501' })
    expect((await office.rowsOf(tenantId)).app_user).toBe(1)
  })
})

describe('R-SYS-4 the log-in page finds its tenant', () => {
  it('by the host, with name and pictures and nothing else', async () => {
    const elsewhere = await platform.post(
      `${path}/submit`,
      office.draft({ domain: 'Sud.example.cn', logo: 'https://img.example.cn/logo.png' }),
    )
    expect([elsewhere.status, elsewhere.msg]).toEqual([400, '标志：请上传图片：登录页不显示其他网站的图片'])
    const { attachId, link } = (await putFile(world, platform.token, 'logo.png', await newPng())).data
    const row = await office.make({ domain: 'Sud.example.cn', logo: link })
    // A picture of another site, as an earlier version took it: the page shows its default.
    await world.owner.query('update tenant set background_url = $2 where id = $1', [
      row.id,
      'https://img.example.cn/b.png',
    ])
    const info = (domain: string) => world.call('GET', `${path}/info`, null, { query: { domain } })
    const shown = {
      tenantId: row.tenantId,
      tenantName: row.tenantName,
      domain: 'sud.example.cn',
      logo: expect.stringMatching(
        new RegExp(`^/api/blade-resource/attach/file\\?id=${attachId}&tenant=000000&expires=`),
      ),
      backgroundUrl: null,
    }
    for (const domain of ['sud.example.cn', 'SUD.example.cn.', 'sud.example.cn:8000', 'sud.example.cn:443'])
      expect((await info(domain)).data, domain).toEqual(shown)
    for (const domain of ['other.example.cn', "x' or 1=1", row.tenantId, '%', 'sud.example.cn/../x'])
      expect([(await info(domain)).status, (await info(domain)).data], domain).toEqual([200, {}])
    const shownLogo = ((await info('sud.example.cn')).data as { logo: string }).logo
    expect((await world.call('GET', shownLogo.replace('/api/', ''), null)).status).toBe(200)
    // It is in use, so no sweep takes it; and what stands may be saved again as it is.
    const { rows } = await world.owner.query('select used_at from attach where id = $1', [attachId])
    expect(rows[0].used_at).not.toBeNull()
    const again = await platform.post(`${path}/submit`, { id: row.id, version: row.version, address: '北京' })
    expect(again.status).toBe(200)
    await office.act('remove', { ids: row.id })
    expect((await info('sud.example.cn')).data).toEqual({})
    expect((await info('')).status).toBe(400)
  })

  it('R-SCHOOL-20 its pictures count as used: neither a removal nor a sweep takes them, and only the platform sees by whom', async () => {
    const { attachId, link } = (await putFile(world, platform.token, 'logo.png', await newPng())).data
    const row = await office.make({ logo: link })
    const count = async () =>
      (await platform.get<{ refCount: number }>('blade-resource/attach/detail', { id: attachId })).data.refCount
    const remove = () => platform.post('blade-resource/attach/remove', undefined, { query: { ids: attachId } })
    expect(await count()).toBe(1)
    const uses = await platform.get<object[]>('blade-resource/attach/uses', { id: attachId })
    expect(uses.data).toEqual([{ entity: 'tenant', label: '租户', unit: '个', count: 1, sample: [row.tenantName] }])
    expect((await remove()).msg).toBe('无法删除：正在被使用（租户 1）')
    // As after a restored backup, where nothing has noted the use.
    await world.owner.query(`update attach set used_at = null, create_time = now() - interval '2 days' where id = $1`, [
      attachId,
    ])
    await sweepFiles(world.services)
    expect(await count()).toBe(1)
    // What is seen of others stays within the platform's own tenant.
    const seen = (tenantId: string) =>
      inTenant(world.services.pool, tenantId, (tx) =>
        tx.run<{ tenant_id: string }>({ text: 'select tenant_id from tenant order by 1', values: [] }),
      )
    const other = await world.tenant()
    expect((await seen('000000')).map((each) => each.tenant_id)).toContain(row.tenantId)
    expect((await seen('000000')).map((each) => each.tenant_id)).not.toContain(other.tenantId)
    expect(await seen(other.tenantId)).toEqual([{ tenant_id: other.tenantId }])
    const again = await platform.post(`${path}/submit`, { id: row.id, version: row.version, logo: '' })
    expect([again.status, again.msg]).toEqual([200, '操作成功'])
    expect(await count()).toBe(0)
    expect((await remove()).status).toBe(200)
  })

  it('and an address that asks without end is slowed, as by log-in', async () => {
    const services = { ...world.services, environment: { ...world.services.environment, loginsPerMinute: 1 } }
    const { makeApp } = await import('../src/app.ts')
    const http = makeApp(services)
    await http.ready()
    const ask = () =>
      http.inject({ method: 'GET', url: `/api/${path}/info`, query: { domain: 'a.cn' }, remoteAddress: '10.9.9.9' })
    await ask()
    const begun = performance.now()
    expect((await ask()).statusCode).toBe(200)
    expect(performance.now() - begun).toBeGreaterThan(1_500)
    await http.close()
  })
})

describe('R-SYS-5 a tenant’s data source', () => {
  it('is one of the platform’s, or none', async () => {
    const row = await office.make()
    const draft = {
      name: '备份库',
      driverClass: 'postgresql',
      url: 'postgresql://db.example.cn/x',
      username: 'reader',
    }
    const source = await platform.post<{ id: string }>('blade-develop/datasource/submit', draft)
    expect([source.status, source.msg]).toEqual([200, '操作成功'])
    const known = source.data.id
    expect((await office.act('datasource', { tenantId: row.tenantId, datasourceId: known })).status).toBe(200)
    expect(await office.detail(row.id)).toMatchObject({ datasourceId: known, datasourceName: '备份库' })
    // One that a tenant has kept from earlier versions is none of the platform's, and nobody else makes one.
    const keeper = await world.tenant()
    expect((await keeper.post('blade-develop/datasource/submit', draft)).status).toBe(403)
    const own = newId()
    await world.owner.query(
      `insert into datasource (tenant_id, id, name, driver_class, url) values ($1, $2, '旧', 'mysql', 'mysql://old.example.cn/x')`,
      [keeper.tenantId, own],
    )
    const foreign = await office.act('datasource', { tenantId: row.tenantId, datasourceId: own })
    expect([foreign.status, foreign.msg]).toEqual([400, '数据源：所选数据不存在'])
    const wrong = await office.act('datasource', { tenantId: row.tenantId, datasourceId: '12345' })
    expect([wrong.status, wrong.msg]).toEqual([400, '数据源：所选数据不存在'])
    // What was refused let go of nothing.
    expect(await office.detail(row.id)).toMatchObject({ datasourceId: known })
    expect((await office.act('datasource', { tenantId: row.tenantId })).status).toBe(200)
    expect(await office.detail(row.id)).toMatchObject({ datasourceId: null })
    expect((await office.act('datasource', { tenantId: '999999' })).status).toBe(404)
  })
})
