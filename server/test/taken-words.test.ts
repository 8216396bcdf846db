import { type Entity, entities, owner } from '@data-brain/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { book } from '../../examples/extensions/library/contract/book.ts'
import { singleName, uniqueName } from '../src/database/ddl.ts'
import { learnConstraints, takenWords } from '../src/entity/constraint.ts'
import { problemOfDatabase } from '../src/kernel/problem-of.ts'
import { importer, listOf, type School, schoolWith } from './import-entity-parts.ts'
import { type Answer, makeWorld, type Person, type Row, type World } from './world.ts'

/** What is said of a key that is there already: a sentence of its own, at a field of the form. */

const chinese = /\p{Script=Han}/u
const refused = (constraint: string) =>
  problemOfDatabase(Object.assign(new Error('duplicate key'), { code: '23505', constraint }))

describe('ISSUE-14-7 a key that is taken', () => {
  const keys = [...entities, book].flatMap((entity: Entity) =>
    (entity.unique ?? []).map((key) => [`${entity.name}: ${key.join(' + ')}`, entity, key] as const),
  )

  it.each(keys)('%s is told in both languages, in a sentence', (_, entity, key) => {
    const { zh, en } = takenWords(entity, key)
    expect(zh).toMatch(/^[^a-z]*已(存在|有|是|被|由|关联)/)
    expect(en).toMatch(/^[A-Z][^\n]* (already|has) /)
    expect(en).not.toMatch(chinese)
    // Fields that are only listed are no sentence.
    expect(zh).not.toMatch(/^[^，；]*、[^，；]*已存在$/)
  })

  it('has words of its own by the field that ends one key', () => {
    for (const { name, taken, unique } of [...entities, book] as Entity[]) {
      const ends = (unique ?? []).map((key) => key.at(-1)!)
      for (const field of Object.keys(taken ?? {}))
        expect(
          ends.filter((end) => end === field),
          `${name}: ${field}`,
        ).toHaveLength(1)
    }
  })

  it('is refused with 409 at a field of the entity, whichever key it is', () => {
    learnConstraints()
    for (const entity of entities) {
      for (const key of entity.unique ?? []) {
        const problem = refused(uniqueName(entity, key))!
        expect(problem.status).toBe(409)
        expect(problem.data).toEqual({ field: key.at(-1), fields: [] })
        expect(Object.keys(entity.fields)).toContain(key.at(-1))
        expect([problem.words('zh'), problem.words('en')]).toEqual(Object.values(takenWords(entity, key)))
      }
      for (const { flag } of entity.single ?? [])
        expect(refused(singleName(entity, flag))!.data).toEqual({ field: flag, fields: [] })
    }
    expect(refused('schoolyear_is_current_single')!.words('zh')).toBe('同一学校只能有一个当前学年')
    expect(refused('schoolyear_is_current_single')!.words('en')).toBe('There is one current year per school')
  })

  it('says by itself where a key of several fields is taken: what a row belongs to only where nothing else tells it', () => {
    const say = (name: string, key: readonly string[]) =>
      Object.values(takenWords(entities.find((entity) => entity.name === name)!, key))
    expect(say('school', ['uscc'])).toEqual(['统一社会信用代码已存在', 'Social credit code already exists'])
    expect(say('schoolcampus', [owner.field, 'campusCode'])).toEqual([
      '校区号在同一学校中已存在',
      'Campus code already exists in the same school',
    ])
    expect(say('schoolclass', [owner.field, 'yearId', 'className'])).toEqual([
      '班级名称在同一学年中已存在',
      'Class name already exists in the same school year',
    ])
  })
})

describe('ISSUE-14-7 a key that is taken, on every way in', () => {
  let world: World
  let admin: Person
  let school: School
  let classes: Row[]
  beforeAll(async () => {
    world = await makeWorld()
    admin = await world.tenant()
    school = await schoolWith(admin, [
      ['13', 1],
      ['13', 2],
    ])
    classes = (await listOf(admin, 'schoolclass', { schoolId: school.schoolId })).toSorted((a, b) =>
      String(a.className).localeCompare(String(b.className)),
    )
    const { schoolId, campusId } = school
    const floor = { schoolId, campusId, buildingCode: 'A', buildingName: '教学楼', floorNo: 4 }
    floorId = (await done('schoolfloor', floor)).data.id
  })
  afterAll(() => world.close())

  const save = (entity: string, draft: object): Promise<Answer<Row>> =>
    admin.post<Row>(`blade-user/${entity}/submit`, draft)
  const done = async (entity: string, draft: object): Promise<Answer<Row>> => {
    const answer = await save(entity, draft)
    expect(answer.msg).toBe('操作成功')
    return answer
  }
  let floorId: string
  const room = async (roomCode: string, more: object = {}): Promise<string> => {
    const { schoolId, campusId } = school
    const { data } = await done('schoolclassroom', {
      ...{ schoolId, campusId, roomCode, roomName: `${roomCode}室`, roomType: '1', capacity: 50, examCapacity: 30 },
      ...{ floorId, ...more },
    })
    return data.id
  }
  /** Takes back the last change of a row. */
  const undo = async (rowId: string): Promise<Answer> => {
    const { rows } = await world.owner.query<{ request_id: string }>(
      'select request_id from history where tenant_id = $1 and row_id = $2 order by id desc limit 1',
      [admin.tenantId, rowId],
    )
    return admin.post('blade-log/history/undo', undefined, { query: { requestId: rows[0]!.request_id } })
  }
  const told = ({ status, msg, data }: Answer): unknown[] => [status, msg, (data as { field?: string } | null)?.field]

  it('is told in its own words by the form, in a cell and by an undo, and a file is told who has it: the home room of two classes', async () => {
    const [first, second] = classes
    const classroomId = await room('301')
    await done('schoolclass', { id: first!.id, classroomId })
    const words = [409, '该教室在同一学年已是其他班级的固定教室', 'classroomId']
    const { schoolId, campusId, yearId } = school
    const draft = { schoolId, campusId, yearId, gradeId: first!.gradeId, classNo: 3, classType: '10' }
    const form = { ...draft, className: '三年级（3）班', cohortYear: first!.cohortYear, classroomId }
    expect(told(await save('schoolclass', form))).toEqual(words)
    const { data: stands } = await admin.get<Row>('blade-user/schoolclass/detail', { id: second!.id })
    const cell = { id: second!.id, version: stands.version, classroomId }
    expect(told(await save('schoolclass', cell))).toEqual(words)

    await done('schoolclass', { id: first!.id, classroomId: null })
    await done('schoolclass', { id: second!.id, classroomId })
    expect(told(await undo(first!.id))).toEqual(words)

    const file = importer(world, admin, 'schoolclass')
    const read = await file.read(school, [
      ['班级', '固定教室'],
      ['三年级4班', '301室'],
    ])
    await file.check(read)
    expect(await file.faults(read.id)).toEqual([`2 schoolclass.classroomId 已由“${second!.className}”使用`])
  })

  it('is told in its own words by the form, in a cell and by an undo, and a file is told who has it: the class of two home rooms', async () => {
    const [homeClassId] = classes.map(({ id }) => id)
    const first = await room('401', { homeClassId })
    const second = await room('402')
    const words = [409, '该班级已有固定教室', 'homeClassId']
    const { schoolId, campusId } = school
    const form = {
      ...{ schoolId, campusId, floorId, roomCode: '403', roomName: '403室' },
      ...{ roomType: '1', capacity: 50, examCapacity: 30 },
    }
    expect(told(await save('schoolclassroom', { ...form, homeClassId }))).toEqual(words)
    expect(told(await save('schoolclassroom', { id: second, homeClassId }))).toEqual(words)
    const english = await world.call<Row>('POST', 'blade-user/schoolclassroom/submit', admin.token, {
      ...{ body: { id: second, homeClassId }, language: 'en' },
    })
    expect(english.msg).toBe('The class already has a home room')

    await done('schoolclassroom', { id: first, homeClassId: null })
    await done('schoolclassroom', { id: second, homeClassId })
    expect(told(await undo(first))).toEqual(words)

    const file = importer(world, admin, 'schoolclassroom')
    const read = await file.read(school, [
      ['楼栋', '楼层', '房间号', '名称', '容量', '使用班级'],
      ['教学楼', '4楼', '404', '404室', '45人', '三1班'],
    ])
    await file.check(read)
    expect(await file.faults(read.id)).toEqual(['2 schoolclassroom.homeClassId 已由“402室”使用'])
  })
})
