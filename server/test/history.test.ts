import { student, studentparents } from '@data-brain/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../src/database/id.ts'
import { because } from './because.ts'
import { sample } from './sample.ts'
import { type Answer, makeWorld, type Person, type Row, type World } from './world.ts'

/** Issue 4, point 6: the record of all changes, and of who has read a child's record. */

interface Slice<T> {
  records: T[]
  next: string | null
}
interface Entry {
  id: string
  entity: string
  entityName: string
  rowId: string
  rowName: string | null
  action: string
  userName: string | null
  requestId: string
  time: string
  imported: number
}
interface Read {
  id: string
  kind: string
  entity: string
  rowId: string
  childId: string
  childName: string | null
  userId: string
  reason: string | null
  address: string | null
}

let world: World
let admin: Person
let pupil: Row

beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  pupil = ok(await admin.post<Row>('blade-user/student/submit', (await sample(admin, student)).draft))
})
afterAll(() => world.close())

function ok<T>(answer: Answer<T>): T {
  expect(answer.msg).toBe('操作成功')
  return answer.data
}
const changes = async (person: Person, query: Record<string, string | number> = {}): Promise<Slice<Entry>> =>
  ok(await person.get<Slice<Entry>>('blade-log/history/list', query))
const reads = async (person: Person, query: Record<string, string | number> = {}): Promise<Slice<Read>> =>
  ok(await person.get<Slice<Read>>('blade-log/read/list', query))

/** Students of two classes, and somebody who works with one of them. */
async function scoped(codes: readonly string[]): Promise<{ person: Person; own: Row; other: Row }> {
  const made = new Map<string, string>()
  const one = ok(await admin.post<Row>('blade-user/student/submit', (await sample(admin, student, made)).draft))
  const other = ok(await admin.post<Row>('blade-user/student/submit', (await sample(admin, student)).draft))
  const person = await world.colleague(admin, codes)
  const scope = ok(
    await admin.post<Row>('blade-system/data-scope/submit', {
      scopeName: '一所学校',
      resourceCode: `s${newId()}`,
      scopeClass: 'student',
      scopeType: '5',
      scopeValue: { all: [{ field: 'schoolId', op: 'equal', value: made.get('school') }] },
    }),
  )
  await world.owner.query(
    `insert into role_data_scope (tenant_id, role_id, scope_id) select tenant_id, target_id, $2 from app_user_role where tenant_id = $1 and owner_id = $3`,
    [admin.tenantId, scope.id, person.userId],
  )
  return { person, own: one, other }
}

describe('the list of all changes', () => {
  it('is read newest first, page by page, without a gap or a repetition', async () => {
    for (const name of ['一', '二', '三'])
      ok(await admin.post('blade-user/student/submit', { id: pupil.id, remark: name }))
    const whole = (await changes(admin, { size: 100 })).records
    expect(whole.length).toBeGreaterThan(5)
    expect(whole[0]).toMatchObject({
      entity: 'student',
      entityName: '学生',
      rowId: pupil.id,
      rowName: `${pupil.name}（${pupil.studentNo}）`,
      action: 'edit',
      imported: 0,
    })
    const paged: Entry[] = []
    let before: string | null = null
    do {
      const page: Slice<Entry> = await changes(admin, { size: 2, ...(before ? { before } : {}) })
      paged.push(...page.records)
      before = page.next
    } while (before)
    expect(paged.map((entry) => entry.id)).toEqual(whole.map((entry) => entry.id))
    expect([...whole].sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? 1 : -1))).toEqual(whole)
  })

  it('is narrowed by kind, person, action, request and time', async () => {
    const clerk = await world.colleague(admin, ['student_view', 'student_edit'])
    const edit = await clerk.post('blade-user/student/submit', { id: pupil.id, remark: '四' })
    const requestId = String(edit.headers['x-request-id'])
    const [mine] = (await changes(admin, { userId: clerk.userId })).records
    expect(mine).toMatchObject({ requestId, action: 'edit' })
    expect((await changes(admin, { requestId })).records.map((entry) => entry.id)).toEqual([mine!.id])
    expect((await changes(admin, { entity: 'school' })).records.every((entry) => entry.entity === 'school')).toBe(true)
    expect((await changes(admin, { action: 'add', userId: clerk.userId })).records).toEqual([])
    expect((await changes(admin, { time_le: '2020-01-01' })).records).toEqual([])
    expect(
      (await changes(admin, { time_ge: mine!.time, time_le: mine!.time, userId: clerk.userId })).records.length,
    ).toBe(1)
    expect((await admin.get('blade-log/history/list', { time_ge: 'gestern' })).status).toBe(400)
  })

  it('tells what one change did, with the names of what it points at, and masks numbers', async () => {
    const draft = (await sample(admin, student)).draft
    const made = ok(await admin.post<Row>('blade-user/student/submit', draft))
    ok(await admin.post('blade-user/student/submit', { id: made.id, phone: '13912345678' }))
    const [edit, add] = (await changes(admin, { size: 2 })).records
    type Detail = { changes: { field: string; before: unknown; after: unknown; afterName?: string }[] }
    const told = ok(await admin.get<Detail>('blade-log/history/detail', { id: edit!.id }))
    expect(told.changes).toEqual([{ field: 'phone', before: draft.phone, after: '13912345678' }])
    const whole = ok(await admin.get<Detail>('blade-log/history/detail', { id: add!.id }))
    expect(whole.changes.find((change) => change.field === 'schoolId')).toMatchObject({
      before: null,
      afterName: made.schoolName,
    })
    expect(whole.changes.find((change) => change.field === 'phone')?.after).toBe(draft.phone)
    const auditor = await world.colleague(admin, ['history_view', 'student_view'])
    const masked = ok(await auditor.get<Detail>('blade-log/history/detail', { id: edit!.id }))
    expect(masked.changes[0]!.after).toBe('*********78')
    // What was removed is named, and told as it was.
    ok(await admin.remove('blade-user/student', made.id))
    const [gone] = (await changes(admin, { size: 1 })).records
    expect(gone).toMatchObject({ action: 'delete', rowName: `${made.name}（${made.studentNo}）` })
    const was = ok(await admin.get<Detail>('blade-log/history/detail', { id: gone!.id }))
    expect(was.changes.find((change) => change.field === 'name')).toMatchObject({ before: made.name, after: null })
  })

  it('shows nobody what they may not view: by permission, by data scope, by tenant', async () => {
    const auditor = await world.colleague(admin, ['history_view', 'school_view'])
    const seen = (await changes(auditor, { size: 100 })).records
    expect(new Set(seen.map((entry) => entry.entity))).toEqual(new Set(['school']))
    const [any] = (await changes(admin, { entity: 'student' })).records
    expect((await auditor.get('blade-log/history/detail', { id: any!.id })).status).toBe(404)
    const { person, own, other } = await scoped(['history_view', 'student_view'])
    const rows = new Set((await changes(person, { size: 100 })).records.map((entry) => entry.rowId))
    expect([rows.has(own.id), rows.has(other.id), rows.has(pupil.id)]).toEqual([true, false, false])
    const [hidden] = (await changes(admin, { entity: 'student' })).records.filter((entry) => entry.rowId === other.id)
    expect((await person.get('blade-log/history/detail', { id: hidden!.id })).status).toBe(404)
    const stranger = await world.tenant()
    expect((await changes(stranger)).records.some((entry) => entry.entity === 'student')).toBe(false)
    expect((await stranger.get('blade-log/history/detail', { id: any!.id })).status).toBe(404)
    expect((await (await world.colleague(admin, ['student_view'])).get('blade-log/history/list')).status).toBe(403)
  })

  it('shows numbers in full of those rows alone whose numbers one may see', async () => {
    const { person, own, other } = await scoped(['student_personal'])
    // Another role lets the same person view all pupils and all changes, but no number.
    const second = await world.colleague(admin, ['history_view', 'student_view'])
    await world.owner.query(
      `insert into app_user_role (tenant_id, owner_id, target_id, ord) select tenant_id, $2, target_id, 2 from app_user_role where tenant_id = $1 and owner_id = $3`,
      [admin.tenantId, person.userId, second.userId],
    )
    type Told = { changes: { field: string; after: unknown }[] }
    for (const [row, shown] of [
      [own, '13912345678'],
      [other, '*********78'],
    ] as const) {
      ok(await admin.post('blade-user/student/submit', { id: row.id, phone: '13912345678' }))
      const entries = ok(await person.get<Told[]>('blade-user/student/history', { id: row.id }))
      expect(entries[0]!.changes).toMatchObject([{ field: 'phone', after: shown }])
      const [edit] = (await changes(person, { size: 1 })).records
      expect(edit!.rowId).toBe(row.id)
      const told = ok(await person.get<Told>('blade-log/history/detail', { id: edit!.id }))
      expect(told.changes).toMatchObject([{ field: 'phone', after: shown }])
      // Nor is a guess confirmed by a list of more rows than those.
      expect((await person.get('blade-user/student/list', { idNo: '1234' })).status).toBe(403)
    }
  })

  it('looks at so many rows at a time, whatever is asked, and says where to go on', async () => {
    const person = await world.tenant()
    const [low] = [BigInt(newId()) - 50_000n]
    await world.owner.query(
      `insert into history (tenant_id, id, entity, row_id, version, action) select $1, $2::bigint + n, 'post', n, 1, case n when 1 then 'undo' else 'add' end from generate_series(1, 25000) n`,
      [person.tenantId, String(low)],
    )
    const first = await changes(person, { action: 'undo' })
    expect(first.records).toEqual([])
    expect(first.next).not.toBeNull()
    const second = await changes(person, { action: 'undo', before: first.next! })
    expect(second.records.map((entry) => entry.rowId)).toEqual(['1'])
    expect(second.next).toBeNull()
  })
})

describe('the record of who has read a child’s record', () => {
  it('names the reader, the child, the kind and the reason, for the student and for its parts', async () => {
    const teacher = await world.colleague(admin, [
      'student_view',
      'student_personal',
      'studentparents_view',
      'student_export',
    ])
    const draft = (await sample(admin, studentparents, new Map([['student', pupil.id]]))).draft
    const parent = ok(await admin.post<Row>('blade-user/studentparents/submit', draft))
    ok(await teacher.get('blade-user/student/detail', { id: pupil.id }, because('家访')))
    ok(await teacher.get('blade-user/student/personal', { id: pupil.id }))
    ok(await teacher.get('blade-user/studentparents/detail', { id: parent.id }))
    ok(await teacher.get('blade-user/student/history', { id: pupil.id }))
    const exported = await teacher.get('blade-user/student/export', { format: 'csv', id: pupil.id }, because('核对'))
    expect(exported.status).toBe(200)
    const { records } = await reads(admin, { userId: teacher.userId })
    expect(
      records.map(({ kind, entity, rowId, childId, childName, reason }) => ({
        kind,
        entity,
        rowId,
        childId,
        childName,
        reason,
      })),
    ).toEqual(
      [
        { kind: 'export', entity: 'student', rowId: pupil.id, reason: '核对' },
        { kind: 'detail', entity: 'student', rowId: pupil.id, reason: null },
        { kind: 'detail', entity: 'studentparents', rowId: parent.id, reason: null },
        { kind: 'personal', entity: 'student', rowId: pupil.id, reason: null },
        { kind: 'detail', entity: 'student', rowId: pupil.id, reason: '家访' },
      ].map((each) => ({ ...each, childId: pupil.id, childName: pupil.name })),
    )
    expect(records[0]!.address).not.toBe('')
    expect((await reads(admin, { childId: pupil.id, kind: 'export' })).records.map((read) => read.userId)).toEqual([
      teacher.userId,
    ])
  })

  it('holds no read that was refused, no list with its usual columns, and nothing of what is nobody’s record', async () => {
    const person = await world.tenant()
    expect((await person.get('blade-user/student/detail', { id: pupil.id })).status).toBe(404)
    ok(await person.get('blade-user/student/list'))
    ok(await person.get('blade-system/post/list'))
    expect((await reads(person)).records).toEqual([])
    const teacher = await world.colleague(admin, ['student_view'])
    ok(await teacher.get('blade-user/student/list', { id: pupil.id, columns: 'seatNo,createUser' }))
    expect((await reads(admin, { userId: teacher.userId })).records).toEqual([])
    ok(await teacher.get('blade-user/student/list', { id: pupil.id, columns: 'idNo' }))
    const [seen] = (await reads(admin, { userId: teacher.userId })).records
    expect(seen).toMatchObject({ childId: pupil.id, kind: 'list' })
  })

  it('shows a person with a data scope the reads of that part, and names to whoever may view students', async () => {
    const { person, own, other } = await scoped(['readlog_view', 'student_view'])
    for (const row of [own, other]) ok(await admin.get('blade-user/student/detail', { id: row.id }))
    expect(new Set((await reads(person)).records.map((read) => read.childId))).toEqual(new Set([own.id]))
    const officer = await world.colleague(admin, ['readlog_view'])
    const seen = (await reads(officer, { childId: other.id })).records
    // Once when it was added, since the answer showed it, and once when it was opened.
    expect(seen.map((read) => [read.childId, read.childName])).toEqual([
      [other.id, null],
      [other.id, null],
    ])
    expect((await (await world.colleague(admin, ['student_view'])).get('blade-log/read/list')).status).toBe(403)
  })

  it('stays when the child is gone', async () => {
    const made = ok(await admin.post<Row>('blade-user/student/submit', (await sample(admin, student)).draft))
    ok(await admin.get('blade-user/student/detail', { id: made.id }))
    ok(await admin.remove('blade-user/student', made.id))
    const kept = { childId: made.id, childName: null }
    expect((await reads(admin, { childId: made.id })).records).toMatchObject([kept, kept])
  })
})
