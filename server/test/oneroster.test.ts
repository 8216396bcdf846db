import { strFromU8, unzipSync, zipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../src/database/statement.ts'
import { inPlatform, inTenant } from '../src/database/transaction.ts'
import { demoTenant, seedDemo } from '../src/seed/demo/index.ts'
import { makeWorld, type Person, type World } from './world.ts'

interface Report {
  faults: { file: string; line: number; column: string; message: string }[]
  faultCount: number
  counts: {
    entity: string
    file: string
    add: number
    update: number
    unchanged: number
    missing: number
    missingNames: string[]
  }[]
  passed: { file: string; count: number; message: string }[]
  otherFiles: string[]
  plan: string
  committed: boolean
  batchId: string | null
}

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
  exported = await download(demo)
})
afterAll(() => world?.close())

async function loggedIn(tenantId: string, account: string): Promise<Person> {
  const { createHash, randomBytes } = await import('node:crypto')
  const token = `bsa_${tenantId}_${randomBytes(32).toString('base64url')}0000`
  const userId = await inTenant(world.services.pool, tenantId, async (tx) => {
    const row = await tx.one<{ id: string }>(
      sql`select id from app_user where tenant_id = ${tenantId} and account = ${account}`,
    )
    await tx.run(sql`insert into session (tenant_id, id, user_id, client_id, access_hash, access_expires, absolute_expires)
      values (${tenantId}, ${row!.id}, ${row!.id}, 'test', ${createHash('sha256').update(token).digest()}, now() + interval '1 hour', now() + interval '1 day')`)
    return row!.id
  })
  return {
    tenantId,
    userId,
    token,
    get: (path, query, options) => world.call('GET', path, token, { ...options, ...(query ? { query } : {}) }),
    post: (path, body, options) => world.call('POST', path, token, { ...options, body }),
  }
}

async function download(person: Person): Promise<Buffer> {
  const answer = await world.http.inject({
    method: 'GET',
    url: '/api/blade-user/oneroster/export',
    headers: { 'blade-auth': `bearer ${person.token}` },
  })
  expect(answer.statusCode, answer.payload.slice(0, 300)).toBe(200)
  expect(answer.headers['content-type']).toBe('application/zip')
  return answer.rawPayload
}

async function upload(
  person: Person,
  bytes: Uint8Array,
  query: Record<string, string> = {},
  language = 'zh',
): Promise<{ status: number; msg: string; data: Report }> {
  const boundary = 'x-data-brain-x'
  const payload = Buffer.concat([
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="roster.zip"\r\nContent-Type: application/zip\r\n\r\n`,
    ),
    bytes,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ])
  const answer = await world.http.inject({
    method: 'POST',
    url: '/api/blade-user/oneroster/import',
    query,
    headers: {
      'blade-auth': `bearer ${person.token}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'accept-language': language,
    },
    payload,
  })
  return { ...JSON.parse(answer.payload), status: answer.statusCode }
}

const textsOf = (bytes: Uint8Array): Record<string, string> =>
  Object.fromEntries(Object.entries(unzipSync(bytes)).map(([name, file]) => [name, strFromU8(file)]))
const packed = (texts: Record<string, string>): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, new TextEncoder().encode(text)])))
const rowsOf = (text: string): string[][] =>
  text
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','))
const total = (report: Report, what: 'add' | 'update' | 'unchanged' | 'missing'): number =>
  report.counts.reduce((sum, count) => sum + count[what], 0)

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
      'sourcedId,status,dateLastModified,enabledUser,username,userIds,givenName,familyName,middleName,identifier,email,sms,phone,agentSourcedIds,grades,password,userMasterIdentifier,resourceSourcedIds,preferredGivenName,preferredMiddleName,preferredFamilyName,primaryOrgSourcedId,pronouns',
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
    expect((await download(demo)).equals(exported)).toBe(true)
  })

  it('R-PERM-5: gives personal values in full only to who may see them', async () => {
    const clerk = await world.colleague(demo, ['oneroster_export'])
    const users = textsOf(await download(clerk))['users.csv']!
    expect(users).not.toMatch(/(?<!\d)179\d{8}(?!\d)/)
    expect(users).not.toMatch(/110103\d{11}/)
    expect(users).toMatch(/179\*{4}\d{4}/)
    expect(textsOf(exported)['users.csv']!).toMatch(/110103\d{11}/)
    const told = await clerk.get<{ masked: string[]; notCarried: string[] }>('blade-user/oneroster/carried')
    expect(told.data.masked).toEqual(['学生', '家长', '用户'])
    expect(told.data.notCarried.length).toBeGreaterThan(3)
    expect((await demo.get<{ masked: string[] }>('blade-user/oneroster/carried')).data.masked).toEqual([])
    const nobody = await world.colleague(demo, ['student_view'])
    expect((await nobody.get('blade-user/oneroster/export')).status).toBe(403)
    expect((await upload(nobody, exported)).status).toBe(403)
  })
})

describe('the OneRoster import', () => {
  it('ruling 25: export, import into an empty tenant, export again: equal to the byte', async () => {
    const empty = await world.tenant()
    const dry = await upload(empty, exported)
    expect(dry.status, dry.msg).toBe(200)
    expect(dry.data.faults).toEqual([])
    expect(dry.data.committed).toBe(false)
    expect(total(dry.data, 'missing')).toBe(0)
    expect(
      await world.inTenant(empty.tenantId, (tx) =>
        tx.one(sql`select 1 from student where tenant_id = ${empty.tenantId} limit 1`),
      ),
    ).toBeUndefined()
    const done = await upload(empty, exported, { commit: '1', plan: dry.data.plan })
    expect(done.data.committed, JSON.stringify(done.data.faults.slice(0, 5))).toBe(true)
    const again = await download(empty)
    const [before, after] = [textsOf(exported), textsOf(again)]
    for (const name of Object.keys(before)) {
      const lines = before[name]!.split('\r\n')
      const differing = after[name]!.split('\r\n').filter((line, index) => line !== lines[index])
      expect(differing.slice(0, 3), name).toEqual([])
    }
    expect(again.equals(exported)).toBe(true)
    // One batch, with the history of every row.
    const { batchId } = done.data
    const history = await world.inTenant(empty.tenantId, (tx) =>
      tx.one<{ n: number }>(
        sql`select count(*)::int as n from history where tenant_id = ${empty.tenantId} and batch_id = ${batchId} and user_id = ${empty.userId}`,
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
      const { data } = await upload(person, exported)
      expect(data.faults).toEqual([])
      expect([total(data, 'add'), total(data, 'update'), total(data, 'missing')]).toEqual([0, 0, 0])
      expect(total(data, 'unchanged')).toBeGreaterThan(8_000)
    }
  }, 120_000)

  it('names every fault by file, line and column, in both languages, and writes nothing', async () => {
    const person = await world.tenant()
    const texts = small()
    const broken: [
      string,
      (texts: Record<string, string>) => void,
      Partial<{ file: string; line: number; column: string; zh: RegExp; en: RegExp }>,
    ][] = [
      [
        'a missing manifest',
        (t) => {
          delete t['manifest.csv']
        },
        { file: 'manifest.csv', en: /missing/ },
      ],
      [
        'another version',
        (t) => {
          t['manifest.csv'] = t['manifest.csv']!.replace('oneroster.version,1.2', 'oneroster.version,1.1')
        },
        { file: 'manifest.csv', column: 'oneroster.version' },
      ],
      [
        'a delta',
        (t) => {
          t['manifest.csv'] = t['manifest.csv']!.replace('file.users,bulk', 'file.users,delta')
        },
        { column: 'file.users', zh: /增量/, en: /delta/ },
      ],
      [
        'a file that the manifest hides',
        (t) => {
          t['manifest.csv'] = t['manifest.csv']!.replace('file.users,bulk', 'file.users,absent')
        },
        { column: 'file.users' },
      ],
      [
        'columns in another order',
        (t) => {
          t['orgs.csv'] = t['orgs.csv']!.replace('name,type', 'type,name')
        },
        { file: 'orgs.csv', line: 1, column: 'type', en: /column 4 should be name/ },
      ],
      [
        'an extension without its prefix',
        (t) => {
          t['roles.csv'] = t['roles.csv']!.replace('userProfileSourcedId', 'userProfileSourcedId,extra')
        },
        { file: 'roles.csv', line: 1, column: 'extra' },
      ],
      [
        'a sourcedId twice',
        (t) => {
          t['orgs.csv'] += `${t['orgs.csv']!.split('\r\n')[2]}\r\n`
        },
        { file: 'orgs.csv', line: 4, column: 'sourcedId', zh: /重复/ },
      ],
      [
        'signs that a sourcedId may not have',
        (t) => {
          t['orgs.csv'] = t['orgs.csv']!.replaceAll('school-1,', '学校-1,')
        },
        { file: 'orgs.csv', line: 3, column: 'sourcedId' },
      ],
      [
        'a reference into nowhere',
        (t) => {
          t['enrollments.csv'] = t['enrollments.csv']!.replace(',stu-1,student', ',stu-9,student')
        },
        { file: 'enrollments.csv', column: 'userSourcedId', en: /users\.csv has no sourcedId "stu-9"/ },
      ],
      [
        'a word that is none',
        (t) => {
          t['orgs.csv'] = t['orgs.csv']!.replace(',school,', ',kindergarten,')
        },
        { file: 'orgs.csv', line: 3, column: 'type' },
      ],
      [
        'a day that is none',
        (t) => {
          t['academicSessions.csv'] = t['academicSessions.csv']!.replace('2026-09-01', '2026-02-30')
        },
        { file: 'academicSessions.csv', column: 'startDate', zh: /日期/ },
      ],
      [
        'a truth that is neither',
        (t) => {
          t['users.csv'] = t['users.csv']!.replace('stu-1,,,true', 'stu-1,,,yes')
        },
        { file: 'users.csv', column: 'enabledUser' },
      ],
      [
        'a status in bulk',
        (t) => {
          t['users.csv'] = t['users.csv']!.replace('stu-1,,', 'stu-1,active,')
        },
        { file: 'users.csv', column: 'status' },
      ],
      [
        'nothing where something must be',
        (t) => {
          t['classes.csv'] = t['classes.csv']!.replace(',Class 1,', ',,')
        },
        { file: 'classes.csv', column: 'title' },
      ],
      [
        'a school code that is none',
        (t) => {
          t['orgs.csv'] = t['orgs.csv']!.replace('2111999777', 'S1')
        },
        { file: 'orgs.csv', line: 3, column: 'identifier', zh: /学校标识码/ },
      ],
      [
        'a mobile that is none',
        (t) => {
          t['users.csv'] = t['users.csv']!.replace('17900000001', '12345')
        },
        { file: 'users.csv', column: 'sms', zh: /手机/ },
      ],
      [
        'a quote that does not end',
        (t) => {
          t['roles.csv'] += '"open,'
        },
        { file: 'roles.csv', zh: /CSV/ },
      ],
      [
        'a line with a column too few',
        (t) => {
          t['roles.csv'] += 'r9,,\r\n'
        },
        { file: 'roles.csv', en: /columns/ },
      ],
      [
        'a user without a role',
        (t) => {
          t['roles.csv'] = t['roles.csv']!.split('\r\n')
            .filter((line) => !line.includes('tea-1'))
            .join('\r\n')
        },
        { file: 'users.csv', column: 'sourcedId', en: /no role/ },
      ],
      [
        'two pupils with one number',
        (t) => {
          t['users.csv'] = t['users.csv']!.replace(',S002,', ',S001,')
        },
        { file: 'users.csv', column: 'identifier', zh: /重复/ },
      ],
    ]
    for (const [what, breakIt, wanted] of broken) {
      const copy = { ...texts }
      breakIt(copy)
      expect(copy, what).not.toEqual(texts)
      const zh = await upload(person, packed(copy), { commit: '1' })
      const en = await upload(person, packed(copy), { commit: '1' }, 'en')
      expect(zh.status, what).toBe(200)
      expect(zh.data.committed, what).toBe(false)
      expect(zh.data.faultCount, what).toBeGreaterThan(0)
      const { zh: zhWords = /./, en: enWords = /./, ...place } = wanted
      expect(zh.data.faults, what).toContainEqual(
        expect.objectContaining({ ...place, message: expect.stringMatching(zhWords) }),
      )
      expect(en.data.faults, what).toContainEqual(
        expect.objectContaining({ ...place, message: expect.stringMatching(enWords) }),
      )
      expect(
        en.data.faults.some((fault) => /\p{Script=Han}/u.test(fault.message.replace(/[“"].*?[”"]/g, ''))),
        what,
      ).toBe(false)
    }
    const rows = await world.inTenant(person.tenantId, (tx) =>
      tx.one(sql`select 1 from school where tenant_id = ${person.tenantId} limit 1`),
    )
    expect(rows).toBeUndefined()
  }, 120_000)

  it('shows at most 200 faults and counts them all', async () => {
    const texts = small()
    texts['orgs.csv'] += Array.from({ length: 300 }, (_, index) => `x${index},,,,school,,\r\n`)
      .join('')
      .replaceAll(
        ',,,,school,,',
        `,,,,school,,${','.repeat(texts['orgs.csv']!.split('\r\n')[0]!.split(',').length - 7)}`,
      )
    const { data } = await upload(await world.tenant(), packed(texts))
    expect(data.faults).toHaveLength(200)
    expect(data.faultCount).toBe(300)
  })

  it('refuses what is no archive, holds too much, or is a bomb', async () => {
    const person = await world.tenant()
    expect(await upload(person, Buffer.from('sourcedId,status'))).toMatchObject({
      status: 400,
      msg: expect.stringContaining('zip'),
    })
    const many = Object.fromEntries(Array.from({ length: 41 }, (_, index) => [`f${index}.csv`, 'a']))
    expect(await upload(person, packed(many))).toMatchObject({ status: 400, msg: expect.stringContaining('40') })
    const bomb = packed({ ...small(), 'users.csv': ' '.repeat(30_000_000) })
    expect(bomb.length).toBeLessThan(200_000)
    expect(await upload(person, bomb)).toMatchObject({ status: 400, msg: expect.stringContaining('users.csv') })
    // A directory that lies about a size is believed only until the file is longer.
    const liar = Buffer.from(bomb)
    const at = liar.lastIndexOf(Buffer.from('users.csv')) - 46 + 24
    liar.writeUInt32LE(500_000, at)
    expect(await upload(person, liar)).toMatchObject({ status: 400 })
  })

  it('takes an archive of another system, filling in what it leaves out', async () => {
    const person = await world.tenant()
    const first = await upload(person, packed(small()), { commit: '1' })
    expect(first.data.faults).toEqual([])
    expect(first.data.committed).toBe(true)
    expect(first.data.passed).toContainEqual(expect.objectContaining({ file: 'academicSessions.csv', count: 1 }))
    const { data: page } = await person.get<{ records: Record<string, unknown>[] }>('blade-user/student/list', {
      ascs: 'studentNo',
    })
    expect(page.records).toMatchObject([
      {
        studentNo: 'S001',
        name: '欧阳小雨',
        sex: '2',
        birthDate: '2018-03-04',
        className: 'Class 1',
        gradeName: '二年级',
      },
      { studentNo: 'S002', name: 'Anna May', className: 'Class 1' },
    ])
    const [kept] = await world.inTenant(person.tenantId, (tx) =>
      tx.run<
        Record<string, unknown>
      >(sql`select s.ext_id, c.student_count, c.cohort_year, h.begin_date, p.parent_name, p.relation, p.contact_priority, u.real_name, d.school_id = s.school_id as at_school
        from student s join schoolclass c on c.tenant_id = s.tenant_id and c.id = s.class_id join studentclass h on h.tenant_id = s.tenant_id and h.student_id = s.id
        join studentparents p on p.tenant_id = s.tenant_id and p.student_id = s.id join app_user u on u.tenant_id = s.tenant_id and u.id = c.head_teacher_id
        join app_user_dept l on l.tenant_id = s.tenant_id and l.owner_id = u.id join dept d on d.tenant_id = s.tenant_id and d.id = l.target_id
        where s.tenant_id = ${person.tenantId} order by s.student_no`),
    )
    expect(kept).toEqual({
      ext_id: 'stu-1',
      student_count: 2,
      cohort_year: 2025,
      begin_date: '2026-09-01',
      parent_name: '欧阳明',
      relation: '51',
      contact_priority: 1,
      real_name: '王老师',
      at_school: true,
    })
    // A guardian of two pupils is a row with each.
    expect(
      await world.inTenant(person.tenantId, (tx) =>
        tx.run(sql`select 1 from studentparents where tenant_id = ${person.tenantId}`),
      ),
    ).toHaveLength(2)
    const again = await upload(person, packed(small()))
    expect([total(again.data, 'add'), total(again.data, 'update'), total(again.data, 'missing')]).toEqual([0, 0, 0])
  })

  it('shows first what it would retire, lists it and leaves it, and retires only when told', async () => {
    const person = await world.tenant()
    expect((await upload(person, packed(small()), { commit: '1' })).data.committed).toBe(true)
    // Somebody who never came by a file is nobody's to retire.
    const schoolId = (await person.get<{ records: { id: string }[] }>('blade-user/school/list')).data.records[0]!.id
    await world.inTenant(person.tenantId, (tx) =>
      tx.run(sql`insert into student (tenant_id, id, school_id, student_no, name, sex, birth_date, id_type, nation, nationality, overseas, politics, health, enroll_date, enroll_way, source, study_way)
        values (${person.tenantId}, 77, ${schoolId}, 'H1', '手工录', '1', '2018-01-01', 'Z', '01', 'CHN', '00', '13', '10', '2025-09-01', '11', '1', '1')`),
    )
    const less = small()
    for (const name of ['users', 'roles', 'enrollments', 'demographics'])
      less[`${name}.csv`] = less[`${name}.csv`]!.split('\r\n')
        .filter((line) => !/(^|,)stu-2(,|$)/.test(line))
        .join('\r\n')
        .replace('"stu-1,stu-2"', 'stu-1')
    less['orgs.csv'] = less['orgs.csv']!.replace('Demo School', 'Renamed School')
    const dry = await upload(person, packed(less))
    expect(dry.data.faults).toEqual([])
    const of = (report: Report, entity: string) => report.counts.find((count) => count.entity === entity)!
    expect(of(dry.data, 'student')).toMatchObject({
      file: 'users.csv',
      add: 0,
      unchanged: 1,
      missing: 1,
      missingNames: ['Anna May'],
    })
    expect(of(dry.data, 'school')).toMatchObject({ update: 1, missing: 0 })
    const status = async (no: string): Promise<number> =>
      (await world.inTenant(person.tenantId, (tx) =>
        tx.one<{ status: number }>(
          sql`select status from student where tenant_id = ${person.tenantId} and student_no = ${no}`,
        ),
      ))!.status
    expect((await upload(person, packed(less), { commit: '1', plan: 'another' })).data.committed).toBe(false)
    expect((await upload(person, packed(less), { commit: '1', plan: dry.data.plan })).data.committed).toBe(true)
    expect(await status('S002')).toBe(1)
    const retiring = await upload(person, packed(less), { commit: '1', retire: '1' })
    expect(retiring.data.committed).toBe(true)
    expect([await status('S001'), await status('S002'), await status('H1')]).toEqual([1, 10, 1])
    const history = await world.inTenant(person.tenantId, (tx) =>
      tx.run(
        sql`select 1 from history where tenant_id = ${person.tenantId} and batch_id = ${retiring.data.batchId} and entity = 'student' and before is not null`,
      ),
    )
    expect(history).toHaveLength(1)
  })

  it('keeps masked values as they are, and lets nobody but an administrator change one', async () => {
    const person = await world.tenant()
    expect((await upload(person, packed(small()), { commit: '1' })).data.committed).toBe(true)
    const clerk = await world.colleague(person, ['oneroster_export', 'oneroster_import'])
    const masked = await download(clerk)
    expect(textsOf(masked)['users.csv']).toContain('179****0001')
    const back = await upload(clerk, masked, { commit: '1' })
    expect(back.data.faults).toEqual([])
    expect(textsOf(await download(person))['users.csv']).toContain('17900000001')
    await world.inTenant(person.tenantId, (tx) =>
      tx.run(sql`update app_user set staff_no = 'A1' where tenant_id = ${person.tenantId} and id = ${person.userId}`),
    )
    const texts = textsOf(await download(person))
    texts['users.csv'] = texts['users.csv']!.replace('管理员', '别人家')
    const refused = await upload(clerk, packed(texts), { commit: '1' })
    expect(refused.data.committed).toBe(false)
    expect(refused.data.faults).toContainEqual(
      expect.objectContaining({ file: 'users.csv', message: expect.stringContaining('管理员') }),
    )
    expect((await upload(person, packed(texts), { commit: '1' })).data.committed).toBe(true)
  })

  it('ruling 25: odd values and odd ids survive the way there and back', async () => {
    const source = await world.tenant()
    expect((await upload(source, packed(small()), { commit: '1' })).data.committed).toBe(true)
    const { tenantId } = source
    const odd = '第一行\n"第二行",\\n不是换行\t尾'
    await world.inTenant(tenantId, async (tx) => {
      const pupil = (no: string) => sql`(select id from student where tenant_id = ${tenantId} and student_no = ${no})`
      const teacher = sql`(select id from app_user where tenant_id = ${tenantId} and account = 'wang')`
      const second = sql`(select id::text from sysgrade where tenant_id = ${tenantId} and grade_code = '12')`
      for (const statement of [
        sql`update student set remark = ${odd}, sort = null, name = '阿卜杜拉·买买提', ext_id = '学生 1', status = 2, seat_no = 7, former_name = ${"O'Neil Ann"} where tenant_id = ${tenantId} and student_no = 'S001'`,
        sql`update student set ext_id = null, email = 'a@b.example' where tenant_id = ${tenantId} and student_no = 'S002'`,
        // The same sourcedId in two tables of one file.
        sql`update app_user set ext_id = 'same', unavailable_slots = '[{"weekday":1,"periodNo":2}]'::jsonb, title = '2', sex = '9' where tenant_id = ${tenantId} and account = 'wang'`,
        sql`update studentparents set ext_id = 'same', relation_note = '=1+1', notify_sms = 1 where tenant_id = ${tenantId} and student_id = ${pupil('S001')}`,
        sql`update school set longitude = 116.4, stages = array['3', '2'], principal_id = ${teacher} where tenant_id = ${tenantId}`,
        sql`update schoolclass set motto = ${'a\\b'}, status = 4, sort = null where tenant_id = ${tenantId}`,
        sql`update schoolcampus set area_sqm = 12.5, manager_id = ${teacher} where tenant_id = ${tenantId}`,
        sql`update schoolsubject set week_hours = jsonb_build_array(jsonb_build_object('gradeId', ${second}, 'hours', 8, 'doubleCount', 1)), full_score = 99.5, research_slot = '{"weekday": 3, "half": "am"}' where tenant_id = ${tenantId}`,
        sql`update studentclass set end_date = '2026-10-10', reason = '转班' where tenant_id = ${tenantId} and student_id = ${pupil('S002')}`,
      ])
        expect(await tx.count(statement)).toBe(1)
    })
    const first = await download(source)
    const target = await world.tenant()
    const done = await upload(target, first, { commit: '1' })
    expect(done.data.faults).toEqual([])
    expect(done.data.committed).toBe(true)
    const again = await download(target)
    expect(textsOf(again)).toEqual(textsOf(first))
    expect(again.equals(first)).toBe(true)
    const kept = await world.inTenant(target.tenantId, (tx) =>
      tx.one(sql`select remark, name, sort from student where tenant_id = ${target.tenantId} and student_no = 'S001'`),
    )
    expect(kept).toEqual({ remark: odd, name: '阿卜杜拉·买买提', sort: null })
  })
})

/** What a small school's system sends: OneRoster's own columns, and the one extension that cannot be guessed. */
function small(): Record<string, string> {
  const csv = (lines: string[]): string => `${lines.join('\r\n')}\r\n`
  return {
    'manifest.csv': csv([
      'propertyName,value',
      'manifest.version,1.0',
      'oneroster.version,1.2',
      ...['academicSessions', 'classes', 'courses', 'demographics', 'enrollments', 'orgs', 'roles', 'users'].map(
        (name) => `file.${name},bulk`,
      ),
      'file.lineItems,absent',
    ]),
    'orgs.csv': csv([
      'sourcedId,status,dateLastModified,name,type,identifier,parentSourcedId,metadata.regionCode',
      'district-1,,,Demo District,district,,,',
      'school-1,,,Demo School,school,2111999777,district-1,110101',
    ]),
    'academicSessions.csv': csv([
      'sourcedId,status,dateLastModified,title,type,startDate,endDate,parentSourcedId,schoolYear',
      'year-1,,,2026-2027学年,schoolYear,2026-09-01,2027-09-01,,2027',
      'term-1,,,Autumn,term,2026-09-01,2027-01-25,year-1,2027',
      'gp-1,,,First half,gradingPeriod,2026-09-01,2026-11-01,term-1,2027',
    ]),
    'courses.csv': csv([
      'sourcedId,status,dateLastModified,schoolYearSourcedId,title,courseCode,grades,orgSourcedId,subjects,subjectCodes',
      'course-home,,,,Homeroom,,,school-1,,',
      'course-yw,,,,语文,YW,02,school-1,,',
    ]),
    'classes.csv': csv([
      'sourcedId,status,dateLastModified,title,grades,courseSourcedId,classCode,classType,location,schoolSourcedId,termSourcedIds,subjects,subjectCodes,periods',
      'class-1,,,Class 1,02,course-home,1,homeroom,,school-1,term-1,,,',
      'class-yw,,,Reading,02,course-yw,YW1,scheduled,,school-1,term-1,,,',
    ]),
    'users.csv': csv([
      'sourcedId,status,dateLastModified,enabledUser,username,userIds,givenName,familyName,middleName,identifier,email,sms,phone,agentSourcedIds,grades,password,userMasterIdentifier,resourceSourcedIds,preferredGivenName,preferredMiddleName,preferredFamilyName,primaryOrgSourcedId,pronouns',
      'tea-1,,,true,wang,,老师,王,,T9,,,,,,,,,,,,school-1,',
      'stu-1,,,true,stu1,,小雨,欧阳,,S001,,,,gua-1,02,,,,,,,school-1,',
      'stu-2,,,true,stu2,,Anna,May,,S002,,,,gua-1,02,,,,,,,school-1,',
      'gua-1,,,true,gua1,,明,欧阳,,,,17900000001,,"stu-1,stu-2",,,,,,,,school-1,',
    ]),
    'roles.csv': csv([
      'sourcedId,status,dateLastModified,userSourcedId,roleType,role,beginDate,endDate,orgSourcedId,userProfileSourcedId',
      'r1,,,tea-1,primary,teacher,,,school-1,',
      'r2,,,stu-1,primary,student,,,school-1,',
      'r3,,,stu-2,primary,student,,,school-1,',
      'r4,,,gua-1,primary,parent,,,school-1,',
    ]),
    'enrollments.csv': csv([
      'sourcedId,status,dateLastModified,classSourcedId,schoolSourcedId,userSourcedId,role,primary,beginDate,endDate',
      'e1,,,class-1,school-1,stu-1,student,,,',
      'e2,,,class-1,school-1,stu-2,student,,,',
      'e3,,,class-1,school-1,tea-1,teacher,true,,',
      'e4,,,class-yw,school-1,tea-1,teacher,true,,',
      'e5,,,class-yw,school-1,stu-1,student,,,',
    ]),
    'demographics.csv': csv([
      'sourcedId,status,dateLastModified,birthDate,sex,americanIndianOrAlaskaNative,asian,blackOrAfricanAmerican,nativeHawaiianOrOtherPacificIslander,white,demographicRaceTwoOrMoreRaces,hispanicOrLatinoEthnicity,countryOfBirthCode,stateOfBirthAbbreviation,cityOfBirth,publicSchoolResidenceStatus',
      'stu-1,,,2018-03-04,female,,,,,,,,,,,',
      'stu-2,,,2018-05-06,female,,,,,,,,,,,',
      'gua-1,,,,male,,,,,,,,,,,',
    ]),
  }
}
