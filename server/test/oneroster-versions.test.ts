import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { foreign } from './oneroster-foreign.ts'
import { checked, download, imported, packed, rowsOf, small, textsOf } from './oneroster-parts.ts'
import { makeWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world?.close())

const header = (texts: Record<string, string>, name: string): string => texts[`${name}.csv`]!.split('\r\n')[0]!

describe('issue 13, B7: versions of OneRoster', () => {
  it.each(['v1p2', 'v1p2p1'] as const)('reads an archive of another system: %s', async (name) => {
    const { report } = await checked(world, await world.tenant(), packed(foreign(name)))
    expect(report.faults).toEqual([])
    expect(report.counts.find(({ entity }) => entity === 'student')).toMatchObject({ add: 2 })
  })

  it('tells a file that cannot be read once, however many records point into it', async () => {
    const texts = small()
    for (let no = 100; no < 2_100; no += 1) texts['roles.csv'] += `r${no},,,stu-1,secondary,student,,,school-1,\r\n`
    texts['users.csv'] = texts['users.csv']!.replace(',username,', ',userName,')
    const { report } = await checked(world, await world.tenant(), packed(texts))
    expect(report.faultCount).toBe(1)
    expect(report.faults).toMatchObject([{ file: 'users.csv', line: 1, column: 'userName', count: 1 }])
  })

  it('tells what is wrong in many lines for one cause once, with their number and the first of them', async () => {
    const texts = small()
    for (let no = 100; no < 2_100; no += 1) texts['roles.csv'] += `r${no},,,stu-${no},primary,student,,,school-1,\r\n`
    const { report } = await checked(world, await world.tenant(), packed(texts))
    expect(report.faultCount).toBe(1)
    expect(report.faults).toMatchObject([
      {
        file: 'roles.csv',
        line: 6,
        column: 'userSourcedId',
        count: 2_000,
        lines: [6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
      },
    ])
    expect(report.faults[0]!.message).toContain('stu-100')
  })

  it('writes what a receiver reads: 1.2.1 with and without extensions, 1.2, and 1.1', async () => {
    const person = await world.tenant()
    await imported(world, person, packed(small()))
    const { data } = await person.get<{ profiles: { key: string }[] }>('blade-user/oneroster/carried')
    expect(data.profiles.map(({ key }) => key)).toEqual(['complete', 'plain', 'former', 'v1p1'])
    const complete = textsOf(await download(world, person))
    const plain = textsOf(await download(world, person, 'plain'))
    const former = textsOf(await download(world, person, 'former'))
    const first = textsOf(await download(world, person, 'v1p1'))
    const users =
      'sourcedId,status,dateLastModified,enabledUser,username,userIds,givenName,familyName,middleName,identifier,email,sms,phone,agentSourcedIds,grades,password,userMasterIdentifier,preferredGivenName,preferredMiddleName,preferredFamilyName,primaryOrgSourcedId,pronouns'
    expect(header(complete, 'users').startsWith(`${users},metadata.`)).toBe(true)
    expect(header(plain, 'users')).toBe(users)
    expect(header(former, 'users')).toBe(
      users.replace('userMasterIdentifier,', 'userMasterIdentifier,resourceSourcedIds,'),
    )
    expect(header(first, 'users')).toBe(
      'sourcedId,status,dateLastModified,enabledUser,orgSourcedIds,role,username,userIds,givenName,familyName,middleName,identifier,email,sms,phone,agentSourcedIds,grades,password',
    )
    for (const texts of [plain, former, first])
      for (const name of Object.keys(texts))
        expect(header(texts, name.replace('.csv', '')), name).not.toContain('metadata')
    expect(first['roles.csv']).toBeUndefined()
    const manifest = Object.fromEntries(rowsOf(first['manifest.csv']!))
    expect(manifest['oneroster.version']).toBe('1.1')
    expect(Object.keys(manifest).filter((name) => name.startsWith('file.'))).toEqual(
      'academicSessions categories classes classResources courses courseResources demographics enrollments lineItems orgs resources results users'
        .split(' ')
        .map((name) => `file.${name}`),
    )
    expect(rowsOf(first['users.csv']!).map((cells) => [cells[0], cells[4], cells[5]])).toEqual([
      ['sourcedId', 'orgSourcedIds', 'role'],
      ['gua-1', 'school-1', 'parent'],
      ['gua-1.stu-2', 'school-1', 'parent'],
      ['stu-1', 'school-1', 'student'],
      ['stu-2', 'school-1', 'student'],
      ['tea-1', 'school-1', 'teacher'],
    ])
    const refused = await person.get('blade-user/oneroster/export', { profile: 'v9' })
    expect(refused).toMatchObject({ status: 400, msg: expect.stringContaining('complete') })
  })
})
