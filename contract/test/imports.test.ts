import { describe, expect, it } from 'vitest'
import { dictionaryOf } from '../src/dictionaries.ts'
import { integer, text } from '../src/field.ts'
import { importKinds, importsByColumns } from '../src/import/all.ts'
import { importOf } from '../src/import/entity-form.ts'
import { importName } from '../src/import/names.ts'
import { importCalls, importCode } from '../src/import/place.ts'
import { importTitle } from '../src/import/title.ts'
import { defineEntity, entityOf } from '../src/index.ts'
import { buttonsOf, type MenuSeed, topMenus, wordsOfCode } from '../src/menus.ts'

/** What follows from an entity's being imported: each kind that there is has it, of the product or of an extension. */

const menus = (list: readonly MenuSeed[]): MenuSeed[] => list.flatMap((menu) => [menu, ...menus(menu.children ?? [])])
const entries = menus(topMenus.flatMap(({ groups }) => groups))

describe('R-IMP-1 what can be brought in', () => {
  it('has the seven kinds of the product among it, each once', () => {
    expect(importKinds).toEqual(
      expect.arrayContaining(
        'student user studentparents schoolclass schoolclassroom teacherclass classschedule'.split(' '),
      ),
    )
    expect(new Set(importKinds).size).toBe(importKinds.length)
  })

  it.each(importKinds)('%s has one button on its list, behind the others, whose code has words', (kind) => {
    const holding = entries.filter((menu) => buttonsOf(menu).some(({ code }) => code === importCode(kind)))
    expect(holding.map(({ code }) => code)).toEqual([kind])
    expect(buttonsOf(holding[0]!).at(-1)).toEqual({ code: importCode(kind), label: { zh: '导入', en: 'Import' } })
    expect(wordsOfCode(importCode(kind))?.zh).toBe(`${holding[0]!.label.zh} · 导入`)
  })

  it.each(importKinds)('%s is called in both languages, on its page and where its jobs are listed', (kind) => {
    const name = importName(kind)
    expect(importTitle(name).zh).toBe(`导入${name.zh}`)
    expect(importTitle(name).en).toMatch(/^Import [a-z]/)
    const words = dictionaryOf('job_kind')!.items.filter(({ key }) => key.startsWith(`${kind}-`))
    expect(words.map(({ key }) => key)).toEqual(
      ['reading', 'checking', 'committing', 'undoing'].map((step) => `${kind}-${step}`),
    )
    // As the column of a job says it.
    expect(words.every(({ key, label }) => key.length <= 32 && label.zh && label.en)).toBe(true)
  })

  it('has its calls under those of the product, or of its extension', () => {
    expect(importCalls('student')).toBe('blade-user/import')
    expect(importCalls('schoolclass')).toBe('blade-user/import-schoolclass')
    expect(importCalls('library_book')).toBe('ext-library/import-book')
  })

  it.each([...importsByColumns])('%s has columns of its own fields, and of no other', (kind, { columns, identity }) => {
    const { fields } = entityOf(kind)
    const named = columns.filter(({ part }) => part === kind).map(({ field }) => field)
    expect(named.length).toBeGreaterThan(0)
    expect([...named, ...identity.flat()].filter((field) => !Object.hasOwn(fields, field))).toEqual([])
    expect(new Set(columns.map(({ key }) => key)).size).toBe(columns.length)
  })
})

describe('R-IMP-2 a list of columns', () => {
  const shed = defineEntity({
    name: 'shed',
    path: 'blade-user/shed',
    label: { zh: '库房', en: 'Shed' },
    ownership: 'tenant',
    title: 'shedName',
    fields: {
      shedName: text('名称', 'Name', { required: true, max: 20 }),
      area: integer('面积', 'Area', { required: true, default: 10, min: 1, max: 999 }),
      note: text('编号', 'Number', { max: 20 }),
    },
    unique: [['shedName'], ['note', 'area']],
    list: ['shedName'],
    search: [],
    sort: 'shedName',
  })

  it('takes names, what must be there and what tells rows apart from the definition', () => {
    const form = importOf(shed, { columns: { shedName: ['库名', 'shed'], area: [] }, usual: { area: '12' } })
    expect(form.columns.filter(({ part }) => part === 'shed')).toEqual([
      {
        ...{ key: 'shed.shedName', part: 'shed', field: 'shedName', label: { zh: '名称', en: 'Name' } },
        ...{ starred: true, aka: ['库名', 'shed'] },
      },
      { key: 'shed.area', part: 'shed', field: 'area', label: { zh: '面积', en: 'Area' }, starred: false, aka: [] },
    ])
    // A key of which a part has no column tells nothing.
    expect(form).toMatchObject({
      ...{ kind: 'shed', identity: [['shedName']], template: ['shedName', 'area'], usual: { 'shed.area': '12' } },
      ...{ headings: 2, such: { zh: '名称、面积', en: 'Name, Area' } },
    })
    expect(JSON.parse(JSON.stringify(form))).toEqual(form)
  })

  it('passes over row numbers and reasons, but for what it calls so itself', () => {
    const headings = (more: object): (readonly string[])[] =>
      importOf(shed, { columns: { shedName: [], ...more } })
        .columns.filter(({ part }) => part === 'ignored')
        .map(({ aka }) => aka)
    expect(headings({})[1]).toContain('编号')
    expect(headings({ note: [] })[1]).not.toContain('编号')
  })
})
