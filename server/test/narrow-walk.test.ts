import { type Entity, entities, entityOf } from '@data-brain/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allRoutes } from '../src/app.ts'
import { tableOf } from '../src/database/name.ts'
import { propertiesOf } from '../src/entity/schema.ts'
import type { Route } from '../src/kernel/route.ts'
import { sendFile } from './import-parts.ts'
import { requiredValue } from './required-value.ts'
import { platformCodes, sample } from './sample.ts'
import { png, put as upload } from './storage-parts.ts'
import { jobsEnded, makeWorld, type Person, type Row, type World } from './world.ts'

/*
 * R-PERM-3: somebody who holds every code there is walks through every call with the ids of others, once narrowed to one
 * pupil, one class and a few users, once narrowed to one school. Nothing of the others comes out, and nothing of them
 * changes. The scopes name these kinds alone: all that hangs on them is narrowed without a scope of its own.
 */

const path = (entity: string): string => entityOf(entity).path
const refersTo = (entity: Entity, names: readonly string[]): boolean =>
  Object.entries(entity.fields).some(
    // What is guarded is named to those alone who reach it.
    ([name, field]) => field.to !== undefined && names.includes(field.to) && entity.guards?.includes(name) !== true,
  )

/** Rows of a school that are no pupils' and no class's: whoever works in the tenant may see them all. */
const ofAllClasses = [
  'schoolcampus',
  'schoolfloor',
  'schoolclassroom',
  'schoolyear',
  'schoolsemester',
  'schoolsubject',
  'schoolgrade',
  'schoolperiod',
  'schoolcalendarday',
  'timetableplan',
  'timetablerule',
  'leaveapprovalrule',
] as const
const ofSchool = entities.filter((entity) => entity.ownership === 'school').map((entity) => entity.name)
const ofPupils = ofSchool.filter((name) => !(ofAllClasses as readonly string[]).includes(name))

const sides = { own: '里', foreign: '外' } as const
type Side = keyof typeof sides

let world: World
let admin: Person
const rows: Record<Side, Map<string, Row>> = { own: new Map(), foreign: new Map() }
/** The photo of the pupil of each side. */
const faces = new Map<Side, string>()
/** What others keep that stands in no column of a school or pupil: files, jobs, receipts. */
const besides = new Map<string, { readonly mark: string; readonly id: string }>()

async function add(entity: string, draft: Record<string, unknown>): Promise<Row> {
  const answer = await admin.post<Row>(`${path(entity)}/submit`, draft)
  if (answer.code !== 200) throw new Error(`${entity}: ${answer.msg} ${JSON.stringify(answer.data)}`)
  return answer.data
}

/** What a row is called: what it is, and whose. */
const nameOf = (entity: string, side: Side): string => `${sides[side]}${entityOf(entity).label.zh}`.slice(0, 10)

/** A school with a row of each kind in it, and a person. */
async function fill(side: Side): Promise<void> {
  const made = new Map<string, string>()
  const rowsOfSide = rows[side]
  const put = async (name: string, more: Record<string, unknown> = {}): Promise<void> => {
    const entity = entityOf(name)
    const { draft } = await sample(admin, entity, made)
    const title = entity.fields[entity.title]?.kind === 'text' ? { [entity.title]: nameOf(name, side) } : {}
    const row = await add(name, { ...draft, ...(draft.yearName ? {} : title), ...more })
    made.set(name, row.id)
    rowsOfSide.set(name, row)
  }
  rowsOfSide.set('user', await add('user', { account: `walk${side}`, realName: nameOf('user', side) }))
  await put('school')
  // First what others refer to; a kind that another one made on the way is made by name here.
  const order = [...ofAllClasses, 'schoolclass', 'student', 'schoolteachclass', 'studentgroup']
  const teacher = { teacherId: rowsOfSide.get('user')!.id, userId: rowsOfSide.get('user')!.id }
  for (const name of [...order, ...ofSchool.filter((each) => !order.includes(each))]) {
    const fields = entityOf(name).fields
    await put(name, {
      ...Object.fromEntries(
        Object.entries(teacher).filter(([field]) => fields[field]?.to === 'user' && !name.startsWith('student')),
      ),
      ...(name === 'student'
        ? { classId: made.get('schoolclass'), gradeId: rowsOfSide.get('schoolclass')!.gradeId }
        : {}),
      ...(name === 'schoolteachclass'
        ? { classIds: [made.get('schoolclass')], studentIds: [made.get('student')] }
        : {}),
      // Leave is of a pupil or of somebody on the staff.
      ...(name === 'leave' ? { userId: null } : {}),
      ...(name === 'schoolclass' ? { classroomId: made.get('schoolclassroom') } : {}),
    })
  }
}

/** A face of the pupil of a side, uploaded by the administrator. */
async function photo(side: Side): Promise<string> {
  const name = `${sides[side]}照片`
  const { attachId } = (await upload(world, admin.token, `${name}.png`, await png(), { attach: true })).data
  const { id, version } = (await admin.get<Row>('blade-user/student/detail', { id: rows[side].get('student')!.id }))
    .data
  expect((await admin.post('blade-user/student/submit', { id, version, photo: attachId })).msg).toBe('操作成功')
  faces.set(side, attachId)
  return attachId
}

/** What the administrator does with rows of the foreign school: a file of pupils, a face, a notice, a program that reads. */
async function workWithForeign(): Promise<void> {
  const schoolId = rows.foreign.get('school')!.id
  const csv = Buffer.from('姓名,性别,班级,出生日期\n外来学生,男,外来班级,2015-01-02\n')
  const yearId = rows.foreign.get('schoolyear')!.id
  const file = await sendFile(world, admin, '外来名单.csv', csv, { schoolId, yearId })
  expect(file.status, file.msg).toBe(200)
  await jobsEnded()
  besides.set('import', { mark: '外来', id: (file.data as { id: string }).id })
  await photo('own')
  besides.set('attach', { mark: '外照片', id: await photo('foreign') })
  const said = { title: '全员', category: '1', content: '<p>全员</p>', targetType: '1', publish: 1 }
  const notice = await admin.post<Row>('blade-desk/notice/submit', { ...said, releaseTime: '2026-01-01 08:00:00' })
  expect(notice.msg).toBe('操作成功')
  rows.foreign.set('notice', notice.data)
  const { draft } = await sample(admin, entityOf('rosterclient'))
  await add('rosterclient', { ...draft, allSchools: 0, schoolIds: [rows.own.get('school')!.id, schoolId] })
}

/** Somebody with every code, narrowed by ids to the own rows of these kinds. */
async function narrowedTo(names: readonly string[]): Promise<Person> {
  const { rows: menus } = await world.owner.query<{ code: string }>('select code from menu where platform_only = 0')
  const head = await world.colleague(
    admin,
    menus.map(({ code }) => code).filter((code) => !platformCodes.has(code)),
  )
  const scopeIds: string[] = []
  for (const name of names) {
    const ids = [rows.own.get(name)!.id, ...(name === 'user' ? [head.userId] : [])]
    const scope = await add('datascope', {
      scopeName: name,
      resourceCode: `walk_${names.length}_${name}`,
      scopeClass: name,
      scopeType: '5',
      scopeValue: { all: [{ field: 'id', op: 'in', value: ids }] },
    })
    scopeIds.push(scope.id)
  }
  const roleId = String((await admin.get<Row>('blade-user/detail', { id: head.userId })).data.roleId)
  const keys = await admin.get<{ menu: string[] }>('blade-system/menu/role-tree-keys', { roleIds: roleId })
  const granted = await admin.post('blade-system/role/grant', {
    roleIds: [roleId],
    menuIds: keys.data.menu,
    dataScopeIds: scopeIds,
  })
  expect(granted.msg).toBe('操作成功')
  return head
}

beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  await fill('own')
  await fill('foreign')
  // A teaching class of both: whoever reaches one pupil of it is not told of the other.
  const shared = rows.own.get('schoolteachclass')!
  const studentIds = [rows.own.get('student')!.id, rows.foreign.get('student')!.id]
  await add('schoolteachclass', { id: shared.id, studentIds })
  await workWithForeign()
}, 120_000)
afterAll(() => world.close())

const closed = allRoutes().filter((route) => route.access !== 'public')
/** What ends the own session, or answers without end, is walked last, each in a session of its own. */
const isLast = (route: Route): boolean =>
  /\/logout$|\/session\/lock$|\/update-password$|^\/blade-desk\/live$/.test(route.path)
const routes = closed.filter((route) => !isLast(route))

/** As many rows as a list gives at once: of one that is asked for more, nothing is seen. */
const sizeOf = ({ parameters }: Route): string => String(parameters?.size?.max ?? 200)

/** The foreign row that a call may be about: of what the name refers to, or of the call's own entity. */
function foreignFor(route: Route, name: string, watched: readonly string[]): string {
  const entity = entities.find((each) => each.name === route.tag)
  const to =
    entity?.fields[name]?.to ?? entity?.fields[name.replace(/s$/, '')]?.to ?? (/^user/i.test(name) ? 'user' : undefined)
  const wanted = [to, route.tag].find((each) => each !== undefined && rows.foreign.has(each))
  if (route.tag === 'import' || route.tag === 'oneroster') return besides.get('import')!.id
  if (route.tag === 'attach' && /^ids?$/.test(name)) return besides.get('attach')!.id
  const told = /^(student|child)/i.test(name) ? 'student' : /^class/i.test(name) ? 'schoolclass' : wanted
  return rows.foreign.get(told ?? watched[0] ?? '')!.id
}

const parametersFor = (route: Route, watched: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(route.parameters ?? {}).flatMap(([name, parameter]): [string, string][] =>
      parameter.kind === 'id' || parameter.kind === 'ids'
        ? [[name, foreignFor(route, name, watched)]]
        : parameter.required
          ? [[name, requiredValue(name, parameter, { tenantId: admin.tenantId, entity: 'student', keyword: '外' })]]
          : [],
    ),
  )

describe.each([
  { who: 'some pupils, classes and users', names: ['student', 'schoolclass', 'user'], watched: ofPupils },
  { who: 'one school', names: ['school', 'user'], watched: ['school', ...ofSchool] },
])('R-PERM-3 whoever works with $who', ({ names, watched: kinds }) => {
  const watched = [...kinds, 'user']
  let head: Person
  beforeAll(async () => {
    head = await narrowedTo(names)
  }, 60_000)

  it('is watched in every kind of row that refers to those', () => {
    const unwatched = entities.filter(
      (entity) =>
        refersTo(
          entity,
          names.filter((name) => name !== 'user'),
        ) &&
        !watched.includes(entity.name) &&
        // Departments and people stand above schools; what is its maker's alone is nobody else's.
        entity.name !== 'dept' &&
        !entity.ownRows,
    )
    expect(unwatched.map((entity) => entity.name)).toEqual([])
  })

  it('gets to know nothing of the rest by any call that reads', { timeout: 240_000 }, async () => {
    const leaks: string[] = []
    const seen = new Set<string>()
    const opened = new Set<string>()
    const shut = new Map<string, string>()
    const marks = [
      ...watched.map((name) => [name, nameOf(name, 'foreign'), rows.foreign.get(name)!.id] as const),
      ...[...besides].map(([name, { mark, id }]) => [name, mark, id] as const),
    ]
    let walked = 0
    for (const route of routes) {
      if (route.method !== 'GET') continue
      const asked = parametersFor(route, watched)
      const plain = Object.fromEntries(Object.entries(asked).filter(([name]) => route.parameters?.[name]?.required))
      // What is in a workbook cannot be read off its bytes.
      const whole = { ...plain, ...(/export$/.test(route.path) ? { format: 'csv' } : { size: sizeOf(route) }) }
      for (const query of [{ ...whole, ...asked }, whole, { ...whole, keyword: '外' }]) {
        const answer = await world.http.inject({
          method: 'GET',
          url: `/api${route.path}`,
          query,
          headers: { 'blade-auth': `bearer ${head.token}` },
        })
        walked += 1
        if (answer.statusCode === 200) opened.add(route.path)
        else shut.set(route.path, `${answer.statusCode} ${answer.payload.slice(0, 140)}`)
        // The directory of departments is everybody's, so are its changes.
        const told = route.path.endsWith('/history/export')
          ? answer.payload.replace(/^.*,部门,.*$/gm, '')
          : route.path.endsWith('/history/list') && answer.statusCode === 200
            ? JSON.stringify(answer.json().data.records.filter((row: Row) => row.entity !== 'dept'))
            : answer.payload
        expect(answer.statusCode, route.path).toBeLessThan(500)
        for (const [name, row] of rows.own)
          if (answer.payload.includes(row.id) || answer.payload.includes(nameOf(name, 'own')))
            seen.add(`${route.path} ${name}`)
        // The directory of departments is everybody's, and says which school one belongs to: nothing else of it.
        for (const [name, mark, id] of marks)
          if (
            (told.includes(mark) || told.includes(id)) &&
            !(name === 'school' && route.path.startsWith('/blade-system/dept/'))
          )
            leaks.push(`${route.path}?${new URLSearchParams(query)} tells of ${name}`)
      }
    }
    expect(leaks).toEqual([])
    // Nothing is left out because it was asked in a wrong way.
    expect([...shut].filter(([path, said]) => said.startsWith('400') && !opened.has(path))).toEqual([])
    // It is a walk through open doors: the own rows are told of everywhere.
    for (const name of watched) {
      // Groups and messages name no pupil: they are their keeper's, who is somebody else here.
      if (names.includes('student') && ['studentgroup', 'studentmessage'].includes(name)) continue
      expect([...seen]).toContain(`/${path(name)}/list ${name}`)
    }
    expect(walked).toBeGreaterThan(300)
  })

  it('opens the files of the rows within reach, and lists those of nobody else', async () => {
    const photos = [...faces.values()]
    const links = await head.get<Record<string, string>>('blade-resource/attach/link', { ids: photos.join() })
    expect(Object.keys(links.data)).toEqual([photos[0]])
    expect((await head.get<{ total: number }>('blade-resource/attach/list')).data.total).toBe(0)
  })

  it('chooses from the rest by no id, and takes nobody of the rest out of a list that is saved', async () => {
    const { id } = rows.own.get('schoolteachclass')!
    const [mine, theirs] = [rows.own.get('student')!.id, rows.foreign.get('student')!.id]
    const listed = async (who: Person): Promise<unknown> =>
      (await who.get<Row>('blade-user/schoolteachclass/detail', { id })).data.studentIds
    expect(await listed(head)).toEqual([mine])
    for (const studentIds of [[], [mine]])
      expect((await head.post('blade-user/schoolteachclass/submit', { id, studentIds })).msg).toBe('操作成功')
    expect([(await listed(admin)) as string[]].map((each) => each.toSorted())).toEqual([[mine, theirs].toSorted()])
    const campus = rows.own.get('schoolcampus')!.id
    const managerId = rows.foreign.get('user')!.id
    const refused = await head.post<{ field: string }>('blade-user/schoolcampus/submit', { id: campus, managerId })
    expect([refused.code, refused.data?.field]).toEqual([400, 'managerId'])
  })

  it('writes to nobody of the rest', async () => {
    const { id } = rows.own.get('studentmessage')!
    const send = (targetType: string, targetIds: unknown) =>
      admin
        .get<Row>('blade-user/studentmessage/detail', { id })
        .then(({ data: { title, content, messageType, schoolId } }) =>
          head.post<{ field: string }>('blade-user/studentmessage/submit', {
            ...{ title, content, messageType, schoolId, audience: ['1'], targetType, targetIds },
          }),
        )
    for (const [type, name] of [
      ['1', 'student'],
      ['2', 'schoolclass'],
    ] as const) {
      const theirs = await send(type, [rows.own.get(name)!.id, rows.foreign.get(name)!.id])
      expect([theirs.code, theirs.data?.field]).toEqual([400, 'targetIds'])
      expect((await send(type, [rows.own.get(name)!.id])).msg).toBe('操作成功')
    }
    // Whoever works with some pupils writes to no grade and no whole school.
    if (names.includes('student')) expect((await send('5', null)).data?.field).toBe('targetType')
    for (const odd of ['1', [1], { a: 1 }, [null]]) expect((await send('1', odd)).code).toBe(400)
  })

  it('counts nothing of the rest', async () => {
    const schoolIds = [rows.own.get('school')!.id, rows.foreign.get('school')!.id]
    const counted = await Promise.all(
      schoolIds.map(async (schoolId) => {
        const { data } = await head.get<{ classCount: number }[]>('blade-user/sysgrade/listBySchool', { schoolId })
        return data.reduce((sum, grade) => sum + grade.classCount, 0)
      }),
    )
    expect(counted).toEqual([1, 0])
  })

  it('changes nothing of the rest by any call that writes', { timeout: 240_000 }, async () => {
    const states = async (): Promise<unknown> =>
      Object.fromEntries(
        await Promise.all(
          watched.map(async (name) => {
            const found = await world.owner.query(
              `select to_jsonb(t) as row from ${tableOf(entityOf(name))} t where id = $1`,
              [rows.foreign.get(name)!.id],
            )
            return [name, found.rows]
          }),
        ),
      )
    const before = await states()
    const ids = watched.map((name) => rows.foreign.get(name)!.id)
    const { rows: entries } = await world.owner.query<{ request_id: string; row_id: string; id: string }>(
      'select request_id, row_id, id from history where tenant_id = $1 and row_id = any($2::bigint[])',
      [admin.tenantId, ids],
    )
    const marks = [...watched.map((name) => nameOf(name, 'foreign')), ...[...besides.values()].map(({ mark }) => mark)]
    const wrong: string[] = []
    for (const route of routes) {
      if (route.method !== 'POST') continue
      const properties = Object.keys(propertiesOf(route.bodySchema))
      const named = Object.fromEntries(
        properties
          .filter((name) => /^ids?$|Ids?$/.test(name))
          .map((name) => {
            const id = foreignFor(route, name, watched)
            return [name, /Ids$/.test(name) ? [id] : id]
          }),
      )
      const query = parametersFor(route, watched)
      const id = foreignFor(route, 'id', watched)
      for (const body of [named, { ...named, remark: '改', status: 0 }, { id, remark: '改' }]) {
        const answer = await head.post(route.path.slice(1), body, { query })
        if (answer.status >= 500) wrong.push(`${route.path} ${answer.status}`)
        for (const mark of marks) if (JSON.stringify(answer).includes(mark)) wrong.push(`${route.path} tells ${mark}`)
      }
    }
    for (const { request_id: requestId } of entries)
      await head.post('blade-log/history/undo', undefined, { query: { requestId, changed: 1 } })
    for (const name of watched)
      for (const entry of entries)
        if (entry.row_id === rows.foreign.get(name)!.id)
          await head.post(`${path(name)}/restore`, undefined, { query: { id: entry.row_id, historyId: entry.id } })
    expect(wrong).toEqual([])
    expect(await states()).toEqual(before)
    expect((await head.get('blade-user/info')).status).toBe(200)
  })

  it('ISSUE-13-A1 learns and changes nothing by what ends a session, or never ends', { timeout: 60_000 }, async () => {
    const last = closed.filter(isLast)
    expect(last.map(({ path }) => path.split('/').at(-1)).toSorted()).toEqual(
      expect.arrayContaining(['live', 'lock', 'logout', 'update-password']),
    )
    const account = `u${head.userId}`
    const marks = watched.flatMap((name) => [nameOf(name, 'foreign'), rows.foreign.get(name)!.id])
    const told: string[] = []
    for (const route of last) {
      const { token } = await world.as(admin.tenantId, account)
      const answer = await world.http.inject({
        method: route.method,
        url: `/api${route.path}`,
        query: parametersFor(route, watched),
        headers: { 'blade-auth': `bearer ${token}` },
        payloadAsStream: true,
      })
      expect(answer.statusCode, route.path).toBeLessThan(500)
      // What never ends has said all that it says by itself with its first piece.
      const stream = answer.stream()
      const piece = await new Promise<string>((resolve, reject) => {
        stream.once('data', (bytes) => resolve(String(bytes)))
        stream.once('end', () => resolve(''))
        stream.once('error', reject)
      })
      stream.destroy()
      for (const mark of marks) if (piece.includes(mark)) told.push(`${route.path} tells ${mark}`)
    }
    expect(told).toEqual([])
    // Sessions of others go on, that of the administrator among them.
    expect((await admin.get('blade-user/info')).status).toBe(200)
  })
})
