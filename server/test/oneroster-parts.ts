import { strFromU8, unzipSync, zipSync } from 'fflate'
import { expect } from 'vitest'
import { type Answer, jobsEnded, type Person, type World } from './world.ts'

export interface Report {
  faults: { file: string; line: number; column: string; message: string; count: number; lines: number[] }[]
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
  asks: { enrolled: number; byGrade: boolean } | null
}

export interface BatchView {
  id: string
  fileName: string
  state: string
  progress: number
  total: number
  retire: boolean
  failure: string | null
  report: Report | null
}

export async function download(world: World, person: Person, profile?: string): Promise<Buffer> {
  const answer = await world.http.inject({
    method: 'GET',
    url: `/api/blade-user/oneroster/export${profile ? `?profile=${profile}` : ''}`,
    headers: { 'blade-auth': `bearer ${person.token}` },
  })
  expect(answer.statusCode, answer.payload.slice(0, 300)).toBe(200)
  expect(answer.headers['content-type']).toBe('application/zip')
  return answer.rawPayload
}

/** Sends an archive as a browser would; its check begins. */
export async function upload(world: World, person: Person, bytes: Uint8Array): Promise<Answer<BatchView>> {
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
    url: '/api/blade-user/oneroster/upload',
    headers: {
      'blade-auth': `bearer ${person.token}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'accept-language': 'zh',
    },
    payload,
  })
  return { ...JSON.parse(answer.payload), status: answer.statusCode }
}

/** How an archive stands. */
export const batchOf = async (person: Person, id: string, language: 'zh' | 'en' = 'zh'): Promise<BatchView> =>
  (await person.get<BatchView>('blade-user/oneroster/batch', { id }, { language })).data

/** An archive with a report, after its check has ended. */
export type Checked = BatchView & { report: Report }

/** Uploads an archive and waits for its check. */
export async function checked(world: World, person: Person, bytes: Uint8Array): Promise<Checked> {
  const answer = await upload(world, person, bytes)
  expect(answer.status, answer.msg).toBe(200)
  await jobsEnded()
  const batch = await batchOf(person, answer.data.id)
  expect(batch, `${batch.failure}`).toMatchObject({ state: 'checked' })
  return batch as Checked
}

/** Carries out what the check has shown; pupils of whom nothing tells it enrolled with their grades. */
export const commit = (
  person: Person,
  id: string,
  retire = false,
  enrolled: string | null = 'grade',
): Promise<Answer<BatchView>> =>
  person.post<BatchView>('blade-user/oneroster/commit', undefined, {
    query: { id, ...(retire ? { retire: 1 } : {}), ...(enrolled ? { enrolled } : {}) },
  })

/** Uploads an archive, carries out what its check has shown, and waits for the end. */
export async function imported(world: World, person: Person, bytes: Uint8Array, retire = false): Promise<Checked> {
  const { id, report } = await checked(world, person, bytes)
  expect(report.faults).toEqual([])
  const answer = await commit(person, id, retire)
  expect(answer.status, answer.msg).toBe(200)
  await jobsEnded()
  const batch = await batchOf(person, id)
  expect(batch).toMatchObject({ state: 'done', failure: null })
  return batch as Checked
}

export const textsOf = (bytes: Uint8Array): Record<string, string> =>
  Object.fromEntries(Object.entries(unzipSync(bytes)).map(([name, file]) => [name, strFromU8(file)]))
export const packed = (texts: Record<string, string>): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, new TextEncoder().encode(text)])))
export const rowsOf = (text: string): string[][] =>
  text
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','))
export const total = (report: Report, what: 'add' | 'update' | 'unchanged' | 'missing'): number =>
  report.counts.reduce((sum, count) => sum + count[what], 0)

/** What a small school's system sends: OneRoster's own columns, and the one extension that cannot be guessed. */
export function small(): Record<string, string> {
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
