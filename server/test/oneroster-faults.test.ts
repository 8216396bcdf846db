import type { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../src/database/statement.ts'
import { batchOf, type Checked, checked, commit, packed, small, upload } from './oneroster-parts.ts'
import { jobsEnded, makeWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world?.close())

describe('an archive with faults', () => {
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
        'a delta whose records do not say what became of them',
        (t) => {
          t['manifest.csv'] = t['manifest.csv']!.replace('file.users,bulk', 'file.users,delta')
        },
        { file: 'users.csv', line: 2, column: 'status', zh: /不能为空/, en: /required/ },
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
        'a status that is none',
        (t) => {
          t['users.csv'] = t['users.csv']!.replace('stu-1,,', 'stu-1,gone,')
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
        'periods of another shape',
        (t) => {
          const lines = t['users.csv']!.trimEnd().split('\r\n')
          const ends = ['metadata.unavailableSlots', '"[{""weekday"":9,""periodNo"":1}]"']
          t['users.csv'] = `${lines.map((line, at) => `${line},${ends[at] ?? ''}`).join('\r\n')}\r\n`
        },
        { file: 'users.csv', line: 2, column: 'metadata.unavailableSlots', zh: /星期应为1到7/ },
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
      const zh = await checked(world, person, packed(copy))
      const en = (await batchOf(person, zh.id, 'en')) as Checked
      expect(zh.report.faultCount, what).toBeGreaterThan(0)
      expect((await commit(person, zh.id)).status, what).toBe(400)
      const { zh: zhWords = /./, en: enWords = /./, ...place } = wanted
      expect(zh.report.faults, what).toContainEqual(
        expect.objectContaining({ ...place, message: expect.stringMatching(zhWords) }),
      )
      expect(en.report.faults, what).toContainEqual(
        expect.objectContaining({ ...place, message: expect.stringMatching(enWords) }),
      )
      expect(
        en.report.faults.some((fault) => /\p{Script=Han}/u.test(fault.message.replace(/[“"].*?[”"]/g, ''))),
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
    texts['roles.csv'] += Array.from({ length: 300 }, (_, at) => `x${at}${','.repeat(10 + at)}\r\n`).join('')
    const { report } = await checked(world, await world.tenant(), packed(texts))
    expect(report.faults).toHaveLength(200)
    // Each line has another number of columns; what all of them lack is told once for each of four columns.
    expect(report.faultCount).toBe(304)
  })

  it('refuses what is no archive, holds too much, or is a bomb', async () => {
    const person = await world.tenant()
    expect(await upload(world, person, Buffer.from('sourcedId,status'))).toMatchObject({
      status: 400,
      msg: expect.stringContaining('zip'),
    })
    const many = Object.fromEntries(Array.from({ length: 41 }, (_, index) => [`f${index}.csv`, 'a']))
    expect(await upload(world, person, packed(many))).toMatchObject({ status: 400, msg: expect.stringContaining('40') })
    const bomb = packed({ ...small(), 'users.csv': ' '.repeat(30_000_000) })
    expect(bomb.length).toBeLessThan(200_000)
    expect(await upload(world, person, bomb)).toMatchObject({ status: 400, msg: expect.stringContaining('users.csv') })
    // A directory that lies about a size is believed only until the file is longer.
    const liar = Buffer.from(bomb)
    const at = liar.lastIndexOf(Buffer.from('users.csv')) - 46 + 24
    liar.writeUInt32LE(500_000, at)
    const lied = await upload(world, person, liar)
    expect(lied.status).toBe(200)
    await jobsEnded()
    expect(await batchOf(person, lied.data.id)).toMatchObject({
      state: 'failed',
      failure: expect.stringContaining('zip'),
      report: null,
    })
  })

  it('ISSUE-13-C10 refuses more columns, or more cells, than a process has room for', async () => {
    const person = await world.tenant()
    const failureOf = async (texts: Record<string, string>): Promise<string | null> => {
      const sent = await upload(world, person, packed(texts))
      expect(sent.status, sent.msg).toBe(200)
      await jobsEnded()
      return (await batchOf(person, sent.data.id)).failure
    }
    // 200 kB that made a server of 1 GB end: each short line has a cell for each of 60,000 columns.
    const lines = (header: string, count: number): string =>
      [header, ...Array.from({ length: count }, (_, at) => `x${at}`)].join('\r\n')
    const further = (count: number): string => Array.from({ length: count }, (_, at) => `,metadata.m${at}`).join('')
    const orgs = small()['orgs.csv']!.split('\r\n')[0]!
    expect(await failureOf({ ...small(), 'orgs.csv': lines(orgs + further(60_000), 3_000) })).toContain('256列')
  }, 120_000)

  it('ISSUE-13-C10 is taken apart in a thread whose memory is bounded', async () => {
    const memory: (number | undefined)[] = []
    const noted = ({ resourceLimits }: Worker): number => memory.push(resourceLimits?.maxOldGenerationSizeMb)
    process.on('worker', noted)
    try {
      const { report } = await checked(world, await world.tenant(), packed(small()))
      expect(report.faults).toEqual([])
    } finally {
      process.off('worker', noted)
    }
    expect(memory).toContain(96)
  })
})
