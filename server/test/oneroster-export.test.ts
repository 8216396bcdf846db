import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../src/database/statement.ts'
import { inPlatform, inTenant } from '../src/database/transaction.ts'
import { demoTenant, seedDemo } from '../src/seed/demo/index.ts'
import { checked, download, imported, rowsOf, textsOf, total, upload } from './oneroster-parts.ts'
import { makeWorld, type Person, type World } from './world.ts'

let world: World
let demo: Person
let exported: Buffer

beforeAll(async () => {
  world = await makeWorld()
  // The template was begun without a demo, and keeps to that until told otherwise.
  await inPlatform(world.services.platform, (tx) => tx.run(sql`delete from seed_mark where name = 'demo'`))
  await seedDemo(
    { ...world.services, environment: { ...world.services.environment, adminPassword: 'Correct-Horse-9' } },
    '2026-11-21',
  )
  const other = await world.tenant()
  // The demo's administrator, logged in: a session is a row like any other.
  demo = await loggedIn(demoTenant, 'admin')
  expect(other.tenantId).not.toBe(demo.tenantId)
  exported = await download(world, demo)
})
afterAll(() => world?.close())

async function loggedIn(tenantId: string, account: string): Promise<Person> {
  const token = `bsa_${tenantId}_${randomBytes(32).toString('base64url')}0000`
  const userId = await inTenant(world.services.pool, tenantId, async (tx) => {
    const row = await tx.one<{ id: string }>(
      sql`select id from app_user where tenant_id = ${tenantId} and account = ${account}`,
    )
    const { cipher, secrets } = world.services
    const hash = cipher.token(token)
    const seal = cipher.bind('access', { tenantId, sessionId: row!.id, userId: row!.id, hash })
    await tx.run(sql`insert into session (tenant_id, id, user_id, client_id, access_hash, access_seal, access_expires, absolute_expires)
      values (${tenantId}, ${row!.id}, ${row!.id}, ${secrets.clientId}, ${hash}, ${seal}, now() + interval '1 hour', now() + interval '1 day')`)
    return row!.id
  })
  return {
    tenantId,
    userId,
    token,
    get: (path, query, options) => world.call('GET', path, token, { ...options, ...(query ? { query } : {}) }),
    post: (path, body, options) => world.call('POST', path, token, { ...options, body }),
    remove: (path, ids) => world.call('POST', `${path}/remove`, token, { query: { ids } }),
  }
}

describe('the OneRoster export', () => {
  it('issue 2, point 6: holds the nine files with the columns of 1.2 in their order', () => {
    const texts = textsOf(exported)
    expect(Object.keys(texts)).toEqual([
      'manifest.csv',
      'academicSessions.csv',
      'classes.csv',
      'courses.csv',
      'demographics.csv',
      'enrollments.csv',
      'orgs.csv',
      'roles.csv',
      'users.csv',
    ])
    const header = (name: string): string => texts[`${name}.csv`]!.split('\r\n')[0]!.split(',metadata.')[0]!
    expect(header('orgs')).toBe('sourcedId,status,dateLastModified,name,type,identifier,parentSourcedId')
    expect(header('academicSessions')).toBe(
      'sourcedId,status,dateLastModified,title,type,startDate,endDate,parentSourcedId,schoolYear',
    )
    expect(header('courses')).toBe(
      'sourcedId,status,dateLastModified,schoolYearSourcedId,title,courseCode,grades,orgSourcedId,subjects,subjectCodes',
    )
    expect(header('classes')).toBe(
      'sourcedId,status,dateLastModified,title,grades,courseSourcedId,classCode,classType,location,schoolSourcedId,termSourcedIds,subjects,subjectCodes,periods',
    )
    expect(header('users')).toBe(
      'sourcedId,status,dateLastModified,enabledUser,username,userIds,givenName,familyName,middleName,identifier,email,sms,phone,agentSourcedIds,grades,password,userMasterIdentifier,preferredGivenName,preferredMiddleName,preferredFamilyName,primaryOrgSourcedId,pronouns',
    )
    expect(header('roles')).toBe(
      'sourcedId,status,dateLastModified,userSourcedId,roleType,role,beginDate,endDate,orgSourcedId,userProfileSourcedId',
    )
    expect(header('enrollments')).toBe(
      'sourcedId,status,dateLastModified,classSourcedId,schoolSourcedId,userSourcedId,role,primary,beginDate,endDate',
    )
    expect(header('demographics')).toBe(
      'sourcedId,status,dateLastModified,birthDate,sex,americanIndianOrAlaskaNative,asian,blackOrAfricanAmerican,nativeHawaiianOrOtherPacificIslander,white,demographicRaceTwoOrMoreRaces,hispanicOrLatinoEthnicity,countryOfBirthCode,stateOfBirthAbbreviation,cityOfBirth,publicSchoolResidenceStatus',
    )
    const manifest = Object.fromEntries(rowsOf(texts['manifest.csv']!))
    expect(manifest['oneroster.version']).toBe('1.2')
    expect(manifest['file.users']).toBe('bulk')
    expect(manifest['file.lineItems']).toBe('absent')
    // The end of a session is the day after its last one; a year is named by the year in which it ends.
    const sessions = rowsOf(texts['academicSessions.csv']!)
    expect(sessions.find((row) => row[4] === 'schoolYear')!.slice(3, 9)).toEqual([
      '2026-2027学年',
      'schoolYear',
      '2026-09-01',
      '2027-09-01',
      '',
      '2027',
    ])
  })

  it('gives the same bytes each time', async () => {
    expect((await download(world, demo)).equals(exported)).toBe(true)
  })

  it('R-PERM-5: gives personal values in full only to who may see them', async () => {
    const clerk = await world.colleague(demo, ['oneroster_export'])
    const users = textsOf(await download(world, clerk))['users.csv']!
    expect(users).not.toMatch(/(?<!\d)179\d{8}(?!\d)/)
    expect(users).not.toMatch(/110103\d{11}/)
    expect(users).toMatch(/\*{9}\d{2}/)
    expect(textsOf(exported)['users.csv']!).toMatch(/110103\d{11}/)
    const told = await clerk.get<{ masked: string[]; notCarried: string[] }>('blade-user/oneroster/carried')
    expect(told.data.masked).toEqual(['学生', '家长', '用户'])
    expect(told.data.notCarried.length).toBeGreaterThan(3)
    expect((await demo.get<{ masked: string[] }>('blade-user/oneroster/carried')).data.masked).toEqual([])
    const nobody = await world.colleague(demo, ['student_view'])
    expect((await nobody.get('blade-user/oneroster/export')).status).toBe(403)
    expect((await upload(world, nobody, exported)).status).toBe(403)
  })
})

describe('the OneRoster import of a whole district', () => {
  it('ruling 25: export, import into an empty tenant, export again: equal to the byte', async () => {
    const empty = await world.tenant()
    const dry = await checked(world, empty, exported)
    expect(dry.report.faults).toEqual([])
    expect(total(dry.report, 'missing')).toBe(0)
    expect(
      await world.inTenant(empty.tenantId, (tx) =>
        tx.one(sql`select 1 from student where tenant_id = ${empty.tenantId} limit 1`),
      ),
    ).toBeUndefined()
    const done = await imported(world, empty, exported)
    expect(done.report.counts).toEqual(dry.report.counts)
    const again = await download(world, empty)
    const [before, after] = [textsOf(exported), textsOf(again)]
    for (const name of Object.keys(before)) {
      const lines = before[name]!.split('\r\n')
      const differing = after[name]!.split('\r\n').filter((line, index) => line !== lines[index])
      expect(differing.slice(0, 3), name).toEqual([])
    }
    expect(again.equals(exported)).toBe(true)
    // One batch, with the history of every row.
    const history = await world.inTenant(empty.tenantId, (tx) =>
      tx.one<{ n: number }>(
        sql`select count(*)::int as n from history where tenant_id = ${empty.tenantId} and batch_id = ${done.id} and user_id = ${empty.userId}`,
      ),
    )
    expect(history!.n).toBeGreaterThan(8_000)
    const counts = await world.inTenant(empty.tenantId, (tx) =>
      tx.run<{ n: number; c: number }>(
        sql`select student_count as n, (select count(*)::int from student s where s.tenant_id = c.tenant_id and s.class_id = c.id) as c from schoolclass c where tenant_id = ${empty.tenantId}`,
      ),
    )
    expect(counts.length).toBe(42)
    expect(counts.every(({ n, c }) => n === c && n > 30)).toBe(true)
    // The same archive once more changes nothing; nor does it where it came from.
    for (const person of [empty, demo]) {
      const { report } = await checked(world, person, exported)
      expect(report.faults).toEqual([])
      expect([total(report, 'add'), total(report, 'update'), total(report, 'missing')]).toEqual([0, 0, 0])
      expect(total(report, 'unchanged')).toBeGreaterThan(8_000)
    }
  }, 120_000)
})
