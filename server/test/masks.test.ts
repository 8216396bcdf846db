import { entities, entityOf, hasPersonal, idNoCheckDigit, personalCode } from '@data-brain/contract'
import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allRoutes } from '../src/app.ts'
import { logsOf } from '../src/modules/log/index.ts'
import { platformCodes, sample } from './sample.ts'
import { jobEnded, makeWorld, type Person, type Row, type World } from './world.ts'

/*
 * A masked number cannot be completed. Somebody who may do everything but see personal values asks every call that reads,
 * and tries to rebuild each masked value from everything else that the same answer shows: days, regions, sexes, check
 * digits, other masks of the same person.
 */

/** What an answer shows of one thing: texts, wherever they stand in it. */
type Shown = readonly string[]

const first17 = '11010520150310237'
const idNo = first17 + idNoCheckDigit(first17)
const guardian17 = '11010519850412112'
const numbers = {
  student: { idNo, nationalCode: `G${idNo}`, phone: '13912345678' },
  studentdetail: { disabilityCertNo: `${idNo}41`, insuranceNo: idNo, emergencyPhone: '13812345699' },
  studentparents: {
    ...{ idType: '1', idNo: guardian17 + idNoCheckDigit(guardian17), hukouRegionCode: '110105' },
    ...{ mobile: '13712345611', otherPhone: '010-62345678' },
  },
  studentresume: { witnessPhone: '13612345622' },
  user: { phone: '13512345633' },
} as const
const secrets = new Set(
  Object.values(numbers).flatMap((fields) =>
    Object.entries(fields).flatMap(([name, value]) => (/Region|idType/.test(name) ? [] : [value])),
  ),
)

/** How many numbers fit a mask and all else that is shown beside it; many where too little is known to count them. */
function possible(mask: string, beside: Shown): number {
  // A value that stands there whole, whatever it is called.
  const fits = (value: string): boolean =>
    value.length === mask.length &&
    !value.includes('*') &&
    [...mask].every((sign, at) => sign === '*' || sign === value[at])
  if (beside.some((text) => text.length > 5 && fits(text))) return 1
  const many = 10 ** Math.min(9, [...mask].filter((sign) => sign === '*').length)
  if (mask.length < 18 || mask.length > 20) return many
  // An identity number, a letter and one, or one and two digits.
  const identity = (text: string): string => (text.length === 19 ? text.slice(1) : text.slice(0, 18))
  const known = [...identity(mask)]
  for (const other of beside)
    if (other.includes('*') && other.length >= 18 && other.length <= 20)
      for (const [at, sign] of [...identity(other)].entries()) if (sign !== '*') known[at] = sign
  const regions = [...new Set(beside.filter((text) => /^[1-8][0-9]{5}$/.test(text))), '']
  const days = [...new Set(beside.flatMap((text) => text.match(/(?:19|20)\d\d-\d\d-\d\d/g) ?? [])), '']
  let least = many
  for (const region of regions)
    for (const day of days) {
      const signs = [...known]
      for (const [at, sign] of [...region].entries()) signs[at] = sign
      for (const [at, sign] of [...day.replaceAll('-', '')].entries()) signs[6 + at] = sign
      const open = signs.flatMap((sign, at) => (sign === '*' ? [at] : []))
      if (open.length > 4) continue
      let count = 0
      for (let guess = 0; guess < 10 ** open.length; guess += 1) {
        const whole = [...signs]
        for (const [at, digit] of [...String(guess).padStart(open.length, '0')].entries())
          if (open.length) whole[open[at]!] = digit
        if (idNoCheckDigit(whole.slice(0, 17).join('')) === whole[17]) count += 1
      }
      // What does not fit at all is somebody else's day or region.
      if (count > 0) least = Math.min(least, count)
    }
  return least
}

/** The texts in a value, wherever they stand: in JSON that is a text as well. */
const textsIn = (value: unknown): string[] => {
  if (value === null || value === undefined) return []
  if (typeof value === 'object') return Object.values(value).flatMap(textsIn)
  return typeof value === 'string' && /^[{[]/.test(value) ? textsIn(JSON.parse(value)) : [String(value)]
}

/** What an answer is about: each row of a page or a file, or the whole. */
function thingsIn(payload: Buffer, type: string): Shown[] {
  if (type.includes('zip') || type.includes('sheet'))
    return Object.values(unzipSync(payload)).flatMap((bytes) =>
      strFromU8(bytes)
        .split(/<\/row>|<\/sst>|\n/)
        .map((row) => row.replace(/<[^>]*>/g, '\t').split(/[\t,"]+/)),
    )
  const text = payload.toString()
  if (!type.includes('json')) return text.split('\n').map((line) => line.split(/[,"\r]+/))
  const { data } = JSON.parse(text) as { data: { records?: unknown[] } | unknown[] | null }
  const rows = Array.isArray(data)
    ? data
    : data && 'records' in data && Array.isArray(data.records)
      ? data.records
      : [data]
  return rows.map(textsIn)
}

let world: World
let admin: Person
/** Somebody with every code but those of personal values. */
let clerk: Person
const rows = new Map<string, Row>()
const titled = entities.filter(hasPersonal)

beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  const made = new Map<string, string>()
  for (const [name, fields] of Object.entries(numbers)) {
    const entity = entityOf(name)
    const { draft } =
      name === 'user' ? { draft: { account: 'masked', realName: '旧名' } } : await sample(admin, entity, made)
    const born = name === 'student' ? { birthDate: '2015-03-10', sex: '1', formerName: '旧名' } : {}
    // Numbers that came later stand in the history.
    const former = Object.fromEntries(Object.keys(fields).map((each) => [each, null]))
    const added = await admin.post<Row>(`${entity.path}/submit`, { ...draft, ...born, ...former })
    const answer = await admin.post<Row>(`${entity.path}/submit`, { id: added.data?.id, ...fields })
    if (answer.code !== 200) throw new Error(`${name}: ${added.msg} ${answer.msg}`)
    made.set(name, answer.data.id)
    rows.set(name, answer.data)
  }
  const { rows: menus } = await world.owner.query<{ code: string }>('select code from menu where platform_only = 0')
  const seeing = new Set(titled.map(personalCode))
  clerk = await world.colleague(
    admin,
    menus.map(({ code }) => code).filter((code) => !platformCodes.has(code) && !seeing.has(code)),
  )
  // The messages that were sent keep a number as well.
  const id = '77'
  const place = { table: 'sms_log', column: 'phone', tenantId: admin.tenantId, id }
  await world.owner.query(
    `insert into sms_log (tenant_id, id, sms_code, phone, purpose, state, tries) values ($1, $2, 'x', $3, 'login', 'sent', 1)`,
    [admin.tenantId, id, world.services.cipher.seal('13412345644', place)],
  )
  secrets.add('13412345644')
  rows.set('smslog', { id, version: 1 })
  await world.owner.query(
    `insert into mail_log (tenant_id, id, subject, recipient, purpose, state, tries) values ($1, $2, 'x', $3, 'notice', '1', 1)`,
    [
      admin.tenantId,
      id,
      world.services.cipher.seal('someone@school.example', { ...place, table: 'mail_log', column: 'recipient' }),
    ],
  )
  secrets.add('someone@school.example')
  rows.set('maillog', { id, version: 1 })
}, 120_000)
afterAll(() => world.close())

/** Everything that came back to the clerk, by the call that gave it. */
const weak: string[] = []
const masked = new Set<string>()
function look(call: string, payload: Buffer, type: string): void {
  const text = payload.toString()
  for (const secret of secrets) if (text.includes(secret)) weak.push(`${call} shows ${secret}`)
  for (const thing of thingsIn(payload, type))
    for (const [at, each] of thing.entries()) {
      const beside = thing.filter((_, other) => other !== at)
      for (const [mask] of each.matchAll(/[0-9A-Z-]*\*{4,}[0-9A-Z]*/g)) {
        masked.add(call.split('?', 1)[0]!)
        const left = possible(mask, beside)
        if (left < 2) weak.push(`${call}: ${mask} leaves ${left}`)
      }
    }
}

async function ask(method: 'GET' | 'POST', path: string, query: Record<string, string>, body?: object) {
  const answer = await world.http.inject({
    ...{ method, url: `/api${path}`, query, headers: { 'blade-auth': `bearer ${clerk.token}` } },
    ...(body ? { payload: body } : {}),
  })
  look(`${path}?${new URLSearchParams(query)}`, answer.rawPayload, String(answer.headers['content-type'] ?? ''))
  return answer
}

describe('R-PERM-5 a masked number cannot be completed', () => {
  it('is rebuilt by whoever tries, where a mask shows more', () => {
    const beside = ['2015-03-10', '110105', '1']
    expect(possible(`110105********${idNo.slice(-4)}`, beside)).toBe(1)
    expect(possible(`**************${idNo.slice(-4)}`, beside)).toBe(1)
    expect(possible(`****************${idNo.slice(-2)}`, [...beside, `G**************${idNo.slice(-4)}`])).toBe(1)
    expect(possible('*********78', ['13912345678'])).toBe(1)
    expect(possible(`****************${idNo.slice(-2)}`, beside)).toBeGreaterThan(5)
  })

  it('by any call that reads', { timeout: 120_000 }, async () => {
    for (const route of allRoutes()) {
      if (route.method !== 'GET' || route.access === 'public' || /logout|clear-cache|live|template/.test(route.path))
        continue
      const entity = entities.find((each) => each.name === route.tag)
      const id = rows.get(route.tag ?? '')?.id ?? rows.get('student')!.id
      const required = Object.fromEntries(
        Object.entries(route.parameters ?? {}).flatMap(([name, { kind, required }]): [string, string][] =>
          kind === 'id' || kind === 'ids'
            ? [[name, id]]
            : required
              ? [[name, name === 'entity' ? 'student' : '旧名']]
              : [],
        ),
      )
      // A list of all that a row has, but for what nobody is shown.
      const shown = Object.entries(entity?.fields ?? {}).flatMap(([name, { inner }]) => (inner ? [] : [name]))
      const columns: Record<string, string> =
        entity && /list$|export$/.test(route.path) ? { columns: shown.join() } : {}
      for (const format of /export$/.test(route.path)
        ? entity && hasPersonal(entity)
          ? ['csv', 'xlsx']
          : ['csv']
        : ['']) {
        const query = { ...columns, ...(format ? { format } : {}) }
        await ask('GET', route.path, { ...query, ...required })
        if ('id' in required || 'ids' in required) await ask('GET', route.path, query)
      }
    }
    expect(weak).toEqual([])
    // It is a walk through open doors.
    for (const { path, readOnly } of titled)
      for (const call of ['list', 'detail', ...(readOnly ? [] : ['history']), 'export'])
        expect([...masked]).toContain(`/${path}/${call}`)
    expect([...masked]).toContain('/blade-user/oneroster/export')
  })

  it('by what a save, a conflict, a change taken back, a refusal, or a file in the background answers', async () => {
    for (const [name, row] of rows) {
      if (entityOf(name).readOnly) continue
      const { path, fields } = entityOf(name)
      await ask('POST', `/${path}/submit`, {}, { id: row.id, ...('remark' in fields ? { remark: '改' } : {}) })
      await ask('POST', `/${path}/submit`, {}, { id: row.id, version: 99 })
      const { rows: entries } = await world.owner.query<{ id: string }>(
        'select id from history where tenant_id = $1 and entity = $2 and row_id = $3 order by id',
        [admin.tenantId, name, row.id],
      )
      for (const entry of entries) {
        await ask('GET', '/blade-log/history/detail', { id: entry.id })
        await ask('POST', `/${path}/restore`, { id: row.id, historyId: entry.id })
      }
      const job = await jobEnded(clerk, await clerk.post(`${path}/export-job`, {}, { query: { format: 'csv' } }))
      await ask('GET', '/blade-system/job/file', { id: job.id })
    }
    // A number that is taken is refused without a word of whose it is or what it is.
    const { draft } = await sample(admin, entityOf('student'))
    const twice = { ...draft, idNo, birthDate: '2015-03-10', sex: '1' }
    const refused = await ask('POST', '/blade-user/student/submit', {}, twice)
    expect(refused.statusCode).toBe(409)
    expect(weak).toEqual([])
  })

  it('by the logs, whatever name a number came under', async () => {
    await ask('POST', '/blade-user/studentdetail/submit', {}, { id: '1', ...numbers.studentdetail })
    await ask(
      'POST',
      '/blade-user/student/submit',
      {},
      { id: '1', ...numbers.student, birthDate: '2015-03-10', region: '110105', remark: `证件${idNo}` },
    )
    await ask('GET', '/blade-user/student/list', { nationalCode_equal: `L${'9'.repeat(18)}`, phone: '13912345678' })
    secrets.add(`L${'9'.repeat(18)}`)
    await logsOf(world.services).flush()
    for (const kind of ['api', 'usual', 'error']) {
      const list = await ask('GET', `/blade-log/${kind}/list`, { size: '100' })
      for (const { id } of (list.json() as { data: { records?: Row[] } }).data?.records ?? [])
        await ask('GET', `/blade-log/${kind}/detail`, { id })
    }
    expect(weak).toEqual([])
    expect([...masked]).toContain('/blade-log/api/detail')
  })

  it('by asking the lists whether a guess is right', async () => {
    const asked = [
      ['student', { idNo_equal: idNo }],
      ['student', { idNo: idNo.slice(-4) }],
      ['student', { nationalCode_notequal: `G${idNo}` }],
      ['studentdetail', { insuranceNo: idNo }],
      ['studentdetail', { disabilityCertNo: `${idNo}41` }],
    ] as const
    for (const [name, query] of asked) {
      const { path } = entityOf(name)
      for (const call of ['list', 'export'])
        expect(
          (await ask('GET', `/${path}/${call}`, { ...query, format: 'csv' })).statusCode,
          JSON.stringify(query),
        ).toBe(403)
      expect((await clerk.post(`${path}/export-job`, {}, { query: { ...query, format: 'csv' } })).status).toBe(403)
      expect((await admin.get(`${path}/list`, query)).status).toBe(200)
    }
    for (const keyword of [idNo, idNo.slice(-4), `G${idNo}`]) {
      expect((await clerk.get('blade-desk/search', { keyword })).data).toEqual({ groups: [] })
      expect((await clerk.get<{ total: number }>('blade-user/student/list', { keyword })).data.total, keyword).toBe(0)
    }
    // Phones are many: whoever may see the row finds it by one.
    expect((await clerk.get<{ total: number }>('blade-user/student/list', { phone: '13912345678' })).data.total).toBe(1)
  })
})
