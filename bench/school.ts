import {
  type Entity,
  idNoCheckDigit,
  school,
  schoolcampus,
  schoolclass,
  schoolyear,
  student,
  studentparents,
} from '@data-brain/contract'
import { newId } from '../server/src/database/id.ts'
import { sql } from '../server/src/database/statement.ts'
import { inPlatform, inTenant, type Tx } from '../server/src/database/transaction.ts'
import { type BulkRow, writeMany } from '../server/src/entity/bulk.ts'
import { modelOf } from '../server/src/entity/model.ts'
import { type Context, Repository } from '../server/src/entity/repository.ts'
import { system } from '../server/src/kernel/actor.ts'
import type { Services } from '../server/src/kernel/services.ts'
import { addTenantRow, fillTenant } from '../server/src/seed/tenant.ts'
import { dice, nameOf } from './names.ts'

export interface Filled {
  readonly tenantId: string
  readonly userId: string
  readonly classIds: string[]
}

interface Size {
  readonly students: number
  readonly parents: number
  readonly schools: number
  /** In each school. */
  readonly classes: number
}

const chunk = 5_000

/** Makes a tenant of realistic size by the product's own write path: rows, history, search keys, encrypted values. */
export async function fillSchools(services: Services, tenantId: string, account: string, size: Size): Promise<Filled> {
  const roll = dice(Number(tenantId))
  const { userId } = await inTenant(services.pool, tenantId, (tx) =>
    fillTenant(
      tx,
      { tenantId, name: `Tenant ${tenantId}`, account, realName: '管理员', password: benchPassword, mustChange: false },
      services.secrets.pepper,
    ),
  )
  await inPlatform(services.platform, (tx) => addTenantRow(tx, { tenantId, name: `Tenant ${tenantId}` }))
  const context = (tx: Tx): Context => ({
    tx,
    actor: system('bench', tenantId),
    circumstance: { requestId: '0', language: 'zh' },
    cipher: services.cipher,
  })
  const classes = await inTenant(services.pool, tenantId, (tx) => makeClasses(context(tx), size))
  const students: { id: string; schoolId: string }[] = []
  for (let from = 0; from < size.students; from += chunk)
    await inTenant(services.pool, tenantId, async (tx) => {
      const rows = Array.from({ length: Math.min(chunk, size.students - from) }, (_, nth) =>
        oneStudent(from + nth, classes, roll),
      )
      students.push(...rows.map(({ id, values }) => ({ id, schoolId: String(values.schoolId) })))
      await writeMany(modelOf(student), context(tx), rows)
    })
  for (let from = 0; from < size.parents; from += chunk)
    await inTenant(services.pool, tenantId, (tx) =>
      writeMany(
        modelOf(studentparents),
        context(tx),
        Array.from({ length: Math.min(chunk, size.parents - from) }, (_, nth) =>
          oneParent(from + nth, students[(from + nth) * Math.floor(size.students / size.parents)]!, roll),
        ),
      ),
    )
  return { tenantId, userId, classIds: classes.map(({ id }) => id) }
}

/** The password of every account that a benchmark makes. */
export const benchPassword = 'Correct-Horse-9'

interface SchoolClass {
  readonly id: string
  readonly schoolId: string
  readonly gradeId: string
}

async function makeClasses(context: Context, size: Size): Promise<SchoolClass[]> {
  const { tx, actor } = context
  const grades = await tx.run<{ id: string; name: string }>(
    sql`select id, grade_name as name from sysgrade_seen where tenant_id = ${actor.tenantId} and stage in ('2', '3') order by sort limit 9`,
  )
  const made: SchoolClass[] = []
  for (let nth = 0; nth < size.schools; nth += 1) {
    const add = (entity: Entity, draft: Record<string, unknown>) => new Repository(entity, context).save(draft)
    const one = await add(school, {
      schoolCode: String(3_111_000_000 + nth),
      schoolName: `第${nth + 1}中学`,
      schoolType: '31',
      stages: ['2', '3'],
      regionCode: '110105',
      maxClassSize: 60,
    })
    const campus = await add(schoolcampus, {
      schoolId: one.id,
      campusCode: `C${nth}`,
      campusName: '本部',
      isMain: 1,
    })
    const year = await add(schoolyear, {
      schoolId: one.id,
      yearName: '2026-2027学年',
      startYear: 2026,
      beginDate: '2026-09-01',
      endDate: '2027-07-15',
      isCurrent: 1,
    })
    for (let room = 0; room < size.classes; room += 1) {
      const grade = grades[room % grades.length]!
      const classNo = Math.floor(room / grades.length) + 1
      const { id } = await add(schoolclass, {
        schoolId: one.id,
        campusId: campus.id,
        yearId: year.id,
        gradeId: grade.id,
        classNo,
        className: `${grade.name}(${classNo})班`,
        cohortYear: 2026,
        classType: '11',
        maxSize: 60,
      })
      made.push({ id, schoolId: one.id, gradeId: grade.id })
    }
  }
  return made
}

const two = (value: number): string => String(value).padStart(2, '0')

function oneStudent(nth: number, classes: readonly SchoolClass[], roll: (most: number) => number): BulkRow {
  const place = classes[nth % classes.length]!
  const day = { year: 2008 + roll(12), month: 1 + roll(12), day: 1 + roll(28) }
  const serial = roll(1_000)
  // An abolished region code with a birth date after its end: a number that belongs to nobody.
  const body = `110103${day.year}${two(day.month)}${two(day.day)}${String(serial).padStart(3, '0')}`
  const used = seen.get(body) ?? 0
  seen.set(body, used + 1)
  const idNo = used === 0 ? body + idNoCheckDigit(body) : null
  return {
    id: newId(),
    values: {
      schoolId: place.schoolId,
      studentNo: `2026${String(nth).padStart(7, '0')}`,
      nationalCode: idNo ? `G${idNo}` : null,
      auxCode: null,
      name: nameOf(roll),
      // The serial of an identity number is odd for a man.
      sex: serial % 2 === 1 ? '1' : '2',
      birthDate: `${day.year}-${two(day.month)}-${two(day.day)}`,
      idType: '1',
      idNo,
      nation: roll(12) === 0 ? two(2 + roll(54)) : '01',
      nationality: 'CHN',
      overseas: '00',
      politics: '13',
      health: '10',
      gradeId: place.gradeId,
      classId: place.id,
      // Nobody enrols before birth.
      enrollDate: `${Math.max(2019 + roll(8), day.year + 1)}-09-01`,
      enrollWay: '11',
      source: '1',
      studyWay: String(1 + roll(2)),
      phone: `13${String(100_000_000 + nth * 7).slice(0, 9)}`,
      sort: 0,
      remark: null,
    },
  }
}
const seen = new Map<string, number>()

function oneParent(nth: number, child: { id: string; schoolId: string }, roll: (most: number) => number): BulkRow {
  return {
    id: newId(),
    values: {
      schoolId: child.schoolId,
      studentId: child.id,
      parentName: nameOf(roll),
      relation: roll(2) === 0 ? '51' : '52',
      mobile: `15${String(100_000_000 + nth * 11).slice(0, 9)}`,
      workUnit: null,
      isGuardian: 1,
      isEmergency: 1,
      contactPriority: 1,
      canPickup: 1,
      custodyRestricted: 0,
      notifySms: 0,
      notifyApp: 1,
      notifyEmail: 0,
    },
  }
}
