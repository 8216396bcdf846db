import type { Words } from '@data-brain/contract'
import { sql } from '../../../database/statement.ts'
import type { Tx } from '../../../database/transaction.ts'
import type { Model } from '../../../entity/model.ts'
import type { Settings } from '../batch/batch.ts'
import { tidyName } from '../batch/cell-words.ts'
import { type Choices, type FileLookups, foldWord, readChoices, readLookups } from '../batch/lookups.ts'
import { type Entry, NameIndex } from './name-index.ts'
import { noSchool, readReferred } from './referred.ts'

export interface Floor extends Entry {
  readonly campusId: string
  readonly building: string
  readonly buildingCode: string
  readonly no: number
}

/** What the cells of an entity's file are looked up in: read once per job. */
export interface Directory extends Choices {
  readonly places: FileLookups
  readonly schoolId: string
  readonly campuses: NameIndex
  readonly mainCampus: string | undefined
  readonly rooms: NameIndex
  readonly floors: readonly Floor[]
  readonly subjects: NameIndex
  /** Subjects of the country that the school has not taken up yet. */
  readonly more: NameIndex
  readonly subjectDrafts: ReadonlyMap<string, Readonly<Record<string, unknown>>>
  /** Hours a week of a subject by grade. */
  readonly hours: ReadonlyMap<string, number>
  readonly users: NameIndex
  /** Class teachers by class. */
  readonly heads: ReadonlyMap<string, string>
  /** Teaching classes of the semester, and what they say of whoever teaches them. */
  readonly teaching: NameIndex
  readonly taughtAs: ReadonlyMap<string, { readonly subjectId: string; readonly hours: number }>
  readonly semester: { readonly id: string; readonly begin: string; readonly end: string } | undefined
  /** The rows of any other entity that a column names, by the entity. */
  readonly referred: ReadonlyMap<string, NameIndex>
}

/** What schools call subjects, beside their names. */
const subjectWords: Readonly<Record<string, string>> = {
  语文: '语 语文课',
  数学: '数 数学课',
  英语: '外语 英 英文',
  道德与法治: '道法 道德法治 品德 思品 思想品德 道德 品社 品德与社会',
  思想政治: '政治 思政',
  信息科技: '信息 信息技术 计算机 电脑 微机 信科',
  信息技术: '信息 信息科技 计算机 电脑 微机',
  体育与健康: '体育 体 体健 体育健康',
  体育: '体育与健康 体 体健',
  综合实践活动: '综合实践 综合 综实',
  心理健康: '心理 心理健康教育',
  劳动: '劳动教育 劳技 劳',
  生物学: '生物 生',
  生物: '生物学 生',
  音乐: '音 唱游',
  美术: '美 绘画',
  科学: '自然 科',
  物理: '理',
  化学: '化',
  历史: '史',
  地理: '地',
}

/** The name of a subject that is written in another way. */
export const usualSubject = (text: string): string => {
  const folded = foldWord(text)
  const known = Object.entries(subjectWords).find(([, words]) =>
    words.split(' ').some((word) => foldWord(word) === folded),
  )
  return known && folded.length > 1 ? known[0] : text.normalize('NFKC').trim()
}

const waysOfSubject = (name: string, short: string): string[] => [name, short, ...(subjectWords[name] ?? '').split(' ')]

export async function readDirectory(
  tx: Tx,
  tenantId: string,
  {
    schoolId = noSchool,
    yearId,
    semesterId,
    classes,
  }: Pick<Settings, 'schoolId' | 'yearId' | 'semesterId' | 'classes'>,
  dicts: readonly string[],
  { model, names }: { readonly model: Model; readonly names: ReadonlySet<string> },
): Promise<Directory> {
  const places = await readLookups(tx, tenantId, schoolId, yearId ?? null, classes)
  const mine = sql`tenant_id = ${tenantId} and school_id = ${schoolId}`
  const campuses = await tx.run<{ id: string; name: string; code: string; main: number }>(
    sql`select id, campus_name as name, campus_code as code, is_main as main from schoolcampus where ${mine} order by is_main desc, id`,
  )
  const rooms = await tx.run<{ id: string; name: string; code: string; floor: string | null }>(
    sql`select id, room_name as name, room_code as code, (select floor_name from schoolfloor f where f.tenant_id = r.tenant_id and f.id = r.floor_id) as floor from schoolclassroom r where ${mine} order by id`,
  )
  const floors = await tx.run<{ id: string; campus: string; building: string; code: string; no: number; name: string }>(
    sql`select id, campus_id as campus, building_name as building, building_code as code, floor_no as no, coalesce(floor_name, '') as name from schoolfloor where ${mine} order by id`,
  )
  const subjects = await tx.run<{ id: string; name: string; short: string; system: string | null; hours: unknown }>(
    sql`select id, subject_name as name, short_name as short, sys_subject_id as system, week_hours as hours from schoolsubject where ${mine} order by sort, id`,
  )
  const taken = new Set(subjects.flatMap((row) => [row.system ?? '', row.name]))
  const others = (
    await tx.run<{ id: string; name: string; short: string; category: string; color: string | null }>(
      sql`select id, subject_name as name, short_name as short, category, color from syssubject_seen where tenant_id = ${tenantId} order by sort, id`,
    )
  ).filter((row) => !taken.has(row.id) && !taken.has(row.name))
  const users = await tx.run<{ id: string; name: string; account: string; no: string | null; depts: string | null }>(
    sql`select u.id, u.real_name as name, u.account, u.staff_no as no,
          (select string_agg(d.dept_name, '、' order by l.ord) from app_user_dept l join dept d on d.tenant_id = l.tenant_id and d.id = l.target_id
            where l.tenant_id = u.tenant_id and l.owner_id = u.id) as depts
        from app_user u where u.tenant_id = ${tenantId} and u.user_type = '1' order by u.real_name, u.id`,
  )
  const semester = semesterId
    ? await tx.one<{ id: string; begin: string; end: string }>(
        sql`select id, begin_date as begin, end_date as end from schoolsemester where ${mine} and id = ${semesterId}`,
      )
    : undefined
  const heads = await tx.run<{ id: string; head: string }>(
    sql`select id, head_teacher_id as head from schoolclass where ${mine} and year_id = ${yearId ?? null} and head_teacher_id is not null`,
  )
  const teaching = await tx.run<{ id: string; name: string; code: string; subject: string; hours: number }>(
    sql`select id, teach_class_name as name, teach_class_code as code, subject_id as subject, week_hours as hours
        from schoolteachclass where ${mine} and semester_id = ${semesterId ?? null} order by teach_class_code, id`,
  )
  return {
    ...(await readChoices(tx, tenantId, dicts)),
    places,
    schoolId,
    campuses: new NameIndex(
      campuses.map(({ id, name, code }) => ({ id, title: name, beside: '', ways: [name, code] })),
    ),
    mainCampus: campuses[0]?.id,
    rooms: new NameIndex(
      rooms.map(({ id, name, code, floor }) => ({ id, title: name, beside: floor ?? '', ways: [name, code] })),
    ),
    floors: floors.map(({ id, campus, building, code, no, name }) => ({
      ...{ id, campusId: campus, building, buildingCode: code, no },
      ...{ title: name || `${building}${no}层`, beside: '' },
    })),
    subjects: new NameIndex(
      subjects.map(({ id, name, short }) => ({ id, title: name, beside: '', ways: waysOfSubject(name, short) })),
    ),
    more: new NameIndex(
      others.map(({ id, name, short }) => ({ id, title: name, beside: '', ways: waysOfSubject(name, short) })),
    ),
    subjectDrafts: new Map(
      others.map(({ id, name, short, category, color }) => [
        id,
        {
          schoolId,
          sysSubjectId: id,
          subjectName: name,
          shortName: short,
          category,
          ...(color ? { color } : {}),
        },
      ]),
    ),
    hours: new Map(
      subjects.flatMap(({ id, hours }) =>
        Array.isArray(hours)
          ? (hours as { gradeId?: unknown; hours?: unknown }[]).flatMap((each) =>
              typeof each.hours === 'number' ? [[`${id}|${String(each.gradeId)}`, each.hours] as const] : [],
            )
          : [],
      ),
    ),
    users: new NameIndex(
      users.map(({ id, name, account, no, depts }) => ({
        ...{ id, title: name, beside: [depts, no ?? account].filter(Boolean).join('，') },
        ways: [name, account, no],
      })),
    ),
    heads: new Map(heads.map(({ id, head }) => [id, head])),
    teaching: new NameIndex(
      teaching.map(({ id, name, code }) => ({ id, title: name, beside: code, ways: [name, code] })),
    ),
    taughtAs: new Map(teaching.map(({ id, subject, hours }) => [id, { subjectId: subject, hours }])),
    semester,
    referred: await readReferred(tx, tenantId, schoolId, model, names),
  }
}

/** What a cell means: one row or several, or why it means none. */
export type CellMeaning =
  | { readonly entries: readonly Entry[] }
  | { readonly fault: Words; readonly among?: readonly Entry[] }

const none = (zh: string, en: string, among?: readonly Entry[]): CellMeaning => ({
  fault: { zh, en },
  ...(among ? { among } : {}),
})

/** A teacher by name, by name and number in brackets, by number or account; who shares a name is asked about. */
export function findUser({ users }: Directory, text: string, staffNo = ''): CellMeaning {
  const plain = text.normalize('NFKC').trim()
  const chosen = users.get(/^=(\d+)$/.exec(plain)?.[1] ?? '')
  if (chosen) return { entries: [chosen] }
  const byNumber = staffNo ? users.find(staffNo) : []
  if (byNumber.length === 1) return { entries: byNumber }
  const [, outside = plain, inside = ''] = /^([^(]*?)\s*[([]([^)\]]*)[)\]]$/.exec(plain) ?? []
  const name = tidyName(outside)
  const found = [name, name.replace(/(老师|教师|主任|校长)$/, '')]
    .map((each) => users.find(each))
    .find((each) => each.length > 0)
  if (!found)
    return none('没有这名教师，请选择一名，或先导入用户', 'is nobody here: choose somebody, or import the users first')
  const narrowed = inside
    ? found.filter(({ id, beside }) => users.find(inside).some((each) => each.id === id) || beside.includes(inside))
    : found
  const left = narrowed.length > 0 ? narrowed : found
  return left.length === 1
    ? { entries: left }
    : none(`有${left.length}名教师叫这个名字，请选择是哪一名`, `is the name of ${left.length} people: say which`, left)
}

/** Something by its name or code. */
export function findNamed(named: NameIndex, text: string, label: Words): CellMeaning {
  const chosen = named.get(/^=(\d+)$/.exec(text)?.[1] ?? '')
  const found = chosen ? [chosen] : named.find(text)
  if (found.length === 1) return { entries: found }
  return found.length === 0
    ? none(`没有这个${label.zh}`, `is no ${label.en.toLowerCase()}`)
    : none(`有几个${label.zh}叫这个名字，请选择是哪一个`, 'is the name of several: say which', found)
}
