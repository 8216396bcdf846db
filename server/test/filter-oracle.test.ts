import { type Entity, entities, type Field } from '@data-brain/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { platformCodes, sample } from './sample.ts'
import { add, admin, classes, inClasses, makeSchool, narrowed, type Row, type Rows, world } from './scope-school.ts'
import type { Person } from './world.ts'

/*
 * A filter's oracle: whatever P asks, each row is found by P, by not P, or has nothing there to ask about, and by one of
 * them alone; so they add up to what is counted without a filter. For an administrator, who is told kept counts, and for
 * somebody narrowed to one class, over every list that there is. SEED repeats a run.
 */

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000_007)
const filters = process.env.TEST_LONG ? 10_000 : 300

/** Random numbers from a seed (mulberry32). */
function randomOf(start: number): () => number {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
const random = randomOf(seed)
const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!

/** Operators with what is their contrary; by `distinct` and `notin`, a row without a value counts as another one. */
const same = [
  ['equal', 'notequal'],
  ['in', 'notin'],
] as const
const compared = [...same, ['ge', 'lt'], ['gt', 'le']] as const
const contraries: Readonly<Partial<Record<Field['kind'], readonly (readonly [string, string])[]>>> = {
  text: [['', 'notlike'], ['like', 'notlike'], ...same, ['ge', 'lt'], ['gt', 'le']],
  area: [['', 'notlike'], ...same, ['ge', 'lt']],
  integer: compared,
  decimal: compared,
  date: [...compared, ['datege', 'datelt'], ['dategt', 'datele'], ['dateequal', 'notequal']],
  instant: [...compared, ['datege', 'datelt']],
  flag: same,
  choice: same,
  region: same,
  reference: same,
  references: same,
  choices: same,
  personal: [['equal', 'notequal']],
}

const made: Readonly<Partial<Record<Field['kind'], () => string>>> = {
  text: () => pick(['一', '学', 'a', 'Z', '0', '%', '_', '\\', "'", '三年级', '1']),
  area: () => pick(['一', 'a', '%', '\\', '。']),
  integer: () => String(Math.floor(random() * 60) - 3),
  decimal: () => pick(['0', '1.5', '-2', '39.9']),
  date: () => `20${10 + Math.floor(random() * 20)}-0${1 + Math.floor(random() * 9)}-1${Math.floor(random() * 10)}`,
  instant: () => `202${Math.floor(random() * 9)}-06-01 08:00:00`,
  flag: () => pick(['0', '1']),
  choice: () => pick(['0', '1', '2', '3', '01']),
  region: () => pick(['110000', '110105', '440305']),
  reference: () => '1234567890123456',
  references: () => '1234567890123456',
  choices: () => pick(['1', '2', '1,2']),
  personal: () => pick(['1234', '13800001234', 'X']),
}

interface Seen {
  readonly who: string
  readonly person: Person
  readonly entity: Entity
  /** Rows as the list shows them, and how many there are. */
  readonly rows: readonly Row[]
  readonly total: number
}
const lists: Seen[] = []

async function totalOf(
  { person, entity }: Pick<Seen, 'person' | 'entity'>,
  query: object,
): Promise<number | undefined> {
  const answer = await person.get<Rows>(`${entity.path}/list`, { size: '1', ...query })
  expect([200, 400, 403], `${entity.name} ${JSON.stringify(query)}: ${answer.msg}`).toContain(answer.status)
  return answer.status === 200 ? answer.data.total : undefined
}

beforeAll(async () => {
  await makeSchool()
  const had = new Map<string, string>()
  for (const entity of entities)
    for (const _ of [0, 1])
      try {
        const { draft } = await sample(admin, entity, new Map(had))
        had.set(entity.name, (await add(entity.name, draft)).id)
      } catch {
        // Some rows come otherwise, or once.
      }
  const { rows: menus } = await world.owner.query<{ code: string }>('select code from menu where platform_only = 0')
  const codes = menus.map(({ code }) => code).filter((code) => !platformCodes.has(code))
  const head = await narrowed(codes, [inClasses(classes[0]!.id)])
  for (const [who, person] of [
    ['administrator', admin],
    ['class teacher', head],
  ] as const)
    for (const entity of entities) {
      const columns = Object.keys(entity.fields).join()
      const answer = await person.get<Rows>(`${entity.path}/list`, { size: '20', columns })
      if (answer.status !== 200 || !Array.isArray(answer.data?.records)) continue
      const { records: rows, total } = answer.data
      if (rows.length > 0) lists.push({ who, person, entity, rows, total })
    }
}, 240_000)
afterAll(() => world.close())

/** A value that a filter of the field may ask for: mostly one that a row has. */
function asking({ rows }: Seen, name: string, field: Field): string {
  const stored = rows.map((row) => row[name]).filter((value) => String(value ?? '') !== '')
  if (stored.length === 0 || field.kind === 'personal' || random() < 0.3) return made[field.kind]!()
  const value = pick(stored)
  const text = Array.isArray(value) ? value.join() : String(value)
  return field.kind === 'text' && random() < 0.5 ? text.slice(0, 1 + Math.floor(random() * 3)) : text
}

it(`A1 rows(P) + rows(not P) + rows(P is empty) = all, for ${filters} random filters`, {
  timeout: 1_800_000,
}, async () => {
  // A walk through empty lists proves nothing.
  expect(lists.filter(({ who }) => who === 'administrator').length).toBeGreaterThan(25)
  expect(lists.filter(({ who }) => who === 'class teacher').length).toBeGreaterThan(15)
  let judged = 0
  const kinds = new Set<string>()
  for (let tried = 0; judged < filters && tried < filters * 3; tried += 1) {
    const seen = pick(lists)
    const [name, field] = pick(Object.entries(seen.entity.fields))
    const ways = contraries[field.kind]
    if (!ways) continue
    const [yes, no] = pick(ways)
    const value = asking(seen, name, field)
    const p = { [yes ? `${name}_${yes}` : name]: value }
    const notP = { [`${name}_${no}`]: value }
    const empty = { [`${name}_null`]: '1' }
    const told = `SEED=${seed} ${seen.who} ${seen.entity.name} ${JSON.stringify([p, notP])}`
    const found = await totalOf(seen, p)
    // What cannot be asked of the field is refused both ways.
    if (found === undefined) {
      expect(await totalOf(seen, notP), told).toBeUndefined()
      continue
    }
    const others = await totalOf(seen, notP)
    const none = await totalOf(seen, empty)
    const otherNone = await totalOf(seen, { ...notP, ...empty })
    expect(found + others! + none! - otherNone!, `${told}: ${[found, others, none, otherNone]}`).toBe(seen.total)
    expect([await totalOf(seen, { ...p, ...notP }), await totalOf(seen, { ...p, ...empty })], told).toEqual([0, 0])
    judged += 1
    kinds.add(field.kind)
  }
  expect(judged).toBe(filters)
  expect(kinds.size).toBeGreaterThan(8)
})
