import { type Entity, entityOf, type Page } from '@data-brain/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generic, isOfPlatform, sample } from './sample.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

let world: World
let admin: Person
let stranger: Person
let platform: Person
beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  stranger = await world.tenant()
  platform = await world.platform()
})
afterAll(() => world.close())

/** Keys that are judged here: what the server computes nobody sends twice. */
const judged = (entity: Entity): (readonly string[])[] =>
  (entity.unique ?? []).filter((key) => key.every((name) => !entity.fields[name]?.computed))

/** Values of what may be left out, for keys that judge nothing while it is. */
const special: Readonly<Record<string, (draft: Readonly<Record<string, unknown>>) => unknown>> = {
  uscc: () => '91350100M000100Y43',
  nationalCode: (draft) => `G${draft.idNo}`,
  seatNo: () => 7,
}

/** A draft with a value in every part of a key; `made` holds rows that another draft referred to. */
async function complete(
  person: Person,
  entity: Entity,
  key: readonly string[],
  before?: Map<string, string>,
): Promise<{ draft: Record<string, unknown>; made: Map<string, string> }> {
  const { draft, made } = await sample(person, entity, before)
  for (const name of key) {
    if (draft[name] !== undefined && draft[name] !== null) continue
    const to = entity.fields[name]?.to
    draft[name] = special[name]?.(draft) ?? (to && (await rowFor(person, to, made)))
  }
  return { draft, made }
}

/** The values of a key, with what must agree with them. */
function alike(entity: Entity, key: readonly string[], draft: Readonly<Record<string, unknown>>) {
  const more: Readonly<Record<string, readonly string[]>> = {
    // The facts that an identity number carries.
    idNo: ['birthDate', 'sex'],
    nationalCode: ['idNo', 'birthDate', 'sex'],
    // The days of a semester lie in its year, and a year is named by its start.
    yearId: entity.name === 'schoolsemester' ? ['beginDate', 'endDate', 'firstWeekMonday', 'weekCount'] : [],
    yearName: ['beginDate', 'endDate', 'startYear'],
    startYear: ['beginDate', 'endDate', 'yearName'],
  }
  const names = key.flatMap((name) => [name, ...(more[name] ?? [])])
  return Object.fromEntries(names.filter((name) => name in draft).map((name) => [name, draft[name]]))
}

/** A row that a key may name: the person's own account, or a new one that fits what is there. */
async function rowFor(person: Person, name: string, made: Map<string, string>): Promise<string> {
  if (name === 'user') return person.userId
  const { draft } = await sample(person, entityOf(name), made)
  return added(await person.post<Row>(`${entityOf(name).path}/submit`, draft))
}

function added({ code, msg, data }: Awaited<ReturnType<Person['post']>> & { data: unknown }): string {
  if (code !== 200) throw new Error(msg)
  return (data as Row).id
}

const keys = generic.flatMap((entity) =>
  judged(entity).map((key) => [`${entity.name}: ${key.join(' + ')}`, entity, key] as const),
)

describe('R-PROD-2 R-SCHOOL-3 every key holds within its tenant and no further', () => {
  it('whatever it is of', () => {
    expect(keys.length).toBeGreaterThan(40)
  })

  it.each(keys.filter(([, entity]) => isOfPlatform(entity)))('%s, of the platform', async (_, entity, key) => {
    await refusedTwice(platform, entity, key)
  })

  it.each(keys.filter(([, entity]) => !isOfPlatform(entity)))('%s', async (_, entity, key) => {
    const draft = await refusedTwice(admin, entity, key)
    const { draft: theirs } = await complete(stranger, entity, key)
    // What a row refers to is the tenant's own; all other values are those of the first tenant.
    const values = key.filter((name) => !entity.fields[name]!.to)
    const used = alike(entity, values, draft)
    const elsewhere = await stranger.post<Row>(`${entity.path}/submit`, { ...theirs, ...used })
    expect([elsewhere.msg, elsewhere.data?.tenantId]).toEqual(['操作成功', stranger.tenantId])
  })

  /** A second row of the same key is refused, and none is added; answers the first. */
  async function refusedTwice(person: Person, entity: Entity, key: readonly string[]) {
    const rows = async () => (await person.get<Page<Row>>(`${entity.path}/list`, { size: 1 })).data.total
    const { draft, made } = await complete(person, entity, key)
    added(await person.post(`${entity.path}/submit`, draft))
    const { draft: other } = await complete(person, entity, key, made)
    const before = await rows()
    const answer = await person.post<{ field: string }>(`${entity.path}/submit`, {
      ...other,
      ...alike(entity, key, draft),
    })
    // A dictionary says in words of its own that it has the key already.
    expect([answer.status, answer.msg]).toEqual([entity.name === 'dict' ? 400 : 409, expect.stringContaining('已')])
    // A school is a department too, whose name is that of the school.
    const told = [...Object.keys(alike(entity, key, draft)), ...(key.includes('schoolName') ? ['deptName'] : [])]
    expect(told).toContain(answer.data.field)
    expect(await rows()).toBe(before)
    return draft
  }
})
