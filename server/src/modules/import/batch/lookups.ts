import { entityOf, type Words } from '@data-brain/contract'
import { parts, studentForm } from '@data-brain/contract/import/student-form'
import { sql } from '../../../database/statement.ts'
import type { Tx } from '../../../database/transaction.ts'
import { foldWord, saidWords } from './cell-words.ts'
import { type Regions, readRegions } from './region-names.ts'

export { foldWord }

export interface ClassPlace {
  readonly id: string
  readonly gradeId: string
  readonly name: string
  readonly classNo: number
  readonly cohortYear: number
}

/** A grade of the school. */
export interface GradeOf {
  readonly id: string
  readonly name: string
  readonly stage: string
  readonly no: number
}

/** What the words of a file are looked up in: read once per job, for one school and year. */
export interface FileLookups extends Regions {
  readonly schoolId: string
  readonly schoolCode: string | null
  /** Names of the tenant's other schools, folded. */
  readonly otherSchools: ReadonlySet<string>
  readonly yearName: string
  /** The year in which the school year begins. */
  readonly startYear: number | undefined
  /** The grades of the school's stages. */
  readonly offered: readonly GradeOf[]
  /** Key of a dictionary by its folded label or key. */
  readonly choices: ReadonlyMap<string, ReadonlyMap<string, string>>
  /** Keys by dictionary. */
  readonly keys: ReadonlyMap<string, ReadonlySet<string>>
  /** What is offered, for the message of a wrong choice. */
  readonly offers: ReadonlyMap<string, readonly Words[]>
  readonly grades: ReadonlyMap<string, string>
  readonly classes: readonly ClassPlace[]
  readonly classesByName: ReadonlyMap<string, readonly ClassPlace[]>
}

/** A class name as it is compared: 七年级(1)班, 七年级1班 and 七年级（1）班 are one. */
export const foldClass = (text: string): string => foldWord(text).replace(/[()]/g, '')

const studentDicts = [
  'student_status',
  ...studentForm.flatMap((column) =>
    column.part in parts ? (entityOf(parts[column.part as keyof typeof parts]).fields[column.field]?.dict ?? []) : [],
  ),
]

/** Dictionaries whose keys are those of a national standard, so that 01 and 1 are one. */
const numbered: ReadonlySet<string> = new Set(['sex', 'nation', 'id_type'])

const yes = ['是', 'y', 'yes', 'true', 't', '√', '✓', '✔', '有', '是的', '对', 'v', '☑', '✅', '属于', '真']
const no = [
  '否',
  'n',
  'no',
  'false',
  'f',
  '×',
  '✗',
  'x',
  '无',
  '不是',
  '没有',
  '不',
  '✘',
  '☐',
  '❌',
  '□',
  '不属于',
  '非',
]
/** What a flag's cell may say. */
export const flagWords: ReadonlyMap<string, number> = new Map(
  [...yes, '1']
    .map((word): [string, number] => [word, 1])
    .concat([...no, '0'].map((word): [string, number] => [word, 0])),
)

/** Reads everything that the cells of a file are looked up in. */
export async function readLookups(
  tx: Tx,
  tenantId: string,
  schoolId: string,
  yearId: string | null,
  planned: readonly ClassPlace[] = [],
): Promise<FileLookups> {
  const school = await tx.one<{ school_code: string | null; stages: string[] | null }>(
    sql`select school_code, stages from school where tenant_id = ${tenantId} and id = ${schoolId}`,
  )
  const others = await tx.run<{ name: string }>(
    sql`select school_name as name from school where tenant_id = ${tenantId} and id <> ${schoolId}`,
  )
  const year = await tx.one<{ year_name: string; start_year: number }>(
    sql`select year_name, start_year from schoolyear where tenant_id = ${tenantId} and id = ${yearId}`,
  )
  const classes = await tx.run<{
    id: string
    grade_id: string
    class_name: string
    class_no: number
    cohort_year: number
  }>(
    sql`select c.id, c.grade_id, c.class_name, c.class_no, c.cohort_year from schoolclass c
          left join sysgrade_seen g on g.tenant_id = c.tenant_id and g.id = c.grade_id
        where c.tenant_id = ${tenantId} and c.school_id = ${schoolId} and c.year_id = ${yearId}
        order by g.sort, g.grade_code, c.class_no, c.id`,
  )
  const grades = await tx.run<{ id: string; grade_name: string; grade_code: string; stage: string; grade_no: number }>(
    sql`select id, grade_name, grade_code, stage, grade_no from sysgrade_seen where tenant_id = ${tenantId} order by sort, grade_code`,
  )
  const places = classes.map(
    (row): ClassPlace => ({
      id: row.id,
      gradeId: row.grade_id,
      name: row.class_name,
      classNo: row.class_no,
      cohortYear: row.cohort_year,
    }),
  )
  for (const place of planned) if (!places.some((each) => each.id === place.id)) places.push(place)
  const gradeNames = new Map(grades.map((grade) => [grade.id, grade.grade_name]))
  const { choices, offers, keys } = await readChoices(tx, tenantId, studentDicts)
  return {
    schoolId,
    schoolCode: school?.school_code ?? null,
    otherSchools: new Set(others.map(({ name }) => foldWord(name))),
    yearName: year?.year_name ?? '',
    startYear: year?.start_year,
    offered: grades
      .filter((grade) => !school?.stages?.length || school.stages.includes(grade.stage))
      .map((grade) => ({ id: grade.id, name: grade.grade_name, stage: grade.stage, no: grade.grade_no })),
    choices,
    offers,
    keys,
    grades: new Map(
      grades.flatMap((grade) =>
        [grade.grade_name, grade.grade_code].map((name) => [foldWord(name), grade.id] as const),
      ),
    ),
    classes: places,
    classesByName: byNames(places, gradeNames),
    ...(await readRegions(tx)),
  }
}

/** Classes by their names; what else people call them is read (contract/src/import/class-name.ts). */
function byNames(places: readonly ClassPlace[], gradeNames: ReadonlyMap<string, string>): Map<string, ClassPlace[]> {
  const map = new Map<string, ClassPlace[]>()
  for (const place of places) {
    const grade = gradeNames.get(place.gradeId) ?? ''
    const short = place.name.startsWith(grade) ? place.name.slice(grade.length) : place.name
    for (const name of new Set([place.name, short].map(foldClass))) map.set(name, [...(map.get(name) ?? []), place])
  }
  return map
}

/** What the cells of dictionary fields are looked up in. */
export type Choices = Pick<FileLookups, 'choices' | 'offers' | 'keys'>

/** Reads the words of dictionaries. */
export async function readChoices(tx: Tx, tenantId: string, codes: readonly string[]): Promise<Choices> {
  const dicts = [...new Set(codes)]
  const rows = await tx.run<{ code: string; dict_key: string; dict_value: string; dict_value_en: string | null }>(
    sql`select code, dict_key, dict_value, dict_value_en from dict_biz_seen
          where tenant_id = ${tenantId} and code = any(${dicts}::text[]) and dict_key <> '-1' and is_sealed = 0
        union all
        select code, dict_key, dict_value, dict_value_en from dict where code = any(${dicts}::text[]) and parent_id is not null and is_sealed = 0`,
  )
  const choices = new Map<string, Map<string, string>>()
  const offers = new Map<string, Words[]>()
  const keys = new Map<string, Set<string>>()
  const padded: (typeof rows)[number][] = []
  const put = (code: string, word: string | null, key: string): void => {
    const folded = foldWord(word ?? '')
    const map = choices.get(code) ?? new Map<string, string>()
    if (folded && !map.has(folded)) map.set(folded, key)
    choices.set(code, map)
  }
  for (const row of rows) {
    put(row.code, row.dict_value, row.dict_key)
    put(row.code, row.dict_key, row.dict_key)
    if (numbered.has(row.code) && /^\d{1,2}$/.test(row.dict_key)) padded.push(row)
    keys.set(row.code, (keys.get(row.code) ?? new Set()).add(row.dict_key))
    offers.set(row.code, [
      ...(offers.get(row.code) ?? []),
      { zh: row.dict_value, en: row.dict_value_en ?? row.dict_value },
    ])
  }
  for (const row of rows) put(row.code, row.dict_value_en, row.dict_key)
  for (const { code, dict_key } of padded)
    for (const other of [String(Number(dict_key)), dict_key.padStart(2, '0')]) put(code, other, dict_key)
  for (const { code, key, word } of saidWords) if (keys.get(code)?.has(key)) put(code, word, key)
  for (const row of rows) {
    // 父亲 is typed as 父, A型 as A, 健康或良好 as 健康.
    for (const part of row.dict_value.split(/[或/]/)) put(row.code, part, row.dict_key)
    put(row.code, row.dict_value.replace(/(亲|型|族|户口|儿童|学生)$/, ''), row.dict_key)
    if (/^0+$/.test(row.dict_key)) for (const word of no) put(row.code, word, row.dict_key)
  }
  for (const [code, words] of offers) putBeginnings(code, words, choices.get(code)!)
  for (const [first, key] of firstSigns(rows.filter(({ code }) => code === 'nation'))) put('nation', first, key)
  return { choices, offers, keys }
}

/** A word of two signs or more that begins one entry and no other is short for it: 听力 for 听力残疾, 维吾尔 for 维吾尔族. */
function putBeginnings(code: string, offers: readonly Words[], words: Map<string, string>): void {
  if (code === 'nationality') return
  const begun = new Map<string, string | null>()
  for (const { zh } of offers) {
    const signs = [...foldWord(zh)]
    for (let length = 2; length < signs.length; length += 1) {
      const word = signs.slice(0, length).join('')
      begun.set(word, begun.has(word) ? null : (words.get(foldWord(zh)) ?? null))
    }
  }
  for (const [word, key] of begun)
    if (key !== null && /^\p{Script=Han}+$/u.test(word) && !words.has(word)) words.set(word, key)
}

/** A people is called by the first sign of its name where no other begins with it: 维 is 维吾尔族, and 哈 is nobody. */
function firstSigns(rows: readonly { dict_key: string; dict_value: string }[]): [string, string][] {
  const named = rows.filter(({ dict_value }) => /^.{2,}族$/u.test(dict_value))
  const first = new Map<string, string[]>()
  for (const { dict_key, dict_value } of named) {
    const [sign = ''] = dict_value
    first.set(sign, [...(first.get(sign) ?? []), dict_key])
  }
  return [...first].flatMap(([sign, keys]): [string, string][] => (keys.length === 1 ? [[sign, keys[0]!]] : []))
}
