import { type Entity, entities, entityOf, isColumn, isGuessable, knownTaste, personalCode } from '@data-brain/contract'
import { cleanup, render } from '@testing-library/react'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ShownRow } from '../src/entity/data/calls.ts'
import type { CellWords } from '../src/entity/display/cell.tsx'
import { fullTitleOf, planOf } from '../src/entity/list/columns.tsx'
import FilterPick from '../src/entity/list/filter-pick.tsx'
import { filtersOf } from '../src/entity/list/list-state.ts'
import { sessionStore } from '../src/session/session.ts'
import ColumnsPanel from '../src/ui/table/columns-panel.tsx'
import { useT, useWords } from '../src/ui/words.ts'
import { begin } from './entity-world.tsx'

// What a definition has is what its list offers: nobody has to name a field a second time for it to be found by or shown.

/** All but what never leaves the server, is for it alone, or is no sort of value that can be told. */
const told = (entity: Entity) =>
  Object.keys(entity.fields).filter((name) => {
    const { kind, as, inner } = entity.fields[name]!
    return !inner && kind !== 'secret' && (kind !== 'json' || as !== undefined)
  })
/** What a value can be compared with: none that has several parts. */
const compared = (entity: Entity) => told(entity).filter((name) => entity.fields[name]!.kind !== 'json')
const ofEveryRow = ['createTime', 'createUser', 'updateTime', 'updateUser', 'extId']
const none = { order: [], hidden: [], widths: {}, pins: {} }
const sorted = (names: Iterable<string | undefined>) => [...names].toSorted()

function Columns({ entity }: { entity: Entity }) {
  const pick = useWords()
  const words: CellWords = { t: useT(), language: 'zh', dictionaries: {} } as unknown as CellWords
  const plan = planOf({
    ...{ entity, words, pick, can: () => true, cells: undefined, actions: [], offers: undefined },
    hrefOf: () => '/',
  })
  return <ColumnsPanel columns={plan} taste={none} density="standard" onTaste={() => {}} />
}

beforeAll(() => begin(entities.map(personalCode)))

describe('what a list begins with', () => {
  const begins = (name: string, severalOwners = false) => {
    const words = { t: (key: string) => key, language: 'zh', dictionaries: {} } as unknown as CellWords
    return planOf({
      ...{ entity: entityOf(name), words, pick: ({ zh }) => zh, can: () => true, cells: undefined, actions: [] },
      ...{ offers: undefined, hrefOf: () => '/', severalOwners },
    }).flatMap(({ key, extra }) => (extra ? [] : [key]))
  }

  it('A3 says of which school a row is beside its name, where there are several and the name stands in each', () => {
    expect(begins('schoolcampus').indexOf('schoolId')).not.toBe(1)
    expect(begins('schoolcampus', true).slice(0, 2)).toEqual(['campusName', 'schoolId'])
    // A pupil is told apart by class and number.
    expect(begins('student', true)).toEqual(begins('student'))
  })

  it('A3 calls a row with its school wherever it is asked about or met changed, where there are several', () => {
    const group = { id: '1', version: 1, status: 1, groupName: '校田径队', schoolId: '2', schoolName: '实验小学' }
    const row = { ...group, yearId: '3', yearName: '2026-2027学年' } as unknown as ShownRow
    const words = { t: (key: string) => key, language: 'zh', dictionaries: {} } as unknown as CellWords
    const told = () => fullTitleOf(entityOf('studentgroup'), row, words)
    const session = sessionStore.get()
    expect(told()).toBe('校田径队（2026-2027学年）')
    sessionStore.set({ ...session!, severalSchools: true })
    expect(told()).toBe('校田径队（2026-2027学年，实验小学）')
    sessionStore.set(session)
  })

  it('D15 keeps what only a technician asks for aside: a file has a name, a size, and no address', () => {
    expect(begins('attach')).toEqual(['originalName', 'extension', 'attachSize', 'refCount', 'createTime', 'actions'])
  })
})

describe('C13 what a list offers', () => {
  it.each(entities.map((entity) => [entity.name, entity] as const))('%s: every field as a column', (_, entity) => {
    render(<Columns entity={entity} />)
    const rows = [...document.querySelectorAll<HTMLElement>('[data-column]')].filter(
      ({ dataset }) => dataset.column !== 'actions',
    )
    const names = rows.map(({ dataset }) => dataset.column!)
    // What a definition lists by itself is shown by a page in a way of its own.
    const wanted = new Set([...told(entity), ...entity.list, ...(entity.status ? ['status'] : []), ...ofEveryRow])
    expect(sorted(names)).toEqual(sorted(wanted))
    for (const row of rows) expect(row.textContent?.trim(), row.dataset.column).toMatch(/^[^.{]+$/)
    // The server keeps each of them for this person.
    expect(knownTaste(entity, { ...none, more: names }).more).toEqual(names)
    expect(names.filter((name) => !isColumn(entity, name))).toEqual([])
    cleanup()
  })

  it.each(entities.map((entity) => [entity.name, entity] as const))('%s: every field as a filter', (_, entity) => {
    render(<FilterPick entity={entity} name={null} onName={() => {}} filters={{}} dictionaries={{}} patch={() => {}} />)
    const options = [...document.querySelectorAll<HTMLElement>('[data-option]')]
    const names = options.map(({ dataset }) => dataset.option!)
    const belongings = Object.keys(entity.belongings ?? {})
    const wanted = [...compared(entity), ...(entity.status ? ['status'] : []), ...belongings, ...ofEveryRow]
    expect(sorted(names)).toEqual(sorted(wanted))
    for (const option of options) expect(option.textContent?.trim(), option.dataset.option).toMatch(/^[^.{]+$/)
    const headings = [...document.querySelectorAll('.pick-group')].map((heading) => heading.textContent)
    expect(headings).toEqual([...new Set(headings)])
    // What is chosen there is in force: the address keeps it.
    const address = new URLSearchParams(
      names.map((name) => [belongings.includes(name) ? `${name}_notnull` : name, '1'] as [string, string]),
    )
    expect(Object.keys(filtersOf(entity, address))).toEqual([...address.keys()])
    cleanup()
  })

  it('finds a photo by whether there is one: nobody knows the name of its file', () => {
    const entity = entityOf('student')
    render(
      <FilterPick entity={entity} name="photo" onName={() => {}} filters={{}} dictionaries={{}} patch={() => {}} />,
    )
    expect([...document.querySelectorAll('label')].map((each) => each.textContent)).toEqual(['未填写', '已填写'])
    expect(document.querySelector('.pick-search')).toBeNull()
    cleanup()
  })

  it('R-PERM-5 is no filter by a number that one may not see: asked often enough, it would be known', async () => {
    await begin([])
    for (const entity of entities) {
      render(
        <FilterPick entity={entity} name={null} onName={() => {}} filters={{}} dictionaries={{}} patch={() => {}} />,
      )
      const names = [...document.querySelectorAll<HTMLElement>('[data-option]')].map(({ dataset }) => dataset.option!)
      expect(names.filter((name) => entity.fields[name] && isGuessable(entity.fields[name]!))).toEqual([])
      cleanup()
    }
  })
})
