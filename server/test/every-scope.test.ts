import { type Entity, entities, isNarrowable } from '@data-brain/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { allRoutes } from '../src/app.ts'
import { newId } from '../src/database/id.ts'
import { propertiesOf } from '../src/entity/schema.ts'
import type { Route } from '../src/kernel/route.ts'
import { readMatrix } from './matrix.ts'
import { requiredValue } from './required-value.ts'
import { isOfPlatform, platformCodes, sample } from './sample.ts'
import { png, put } from './storage-parts.ts'
import { type Answer, makeWorld, type Person, type Row, type World } from './world.ts'

/*
 * R-PERM-3: somebody with every code, whose role has a scope for every kind of row that there is, which takes in one row
 * of each. Every call that matrix.tsv knows is made, with ids of rows outside and without: none tells of these rows, and none changes anything
 * that they are named in. narrow-walk.test.ts goes the other way: few scopes, and all that follows from them.
 */

type Side = 'own' | 'foreign'
const ids: Record<Side, Map<string, string>> = { own: new Map(), foreign: new Map() }
const signs: Record<Side, string> = { own: '里', foreign: '漏' }

/** Whatever a scope can narrow, of the rows that tenants work with. */
const narrowed = entities.filter((entity) => isNarrowable(entity) && !isOfPlatform(entity))

/** What a row is called: a text that stands nowhere else. */
function markOf(side: Side, entity: Entity): string {
  const at = narrowed.indexOf(entity)
  return signs[side] + String.fromCharCode(65 + Math.floor(at / 26), 65 + (at % 26))
}

let world: World
let admin: Person
let head: Person

/** Rows that no call of a person writes: into which columns what goes, with % for the mark. */
const byServer: Readonly<Record<string, readonly [string, string]>> = {
  guest: ['guest (name, account, source', "'%', '%', '%'"],
  job: ['job (kind, subject, state', "'export', '%', 'done'"],
  flowprocess: [
    'flowprocess (name, key, version_no, category, suspension_state, deployment_time, xml, plan',
    '\'%\', \'%\', 1, \'9\', \'1\', now(), \'%\', \'{"key":"p","name":"p","nodes":{},"flows":{},"form":[]}\'',
  ],
  flowinstance: [
    'flowinstance (title, process_definition_id, category, start_time, state, activity, reason',
    "'%', (select max(id) from flowprocess where tenant_id = $1), '9', now(), '1', '%', '%'",
  ],
  smslog: ['sms_log (sms_code, phone, purpose, state, tries', "'%', phone, '1', '0', 0"],
  maillog: ['mail_log (subject, recipient, purpose, state, tries', "'%', phone, 'test', '3', 0"],
}

async function make(side: Side, entity: Entity): Promise<string> {
  const mark = markOf(side, entity)
  if (entity.name === 'attach')
    return (await put(world, admin.token, `${mark}.png`, await png(), { attach: true })).data.attachId
  const written = byServer[entity.name]
  if (written) {
    const id = newId()
    const { tenantId } = admin
    const [table, column] = entity.name === 'maillog' ? ['mail_log', 'recipient'] : ['sms_log', 'phone']
    const phone = world.services.cipher.seal('13800001234', { table, column, tenantId, id })
    await world.owner.query(
      `insert into ${written[0]}, tenant_id, id) select ${written[1]}, $1, $2 from (select $3::bytea as phone) p`.replaceAll(
        '%',
        mark,
      ),
      [tenantId, id, phone],
    )
    return id
  }
  const special: Readonly<Record<string, Record<string, unknown>>> = {
    dictbiz: { dictKey: '-1' },
    // Of a stage that the school has.
    sysgrade: { stage: '2', gradeNo: side === 'own' ? 10 : 11 },
    // Calls that nobody of the walk makes.
    apiscope: { scopePath: '/api/blade-resource/oss/test' },
  }
  const draft: Record<string, unknown> =
    entity.name === 'user' ? { account: `each${side}` } : (await sample(admin, entity, ids[side])).draft
  const named = Object.entries(entity.fields).filter(
    ([name, field]) =>
      field.kind === 'text' &&
      (!field.rule || field.rule === 'personName') &&
      !field.computed &&
      (!field.fixed || name === entity.title) &&
      !draft.yearName,
  )
  const [name] = named.find(([each]) => each === entity.title) ?? named.find(([each]) => each !== 'remark') ?? []
  const answer = await admin.post<Row>(`${entity.path}/submit`, {
    ...draft,
    ...(name ? { [name]: mark } : {}),
    ...special[entity.name],
  })
  if (answer.code !== 200) throw new Error(`${entity.name}: ${answer.msg} ${JSON.stringify(answer.data)}`)
  return answer.data.id
}

/** Somebody with every code that a tenant can give, narrowed to the own row of each kind, oneself and the own role. */
async function narrowedToOwn(): Promise<Person> {
  const { rows: menus } = await world.owner.query<{ code: string }>('select code from menu where platform_only = 0')
  const codes = menus.map(({ code }) => code).filter((code) => !platformCodes.has(code))
  const person = await world.colleague(admin, codes)
  const roleId = String((await admin.get<Row>('blade-user/detail', { id: person.userId })).data.roleId)
  const besides: Readonly<Record<string, string>> = { user: person.userId, role: roleId }
  const dataScopeIds: string[] = []
  for (const { name } of narrowed) {
    const value = [ids.own.get(name)!, ...(besides[name] ? [besides[name]] : [])]
    const { data, msg } = await admin.post<Row>('blade-system/data-scope/submit', {
      scopeName: name,
      resourceCode: `each_${name}`,
      scopeClass: name,
      scopeType: '5',
      scopeValue: { all: [{ field: 'id', op: 'in', value }] },
    })
    expect(msg, name).toBe('操作成功')
    dataScopeIds.push(data.id)
  }
  const keys = await admin.get<{ menu: string[] }>('blade-system/menu/role-tree-keys', { roleIds: roleId })
  const grant = { roleIds: [roleId], menuIds: keys.data.menu, dataScopeIds }
  expect((await admin.post('blade-system/role/grant', grant)).msg).toBe('操作成功')
  return person
}

beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  for (const side of ['own', 'foreign'] as const)
    for (const entity of narrowed) ids[side].set(entity.name, await make(side, entity))
  head = await narrowedToOwn()
  // What is shown to those it is shared with is all of one maker's here: the scope alone parts it.
  for (const table of ['report', 'fixedform', 'reportsubscription'])
    await world.owner.query(`update ${table} set create_user = $2 where tenant_id = $1`, [admin.tenantId, head.userId])
}, 240_000)
afterAll(() => world.close())

/** The foreign row that a parameter or a field of a call may name. */
function foreignFor(route: Route, name: string): string {
  const entity = entities.find((each) => each.name === route.tag)
  const to =
    entity?.fields[name]?.to ?? entity?.fields[name.replace(/s$/, '')]?.to ?? (/^user/i.test(name) ? 'user' : '')
  const told = /^(student|child)/i.test(name)
    ? 'student'
    : /^class/i.test(name)
      ? 'schoolclass'
      : (/^(role|menu|dept|school)/i.exec(name)?.[1] ?? to)
  return [to, told, route.tag ?? '', 'student'].map((each) => ids.foreign.get(each)).find((id) => id !== undefined)!
}

/** What a call is asked: with everything that takes an id, or only with what it must have. */
const asked = (route: Route, all: boolean): Record<string, string> =>
  Object.fromEntries(
    Object.entries(route.parameters ?? {}).flatMap(([name, parameter]): [string, string][] =>
      parameter.kind === 'id' || parameter.kind === 'ids'
        ? all || parameter.required
          ? [[name, foreignFor(route, name)]]
          : []
        : parameter.required
          ? [
              [
                name,
                requiredValue(name, parameter, {
                  tenantId: admin.tenantId,
                  entity: route.tag ?? 'student',
                  keyword: signs.foreign,
                }),
              ],
            ]
          : [],
    ),
  )

const named = (text: string, side: Side): string[] =>
  narrowed
    .filter((entity) => text.includes(ids[side].get(entity.name)!) || text.includes(markOf(side, entity)))
    .map((entity) => entity.name)

// What ends the own session, or never ends, is asked by tests of its own.
const walked = allRoutes().filter(({ path }) => !/\/logout$|session\/lock$|blade-desk\/live$/.test(path))

it('R-PERM-3 takes no data scope of rows that everybody needs', async () => {
  const whole = entities.filter((entity) => !isNarrowable(entity))
  expect(whole.map(({ name }) => name)).toContain('customfield')
  for (const { name } of whole) {
    const { status } = await admin.post('blade-system/data-scope/submit', {
      scopeName: name,
      resourceCode: `whole_${name}`,
      scopeClass: name,
      scopeType: '1',
    })
    expect([name, status]).toEqual([name, 400])
  }
})

it('R-PERM-3 A1 no call that reads tells of a row outside, whatever kind it is', { timeout: 300_000 }, async () => {
  const leaks = new Set<string>()
  const seen = new Set<string>()
  const opened = new Set<string>()
  const shut = new Map<string, string>()
  for (const route of walked.filter(({ method }) => method === 'GET')) {
    const size = { size: String(route.parameters?.size?.max ?? 200) }
    // What is in a workbook cannot be read off its bytes.
    const plain = { ...asked(route, false), ...(/export$/.test(route.path) ? { format: 'csv' } : size) }
    for (const query of [{ ...plain, ...asked(route, true) }, plain, { ...plain, keyword: signs.foreign }]) {
      const headers = { 'blade-auth': `bearer ${head.token}` }
      const answer = await world.http.inject({ method: 'GET', url: `/api${route.path}`, query, headers })
      if (answer.statusCode === 200) opened.add(route.path)
      else shut.set(route.path, `${answer.statusCode} ${answer.payload.slice(0, 140)}`)
      expect(answer.statusCode, route.path).toBeLessThan(500)
      for (const name of named(answer.payload, 'own')) seen.add(`/${name} ${route.path}`)
      for (const name of named(answer.payload, 'foreign')) leaks.add(`${route.path} tells of ${name}`)
    }
  }
  expect([...leaks]).toEqual([])
  // Nothing is left out because it was asked in a wrong way.
  expect([...shut].filter(([path, said]) => said.startsWith('400') && !opened.has(path))).toEqual([])
  // It is a walk through open doors: each list tells of the own row.
  for (const { name, path } of narrowed) expect([...seen]).toContain(`/${name} /${path}/list`)
  expect(walked.length).toBeGreaterThan(readMatrix().length - 5)
})

it('R-PERM-3 A1 no call that writes changes or tells of a row outside', { timeout: 300_000 }, async () => {
  const { rows: tables } = await world.owner.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and c.relname !~ '^log_|^session$|^job$'`,
  )
  expect(tables.length).toBeGreaterThan(80)
  const outside = [...ids.foreign.values()].join('|')
  /** Every row of the tenant that names one of those outside, of whatever table. */
  const states = async (): Promise<string[]> => {
    const found: string[] = []
    for (const { name } of tables) {
      const { rows } = await world.owner.query<{ row: string }>(
        `select to_jsonb(t)::text as row from ${name} t where tenant_id = $1 and to_jsonb(t)::text ~ $2`,
        [admin.tenantId, outside],
      )
      found.push(...rows.map(({ row }) => `${name} ${row}`).sort())
    }
    return found
  }
  const before = await states()
  expect(before.length).toBeGreaterThan(100)
  const wrong = new Set<string>()
  let through = 0
  const judge = (route: Route, answer: Answer): void => {
    if (answer.status >= 500) wrong.add(`${route.path} ${answer.status} ${answer.msg}`)
    if (answer.status === 200) through += 1
    for (const entity of narrowed)
      if (JSON.stringify(answer).includes(markOf('foreign', entity))) wrong.add(`${route.path} tells of ${entity.name}`)
  }
  for (const route of walked.filter(({ method, path }) => method === 'POST' && !/update-password/.test(path))) {
    const properties = Object.keys(propertiesOf(route.bodySchema))
    const fields = properties.filter((name) => /^ids?$|Ids?$/.test(name))
    const body = Object.fromEntries(
      fields.map((name) => [name, /ids$/i.test(name) ? [foreignFor(route, name)] : foreignFor(route, name)]),
    )
    const id = foreignFor(route, 'id')
    const query = asked(route, true)
    for (const draft of [
      body,
      { ...body, remark: '改', status: 0 },
      { id, remark: '改' },
      { values: { remark: '改' } },
    ])
      judge(route, await head.post(route.path.slice(1), draft, { query }))
    // The own row, given everything of others that its fields can name.
    const own = ids.own.get(route.tag ?? '')
    const entity = entities.find(({ name }) => name === route.tag)
    if (own && entity && route.path.endsWith('/submit'))
      for (const name of fields.filter((each) => each !== 'id' && entity.fields[each]?.kind !== 'text'))
        judge(route, await head.post(route.path.slice(1), { id: own, [name]: body[name] }))
  }
  const { rows: entries } = await world.owner.query<{ request_id: string; row_id: string; id: string }>(
    'select request_id, row_id, id from history where tenant_id = $1 and row_id = any($2::bigint[])',
    [admin.tenantId, [...ids.foreign.values()]],
  )
  for (const { request_id: requestId } of entries)
    await head.post('blade-log/history/undo', undefined, { query: { requestId, changed: 1 } })
  for (const { row_id: id, id: historyId } of entries)
    for (const { name, path } of narrowed)
      if (ids.foreign.get(name) === id) await head.post(`${path}/restore`, undefined, { query: { id, historyId } })
  expect([...wrong]).toEqual([])
  const after = await states()
  expect({
    gone: before.filter((row) => !after.includes(row)),
    come: after.filter((row) => !before.includes(row)),
  }).toEqual({ gone: [], come: [] })
  expect((await head.get('blade-user/info')).status).toBe(200)
  expect(through).toBeGreaterThan(5)
})
