import { idNoCheckDigit } from '@data-brain/contract'
import { studentForm } from '@data-brain/contract/import/student-form'
import excel from '@zurmokeeper/exceljs'
import { sql } from '../src/database/statement.ts'
import { type Answer, jobsEnded, type Person, type World } from './world.ts'

/** A school with a current year and two classes of one grade. */
export interface Place {
  readonly schoolId: string
  readonly yearId: string
  readonly grade: string
  readonly classIds: readonly string[]
}

let schools = 0

/** Makes it as a person would, through the calls. */
export async function makeSchool(who: Person, name = '实验学校'): Promise<Place> {
  const add = async (entity: string, draft: Record<string, unknown>): Promise<string> => {
    const answer = await who.post<{ id: string }>(`blade-user/${entity}/submit`, draft)
    if (answer.status !== 200) throw new Error(`${entity}: ${answer.msg}`)
    return answer.data.id
  }
  schools += 1
  const schoolId = await add('school', {
    schoolCode: `3132${String(schools).padStart(6, '0')}`,
    schoolName: `${name}${schools}`,
    schoolType: '31',
    stages: ['3'],
    regionCode: '320102',
  })
  const yearId = await add('schoolyear', {
    schoolId,
    yearName: '2026-2027学年',
    startYear: 2026,
    beginDate: '2026-09-01',
    endDate: '2027-08-31',
    isCurrent: 1,
  })
  const campusId = await add('schoolcampus', { schoolId, campusCode: 'A', campusName: '本部', isMain: 1 })
  const grades = await who.get<{ records: { id: string; gradeName: string }[] }>('blade-user/sysgrade/list', {
    gradeCode_equal: '21',
  })
  const grade = grades.data.records[0]!
  const classIds: string[] = []
  for (const classNo of [1, 2])
    classIds.push(
      await add('schoolclass', {
        schoolId,
        campusId,
        yearId,
        gradeId: grade.id,
        classNo,
        className: `${grade.gradeName}(${classNo})班`,
        cohortYear: 2026,
        classType: '20',
      }),
    )
  return { schoolId, yearId, grade: grade.gradeName, classIds }
}

/** A number that is right in form: region 110103 was abolished before its bearer's birth, so it belongs to nobody. */
export function idNoOf(day: string, sequence: number): string {
  const first = `110103${day.replaceAll('-', '')}${String(sequence).padStart(3, '0')}`
  return first + idNoCheckDigit(first)
}

export type Line = Record<string, string>

/** A right row of the few columns that every school has. */
export function line(place: Place, index: number, more: Line = {}): Line {
  return {
    'student.name': `王小${'明红刚丽军芳'[index % 6]}`,
    'student.sex': index % 2 ? '女' : '男',
    'student.birthDate': '2013-09-05',
    'student.idNo': idNoOf('2013-09-05', index * 2 + (index % 2 ? 0 : 1)),
    'student.gradeId': place.grade,
    'student.classId': `${place.grade}(${(index % 2) + 1})班`,
    'student.enrollDate': '2026-09-01',
    'member1.parentName': '王大力',
    'member1.relation': '父亲',
    'member1.mobile': `139${String(10_000_000 + index)}`,
    ...more,
  }
}

const labels = new Map(studentForm.map((column) => [column.key, column.label.zh]))
export const headingOf = (key: string): string => labels.get(key) ?? key

/** Rows under the headings of the keys that they use. */
export function table(lines: readonly Line[]): string[][] {
  const keys = [...new Set(lines.flatMap((each) => Object.keys(each)))]
  return [keys.map(headingOf), ...lines.map((each) => keys.map((key) => each[key] ?? ''))]
}

export type CellValue = string | number | Date | { formula: string; result?: string | number }

export async function xlsx(
  rows: readonly (readonly CellValue[])[],
  shape?: (sheet: excel.Worksheet) => void,
): Promise<Buffer> {
  const book = new excel.Workbook()
  const sheet = book.addWorksheet('学生')
  for (const row of rows) sheet.addRow([...row])
  shape?.(sheet)
  return Buffer.from(await book.xlsx.writeBuffer())
}

export const csv = (rows: readonly (readonly string[])[]): Buffer =>
  Buffer.from(rows.map((row) => row.join(',')).join('\r\n'))

/** Sends a file as a browser would. */
export async function sendFile<T = BatchView>(
  world: World,
  who: Person,
  name: string,
  bytes: Buffer,
  query: Record<string, string>,
  path = 'blade-user/import',
): Promise<Answer<T>> {
  const edge = 'x-edge-of-parts-x'
  const payload = Buffer.concat([
    Buffer.from(
      `--${edge}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`,
    ),
    bytes,
    Buffer.from(`\r\n--${edge}--\r\n`),
  ])
  const answer = await world.http.inject({
    method: 'POST',
    url: `/api/${path}/upload`,
    query,
    headers: {
      'blade-auth': `bearer ${who.token}`,
      'accept-language': 'zh',
      'content-type': `multipart/form-data; boundary=${edge}`,
    },
    payload,
  })
  return { ...(JSON.parse(answer.payload) as Answer<T>), status: answer.statusCode, headers: answer.headers }
}

export interface BatchView {
  id: string
  state: string
  total: number
  progress: number
  failure: string | null
  counts: { add: number; update: number; skip: number; bad: number }
  columns: {
    index: number
    heading: string
    key: string | null
    label: string | null
    confidence: number | null
    samples: string[]
  }[]
  missing: { key: string; label: string }[]
  refusal?: string | null
  /** What an undo did, by name. */
  undone?: {
    kept: boolean
    taken: {
      entity: string
      removed: number
      restored: number
      held: number
      sample: string[]
      restoredSample: string[]
      heldSample: string[]
    }[]
    touched: object[]
  } | null
}

export interface RowView {
  row: number
  state: string
  cells: string[]
  faults: { row: number; column: number | null; field: string; label: string; message: string }[]
}

export const batchOf = async (who: Person, id: string, path = 'blade-user/import'): Promise<BatchView> => {
  await jobsEnded()
  return (await who.get<BatchView>(`${path}/batch`, { id })).data
}

/** Uploads a file and waits until it is read. */
export async function uploaded(
  world: World,
  who: Person,
  place: Place,
  bytes: Buffer,
  name = '新生.xlsx',
  duplicates = 'skip',
): Promise<BatchView> {
  const answer = await sendFile(world, who, name, bytes, { schoolId: place.schoolId, duplicates })
  if (answer.status !== 200) throw new Error(answer.msg)
  return batchOf(who, answer.data.id)
}

/** Uploads a file, takes the mapping that was found, and waits until all rows are checked. */
export async function checked(
  world: World,
  who: Person,
  place: Place,
  bytes: Buffer,
  name = '新生.xlsx',
  duplicates = 'skip',
): Promise<BatchView> {
  const batch = await uploaded(world, who, place, bytes, name, duplicates)
  const answer = await who.post('blade-user/import/mapping', { id: batch.id, mapping: mappingOf(batch) })
  if (answer.status !== 200) throw new Error(answer.msg)
  return batchOf(who, batch.id)
}

export const mappingOf = (batch: BatchView): Record<string, string> =>
  Object.fromEntries(batch.columns.flatMap((column) => (column.key ? [[column.index, column.key]] : [])))

export const faultyRows = async (who: Person, id: string): Promise<RowView[]> =>
  (await who.get<{ records: RowView[] }>('blade-user/import/rows', { id, state: 'bad', size: 200 })).data.records

/** Commits a batch and waits for its end. */
export async function committed(who: Person, id: string, query: Record<string, string> = {}): Promise<BatchView> {
  const answer = await who.post('blade-user/import/commit', undefined, { query: { id, ...query } })
  if (answer.status !== 200) throw new Error(answer.msg)
  return batchOf(who, id)
}

export const countOf = (world: World, { tenantId }: Person, name: string): Promise<number> =>
  world.inTenant(
    tenantId,
    async (tx) =>
      (await tx.one<{ n: number }>(
        sql`select count(*)::int as n from ${sql.table(name)} where tenant_id = ${tenantId}`,
      ))!.n,
  )

let scopes = 0
/** Narrows a colleague's role to rows of an entity whose field holds a text, as an administrator would. */
export const narrow = (admin: Person, who: Person, entity: string, field: string, value: string): Promise<void> =>
  narrowAll(admin, who, [[entity, field, value]])

/** Likewise to rows of several entities: entity, field, text. */
export async function narrowAll(
  admin: Person,
  who: Person,
  wanted: readonly (readonly [entity: string, field: string, value: string])[],
): Promise<void> {
  const dataScopeIds: string[] = []
  for (const [entity, field, value] of wanted) {
    scopes += 1
    const scope = await admin.post<{ id: string }>('blade-system/data-scope/submit', {
      scopeName: `范围${scopes}`,
      resourceCode: `narrow_${scopes}`,
      scopeClass: entity,
      scopeType: '5',
      scopeValue: { all: [{ field, op: 'like', value }] },
    })
    dataScopeIds.push(scope.data.id)
  }
  const detail = await admin.get<{ roleId: string[] | string }>('blade-user/detail', { id: who.userId })
  const roleId = String(detail.data.roleId)
  const held = await admin.get<{ menu: string[] }>('blade-system/menu/role-tree-keys', { roleIds: roleId })
  const granted = await admin.post('blade-system/role/grant', {
    roleIds: [roleId],
    menuIds: held.data.menu,
    dataScopeIds,
  })
  if (granted.code !== 200) throw new Error(granted.msg)
}
