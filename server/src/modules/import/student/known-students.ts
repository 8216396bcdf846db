import { type Entity, type SystemColumns, tidyText, type ValuesOf } from '@data-brain/contract'
import { memberParts } from '@data-brain/contract/import/student-form'
import { sql } from '../../../database/statement.ts'
import type { Values } from '../../../entity/check.ts'
import type { Model } from '../../../entity/model.ts'
import type { Context } from '../../../entity/repository.ts'
import { nameRef } from '../../../entity/select.ts'
import type { ReadRow, StoredParts } from '../batch/row.ts'
import { models } from '../batch/row.ts'

/** What no two students may share, by what it is, so that a collision can be named. */
export interface RowKeys {
  readonly studentNo?: string
  readonly idNo?: string
  readonly nationalCode?: string
  readonly seatNo?: string
  /** What names one child well enough where no number of the row is anybody’s. */
  readonly alike?: LookalikeKey
  /** Beside a student number: what tells whether its holder is meant. */
  readonly who?: Person
}
/** What a row says of who the child is, beside numbers. */
export interface Person {
  readonly name: string
  readonly formerName: string
  readonly birthDate: string
  /** Of guardians; keyed hashes, as the database finds them by. */
  readonly phones: readonly string[]
}
/** A child by name, day of birth and class; or by a guardian's phone in place of the class. */
export interface LookalikeKey {
  /** Whether it has no number: it is known within the file by this as well. */
  readonly isBare: boolean
  readonly name: string
  readonly birthDate: string
  readonly classId: string
  /** Keyed hashes of phones. */
  readonly phones: readonly string[]
}
export type KeyName = Exclude<keyof RowKeys, 'alike' | 'who'>
export const keyNames: readonly KeyName[] = ['studentNo', 'idNo', 'nationalCode', 'seatNo']

/** A student who holds the number of a row. */
export interface NumberHolder {
  readonly name: string
  readonly formerName: string | null
  readonly nameEn: string | null
  readonly namePinyin: string | null
  readonly birthDate: string
  readonly hasIdNo: boolean
  readonly hasNationalCode: boolean
  readonly phones: readonly string[]
}

/** A name as it is compared: without the blanks, dots and strokes that clerks set differently. */
const foldName = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

const isCalled = ({ name, formerName }: Person, known: NumberHolder): boolean => {
  const meant = foldName(name)
  const called = [known.name, known.formerName, known.nameEn, known.namePinyin].map((each) => foldName(each ?? ''))
  return meant === '' || called.includes(meant) || (formerName !== '' && foldName(formerName) === foldName(known.name))
}

/**
 * Whether a row is about another child than the one who has its student number: numbers of a list are counted anew in
 * every class, so a number under another name proves nothing. A renamed child is known by its day of birth together
 * with a guardian's phone; two children with papers of their own are two, whatever else they share, as twins are.
 */
export function isOther({ who, idNo, nationalCode }: RowKeys, known: NumberHolder): boolean {
  if (!who || isCalled(who, known)) return false
  if ((idNo && known.hasIdNo) || (nationalCode && known.hasNationalCode)) return true
  return who.birthDate !== known.birthDate || !who.phones.some((phone) => known.phones.includes(phone))
}

const text = (value: unknown): string => (value === undefined || value === null ? '' : String(value))

/**
 * The keys of a row: the number and the seat as they stand, the two that are secret as the keyed hashes that the
 * database finds them by.
 */
export function keysOf(
  { student, ...others }: ReadRow['drafts'],
  { cipher, actor }: Pick<Context, 'cipher' | 'actor'>,
): RowKeys {
  const idNo = tidyText('idNo', text(student.idNo))
  const studentNo = tidyText('code', text(student.studentNo))
  const nationalCode = tidyText('nationalCode', text(student.nationalCode))
  const seatNo = text(student.seatNo)
  const hash = (value: string): string => cipher.hash(value, actor.tenantId).toString('hex')
  const [name, birthDate, classId] = [text(student.name), text(student.birthDate), text(student.classId)]
  const isBare = !studentNo && !idNo && !nationalCode
  const phones = memberParts.flatMap((part) => tidyText('phone', text(others[part].mobile)) || []).map(hash)
  return {
    ...(name && birthDate ? { alike: { isBare, name, birthDate, classId, phones } } : {}),
    ...(studentNo ? { who: { name, formerName: text(student.formerName), birthDate, phones } } : {}),
    ...(studentNo ? { studentNo } : {}),
    ...(idNo ? { idNo: `${text(student.idType) || '1'}|${hash(idNo)}` } : {}),
    ...(nationalCode ? { nationalCode: hash(nationalCode) } : {}),
    ...(seatNo && student.classId ? { seatNo: `${text(student.classId)}|${Number(seatNo)}` } : {}),
  }
}

/** A row's keys as they are kept beside its sealed cells; the name tells which column collides. */
export const keptKeys = (keys: RowKeys, { isAlike = false }: Pick<FoundPupil, 'isAlike'> = {}): string[] => [
  ...keyNames.flatMap((name) => (keys[name] === undefined ? [] : [`${name}:${keys[name]}`])),
  ...(keys.alike?.classId && (keys.alike.isBare || isAlike)
    ? [`name:${keys.alike.name}|${keys.alike.birthDate}|${keys.alike.classId}`]
    : []),
]

/** What the database already holds of a row of the file. */
export interface FoundPupil {
  /** The student of this school that the row is about. */
  readonly id?: string
  /** It was known by name, day of birth and class or phone, and by no number. */
  readonly isAlike?: boolean
  /** Keys that belong to somebody else: to another student than `id`, or to one of another school. */
  readonly taken: readonly { readonly name: KeyName; readonly elsewhere: boolean }[]
}

interface Holder extends Partial<NumberHolder> {
  id: string
  school_id: string
  key: string
}

/** The order in which keys tell whom a row is about: papers before numbers. A seat alone says nothing of who sits there. */
const telling: readonly KeyName[] = ['idNo', 'nationalCode', 'studentNo']

/** Finds for many rows at once the students that they are about, with one statement per kind of key. */
export async function findStored(
  keys: readonly RowKeys[],
  { tx, actor }: Context,
  schoolId: string,
): Promise<FoundPupil[]> {
  const { tenantId } = actor
  const all = (name: KeyName): string[] => [...new Set(keys.flatMap((each) => each[name] ?? []))]
  const hashes = (values: readonly string[]): Buffer[] =>
    values.map((value) => Buffer.from(value.slice(value.indexOf('|') + 1), 'hex'))
  const seats = all('seatNo').map((each) => each.split('|'))
  const statements: Record<KeyName, ReturnType<typeof sql>> = {
    studentNo: sql`select s.id, s.school_id, s.student_no as key, s.name, s.former_name as "formerName", s.name_en as "nameEn", s.name_pinyin as "namePinyin",
        s.birth_date as "birthDate", s.id_no_hash is not null as "hasIdNo", s.national_code_hash is not null as "hasNationalCode",
        array(select encode(p.mobile_hash, 'hex') from studentparents p where p.tenant_id = s.tenant_id and p.student_id = s.id and p.mobile_hash is not null) as phones
      from student s where s.tenant_id = ${tenantId} and s.school_id = ${schoolId} and s.student_no = any(${all('studentNo')}::text[])`,
    idNo: sql`select id, school_id, id_type || '|' || encode(id_no_hash, 'hex') as key from student
      where tenant_id = ${tenantId} and id_no_hash = any(${hashes(all('idNo'))}::bytea[])`,
    nationalCode: sql`select id, school_id, encode(national_code_hash, 'hex') as key from student
      where tenant_id = ${tenantId} and national_code_hash = any(${hashes(all('nationalCode'))}::bytea[])`,
    seatNo: sql`select t.id, t.school_id, t.class_id || '|' || t.seat_no as key from student t
      join unnest(${seats.map((seat) => seat[0])}::bigint[], ${seats.map((seat) => seat[1])}::int[]) w(class_id, seat_no) on t.class_id = w.class_id and t.seat_no = w.seat_no
      where t.tenant_id = ${tenantId}`,
  }
  const held = new Map<string, Holder>()
  for (const name of keyNames)
    if (all(name).length > 0)
      for (const row of await tx.run<Holder>(statements[name])) held.set(`${name}:${row.key}`, row)
  const known = keys.map((each) => {
    const holders = keyNames.map((name) => ({
      name,
      holder: each[name] === undefined ? undefined : held.get(`${name}:${each[name]}`),
    }))
    const of = new Map(holders.map(({ name, holder }) => [name, holder]))
    const about = telling
      .map((name) => ({ name, holder: of.get(name) }))
      .find(
        ({ name, holder }) =>
          holder?.school_id === schoolId && !(name === 'studentNo' && isOther(each, holder as NumberHolder)),
      )?.holder
    return { id: about?.id, holders }
  })
  const alike = await findAlike(
    keys.map((each, at) => (known[at]!.id === undefined ? each : undefined)),
    { tx, actor },
    schoolId,
  )
  return known.map(({ id: numbered, holders }, at) => {
    const id = numbered ?? alike[at]
    return {
      ...(id ? { id, isAlike: numbered === undefined } : {}),
      taken: holders.flatMap(({ name, holder }) =>
        holder && holder.id !== id ? [{ name, elsewhere: holder.school_id !== schoolId }] : [],
      ),
    }
  })
}

/**
 * Pupils of the school who have the name and day of birth of a row, and its class or one of its guardians' phones, and no
 * papers of a kind that the row has: a list with numbers comes after one without. A student number is no paper: whoever
 * came without one was given one. Where two fit, neither is meant.
 */
async function findAlike(
  rows: readonly (RowKeys | undefined)[],
  { tx, actor }: Pick<Context, 'tx' | 'actor'>,
  schoolId: string,
): Promise<(string | undefined)[]> {
  const wanted = new Set(rows.flatMap((row) => row?.alike?.name ?? []))
  if (wanted.size === 0) return rows.map(() => undefined)
  const found = await tx.run<
    Record<'id' | 'name' | 'birth', string> &
      Record<'hasIdNo' | 'hasCode', boolean> & { class: string | null; phones: string[] }
  >(
    sql`select s.id, s.name, s.birth_date as birth, s.class_id as class, s.id_no_hash is not null as "hasIdNo",
          s.national_code_hash is not null as "hasCode",
          array(select encode(p.mobile_hash, 'hex') from studentparents p where p.tenant_id = s.tenant_id and p.student_id = s.id and p.mobile_hash is not null) as phones
        from student s where s.tenant_id = ${actor.tenantId} and s.school_id = ${schoolId} and s.name collate "zh-x-icu" = any(${[...wanted]}::text[])`,
  )
  const byName = Map.groupBy(found, (each) => `${each.name}|${each.birth}`)
  return rows.map((row) => {
    const { alike } = row ?? {}
    if (!row || !alike) return undefined
    const fitting = (byName.get(`${alike.name}|${alike.birthDate}`) ?? []).filter(
      (each) =>
        !(row.idNo && each.hasIdNo) &&
        !(row.nationalCode && each.hasCode) &&
        (each.class === (alike.classId || null) || each.phones.some((phone) => alike.phones.includes(phone))),
    )
    return fitting.length === 1 ? fitting[0]!.id : undefined
  })
}

/** A row as it stands, without its links. */
export type LoadedRow<E extends Entity> = ValuesOf<E> & Pick<SystemColumns, 'id' | 'version' | 'status' | 'extId'>

/**
 * Whole rows with plain values by field name, as `Repository.before` gives them, for many ids at once. They are held
 * for the transaction where a batch is being stored.
 */
export async function loadMany<E extends Entity>(
  model: Model<E>,
  context: Context,
  by: string,
  ids: readonly string[],
): Promise<LoadedRow<E>[]> {
  if (ids.length === 0) return []
  const { tenantId } = context.actor
  const rows = await context.tx.run<Values & { id: string; version: number }>(
    sql`select t.* from ${nameRef(model.table)} t where t.tenant_id = ${tenantId} and t.${nameRef(by)} = any(${[...ids]}::bigint[]) ${nameRef(context.batchId ? 'for update of t' : '')}`,
  )
  return rows.map((row) => {
    const values: Values & { id: string; version: number } = {
      id: row.id,
      version: row.version,
      status: row.status,
      extId: row.ext_id,
    }
    for (const field of model.fields) {
      if (field.kind === 'references') continue
      const value = row[field.column]
      values[field.name] = Buffer.isBuffer(value)
        ? context.cipher.open(value, { table: model.table, column: field.column, tenantId, id: row.id })
        : value
    }
    // Every field of the definition is among them, or is a link.
    return values as LoadedRow<E>
  })
}

/** The stored rows behind students: the student, the extended record, and the two guardians that the members mean. */
export async function loadBefore(
  rows: readonly { row: ReadRow; id: string | undefined }[],
  context: Context,
): Promise<StoredParts[]> {
  const ids = rows.flatMap(({ id }) => id ?? [])
  if (ids.length === 0) return rows.map(() => ({}))
  const students = new Map((await loadMany(models.student, context, 'id', ids)).map((row) => [row.id, row]))
  const details = new Map(
    (await loadMany(models.detail, context, 'student_id', ids)).map((row) => [row.studentId, row]),
  )
  const guardians = new Map<string, Values[]>()
  for (const guardian of await loadMany(models.member1, context, 'student_id', ids))
    guardians.set(guardian.studentId, [...(guardians.get(guardian.studentId) ?? []), guardian])
  return rows.map(({ row, id }) => {
    if (!id) return {}
    const mine = guardians.get(id) ?? []
    const used = new Set<Values>()
    // The same guardian by telephone, else by name.
    const meant = (draft: Values): Values | undefined => {
      const mobile = tidyText('phone', text(draft.mobile))
      const found =
        mine.find((each) => !used.has(each) && mobile !== '' && each.mobile === mobile) ??
        mine.find(
          (each) => !used.has(each) && draft.parentName !== undefined && each.parentName === draft.parentName,
        ) ??
        // A pupil has one father and one mother.
        mine.find(
          (each) => !used.has(each) && ['51', '52'].includes(text(draft.relation)) && each.relation === draft.relation,
        )
      if (found) used.add(found)
      return found
    }
    const members = memberParts.flatMap((part) => {
      const found = meant(row.drafts[part])
      return found ? [[part, found] as const] : []
    })
    return {
      ...(students.has(id) ? { student: students.get(id) } : {}),
      ...(details.has(id) ? { detail: details.get(id) } : {}),
      ...Object.fromEntries(members),
      ...(mine.length > 0 ? { guardians: mine.length } : {}),
    }
  })
}
