import { readClass } from '@data-brain/contract/import/class-name'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readCell } from '../src/modules/import/batch/cell.ts'
import { type FileLookups, foldWord, readLookups } from '../src/modules/import/batch/lookups.ts'
import { models } from '../src/modules/import/batch/row.ts'
import { matchColumns } from '../src/modules/import/file/match.ts'
import { relationOf } from '../src/modules/import/student/people.ts'
import { around, classes, days, headings, others, values } from './import-vocabulary.ts'
import { makeWorld, type World } from './world.ts'

/** What clerks write, in tables: each spelling means what it says, and nothing is taken for what it is not. */

const listOf = (text: string): string[] => text.split('|')
/** Fields that say the same for one that clerks call by one word. */
const alike: Readonly<Record<string, readonly string[]>> = {
  homeAddress: ['homeAddress', 'familyAddress'],
  hukouRegionCode: ['hukouRegionCode', 'hukouAddress'],
  mobile: ['mobile', 'otherPhone'],
  position: ['position', 'workUnit'],
}
const relatives: Readonly<Record<string, string>> = { father: '51', grandfather: '61' }

/** The headings beside which one stands: those of a guardian need the guardian. */
function beside(key: string, heading: string): string[] {
  const [part, field = ''] = key.split('.')
  if (key === 'student.name') return ['序号', '性别', '出生日期']
  if (part !== 'guardian' || field === 'parentName') return ['序号', '姓名', ...(field === 'seatNo' ? ['学号'] : [])]
  const who =
    /^(?:第一|法定|主要|家庭)?(?:家长[（/]监护人）?|监 护 人|监护人|家长|成员|联系人|学生家长)[1一]?|^(?:Guardian|Parent)/.exec(
      heading,
    )?.[0]
  return ['姓名', who ? `${who}${/^[A-Z]/.test(who) ? ' Name' : '姓名'}` : '家长姓名']
}

function meaningOf(key: string, heading: string): string {
  const before = beside(key, heading)
  const { matches, fixed } = matchColumns(
    'student',
    [...before, heading].map((each) => ({ heading: each })),
  )
  const found = matches.get(before.length)?.key ?? '-'
  const [part = '', field = ''] = found.split('.')
  const [wanted = '', name = ''] = key.split('.')
  const same = (alike[name] ?? [name]).includes(field) ? name : field
  if (!part.startsWith('member')) return `${part}.${same}`
  const relation = relationOf(fixed[`${part}.relation`] ?? '')?.relation
  const isPerson = wanted === 'guardian' || wanted in relatives
  return isPerson && relation === relatives[wanted] ? `${wanted}.${same}` : found
}

describe('R-IMP-2 headings of one meaning', () => {
  it.each(Object.entries(headings))('%s', (key, all) => {
    expect(listOf(all).filter((heading) => meaningOf(key, heading) !== key)).toEqual([])
  })

  it.each(Object.entries(others))('that are not %s', (key, all) => {
    expect(listOf(all).filter((heading) => meaningOf(key.trim(), heading) === key.trim())).toEqual([])
  })

  it.each(around)('with what stands around them: %s', (form) => {
    const some: readonly (readonly [string, string])[] = [
      ['student.name', '学生姓名'],
      ['student.sex', '性别'],
      ['student.classId', '班级'],
      ['student.idNo', '身份证号码'],
      ['student.studyWay', '是否住宿'],
      ['detail.homeAddress', '家庭住址'],
      ['father.parentName', '父亲姓名'],
      ['father.mobile', '父亲电话'],
    ]
    expect(some.filter(([key, heading]) => meaningOf(key, form.replace('%s', heading)) !== key)).toEqual([])
  })
})

describe('R-IMP-3 cells', () => {
  let world: World
  let lookups: FileLookups
  beforeAll(async () => {
    world = await makeWorld()
    const { tenantId } = await world.tenant()
    lookups = await world.inTenant(tenantId, (tx) => readLookups(tx, tenantId, '0', null))
  })
  afterAll(() => world.close())

  it.each(Object.entries(values))('of %s', (key, entries) => {
    const [part, name = ''] = key.split('.')
    const field = models[part as keyof typeof models].byName.get(name)!
    const meant = (entry: string): unknown =>
      field.kind === 'flag' ? Number(entry === '是') : lookups.choices.get(field.dict!)?.get(foldWord(entry))
    const readingOf = (text: string): unknown => {
      const relation = name === 'relation' ? relationOf(text)?.relation : undefined
      const cell = readCell(text, undefined, field, lookups)
      return relation ?? ('value' in cell ? cell.value : undefined)
    }
    for (const [entry, all] of Object.entries(entries)) {
      expect(meant(entry), entry).toBeDefined()
      expect(
        listOf(all).filter((text) => readingOf(text) !== meant(entry)),
        entry,
      ).toEqual([])
    }
  })

  it.each(Object.entries(days))('of the day %s', (day, all) => {
    const birth = models.student.byName.get('birthDate')!
    const dayOf = (text: string): unknown => {
      const cell = readCell(text, undefined, birth, lookups)
      return 'value' in cell ? cell.value : 'asked'
    }
    expect(listOf(all).filter((text) => dayOf(text) !== day)).toEqual([])
  })

  it('of a calendar of the moon are asked about', () => {
    const birth = models.student.byName.get('birthDate')!
    for (const text of ['农历2015年9月3日', '阴历2015-9-3', '2015年9月3日（农历）'])
      expect(readCell(text, undefined, birth, lookups)).toHaveProperty('fault')
  })
})

describe('R-IMP-2 names of classes', () => {
  const year = 2026
  const firstOf: Readonly<Record<string, number>> = { '1': 0, '2': 0, '3': 6, '4': 9 }
  const years: Readonly<Record<string, number>> = { '1': 3, '2': 6, '3': 3, '4': 3 }

  it.each(classes)('of stage %s, grade %i, class %i', (stage, grade, no, all) => {
    const isMeant = (name: string): boolean => {
      const [meant] = readClass(name)
      if (meant?.no !== no || (meant.stage ?? stage) !== stage) return false
      if (meant.cohort !== undefined) return meant.cohort === year - grade + 1
      if (meant.leaving !== undefined) return meant.leaving === year - grade + 1 + years[stage]!
      const said = meant.grade!
      return said.stage ? said.stage === stage && said.no === grade : [grade, grade + firstOf[stage]!].includes(said.no)
    }
    expect(listOf(all).filter((name) => !isMeant(name))).toEqual([])
  })
})
