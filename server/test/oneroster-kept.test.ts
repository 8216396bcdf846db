import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../src/database/statement.ts'
import { portableRow, storedRow } from '../src/modules/tenant/carry/row.ts'
import { foreign } from './oneroster-foreign.ts'
import { checked, download, imported, packed, textsOf, total } from './oneroster-parts.ts'
import { makeWorld, type Person, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world?.close())

type Cells = Record<string, string>

/** The records of a file by sourcedId, without the cells that are empty. */
function recordsOf(text: string): Map<string, Cells> {
  const rows = text
    .trimEnd()
    .split('\r\n')
    .map((line) => [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, a, b]) => a ?? b ?? ''))
  const [header, ...lines] = rows
  return new Map(
    lines.map((cells) => [
      cells[0]!,
      Object.fromEntries(header!.map((name, at) => [name, cells[at] ?? '']).filter(([, cell]) => cell !== '')),
    ]),
  )
}

/** Cells of an archive that another one does not say likewise. */
function lost(from: Record<string, string>, to: Record<string, string>): string[] {
  return Object.keys(from)
    .filter((name) => name !== 'manifest.csv')
    .flatMap((name) => {
      const after = recordsOf(to[name] ?? '')
      return [...recordsOf(from[name]!)].flatMap(([id, cells]) =>
        Object.entries(cells).flatMap(([column, cell]) =>
          after.get(id)?.[column] === cell ? [] : [`${name} ${id} ${column}: ${cell} -> ${after.get(id)?.[column]}`],
        ),
      )
    })
}

const taken = async (person: Person): Promise<Record<string, string>> => textsOf(await download(world, person))

describe('issue 13, B7: an archive of another system', () => {
  it('leaves as it came: every cell of every record, whether there is a field for it or not', async () => {
    const person = await world.tenant()
    await imported(world, person, packed(foreign('v1p2p1')))
    const out = await taken(person)
    expect(lost(foreign('v1p2p1'), out)).toEqual([])
    // What was added is ours to add: no course of homerooms where they have their own.
    expect([...recordsOf(out['courses.csv']!).keys()]).toEqual(['co-home', 'co-read'])
    expect([...recordsOf(out['roles.csv']!).keys()]).toEqual(['ro-1', 'ro-1b', 'ro-2', 'ro-3', 'ro-4', 'ro-5'])
    expect([...recordsOf(out['enrollments.csv']!).keys()]).toEqual(['en-1', 'en-2', 'en-3', 'en-4', 'en-5', 'en-6'])
    // It changes nothing when it comes once more.
    const again = await checked(world, person, packed(foreign('v1p2p1')))
    expect(again.report.faults).toEqual([])
    expect([total(again.report, 'add'), total(again.report, 'update'), total(again.report, 'missing')]).toEqual([
      0, 0, 0,
    ])
    // Nor is anything lost on the way into another tenant.
    const other = await world.tenant()
    await imported(world, other, packed(out))
    expect(await taken(other)).toEqual(out)
  })

  it('carries what a delta has ended into another tenant, as ended', async () => {
    const person = await world.tenant()
    await imported(world, person, packed(foreign('v1p2p1')))
    await imported(
      world,
      person,
      packed({
        'manifest.csv': foreign('delta')
          ['manifest.csv']!.replaceAll(/,(delta|bulk)/g, ',absent')
          .replace('file.enrollments,absent', 'file.enrollments,delta'),
        'enrollments.csv':
          'sourcedId,status,dateLastModified,classSourcedId,schoolSourcedId,userSourcedId,role,primary,beginDate,endDate\r\nen-2,tobedeleted,2026-10-01T00:00:00Z,cl-2a,s-1,u-s2,student,,2026-09-14,\r\n',
      }),
    )
    const out = await taken(person)
    expect(out['enrollments.csv']).toContain('en-2,tobedeleted,')
    const other = await world.tenant()
    await imported(world, other, packed(out))
    expect(await taken(other)).toEqual(out)
  })

  it('takes courses with codes of their own, says so, and gives the codes back', async () => {
    const person = await world.tenant()
    const texts = foreign('v1p2p1')
    texts['courses.csv'] = texts['courses.csv']!.replace('co-read,,,,Reading,,', 'co-read,,,,Reading,LA-01.7,')
    const { report } = await imported(world, person, packed(texts))
    expect(report.passed).toContainEqual({
      file: 'courses.csv',
      count: 1,
      message: '代码在这里没有，按没有代码导入，原样保留',
    })
    const out = await taken(person)
    expect(lost(texts, out)).toEqual([])
    const other = await world.tenant()
    await imported(world, other, packed(out))
    expect(await taken(other)).toEqual(out)
  })

  it('keeps status, dateLastModified and resourceSourcedIds of 1.2, and writes them for a receiver of 1.2', async () => {
    const person = await world.tenant()
    await imported(world, person, packed(foreign('v1p2')))
    const out = await taken(person)
    const wanted = foreign('v1p2')
    wanted['users.csv'] = wanted['users.csv']!.replace('resourceSourcedIds', 'metadata.resourceSourcedIds')
    expect(lost(wanted, out)).toEqual([])
    const former = textsOf(await download(world, person, 'former'))
    expect(recordsOf(former['users.csv']!).get('u-s1')).toMatchObject({ resourceSourcedIds: 'res-1,res-2' })
    expect(recordsOf(former['users.csv']!).get('u-s1')!.status).toBeUndefined()
    // What is changed here was not last modified there.
    await world.inTenant(person.tenantId, (tx) =>
      tx.run(sql`update student set name = 'Ada Byron' where tenant_id = ${person.tenantId} and student_no = 'S-1'`),
    )
    const ada = recordsOf((await taken(person))['users.csv']!).get('u-s1')!
    expect(ada).toMatchObject({ givenName: 'Ada', familyName: 'Byron', username: 'alovelace', status: 'active' })
    expect(ada.dateLastModified).toBeUndefined()
    expect(ada.middleName).toBe('King')
  })

  it('takes over what has changed although no row has it, and forgets what goes with its record', async () => {
    const person = await world.tenant()
    await imported(world, person, packed(foreign('v1p2p1')))
    const texts = foreign('v1p2p1')
    texts['users.csv'] = texts['users.csv']!.replace('she/her', 'they/them')
    const { report } = await checked(world, person, packed(texts))
    expect(report.counts.find(({ entity }) => entity === 'roster_record')).toMatchObject({ update: 1 })
    await imported(world, person, packed(texts))
    expect(recordsOf((await taken(person))['users.csv']!).get('u-t1')!.pronouns).toBe('they/them')
    await world.inTenant(person.tenantId, async (tx) => {
      for (const table of ['studentparents', 'studentclass'])
        await tx.run(
          sql`delete from ${sql.table(table)} where tenant_id = ${person.tenantId} and ext_id in ('u-g1', 'en-1')`,
        )
    })
    const out = await taken(person)
    for (const name of ['users.csv', 'roles.csv', 'demographics.csv']) expect(out[name]).not.toContain('u-g1,')
  })

  it('R-PERM-5: numbers that no field has leave masked for whoever may not see such, and come back unharmed', async () => {
    const person = await world.tenant()
    await imported(world, person, packed(foreign('v1p2p1')))
    const clerk = await world.colleague(person, ['oneroster_export', 'oneroster_import'])
    const masked = textsOf(await download(world, clerk))
    for (const number of ['555', '66000007', '123e45', '990017', 'Route 9'])
      expect(masked['users.csv']).not.toContain(number)
    const changed = { ...masked, 'orgs.csv': masked['orgs.csv']!.replace('Willow School', 'Willow Hill School') }
    await imported(world, clerk, packed(changed))
    const wanted = foreign('v1p2p1')
    wanted['orgs.csv'] = wanted['orgs.csv']!.replace('Willow School', 'Willow Hill School')
    expect(lost(wanted, await taken(person))).toEqual([])
  })

  it('moves with its tenant: plain on the way, sealed for its new place', () => {
    const { cipher } = world.services
    const at = (tenantId: string) => ({ table: 'roster_record', column: 'cells', tenantId, id: 'users|u-1' })
    const sealed = `\\x${cipher.seal('{"whole":{}}', at('100001')).toString('hex')}`
    const plain = portableRow(
      'roster_record',
      { tenant_id: '100001', file: 'users', sourced_id: 'u-1', cells: sealed },
      { cipher, tenantId: '100001' },
    )
    expect(plain).toEqual({ file: 'users', sourced_id: 'u-1', cells: '{"whole":{}}' })
    const stored = storedRow('roster_record', plain, '100001', { cipher, tenantId: '100002' })
    expect(cipher.open(Buffer.from(String(stored.cells).slice(2), 'hex'), at('100002'))).toBe('{"whole":{}}')
  })

  it('keeps it sealed', async () => {
    const person = await world.tenant()
    await imported(world, person, packed(foreign('v1p2p1')))
    const rows = await world.inTenant(person.tenantId, (tx) =>
      tx.run<{ cells: Buffer }>(sql`select cells from roster_record where tenant_id = ${person.tenantId}`),
    )
    expect(rows.length).toBeGreaterThan(10)
    for (const { cells } of rows) expect(cells.toString('latin1')).not.toMatch(/Brewster|London|differ|whole/)
  })
})

describe('issue 13, B7: a delta', () => {
  it('changes, adds and ends what it names, and leaves everything else as it is', async () => {
    const person = await world.tenant()
    await imported(world, person, packed(foreign('v1p2')))
    const before = await taken(person)
    const dry = await checked(world, person, packed(foreign('delta')))
    expect(dry.report.faults).toEqual([])
    expect(dry.report.passed).toEqual([])
    const of = (entity: string) => dry.report.counts.find((count) => count.entity === entity)
    expect(of('student')).toMatchObject({ add: 1, update: 2, unchanged: 0, missing: 0 })
    expect(of('studentclass')).toMatchObject({ add: 1, update: 1, unchanged: 1, missing: 0 })
    for (const entity of ['school', 'schoolclass', 'user', 'studentparents', 'teacherclass'])
      expect(of(entity), entity).toMatchObject({ add: 0, update: 0, missing: 0 })
    await imported(world, person, packed(foreign('delta')))
    const out = await taken(person)
    expect(lost(foreign('delta'), out)).toEqual([])
    for (const name of ['orgs.csv', 'academicSessions.csv', 'courses.csv', 'classes.csv'])
      expect(out[name], name).toBe(before[name])
    const rows = await world.inTenant(person.tenantId, (tx) =>
      tx.run(
        sql`select s.student_no, s.name, s.status, c.class_name from student s left join schoolclass c on c.tenant_id = s.tenant_id and c.id = s.class_id where s.tenant_id = ${person.tenantId} order by s.student_no`,
      ),
    )
    expect(rows).toEqual([
      { student_no: 'S-1', name: 'Ada King King-Noel', status: 1, class_name: '2A Maples' },
      { student_no: 'S-2', name: 'Alan Mathison Turing', status: 10, class_name: '2A Maples' },
      { student_no: 'S-3', name: 'Katherine Coleman Johnson', status: 1, class_name: '2A Maples' },
    ])
    // Once is enough.
    const again = await checked(world, person, packed(foreign('delta')))
    expect(again.report.faults).toEqual([])
    expect([total(again.report, 'add'), total(again.report, 'update')]).toEqual([0, 0])
  })

  it('points at what stands, and is refused where it points at nothing', async () => {
    const person = await world.tenant()
    const { report } = await checked(world, person, packed(foreign('delta')))
    expect(report.faults).toContainEqual(expect.objectContaining({ file: 'enrollments.csv', column: 'classSourcedId' }))
    const texts = foreign('delta')
    texts['users.csv'] = texts['users.csv']!.replace('u-s3,active', 'u-s3,')
    expect((await checked(world, person, packed(texts))).report.faults).toContainEqual(
      expect.objectContaining({ file: 'users.csv', column: 'status' }),
    )
  })
})
