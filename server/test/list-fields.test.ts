import { type Entity, entities, isMasked, type Kind, nameOf, type Page } from '@data-brain/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allModules } from '../src/extensions.ts'
import { isOfPlatform, sample } from './sample.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

/*
 * R-LIST-1: every field of every entity can be filtered by and shown. The oracle is arithmetic: the rows that a condition
 * holds for, those it does not hold for, and those that have no value are all the rows there are.
 */

let world: World
let admin: Person
let platform: Person
beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  platform = await world.platform()
})
afterAll(() => world.close())

/** Lists that a module answers in its own way: trees, and what is no row of a table. */
const own = (entity: Entity): boolean =>
  allModules.some((module) => (module.serves?.[entity.name] as readonly string[] | undefined)?.includes('list'))
const listed = entities.filter((entity) => !own(entity))
const person = (entity: Entity): Person => (isOfPlatform(entity) ? platform : admin)

/** A condition and its opposite, of rows that have a value; null where a field of the kind has none such. */
const halves: Record<Kind, ((name: string, value: string) => [Record<string, string>, Record<string, string>]) | null> =
  {
    text: (name, value) => [{ [name]: value }, { [`${name}_notlike`]: value }],
    area: (name, value) => [{ [name]: value.slice(0, 3) }, { [`${name}_notlike`]: value.slice(0, 3) }],
    integer: (name, value) => [{ [`${name}_ge`]: value }, { [`${name}_lt`]: value }],
    decimal: (name, value) => [{ [`${name}_le`]: value }, { [`${name}_gt`]: value }],
    flag: (name) => [{ [name]: '1' }, { [name]: '0' }],
    choice: (name, value) => [{ [name]: value }, { [`${name}_notequal`]: value, [`${name}_notnull`]: '1' }],
    choices: (name, value) => [{ [name]: value }, { [`${name}_notequal`]: value, [`${name}_notnull`]: '1' }],
    date: (name, value) => [{ [`${name}_datege`]: value }, { [`${name}_datelt`]: value }],
    instant: (name, value) => [{ [`${name}_dategt`]: value }, { [`${name}_datele`]: value }],
    reference: (name, value) => [{ [name]: value }, { [`${name}_notequal`]: value, [`${name}_notnull`]: '1' }],
    references: (name, value) => [{ [name]: value }, { [`${name}_notequal`]: value, [`${name}_notnull`]: '1' }],
    region: (name, value) => [
      { [`${name}_below`]: `${value.slice(0, 2)}0000` },
      { [`${name}_notequal`]: value, [`${name}_notnull`]: '1' },
    ],
    personal: (name, value) => [{ [name]: value }, { [`${name}_notequal`]: value, [`${name}_notnull`]: '1' }],
    secret: null,
    json: null,
  }

const otherwise: Partial<Record<Kind, string>> = {
  ...{ integer: '3', decimal: '1', date: '2026-09-01', instant: '2026-09-01 08:00:00' },
  ...{ reference: '1', references: '1', region: '110105', text: '文', area: '第一行', choice: '1', choices: '1' },
  personal: '13800000000',
}

/** Kinds whose stored value is the one that was sent: it must be found by it. */
const sure: ReadonlySet<Kind> = new Set(['integer', 'choice', 'choices', 'date', 'reference', 'references', 'personal'])

it('looks at most entities, and at every kind of field', () => {
  expect(listed.length).toBeGreaterThan(30)
  const kinds = new Set(listed.flatMap((entity) => Object.values(entity.fields).map((field) => field.kind)))
  for (const kind of Object.keys(halves)) expect([...kinds]).toContain(kind)
})

describe.each(listed.map((entity) => [entity.name, entity] as const))('R-LIST-1 %s', (_name, entity) => {
  const call = (query: Record<string, string | number>) =>
    person(entity).get<Page<Row>>(`${entity.path}/list`, { size: 200, ...query })
  const drafts: Record<string, unknown>[] = []
  beforeAll(async () => {
    if (entity.readOnly) return
    for (let nth = 0; nth < 2; nth += 1) {
      const { draft } = await sample(person(entity), entity)
      // Some keys are taken by what every tenant begins with: one row is enough there.
      const answer = await person(entity).post<Row>(`${entity.path}/submit`, draft)
      if (answer.code === 200) drafts.push(draft)
    }
  })
  const fields = Object.entries(entity.fields).filter(([, { kind }]) => kind !== 'secret' && kind !== 'json')

  it('is filtered by every field: a condition, its opposite and “empty” are together all rows', async () => {
    const all = (await call({})).data.total
    const count = async (query: Record<string, string>) => {
      const answer = await call({ ...query, size: 1 })
      expect([answer.code, answer.msg, query]).toEqual([200, answer.msg, query])
      return answer.data.total
    }
    for (const [name, field] of fields) {
      const given = drafts
        .map((draft) => draft[name])
        .find((value) => value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0))
      const value = String((Array.isArray(given) ? given[0] : given) ?? otherwise[field.kind] ?? '1') || '1'
      const empty = await count({ [`${name}_null`]: '1' })
      expect([name, empty + (await count({ [`${name}_notnull`]: '1' }))]).toEqual([name, all])
      if (field.kind === 'region') continue
      const [yes, no] = halves[field.kind]!(name, value)
      const found = await count(yes)
      expect([name, found + (await count(no)) + empty]).toEqual([name, all])
      if (given !== undefined && given !== null && value !== '' && sure.has(field.kind))
        expect([name, value, found > 0]).toEqual([name, value, true])
    }
    for (const name of ['createTime', 'updateTime']) {
      const half = [
        await count({ [`${name}_dategt`]: '2026-01-01' }),
        await count({ [`${name}_datele`]: '2026-01-01' }),
      ]
      expect([name, half[0]! + half[1]!]).toEqual([name, all])
    }
    for (const name of ['createUser', 'updateUser']) {
      const mine = (await person(entity).get<{ id: string }>('blade-user/info')).data.id
      const own = await count({ [name]: mine })
      const others = await count({ [`${name}_notequal`]: mine })
      expect([name, own + others]).toEqual([name, all])
    }
  })

  it('shows every field, names beside references, personal numbers masked, secrets never', async () => {
    const names = [...Object.keys(entity.fields), 'createUser', 'updateUser', 'extId']
    const answer = await call({ columns: names.join(',') })
    expect(answer.code).toBe(200)
    for (const row of answer.data.records) {
      for (const [name, field] of fields) {
        expect(Object.keys(row)).toContain(name)
        if (field.to || field.kind === 'region') expect(Object.keys(row)).toContain(nameOf(name))
        const value = row[name]
        if (field.kind === 'personal' && typeof value === 'string' && value !== '')
          expect([name, isMasked(value)]).toEqual([name, true])
      }
      for (const name of ['createUserName', 'updateUserName', 'extId']) expect(Object.keys(row)).toContain(name)
      // Json that is no sort of value is read by nobody.
      const hidden = Object.entries(entity.fields).filter(
        ([, { kind, as }]) => kind === 'secret' || (kind === 'json' && !as),
      )
      for (const [name] of hidden) if (!entity.list.includes(name)) expect(Object.keys(row)).not.toContain(name)
    }
    const plain = await call({})
    expect(answer.data.total).toBe(plain.data.total)
    expect(answer.data.records.map((row) => row.id)).toEqual(plain.data.records.map((row) => row.id))
  })
})

it('refuses more values than a condition takes by the name of the field, and lists no other rows instead', async () => {
  const ids = (count: number) => Array.from({ length: count }, (_, at) => String(10n ** 17n + BigInt(at))).join(',')
  const ask = (query: Record<string, string>) => admin.get<Page<Row>>('blade-user/student/list', { ...query, size: 1 })
  for (const name of ['classId_in', 'name_in', 'name_notin', 'sex_in', 'ids'])
    expect([name, (await ask({ [name]: ids(200) })).msg]).toEqual([name, '操作成功'])
  for (const [name, words] of [
    ['classId_in', '班级：最多200个'],
    ['name_in', '姓名：最多200个'],
    ['name_notin', '姓名：最多200个'],
  ])
    expect(await ask({ [name!]: ids(201) })).toMatchObject({ status: 400, msg: words })
  const deputies = await admin.get('blade-user/schoolclass/list', { deputyTeacherIds: ids(201) })
  expect(deputies.status).toBe(400)
})
