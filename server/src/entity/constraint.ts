import { entityOf, type Words } from '@data-brain/contract'
import { referenceName, singleName, uniqueName } from '../database/ddl.ts'
import { setConstraintWords } from '../kernel/problem-of.ts'
import { agreements } from './agreement.ts'
import { allModels, modelOf } from './model.ts'

interface Meaning {
  kind: 'unique' | 'reference' | 'check'
  label: Words
  field: string
  /** What is wrong, where the kind alone does not say it. */
  reason?: Words
}

const overlaps: Words = { zh: '与已有数据的时间重叠', en: 'overlaps with an existing row' }
const notAfterToday: Words = { zh: '不能晚于今天', en: 'Not later than today' }

/** Constraints that the migrations spell out, by name: the field of the form that they are told at, and why. */
const spelled: Readonly<Record<string, { entity: string; field: string; reason: Words }>> = {
  ...agreements,
  schoolyear_overlap: { entity: 'schoolyear', field: 'beginDate', reason: overlaps },
  schoolsemester_overlap: { entity: 'schoolsemester', field: 'beginDate', reason: overlaps },
  studentclass_overlap: { entity: 'studentclass', field: 'beginDate', reason: overlaps },
  teacherclass_class_main: { entity: 'teacherclass', field: 'role', reason: overlaps },
  teacherclass_teach_class_main: { entity: 'teacherclass', field: 'role', reason: overlaps },
  school_founded_on_past: { entity: 'school', field: 'foundedOn', reason: notAfterToday },
  student_birth_date_past: { entity: 'student', field: 'birthDate', reason: notAfterToday },
  app_user_birthday_past: { entity: 'user', field: 'birthday', reason: notAfterToday },
  school_region_is_county: {
    entity: 'school',
    field: 'regionCode',
    reason: { zh: '请选到县（区）一级', en: 'is no county or district: choose one within it' },
  },
  schoolcampus_has_main: {
    entity: 'schoolcampus',
    field: 'isMain',
    reason: { zh: '学校须有一个主校区', en: 'a school must have one main campus' },
  },
  studentparents_one_father: {
    entity: 'studentparents',
    field: 'relation',
    reason: { zh: '该学生已有父亲', en: 'the student has a father already' },
  },
  studentparents_one_mother: {
    entity: 'studentparents',
    field: 'relation',
    reason: { zh: '该学生已有母亲', en: 'the student has a mother already' },
  },
}

/** Teaches the kernel what each constraint of an entity's table means to a person. Called once at start. */
export function learnConstraints(): void {
  const meanings = new Map<string, Meaning>()
  for (const { entity, byName, table, fields } of allModels()) {
    const join = (names: readonly string[]): Words => {
      const told = names.filter((name) => name !== 'schoolId' || names.length === 1)
      return {
        zh: told.map((name) => byName.get(name)?.label.zh ?? name).join('、'),
        en: told.map((name) => byName.get(name)?.label.en ?? name).join(', '),
      }
    }
    for (const key of entity.unique ?? [])
      meanings.set(uniqueName(entity, key), { kind: 'unique', label: join(key), field: key.at(-1)! })
    for (const { flag } of entity.single ?? [])
      meanings.set(singleName(entity, flag), { kind: 'unique', label: join([flag]), field: flag })
    meanings.set(`${table}_tenant_id_ext_id_key`, {
      kind: 'unique',
      label: { zh: '外部标识', en: 'External ID' },
      field: 'extId',
    })
    for (const field of fields) {
      if (field.kind === 'reference' || field.kind === 'references')
        meanings.set(referenceName(entity, field.name), { kind: 'reference', label: field.label, field: field.name })
      meanings.set(`${table}_${field.column}_fkey`, { kind: 'reference', label: field.label, field: field.name })
      meanings.set(`${table}_${field.column}_check`, { kind: 'check', label: field.label, field: field.name })
    }
    for (const [begin, end] of entity.ranges ?? [])
      meanings.set(`${table}_${byName.get(begin)?.column}_order`, {
        kind: 'check',
        label: byName.get(end)?.label ?? { zh: end, en: end },
        field: end,
      })
  }
  for (const [name, { entity, field, reason }] of Object.entries(spelled)) {
    const { label } = modelOf(entityOf(entity)).byName.get(field)!
    meanings.set(name, { kind: 'check', label, field, reason })
  }
  setConstraintWords((name) => meanings.get(name))
}
