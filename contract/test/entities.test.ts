import { describe, expect, test } from 'vitest'
import { dictionaryOf } from '../src/dictionaries.ts'
import { entities, entityOf } from '../src/entities/index.ts'
import { type Entity, type Field, nameOf, type Words } from '../src/index.ts'

const systemColumns = [
  'id',
  'tenantId',
  'status',
  'version',
  'isDeleted',
  'createUser',
  'createDept',
  'createTime',
  'updateUser',
  'updateTime',
  'extId',
]

const fieldsOf = (entity: Entity): [string, Field][] => Object.entries(entity.fields)
const kindOf = (entity: Entity, name: string) => entity.fields[name]?.kind
const repeated = (names: readonly string[]) => names.filter((name, place) => names.indexOf(name) !== place)

/** Every word of an entity, with the place where it stands. */
function wordsOf(entity: Entity): [string, Words][] {
  return [
    ['label', entity.label],
    ...fieldsOf(entity).map(([name, field]): [string, Words] => [name, field.label]),
    ...fieldsOf(entity).flatMap(([name, field]): [string, Words][] =>
      field.help ? [[`${name} help`, field.help]] : [],
    ),
    ...(entity.groups ?? []).map((group): [string, Words] => ['group', group.label]),
    ...Object.entries(entity.taken ?? {}).map(([name, words]): [string, Words] => [`${name} taken`, words!]),
  ]
}

/** Every place of a definition that names fields of its own. */
function namesOf(entity: Entity): [string, readonly string[]][] {
  return [
    ['title', [entity.title]],
    ['list', entity.list],
    ['search', entity.search],
    ['sort', [entity.sort.replace(/^-/, '')]],
    ['sorts', entity.sorts ?? []],
    ['find', entity.find ?? []],
    ['findBeside', entity.findBeside ?? []],
    ['finds', entity.finds ? [entity.finds] : []],
    ...(entity.unique ?? []).map((key): [string, readonly string[]] => ['unique', key]),
    ['taken', Object.keys(entity.taken ?? {})],
    ...(entity.single ?? []).map((one): [string, readonly string[]] => ['single', [one.flag, ...one.per]]),
    ...(entity.ranges ?? []).map((range): [string, readonly string[]] => ['ranges', range]),
    ...(entity.oneOf ?? []).map((some): [string, readonly string[]] => ['oneOf', some]),
    ['groups', (entity.groups ?? []).flatMap((group) => group.fields)],
  ]
}

test('the school, student and system modules of the specification are all there, each once', () => {
  const names = entities.map((entity) => entity.name)
  expect(repeated(names)).toEqual([])
  expect(repeated(entities.map((entity) => entity.path))).toEqual([])
  expect(repeated(entities.map((entity) => entity.table ?? entity.name))).toEqual([])
  expect(names).toEqual(
    expect.arrayContaining(
      (
        'school schoolcampus schoolfloor schoolclassroom schoolyear schoolsemester sysgrade syssubject schoolsubject ' +
        'schoolclass schoolteachclass teacherclass classschedule student studentdetail studentresume studentparents ' +
        'studentgroup studentgrouprelevance studentmessage studentclass user role dept post dictbiz attach'
      ).split(' '),
    ),
  )
})

test('entityOf gives the entity of a name and refuses an unknown one', () => {
  expect(entityOf('student').label.zh).toBe('学生')
  expect(() => entityOf('stranger')).toThrow('stranger')
})

test('an entity stands after those that it cannot be made without', () => {
  const seen = new Set<string>()
  const early = entities.flatMap((entity) => {
    seen.add(entity.name)
    return fieldsOf(entity)
      .filter(([, field]) => field.kind === 'reference' && field.required && !seen.has(field.to ?? ''))
      .map(([name]) => `${entity.name}.${name}`)
  })
  expect(early).toEqual([])
})

describe.each(entities.map((entity) => [entity.name, entity] as const))('%s', (_name, entity) => {
  test('is data', () => {
    expect(JSON.parse(JSON.stringify(entity))).toEqual(entity)
  })

  test('has every word in Chinese and in English', () => {
    for (const [where, words] of wordsOf(entity)) {
      expect(words.zh, where).toMatch(/\S/)
      expect(words.en, where).toMatch(/[A-Za-z]/)
      expect(words.en, where).not.toMatch(/\p{Script=Han}/u)
    }
  })

  test('labels no two fields alike', () => {
    expect(repeated(fieldsOf(entity).map(([, field]) => field.label.zh))).toEqual([])
    expect(repeated(fieldsOf(entity).map(([, field]) => field.label.en))).toEqual([])
  })

  test('names only its own fields, none twice in one place', () => {
    for (const [where, names] of namesOf(entity)) {
      expect(
        // Every row has the time at which it was made.
        names.filter((name) => !entity.fields[name] && !(where === 'sort' && name === 'createTime')),
        where,
      ).toEqual([])
      expect(repeated(names), where).toEqual([])
    }
  })

  test('has no field that hides a system column or the shown name of another field', () => {
    const names = fieldsOf(entity).map(([name]) => name)
    // What all tenants share has no tenant of its own; of a tenant it is the code.
    const shared = entity.ownership === 'platform' ? ['tenantId'] : []
    expect(names.filter((name) => systemColumns.includes(name) && !shared.includes(name))).toEqual([])
    const shown = fieldsOf(entity)
      .filter(([, field]) => field.to || field.dict || field.kind === 'region')
      .map(([name]) => nameOf(name))
    expect([...shown, 'statusName'].filter((name) => entity.fields[name])).toEqual([])
    expect(repeated(shown)).toEqual([])
  })

  test('points only at entities and dictionaries that exist', () => {
    const known = new Set(entities.map(({ name }) => name))
    const lost = fieldsOf(entity).filter(
      ([, { kind, to, dict }]) =>
        ((kind === 'reference' || kind === 'references') && !known.has(to ?? '')) ||
        ((kind === 'choice' || kind === 'choices') && !dictionaryOf(dict ?? '')),
    )
    expect(lost.map(([name]) => name)).toEqual([])
  })

  test('has defaults that its own fields accept', () => {
    const accepts = ({ default: given, dict, min, max }: Field): boolean => {
      if (given === undefined) return true
      if (dict) return [given].flat().every((key) => dictionaryOf(dict)?.items.some((item) => item.key === key))
      if (typeof given === 'number') return given >= (min ?? 0) && given <= (max ?? 1)
      return String(given).length <= (max ?? 0)
    }
    const refused = fieldsOf(entity).filter(([, field]) => !accepts(field))
    expect(refused.map(([name]) => name)).toEqual([])
  })

  test('judges uniqueness, singleness and order by columns that can', () => {
    const stored = ['text', 'integer', 'choice', 'date', 'reference', 'region', 'personal']
    for (const key of entity.unique ?? []) for (const name of key) expect(stored, name).toContain(kindOf(entity, name))
    for (const { flag, per } of entity.single ?? []) {
      expect(kindOf(entity, flag)).toBe('flag')
      for (const name of per) expect(entity.fields[name]?.required, name).toBe(true)
    }
    for (const [begin, end] of entity.ranges ?? []) {
      expect(['date', 'instant']).toContain(kindOf(entity, begin))
      expect(kindOf(entity, end)).toBe(kindOf(entity, begin))
    }
    for (const name of entity.oneOf?.flat() ?? []) {
      expect(kindOf(entity, name)).toBe('reference')
      expect(entity.fields[name]?.required, name).toBeUndefined()
    }
    const listable = [entity.sort.replace(/^-/, ''), ...(entity.sorts ?? [])].map((name) => kindOf(entity, name))
    expect(listable.filter((kind) => kind === 'personal' || kind === 'references' || kind === 'json')).toEqual([])
    if (entity.finds) expect(kindOf(entity, entity.finds)).toBe('reference')
  })

  test('belongs to a school by a field that cannot be changed', () => {
    const own = entity.fields.schoolId
    if (entity.ownership !== 'school') return expect(own?.required ?? false).toBe(false)
    expect(own).toMatchObject({ kind: 'reference', to: 'school', required: true })
    expect(own?.fixed === true || own?.computed === true).toBe(true)
  })

  test('lists and searches what a clerk needs, its title among them', () => {
    expect(entity.list.length).toBeGreaterThanOrEqual(4)
    // What a list does not begin with is there for the sentences that rows are told by.
    expect(entity.list.filter((name) => !entity.aside?.includes(name)).length).toBeLessThanOrEqual(10)
    expect(entity.list).toContain(entity.title)
    expect(entity.search.length).toBeGreaterThanOrEqual(3)
    expect(entity.search.length).toBeLessThanOrEqual(6)
    expect(entity.search.filter((name) => kindOf(entity, name) === 'json')).toEqual([])
  })

  test('orders a long form under headings', () => {
    const asked = fieldsOf(entity).filter(([, field]) => !field.computed)
    if (asked.length > 10) expect(entity.groups?.length ?? 0).toBeGreaterThan(0)
    const grouped = (entity.groups ?? []).flatMap((group) => group.fields)
    expect(grouped.filter((name) => entity.fields[name]?.computed)).toEqual([])
  })
})

test.each(entities.flatMap((entity) => (entity.status ? [[entity.name, entity.status] as const] : [])))(
  '%s: the status of a new row has a meaning, and every key is a small number',
  (_name, status) => {
    const keys = dictionaryOf(status.dict)?.items.map((item) => item.key) ?? []
    expect(keys).toContain(String(status.default))
    // The column is a number: a row could never hold '01'.
    expect(keys.filter((key) => key !== String(Number(key)))).toEqual([])
  },
)

describe('what is secret about a person', () => {
  test('identity numbers, and the numbers that contain one, are personal fields', () => {
    expect(kindOf(entityOf('student'), 'idNo')).toBe('personal')
    expect(kindOf(entityOf('student'), 'nationalCode')).toBe('personal')
    expect(kindOf(entityOf('studentparents'), 'idNo')).toBe('personal')
    expect(kindOf(entityOf('studentdetail'), 'disabilityCertNo')).toBe('personal')
    expect(entityOf('student').unique).toContainEqual(['idType', 'idNo'])
  })

  test('no text field of a person holds a phone or an identity number in the clear', () => {
    const open = entities
      .filter((entity) => entity.name.startsWith('student') || entity.name === 'user')
      .flatMap((entity) =>
        fieldsOf(entity)
          .filter(
            ([, field]) => field.kind !== 'personal' && /^(idNo|mobile|phone|nationalCode)$/.test(field.rule ?? ''),
          )
          .map(([name]) => `${entity.name}.${name}`),
      )
    expect(open).toEqual([])
  })

  test('a password of a person is no field; one that the product itself needs is written and never read', () => {
    const open = entities.flatMap((entity) => fieldsOf(entity).filter(([, field]) => field.kind !== 'secret'))
    expect(open.map(([name]) => name).filter((name) => /password|secret/i.test(name))).toEqual([])
  })
})

test('a user names roles, departments and posts as comma-separated ids', () => {
  for (const name of ['roleId', 'deptId', 'postId']) {
    expect(entityOf('user').fields[name]).toMatchObject({ kind: 'references', comma: true })
  }
})
