import {
  type Entity,
  entities,
  idNoCheckDigit,
  school,
  schoolsubject,
  student,
  studentdetail,
  studentgroup,
  studentmessage,
  sysgrade,
  user,
} from '@data-brain/contract'
import { opsOf, opWords } from '@data-brain/contract/rules/condition'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkDraft } from '../src/entity/check.ts'
import { modelOf } from '../src/entity/model.ts'
import { customCondition } from '../src/entity/scope.ts'
import { sample } from './sample.ts'
import { admin, classes, inClasses, makeSchool, narrowed, pupils, schoolId, world } from './scope-school.ts'
import type { Person } from './world.ts'

interface Row extends Record<string, unknown> {
  id: string
  version: number
}
interface Entry {
  changes: { field: string; before: unknown; after: unknown; beforeName?: unknown; afterName?: unknown }[]
}

beforeAll(makeSchool)
afterAll(() => world.close())

const added = async (entity: Entity, more: Record<string, unknown> = {}): Promise<Row> => {
  const { draft } = await sample(admin, entity)
  const answer = await admin.post<Row>(`${entity.path}/submit`, {
    ...draft,
    ...('avatar' in draft ? { avatar: null } : {}),
    ...more,
  })
  if (answer.code !== 200) throw new Error(`${entity.name}: ${answer.msg}`)
  return answer.data
}
const detail = async (entity: Entity, id: string): Promise<Row> =>
  (await admin.get<Row>(`${entity.path}/detail`, { id })).data

/** A field, a value that it takes, and shapes that it does not. */
const cases: readonly (readonly [Entity, string, unknown, readonly unknown[]])[] = [
  [
    schoolsubject,
    'researchSlot',
    { weekday: 3, half: 'pm' },
    ['周三', { weekday: 9, half: 'am' }, [1], { weekday: 3 }],
  ],
  [schoolsubject, 'weekHours', null, ['5', [{ gradeId: '1', hours: 99 }], [{ hours: 2 }], { a: 1 }]],
  [user, 'unavailableSlots', [{ weekday: 1, periodNo: 2 }], [{ weekday: 1 }, [{ weekday: 1, periodNo: 15 }], 'x']],
  [user, 'userExt', { theme: 'dark' }, [[1], 'x', 7, { '': 1 }]],
  [studentdetail, 'ext', { 班车: '3号线' }, [[1], 'x', { ' ': 1 }]],
  [
    studentmessage,
    'formSchema',
    [{ label: '是否参加', kind: 'choice', required: true, choices: ['是', '否'] }],
    ['x', [{ label: 'x', kind: 'date' }], [{ label: 'x', kind: 'choice', choices: ['a'] }], { label: 'x' }],
  ],
  [
    studentgroup,
    'rule',
    { all: [{ field: 'sex', op: 'equal', value: '1' }] },
    ['x', { all: [] }, [{ field: 'name', op: 'null' }], { all: [{ field: 'name', op: 'toString' }] }],
  ],
]

describe('C12 json values are judged by every way in', () => {
  it.each(cases.map((each) => [`${each[0].name}.${each[1]}`, each] as const))(
    '%s: a good value is stored as it was sent, a bad one is refused at its field, in both languages',
    async (_, [entity, name, good, bad]) => {
      const row = await added(entity, { [name]: good })
      expect((await detail(entity, row.id))[name]).toEqual(good)
      const { draft } = await sample(admin, entity)
      for (const value of bad) {
        for (const given of [
          { ...draft, [name]: value },
          { id: row.id, version: row.version, [name]: value },
        ]) {
          const said = []
          for (const language of ['zh', 'en'] as const) {
            const answer = await admin.post<{ field: string }>(`${entity.path}/submit`, given, { language })
            expect([answer.status, answer.data?.field], JSON.stringify(given)).toEqual([400, name])
            expect(answer.msg).toContain(entity.fields[name]!.label[language])
            said.push(answer.msg)
          }
          expect(said[0]).not.toBe(said[1])
        }
        expect((await detail(entity, row.id))[name]).toEqual(good)
      }
    },
  )

  it('a bulk change, and the call for platform settings, refuse what a single save refuses', async () => {
    const subject = await added(schoolsubject)
    const bulk = await admin.post<{ failed: number; rows: { msg?: string }[] }>(
      `${schoolsubject.path}/bulk`,
      { values: { researchSlot: { weekday: 9, half: 'am' } } },
      { query: { ids: subject.id } },
    )
    expect(bulk.data.failed).toBe(1)
    expect(bulk.data.rows[0]!.msg).toContain('教研时间')
    const person = await added(user)
    const platform = (userExt: string) =>
      admin.post<{ field: string }>('blade-user/update-platform', undefined, { form: { userId: person.id, userExt } })
    for (const userExt of ['[1]', '"x"', '{"":1}'])
      expect([(await platform(userExt)).data?.field, userExt]).toEqual(['userExt', userExt])
    expect((await platform('{"theme":"dark"}')).code).toBe(200)
    expect([(await detail(schoolsubject, subject.id)).researchSlot, (await detail(user, person.id)).userExt]).toEqual([
      subject.researchSlot,
      { theme: 'dark' },
    ])
  })

  it('conditions of a group speak of fields of pupils that can be compared', async () => {
    const row = await added(studentgroup)
    const wrong: readonly unknown[] = [
      { all: [{ field: 'nothing', op: 'equal', value: '1' }] },
      { all: [{ field: 'idNo', op: 'like', value: '11' }] },
      { all: [{ field: 'birthDate', op: 'ge', value: 'yesterday' }] },
      { all: [{ field: 'classId', op: 'equal', value: '$myClasses' }] },
      { all: [{ field: 'name', op: 'equal' }] },
      { all: [{ field: 'classId', op: 'equal', value: '4611686018427387904' }] },
    ]
    for (const rule of wrong) {
      const answer = await admin.post<{ field: string }>(`${studentgroup.path}/submit`, { id: row.id, rule })
      expect([answer.status, answer.data?.field], JSON.stringify(rule)).toEqual([400, 'rule'])
    }
    const none = await admin.post<{ field: string }>(`${studentgroup.path}/submit`, { id: row.id, isDynamic: 1 })
    expect([none.status, none.data?.field]).toEqual([400, 'rule'])
    expect((await detail(studentgroup, row.id)).rule).toBeNull()
  })

  it('hours are of grades that there are, also when two tenants have the same call', async () => {
    const stranger = await world.tenant()
    const { draft } = await sample(stranger, sysgrade)
    const theirs = (await stranger.post<Row>(`${sysgrade.path}/submit`, draft)).data
    const subject = await added(schoolsubject)
    for (const gradeId of [theirs.id, '4611686018427387904']) {
      const answer = await admin.post<{ field: string }>(`${schoolsubject.path}/submit`, {
        id: subject.id,
        weekHours: [{ gradeId, hours: 4 }],
      })
      expect([answer.status, answer.data?.field]).toEqual([400, 'weekHours'])
    }
    expect((await detail(schoolsubject, subject.id)).weekHours).toBeNull()
  })

  it('a value of an older shape is shown, kept by a save that does not touch it, and put back from history', async () => {
    const subject = await added(schoolsubject)
    const old = { day: '周三', from: '14:00' }
    await world.owner.query('update schoolsubject set research_slot = $1 where tenant_id = $2 and id = $3', [
      JSON.stringify(old),
      admin.tenantId,
      subject.id,
    ])
    const seen = await detail(schoolsubject, subject.id)
    expect(seen.researchSlot).toEqual(old)
    const back = { id: subject.id, version: seen.version, researchSlot: seen.researchSlot, remark: '改' }
    const saved = await admin.post<Row>(`${schoolsubject.path}/submit`, back)
    expect([saved.code, saved.data.researchSlot, saved.data.remark]).toEqual([200, old, '改'])
    const now = { weekday: 4, half: 'am' }
    await admin.post(`${schoolsubject.path}/submit`, { id: subject.id, researchSlot: now })
    expect((await detail(schoolsubject, subject.id)).researchSlot).toEqual(now)
    const history = await admin.get<{ id: string }[]>(`${schoolsubject.path}/history`, { id: subject.id })
    const restored = await admin.post<Row>(`${schoolsubject.path}/restore`, undefined, {
      query: { id: subject.id, historyId: history.data[1]!.id },
    })
    expect([restored.code, restored.data.researchSlot]).toEqual([200, old])
  })

  it('sent again in another order of its parts it is no change', async () => {
    const row = await added(schoolsubject, { researchSlot: { weekday: 3, half: 'pm' } })
    const again = await admin.post<Row>(`${schoolsubject.path}/submit`, {
      id: row.id,
      researchSlot: { half: 'pm', weekday: 3 },
    })
    expect(again.data.version).toBe(row.version)
  })
})

describe('C12 json values are told in words', () => {
  it('names travel beside them in a detail, a list and the history, and stand in an export', async () => {
    const grade = await added(sysgrade)
    const hours = [{ gradeId: grade.id, hours: 5, doubleCount: 1 }]
    const subject = await added(schoolsubject, { weekHours: hours, researchSlot: { weekday: 3, half: 'pm' } })
    const title = String(grade[sysgrade.title])
    expect((await detail(schoolsubject, subject.id)).weekHoursName).toEqual({ [grade.id]: title })
    // The second time the total is known, and the rows are the last that is asked for.
    for (const round of [1, 2]) {
      const list = await admin.get<{ records: Row[] }>(`${schoolsubject.path}/list`, { columns: 'weekHours' })
      const row = list.data.records?.find(({ id }) => id === subject.id)
      expect([round, list.msg, row?.weekHoursName]).toEqual([round, '操作成功', { [grade.id]: title }])
    }
    await admin.post(`${schoolsubject.path}/submit`, { id: subject.id, weekHours: null })
    const history = await admin.get<Entry[]>(`${schoolsubject.path}/history`, { id: subject.id })
    expect(history.data[0]!.changes).toMatchObject([
      { field: 'weekHours', before: hours, beforeName: { [grade.id]: title }, after: null },
    ])
    await admin.post(`${schoolsubject.path}/submit`, { id: subject.id, weekHours: hours })
    const file = await world.http.inject({
      method: 'GET',
      url: `/api/${schoolsubject.path}/export`,
      query: { format: 'csv', columns: 'subjectName,researchSlot,weekHours' },
      headers: { 'blade-auth': `bearer ${admin.token}`, 'accept-language': 'zh' },
    })
    const csv = file.payload
    expect(csv).toContain('周三下午')
    expect(csv).toContain(`${title} 5 节（连堂 1）`)
    expect(csv).not.toMatch(/[{[]/)
  })

  it('a message to the whole school names nobody, also where somebody was named before', async () => {
    const { draft } = await sample(admin, studentmessage)
    const more = { schoolId, targetType: '2', targetIds: [classes[0]!.id] }
    const sent = await admin.post<Row>(`${studentmessage.path}/submit`, { ...draft, ...more })
    expect(sent.data.targetIds).toEqual([classes[0]!.id])
    const all = await admin.post<Row>(`${studentmessage.path}/submit`, { id: sent.data.id, targetType: '5' })
    expect([all.code, all.data.targetIds]).toEqual([200, null])
  })

  it('whoever does not reach the pupils of a message reads how many there are, and not who', async () => {
    const [mine, theirs] = [pupils.get('学一甲')!, pupils.get('学二甲')!]
    const { draft } = await sample(admin, studentmessage)
    const sent = await admin.post<Row>(`${studentmessage.path}/submit`, {
      ...draft,
      schoolId,
      targetType: '1',
      targetIds: [mine.id, theirs.id],
    })
    expect(sent.code, sent.msg).toBe(200)
    const named = async (who: Person): Promise<unknown> =>
      (await who.get<Row>(`${studentmessage.path}/detail`, { id: sent.data.id })).data.targetNames
    expect(Object.keys((await named(admin)) as object).toSorted()).toEqual([mine.id, theirs.id].toSorted())
    const reader = await narrowed(
      ['studentmessage_view', 'student_view'],
      [inClasses(classes[0]!.id), { scopeClass: 'studentmessage', scopeType: '1' }],
    )
    expect(await named(reader)).toEqual({ [mine.id]: expect.stringContaining('一甲') })
  })
})

describe('C12 what conditions may compare', () => {
  it('is the same for the console, which offers it, and the server, which reads it, for every field there is', async () => {
    const ground = { cipher: undefined as never, actor: { tenantId: '000000' } as never }
    const samples: Record<string, string> = {
      ...{ reference: '1', references: '1', date: '2026-01-01', instant: '2026-01-01' },
    }
    let fields = 0
    for (const entity of entities) {
      const model = modelOf(entity)
      for (const field of model.fields) {
        fields += 1
        const read = Object.keys(opWords).filter((op) =>
          customCondition(model, field.name, op, samples[field.kind] ?? '1', ground),
        )
        expect(read, `${entity.name}.${field.name}`).toEqual(opsOf(field.kind))
      }
    }
    expect(fields).toBeGreaterThan(300)
  })
})

describe('A2 a day that lies behind us', () => {
  it('is none of the future, such as a birth or a founding, by whichever way it comes in', async () => {
    const dayIn = (days: number) => new Date(Date.now() + (8 + 24 * days) * 3_600_000).toISOString().slice(0, 10)
    const past = entities.flatMap((entity) =>
      modelOf(entity).fields.flatMap(({ name, past }) => (past ? [[entity, name] as const] : [])),
    )
    expect(past.map(([entity, name]) => `${entity.name}.${name}`)).toEqual(
      expect.arrayContaining(['student.birthDate', 'user.birthday', 'school.foundedOn']),
    )
    for (const [entity, name] of past) {
      const wrongOf = (day: string) =>
        checkDraft(modelOf(entity), { [name]: day }).faults.filter(({ field }) => field === name)
      expect(wrongOf(dayIn(0))).toEqual([])
      expect(wrongOf(dayIn(1))).toHaveLength(1)
    }
    const { draft } = await sample(admin, student)
    const refused = await admin.post(`${student.path}/submit`, { ...draft, birthDate: dayIn(1) })
    expect([refused.code, refused.msg]).toEqual([400, expect.stringContaining('不能晚于今天')])
  })

  it('A1 is no birth before 1900, and no day of long ago where nobody means one', async () => {
    const { draft } = await sample(admin, student)
    for (const birthDate of ['0001-01-01', '1899-12-31']) {
      const refused = await admin.post(`${student.path}/submit`, { ...draft, birthDate })
      expect([refused.code, refused.msg]).toEqual([400, expect.stringContaining('不能早于1900-01-01')])
    }
    const wrongIn = (entity: Entity, values: object) =>
      checkDraft(modelOf(entity), values).faults.map(({ field }) => field)
    expect(wrongIn(user, { birthday: '0001-01-01' })).toContain('birthday')
    // A school may be older than anybody in it; a number with a birth of long ago would bring that birth along.
    expect(wrongIn(school, { foundedOn: '1898-03-01' })).not.toContain('foundedOn')
    expect(wrongIn(school, { foundedOn: '0001-01-01' })).toContain('foundedOn')
    const old = '11010318990101001'
    expect(wrongIn(student, { idType: '1', idNo: `${old}${idNoCheckDigit(old)}` })).toContain('idNo')
  })
})
