import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../src/database/statement.ts'
import { inTenant } from '../src/database/transaction.ts'
import { heldStates } from '../src/modules/oneroster/rest/snapshot.ts'
import { download, imported, packed, small, textsOf } from './oneroster-parts.ts'
import { allScopes, Reader, reader, scopeOf } from './oneroster-reader.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

let world: World
let admin: Person
let other: Person
/** One who reads all of the first tenant. */
let usual: Awaited<ReturnType<typeof reader>>
beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  other = await world.tenant()
  await imported(world, admin, packed(small()))
  usual = await reader(world, admin)
})
afterAll(() => world?.close())

const paths = [
  ...['academicSessions', 'gradingPeriods', 'terms', 'classes', 'courses', 'enrollments', 'orgs', 'schools'],
  ...['students', 'teachers', 'users', 'demographics'],
]
const collectionNames: Record<string, [many: string, one: string]> = {
  academicSessions: ['academicSessions', 'academicSession'],
  gradingPeriods: ['academicSessions', 'academicSession'],
  terms: ['academicSessions', 'academicSession'],
  classes: ['classes', 'class'],
  courses: ['courses', 'course'],
  enrollments: ['enrollments', 'enrollment'],
  orgs: ['orgs', 'org'],
  schools: ['orgs', 'org'],
  students: ['users', 'user'],
  teachers: ['users', 'user'],
  users: ['users', 'user'],
  demographics: ['demographics', 'demographics'],
}
const statusInfo = (minor: string) => ({
  imsx_codeMajor: 'failure',
  imsx_severity: 'error',
  imsx_description: expect.any(String),
  imsx_CodeMinor: {
    imsx_codeMinorField: [{ imsx_codeMinorFieldName: 'TargetEndSystem', imsx_codeMinorFieldValue: minor }],
  },
})
const readsOf = (person: Person): Promise<{ user_name: string; child_id: string; reason: string; kind: string }[]> =>
  inTenant(world.services.pool, person.tenantId, (tx) =>
    tx.run(
      sql`select user_name, child_id::text as child_id, reason, kind from read_log where tenant_id = ${person.tenantId} order by id`,
    ),
  )

describe('ISSUE-13-B8 OneRoster REST 1.2', () => {
  it.each(paths)('answers %s as a collection and each of its records alone', async (path) => {
    const client = usual
    const [many, one] = collectionNames[path]!
    const all = await client.get(path)
    expect(all.status, JSON.stringify(all.body)).toBe(200)
    expect(Object.keys(all.body)).toEqual([many])
    const records = all.body[many]
    expect(records.length).toBeGreaterThan(0)
    expect(all.headers['x-total-count']).toBe(String(records.length))
    for (const record of records) {
      expect(record).toMatchObject({
        status: 'active',
        dateLastModified: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      })
      const single = await client.get(`${path}/${encodeURIComponent(record.sourcedId)}`)
      expect(single).toMatchObject({ status: 200, body: { [one]: record } })
    }
    expect(await client.get(`${path}/nobody`)).toMatchObject({ status: 404, body: statusInfo('unknownobject') })
  })

  it('answers the same records under the same sourcedIds as the archive', async () => {
    const client = usual
    const texts = textsOf(await download(world, admin))
    for (const path of ['academicSessions', 'classes', 'courses', 'demographics', 'enrollments', 'orgs', 'users']) {
      const { body } = await client.get(path, { limit: '10000' })
      const ids = body[collectionNames[path]![0]].map((record: { sourcedId: string }) => record.sourcedId)
      const lines = texts[`${path}.csv`]!.trimEnd().split('\r\n').slice(1)
      expect(ids, path).toEqual(lines.map((line) => line.split(',')[0]!.replaceAll('"', '')))
    }
  })

  it('points at other records by address, sourcedId and type, and writes days and roles as the binding does', async () => {
    const client = usual
    const { user } = (await client.get('students/stu-1')).body
    expect(user).toMatchObject({
      sourcedId: 'stu-1',
      enabledUser: 'true',
      givenName: '小雨',
      familyName: '欧阳',
      grades: ['02'],
      primaryOrg: { sourcedId: 'school-1', type: 'org', href: expect.stringMatching(/\/orgs\/school-1$/) },
      roles: [{ roleType: 'primary', role: 'student', org: { sourcedId: 'school-1', type: 'org' } }],
    })
    expect(user.agents).toEqual([expect.objectContaining({ type: 'user' })])
    const { academicSession } = (await client.get('terms/term-1')).body
    expect(academicSession).toMatchObject({ startDate: '2026-09-01', endDate: '2027-01-25', schoolYear: '2027' })
    expect((await client.get('demographics/stu-1')).body.demographics).toMatchObject({
      birthDate: '2018-03-04',
      sex: 'female',
    })
  })

  it.each([
    ["familyName='May'", ['stu-2']],
    ["familyName!='May'", ['stu-1']],
    ["familyName~'a'", ['stu-2']],
    ["identifier>'S001'", ['stu-2']],
    ["identifier>='S001'", ['stu-1', 'stu-2']],
    ["identifier<'S002'", ['stu-1']],
    ["identifier<='S001'", ['stu-1']],
    ["familyName='May' AND identifier='S001'", []],
    ["familyName='May' OR identifier='S001'", ['stu-1', 'stu-2']],
    ["primaryOrg.sourcedId='school-1'", ['stu-1', 'stu-2']],
    ["dateLastModified>'2020-01-01T00:00:00Z'", ['stu-1', 'stu-2']],
    ["dateLastModified<'2020-01-01T00:00:00Z'", []],
  ])('filters by %s', async (filter, wanted) => {
    const client = usual
    const { body, headers } = await client.get('students', { filter })
    expect(body.users.map((user: { sourcedId: string }) => user.sourcedId)).toEqual(wanted)
    expect(headers['x-total-count']).toBe(String(wanted.length))
  })

  it.each([
    ["familyName='x' OR 1=1 --", 'invalid_filter_field'],
    ["familyName='x'; drop table student; --'", 'invalid_filter_field'],
    ["familyName='a' AND identifier='b' AND status='c'", 'invalid_filter_field'],
    ["password='x'", 'invalid_filter_field'],
    ["constructor='x'", 'invalid_filter_field'],
    ["__proto__.x='x'", 'invalid_filter_field'],
    ['familyName', 'invalid_filter_field'],
    ['', 'invalid_filter_field'],
  ])('refuses the filter %s', async (filter, minor) => {
    const client = usual
    expect(await client.get('students', { filter })).toMatchObject({ status: 400, body: statusInfo(minor) })
  })

  it('does not tell by a filter what it does not show', async () => {
    const client = await reader(world, admin, { scopes: ['core'] })
    const { body } = await client.get('students', { filter: "metadata.idType='1'" })
    expect(body.users).toEqual([])
    const full = await client.get('students')
    for (const user of full.body.users)
      expect(Object.keys(user.metadata).sort()).toEqual(['fullName', 'gradeCode', 'status'])
  })

  it('sorts, takes fields, pages with totals and links, and refuses what is none', async () => {
    const client = usual
    const sorted = await client.get('students', { sort: 'givenName', orderBy: 'desc', fields: 'sourcedId,givenName' })
    expect(sorted.body.users).toEqual([
      { sourcedId: 'stu-1', givenName: '小雨' },
      { sourcedId: 'stu-2', givenName: 'Anna' },
    ])
    const seen: string[] = []
    let next: string | undefined = 'users?limit=2&offset=0'
    while (next) {
      const [path, query] = next.split('?') as [string, string]
      const page = await client.get(path, Object.fromEntries(new URLSearchParams(query)))
      expect(page.headers['x-total-count']).toBe('5')
      seen.push(...page.body.users.map((user: { sourcedId: string }) => user.sourcedId))
      const link = String(page.headers.link)
      expect(link).toContain('rel="first"')
      expect(link).toContain('rel="last"')
      next = /<[^>]*\/v1p2\/([^>]*)>; rel="next"/.exec(link)?.[1]
    }
    expect(new Set(seen).size).toBe(5)
    expect(await client.get('users', { limit: '10001' })).toMatchObject({
      status: 400,
      body: statusInfo('invaliddata'),
    })
    expect(await client.get('users', { offset: '-1' })).toMatchObject({ status: 400, body: statusInfo('invaliddata') })
    expect(await client.get('users', { sort: 'nothing' })).toMatchObject({
      status: 400,
      body: statusInfo('invalid_sort_field'),
    })
    expect(await client.get('users', { fields: 'nothing' })).toMatchObject({
      status: 400,
      body: statusInfo('invalid_selection_field'),
    })
  })

  it('keeps to the records of the first page while a walk goes on', async () => {
    const person = await world.tenant()
    await imported(world, person, packed(small()))
    const client = await reader(world, person)
    const first = await client.get('users', { limit: '2', offset: '0' })
    const texts = small()
    texts['users.csv'] += 'aaa-1,,,true,li,,四,李,,T7,,,,,,,,,,,,school-1,\r\n'
    texts['roles.csv'] += 'r5,,,aaa-1,primary,teacher,,,school-1,\r\n'
    const more = await imported(world, person, packed(texts))
    expect(more.state).toBe('done')
    const second = await client.get('users', { limit: '100', offset: '2' })
    expect(second.headers['x-total-count']).toBe(first.headers['x-total-count'])
    const ids = [...first.body.users, ...second.body.users].map((user: { sourcedId: string }) => user.sourcedId)
    expect(ids).not.toContain('aaa-1')
    const anew = await client.get('users', { limit: '100', offset: '0' })
    expect(anew.body.users.map((user: { sourcedId: string }) => user.sourcedId)).toContain('aaa-1')
  })

  it('records each child that is read, with the purpose as the reason, and nothing else', async () => {
    const client = usual
    const before = (await readsOf(admin)).length
    await client.get('orgs')
    await client.get('teachers')
    expect((await readsOf(admin)).length).toBe(before)
    await client.get('students', { limit: '1' })
    await client.get('enrollments', { filter: "role='teacher'" })
    expect((await readsOf(admin)).slice(before)).toEqual([
      {
        user_name: expect.stringMatching(/^OneRoster: reader/),
        child_id: expect.any(String),
        reason: '课程平台同步名册',
        kind: 'export',
      },
    ])
    await client.get('enrollments', { filter: "role='student'" })
    expect((await readsOf(admin)).length).toBe(before + 3)
  })

  it('answers nothing of a child where the reading cannot be recorded', async () => {
    const client = usual
    await world.owner.query('alter table read_log rename to read_log_away')
    try {
      const refused = await client.get('students', {}, undefined, true)
      expect(refused).toMatchObject({ status: 500, body: statusInfo('internal_server_error') })
      expect(JSON.stringify(refused.body)).not.toContain('小雨')
      expect((await client.get('orgs')).status).toBe(200)
    } finally {
      await world.owner.query('alter table read_log_away rename to read_log')
    }
  })

  it('answers what is none of its addresses, and an outage, as the binding does', async () => {
    const client = usual
    for (const path of ['schools/school-1/classes', 'resources', 'students/stu-1/classes'])
      expect(await client.get(path)).toMatchObject({ status: 404, body: statusInfo('unknownobject') })
    const beyond = await client.get('students', { limit: '1', offset: '90' })
    expect(beyond.body.users).toEqual([])
    expect(beyond.headers.link).toMatch(/[?&]offset=1>; rel="prev"/)
    const { pool } = world.services
    const connect = pool.connect.bind(pool)
    Object.assign(pool, { connect: () => Promise.reject(new Error('Connection terminated unexpectedly')) })
    try {
      const away = await client.get('orgs', {}, undefined, true)
      expect(away).toMatchObject({ status: 503, body: statusInfo('server_busy') })
      expect(away.headers['retry-after']).toBeDefined()
      const token = await client.authorize({}, undefined, true)
      expect(token.status).toBe(503)
      expect(token.headers['retry-after']).toBeDefined()
    } finally {
      Object.assign(pool, { connect })
    }
  })

  it('holds few earlier states of the records, however many walks go on', async () => {
    const person = await world.tenant()
    await imported(world, person, packed(small()))
    const client = await reader(world, person)
    const school = (await person.get<{ records: Record<string, unknown>[] }>('blade-user/school/list', {})).data
      .records[0]!
    for (let round = 0; round < 8; round += 1) {
      expect((await client.get('users', { limit: '1', filter: `sourcedId!='${round}'` })).status).toBe(200)
      const row = (await person.get<Record<string, unknown>>('blade-user/school/detail', { id: String(school.id) }))
        .data
      const saved = await person.post('blade-user/school/submit', { ...row, postcode: `10000${round}` })
      expect(saved.status, saved.msg).toBe(200)
    }
    expect(heldStates()).toBeLessThanOrEqual(6)
  })

  it('reads sessions that stand in a ring, and shows none of whatever another system wrote of a person', async () => {
    const person = await world.tenant()
    const texts = small()
    texts['academicSessions.csv'] = texts['academicSessions.csv']!.replace(
      'gp-1,,,First half,gradingPeriod,2026-09-01,2026-11-01,term-1,',
      'gp-1,,,First half,gradingPeriod,2026-09-01,2026-11-01,gp-2,',
    ).concat('gp-2,,,Second half,gradingPeriod,2026-11-01,2027-01-25,gp-1,2027\r\n')
    const [head, ...lines] = texts['demographics.csv']!.trimEnd().split('\r\n')
    texts['demographics.csv'] = [
      `${head},metadata.card`,
      ...lines.map((line) => `${line},110101201803041234`),
      '',
    ].join('\r\n')
    await imported(world, person, packed(texts))
    const schools = (await person.get<{ records: { id: string }[] }>('blade-user/school/list', {})).data.records
    const some = await reader(world, person, { allSchools: 0, schoolIds: schools.map(({ id }) => id) })
    expect((await some.get('gradingPeriods')).status).toBe(200)
    expect((await some.get('terms')).headers['x-total-count']).toBe('1')
    expect(JSON.stringify((await some.get('demographics')).body)).not.toContain('110101201803041234')
    expect(textsOf(await download(world, person))['demographics.csv']).toContain('110101201803041234')
  })

  it('tells nothing of a tenant’s own fields, nor does an archive', async () => {
    const person = await world.tenant()
    await imported(world, person, packed(small()))
    for (const [owner, part] of Object.entries({ student: 'student/', user: '', schoolclass: 'schoolclass/' })) {
      const draft = { owner, label: `本校字段 ${owner}`, kind: 'text' }
      const field = (await person.post<{ id: string }>('blade-system/customfield/submit', draft)).data
      const rows = (await person.get<{ records: Row[] }>(`blade-user/${part}list`, {})).data.records
      for (const { id } of rows) {
        const whole = (await person.get<Row>(`blade-user/${part}detail`, { id })).data
        const change = { id, version: whole.version, [`x${field.id}`]: `只在本校 ${owner}` }
        expect(await person.post(`blade-user/${part}submit`, change)).toMatchObject({ status: 200 })
      }
    }
    const client = await reader(world, person)
    for (const path of ['classes', 'users', 'students', 'teachers']) {
      const { body } = await client.get(path)
      expect(body[collectionNames[path]![0]].length).toBeGreaterThan(0)
      expect(JSON.stringify(body)).not.toMatch(/只在本校|custom/)
    }
    for (const text of Object.values(textsOf(await download(world, person))))
      expect(text).not.toMatch(/只在本校|custom/)
  })

  it('gives no telephone and no identity number', async () => {
    const client = usual
    for (const path of ['users', 'demographics']) {
      const text = JSON.stringify((await client.get(path)).body)
      expect(text).not.toContain('17900000001')
      expect(text).not.toContain('*')
    }
  })
})

describe('ISSUE-13-B8 who reads by OneRoster REST', () => {
  it('gives a token for a secret by RFC 6749 §4.4, in the header or in the form, with the scopes asked for', async () => {
    const client = await reader(world, admin)
    const whole = await client.authorize()
    expect(whole.body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: allScopes.map(scopeOf).join(' '),
    })
    expect(whole.headers['cache-control']).toContain('no-store')
    const { clientId, clientSecret } = client.credentials
    const byForm = await client.authorize(
      { client_id: clientId, client_secret: clientSecret, scope: scopeOf('roster-core.readonly') },
      null,
    )
    expect(byForm).toMatchObject({ status: 200, body: { scope: scopeOf('roster-core.readonly') } })
    expect(await client.get('demographics')).toMatchObject({ status: 403, body: statusInfo('forbidden') })
    expect((await client.get('orgs')).status).toBe(200)
  })

  it('refuses wrong secrets, unknown clients, grants and scopes as the RFC says', async () => {
    const client = await reader(world, admin, { scopes: ['core'] })
    const { clientId, clientSecret } = client.credentials
    const wrong = await client.authorize({}, { clientId, clientSecret: `${clientSecret.slice(0, -1)}!` })
    expect(wrong).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
    expect(wrong.headers['www-authenticate']).toMatch(/^Basic /)
    expect(
      await client.authorize({}, { clientId: `${other.tenantId}.${clientId.split('.')[1]}`, clientSecret }),
    ).toMatchObject({ status: 401 })
    expect(await client.authorize({}, { clientId: "000001.1' or '1'='1", clientSecret })).toMatchObject({ status: 401 })
    expect(await client.authorize({ grant_type: 'password' })).toMatchObject({
      status: 400,
      body: { error: 'unsupported_grant_type' },
    })
    expect(await client.authorize({ scope: scopeOf('roster-demographics.readonly') })).toMatchObject({
      status: 400,
      body: { error: 'invalid_scope' },
    })
    expect(await client.authorize({ scope: 'all' })).toMatchObject({ status: 400, body: { error: 'invalid_scope' } })
  })

  it('refuses no token, a made-up one, one that has run out, and one of a session', async () => {
    const client = await reader(world, admin)
    for (const token of [null, 'x', `bsr_${admin.tenantId}_${'A'.repeat(43)}`, admin.token])
      expect(await client.get('orgs', {}, token)).toMatchObject({
        status: 401,
        body: statusInfo('unauthorisedrequest'),
      })
    await inTenant(world.services.pool, admin.tenantId, (tx) =>
      tx.run(
        sql`update roster_token set expires = now() where tenant_id = ${admin.tenantId} and client_id = ${client.id}`,
      ),
    )
    expect((await client.get('orgs')).status).toBe(401)
  })

  it('keeps no secret and no token that could be used, and ends a token with its secret, switch, last day and client', async () => {
    const client = await reader(world, admin)
    const kept = await inTenant(world.services.pool, admin.tenantId, (tx) =>
      tx.run(
        sql`select encode(hash, 'escape') as hash from roster_secret union all select encode(hash, 'escape') from roster_token`,
      ),
    )
    expect(JSON.stringify(kept)).not.toContain(client.credentials.clientSecret)
    expect(JSON.stringify(kept)).not.toContain(client.token)
    const rotated = await admin.post('blade-user/rosterclient/secret', undefined, { query: { id: client.id } })
    expect(rotated.status).toBe(200)
    expect((await client.get('orgs')).status).toBe(401)
    expect((await client.authorize()).status).toBe(401)
    const changes: Record<string, unknown>[] = [{ status: 1 }, { expireDate: '2020-01-01' }]
    for (const change of changes) {
      const each = await reader(world, admin)
      const row = (await admin.get<Record<string, unknown>>('blade-user/rosterclient/detail', { id: each.id })).data
      const saved = await admin.post('blade-user/rosterclient/submit', { ...row, ...change })
      expect(saved.status, saved.msg).toBe(200)
      expect((await each.get('orgs')).status).toBe(401)
      expect((await each.authorize()).status).toBe(401)
    }
    const gone = await reader(world, admin)
    await admin.post('blade-user/rosterclient/remove', undefined, { query: { ids: gone.id } })
    expect((await gone.get('orgs')).status).toBe(401)
  })

  it('reads one tenant: a token with the name of another opens nothing', async () => {
    const client = await reader(world, admin)
    const foreign = client.token.replace(`bsr_${admin.tenantId}`, `bsr_${other.tenantId}`)
    expect((await client.get('users', {}, foreign)).status).toBe(401)
    const theirs = await reader(world, other)
    expect((await theirs.get('users/stu-1')).status).toBe(404)
    expect(JSON.stringify((await theirs.get('users')).body)).not.toContain('stu-1')
  })

  it('reads the schools it was given, and none where none was', async () => {
    const none = await reader(world, admin, { allSchools: 0 })
    for (const path of paths.filter((each) => each !== 'orgs')) {
      const { body, headers } = await none.get(path)
      expect(body[collectionNames[path]![0]], path).toEqual([])
      expect(headers['x-total-count']).toBe('0')
    }
    expect((await none.get('users/stu-1')).status).toBe(404)
    const schools = (await admin.get<{ records: { id: string }[] }>('blade-user/school/list', {})).data.records
    const one = await reader(world, admin, { allSchools: 0, schoolIds: schools.map(({ id }) => id) })
    expect((await one.get('students')).headers['x-total-count']).toBe('2')
    expect((await one.get('gradingPeriods')).headers['x-total-count']).toBe('1')
  })

  it('lets nobody without the code issue a secret, nor anybody of another tenant', async () => {
    const client = await reader(world, admin)
    const stranger = await other.post('blade-user/rosterclient/secret', undefined, { query: { id: client.id } })
    expect(stranger.status).toBe(404)
    expect((await client.get('orgs')).status).toBe(200)
    expect(new Reader(world, client.credentials).token).toBe('')
  })
})
