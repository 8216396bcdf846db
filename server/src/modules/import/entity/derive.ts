import { rules } from '@data-brain/contract'
import { readClass } from '@data-brain/contract/import/class-name'
import type { EntityForm } from '@data-brain/contract/import/entity-form'
import { usualClassName, usualClassType } from '@data-brain/contract/rules/school-year'
import { flagWords, foldWord } from '../batch/lookups.ts'
import { cohortOf, placeOf } from '../student/class-placement.ts'
import { deriveLessons } from '../timetable/derive.ts'
import { findNamed } from './directory.ts'
import { headingOf, headKey, type Item, namesOf, type RowReader, readGrades } from './items.ts'
import { type Place, teachingOf } from './place-taught.ts'
import { hoursEach, hoursOf, readTaught } from './teaching.ts'

/*
 * What the rows of each entity say beyond what their definition says of a cell: where one column says another, and what
 * one row of a file is several rows of.
 */

type Derive = (reader: RowReader) => readonly Item[]

/** Reads what no reference is, by the definition's fields. */
function readValues(reader: RowReader, ...but: readonly string[]): void {
  const { model, columns } = reader.reading
  for (const [key, text] of reader.texts) {
    const [part, name = ''] = key.split('.')
    const field = part === model.entity.name ? model.byName.get(name) : undefined
    if (!field || field.kind === 'reference' || field.kind === 'references' || but.includes(name)) continue
    reader.value(key, text, field, columns.find((column) => column.key === key)?.order)
  }
}

const textOf = (reader: RowReader, key: string): string => reader.texts.get(key) ?? ''

/** The campus that a row names, else the main one. */
function readCampus(reader: RowReader, key: string): void {
  const { campuses, mainCampus } = reader.reading.directory
  const text = textOf(reader, key)
  const [found] = text ? reader.entries(key, findNamed(campuses, text, { zh: '校区', en: 'Campus' })) : []
  const id = found?.id ?? (text ? undefined : mainCampus)
  if (id) reader.draft.campusId = id
}

/** A class for each heading that names one, with the class teacher below it: a row of a grade has several. */
const classesOfGrade = (reader: RowReader, cells: readonly (readonly [string, string])[]): Item[] => {
  readGrades(reader, 'schoolclass.gradeId')
  readValues(reader, 'className', 'classNo', 'cohortYear')
  readCampus(reader, 'schoolclass.campusId')
  const { reading } = reader
  const { places } = reading.directory
  const [grade, ...others] = reader.grades ?? []
  if (!grade || others.length > 0) {
    reader.add('schoolclass.gradeId', { zh: '没有这个年级', en: 'is no grade of the school' })
    return []
  }
  return cells.flatMap(([key, text]) => {
    const heading = reading.columns.find((column) => column.key === key)?.heading ?? ''
    const classNo = readClass(heading)[0]?.no
    if (classNo === undefined) return []
    const [head, ...more] = namesOf(text).flatMap(({ name }) => reader.user(key, name))
    return {
      draft: {
        ...reader.draft,
        yearId: reading.yearId,
        gradeId: grade.id,
        classNo,
        className: usualClassName(grade.name, classNo),
        cohortYear: cohortOf(grade, places),
        classType: reader.draft.classType ?? usualClassType(grade.stage),
        ...(head ? { headTeacherId: head.id } : {}),
        ...(more.length > 0 ? { deputyTeacherIds: [...new Set(more.map(({ id }) => id))] } : {}),
      },
    }
  })
}

const classes: Derive = (reader) => {
  const { draft, reading } = reader
  const headed = [...reader.texts].filter(([key]) => key.startsWith('headed.'))
  if (headed.length > 0) return classesOfGrade(reader, headed)
  const { directory } = reading
  const { places } = directory
  readGrades(reader, 'schoolclass.gradeId')
  readValues(reader, 'className', 'classNo', 'cohortYear')
  readCampus(reader, 'schoolclass.campusId')
  const name = textOf(reader, 'schoolclass.className').replace(/\s+/g, '')
  const number = textOf(reader, 'schoolclass.classNo')
  const no = number ? (readClass(number)[0]?.no ?? Number(number.normalize('NFKC').replace(/\D/g, ''))) : undefined
  const placed = name ? placeOf(name, reader.grades, places) : undefined
  const meant =
    placed && 'place' in placed ? { gradeId: placed.place.gradeId, classNo: placed.place.classNo } : placed?.make
  const [grade] = meant
    ? places.offered.filter((each) => each.id === meant.gradeId)
    : reader.grades?.length === 1
      ? reader.grades
      : []
  const classNo = meant?.classNo ?? no
  if (!grade || !classNo) {
    const key = grade && !name ? 'schoolclass.classNo' : 'schoolclass.className'
    if (!reader.faults.some((fault) => fault.key === 'schoolclass.gradeId'))
      reader.add(key, {
        zh: grade ? '看不出是几班，请填写班号' : '看不出是哪个年级的班，请填写年级',
        en: grade ? 'does not say its number: give the class number' : 'does not say its grade: give the grade',
      })
    return [{ draft }]
  }
  Object.assign(draft, {
    yearId: reading.yearId,
    gradeId: grade.id,
    classNo,
    // A name that only says grade and number is written as all others are; any other is kept.
    className: meant || !name ? usualClassName(grade.name, classNo) : name,
    cohortYear: cohortOf(grade, places),
    classType: draft.classType ?? usualClassType(grade.stage),
  })
  const year = /(?:^|\D)((?:19|20)\d{2})/.exec(textOf(reader, 'schoolclass.cohortYear').normalize('NFKC'))?.[1]
  if (year) draft.cohortYear = Number(year)
  const people = (key: string) => namesOf(textOf(reader, key)).flatMap((each) => reader.user(key, each.name))
  const [head, ...more] = people('schoolclass.headTeacherId')
  const deputies = [...more, ...people('schoolclass.deputyTeacherIds')].map(({ id }) => id)
  if (head) draft.headTeacherId = head.id
  if (deputies.length > 0) draft.deputyTeacherIds = [...new Set(deputies)]
  const roomKey = 'schoolclass.classroomId'
  const room = textOf(reader, roomKey)
  if (room) {
    const [found] = reader.entries(roomKey, findNamed(directory.rooms, room, { zh: '教室', en: 'Classroom' }))
    if (found) draft.classroomId = found.id
  }
  return [{ draft }]
}

const hanDigits = '零一二三四五六七八九'
/** The number of a floor: 3, 3楼, 三层, F3, 3F, -1, 负一层, 地下一层, B1. */
export function floorNo(text: string): number | undefined {
  const plain = text.normalize('NFKC').replace(/\s/g, '').toUpperCase()
  const found = /^(-|负|地下|B(?=\d)|第)?F?(\d{1,2}|[一二三四五六七八九]?十?[一二三四五六七八九]?)(?:楼|层|F)?$/.exec(
    plain,
  )
  const [, sign = '', digits = ''] = found ?? []
  if (digits === '') return undefined
  const [tens, ones] = digits.includes('十') ? digits.split('十') : ['', digits]
  const no = /^\d+$/.test(digits)
    ? Number(digits)
    : (digits.includes('十') ? (tens ? hanDigits.indexOf(tens) : 1) * 10 : 0) + (ones ? hanDigits.indexOf(ones) : 0)
  return no === 0 ? undefined : ['', '第'].includes(sign) ? no : -no
}

/** The floor that a row lies on; one that does not exist is made with its rows. */
function readFloor(reader: RowReader, code: string): void {
  const { directory, makes } = reader.reading
  const { draft } = reader
  const place = textOf(reader, 'schoolclassroom.floorId').normalize('NFKC')
  const named = place ? directory.floors.filter((floor) => foldWord(floor.title) === foldWord(place)) : []
  if (named.length === 1) {
    Object.assign(draft, { floorId: named[0]!.id, campusId: named[0]!.campusId })
    return
  }
  const whole = (text: string): RegExpExecArray | null =>
    /^(.*?[^\d负地下第-])\s*((?:-|负|地下|第)?(?:\d{1,2}|[一二三四五六七八九十]{1,3})\s*(?:楼|层|F)|F\d{1,2})\d*\S*$/i.exec(
      text,
    )
  let building = textOf(reader, 'ref.building').normalize('NFKC')
  const storey = textOf(reader, 'ref.floor')
  const both = whole(place) ?? (storey ? (whole(storey.normalize('NFKC')) ?? null) : whole(building))
  let no = storey ? floorNo(storey) : undefined
  if (both && no === undefined) no = floorNo(both[2]!)
  if (both && (building === '' || whole(building))) building = both[1]!
  // 305 lies on the third floor, 1204 on the twelfth.
  const digits = /(\d{1,2})\d{2}(?!\d)/.exec(code.normalize('NFKC'))?.[1]
  no ??= digits && Number(digits) > 0 ? Number(digits) : undefined
  const here = directory.floors.filter((floor) => !draft.campusId || floor.campusId === draft.campusId)
  const buildings = [...new Set(here.map((floor) => floor.building))]
  if (building === '' && buildings.length === 1) building = buildings[0]!
  if (building === '') {
    reader.add('ref.building', { zh: '请填写在哪栋楼', en: 'is required: in which building it lies' })
    return
  }
  // A playground has no storeys.
  no ??= 1
  if (storey && floorNo(storey) === undefined && !both) {
    reader.add('ref.floor', { zh: '不是楼层，应形如3或3楼', en: 'is no floor: write it as 3' })
    return
  }
  const same = (other: string): boolean => foldWord(other) === foldWord(building)
  const standing = here.find((floor) => floor.no === no && (same(floor.building) || same(floor.buildingCode)))
  if (standing) {
    draft.floorId = standing.id
    draft.campusId = standing.campusId
    return
  }
  const { campusId } = draft
  const known = here.find((floor) => same(floor.building) || same(floor.buildingCode))
  const title = known?.building ?? building
  const made = makes.of(`floor|${String(campusId)}|${foldWord(title)}|${no}`, () => ({
    entity: 'schoolfloor',
    name: `${title}${no}层`,
    draft: {
      ...{ schoolId: directory.schoolId, campusId, floorNo: no, buildingName: title, floorName: `${title}${no}层` },
      buildingCode: known?.buildingCode ?? reader.reading.buildingCode(String(campusId), title),
    },
  }))
  draft.floorId = made.id
}

const rooms: Derive = (reader) => {
  const { draft, reading } = reader
  const { directory } = reading
  readValues(reader, 'roomName', 'roomCode')
  readCampus(reader, 'schoolclassroom.campusId')
  const name = textOf(reader, 'schoolclassroom.roomName').replace(/(?<=\p{Script=Han})\s+(?=\p{Script=Han})/gu, '')
  const code = textOf(reader, 'schoolclassroom.roomCode').normalize('NFKC').replace(/\s/g, '')
  readFloor(reader, code || name)
  const isCode = (text: string): boolean => text !== '' && text.length <= 32 && rules.code.check(text) === null
  const plain = name.normalize('NFKC')
  if (name || code) {
    draft.roomName = name || code
    draft.roomCode = code || (isCode(plain) ? plain : reading.roomCode(plain))
  }
  if (draft.roomType === undefined) {
    const words = [...(directory.choices.get('room_type') ?? [])].filter(
      ([word]) => word.length > 1 && !/^\d+$/.test(word),
    )
    const within = words.filter(([word]) => foldWord(name).includes(word)).sort(([a], [b]) => b.length - a.length)[0]
    draft.roomType = within?.[1] ?? '1'
  }
  const key = 'schoolclassroom.homeClassId'
  const text = textOf(reader, key)
  if (text) {
    const [found] = reader.classes(key, text, false)
    if (found) draft.homeClassId = found.id
  }
  return [{ draft }]
}

const taughtKey = /^taught\./
const teachingKey = 'ref.teaching'

const assignments: Derive = (reader) => {
  const { draft, reading } = reader
  const { directory } = reading
  const { semester } = directory
  readGrades(reader, 'ref.grade')
  readValues(reader)
  Object.assign(draft, {
    semesterId: semester?.id,
    beginDate: draft.beginDate ?? semester?.begin,
    endDate: draft.endDate ?? semester?.end,
  })
  const keyOf = (field: string): string => `teacherclass.${field}`
  const classText = textOf(reader, keyOf('classId'))
  const subjectText = textOf(reader, keyOf('subjectId'))
  const groups = teachingOf(reader, classText)
  const found = classText && groups.length === 0 ? reader.classes(keyOf('classId'), classText, true) : []
  const subjects = subjectText
    ? subjectText
        .split(/[、,，;；/\n]+/)
        .flatMap((each) => (each.trim() ? reader.subject(keyOf('subjectId'), each.trim()) : []))
    : []
  const items: Item[] = []
  const teaching = textOf(reader, teachingKey)
  const told = teaching ? readTaught(teaching) : undefined
  if (teaching && !told)
    reader.add(teachingKey, {
      zh: '看不出教哪些班的哪些学科，应形如“三（1）班语文、三（2）班语文”',
      en: 'does not say which subjects in which classes: write it as 三（1）班语文、三（2）班语文',
    })
  const ofTaught = (told ?? []).flatMap(({ subject, classes: named }) => ({
    subjects: reader.subject(teachingKey, subject),
    places: named.flatMap((name) => reader.classes(teachingKey, name, false)),
  }))
  const lessons = new Map(
    reading.columns.flatMap(({ key, heading }) => {
      const subject = key.startsWith('lessons.') ? hoursOf(heading) : undefined
      const hours = Number(textOf(reader, key).normalize('NFKC').replace(/[^\d]/g, ''))
      return subject && textOf(reader, key) && Number.isInteger(hours) ? [[subject, hours] as const] : []
    }),
  )
  const put = (
    place: Place,
    subjectId: string,
    userId: string,
    more: { readonly hours?: number | undefined; readonly role?: string; readonly places?: number },
  ): void => {
    const usual = place.grade
      ? directory.hours.get(`${subjectId}|${place.grade}`)
      : directory.taughtAs.get(place.id)?.hours
    const told = draft.weekHours === undefined ? undefined : Number(draft.weekHours)
    const hours =
      told === undefined
        ? (more.hours ?? usual ?? 0)
        : Number.isNaN(told)
          ? draft.weekHours
          : hoursEach(told, more.places ?? 1, usual)
    items.push({
      grade: place.grade,
      draft: {
        ...draft,
        [place.grade ? 'classId' : 'teachClassId']: place.id,
        subjectId,
        userId,
        weekHours: hours,
        role: draft.role ?? more.role ?? '1',
      },
    })
  }
  const people = (key: string, text: string): void => {
    const heading = taughtKey.test(key)
      ? headingOf(reading.columns.find((column) => column.key === key)?.heading ?? '')
      : {}
    const places: readonly Place[] = heading.className
      ? reader.classes(key, heading.className, false)
      : [...groups, ...found]
    const taught = heading.subject
      ? reader.subject(key, heading.subject).map(({ id }) => id)
      : subjects.map(({ id }) => id)
    // A teaching class says its subject itself.
    for (const [at, { name, hours }] of namesOf(text).entries())
      for (const { id } of reader.user(key, name, taughtKey.test(key) ? '' : textOf(reader, 'ref.staffNo')))
        for (const place of places)
          for (const subject of taught.length > 0
            ? taught
            : [directory.taughtAs.get(place.id)?.subjectId ?? ''].filter(Boolean))
            put(place, subject, id, {
              hours: hours ?? lessons.get(heading.subject ?? ''),
              role: at === 0 ? '1' : '2',
              places: places.length * Math.max(1, taught.length),
            })
  }
  const cells = [...reader.texts].filter(([key]) => taughtKey.test(key))
  for (const [key, text] of cells) people(key, text)
  const teacher = textOf(reader, keyOf('userId')) || textOf(reader, 'ref.staffNo')
  const isMatrix = reading.columns.some(({ key }) => taughtKey.test(key))
  if (!isMatrix) {
    if (teacher && teaching) {
      const places = ofTaught.reduce((sum, each) => sum + each.places.length * each.subjects.length, 0)
      for (const { id } of reader.user(keyOf('userId'), teacher, textOf(reader, 'ref.staffNo')))
        for (const each of ofTaught)
          for (const place of each.places) for (const subject of each.subjects) put(place, subject.id, id, { places })
    } else if (teacher) people(keyOf('userId'), teacher)
    const missing = { zh: '不能为空', en: 'is required' }
    if (!teacher) reader.add(keyOf('userId'), missing)
    if (!classText && !teaching) reader.add(keyOf('classId'), missing)
    if (!subjectText && !teaching && groups.length === 0) reader.add(keyOf('subjectId'), missing)
  } else if (cells.length > 0 && !classText && !subjectText)
    reader.add(keyOf('classId'), { zh: '不能为空', en: 'is required' })
  const teachers = new Set(items.map((item) => String(item.draft.userId)))
  readHead(reader, found, isMatrix ? [] : [...teachers])
  return items
}

/**
 * Who is at the head of a class. A column of class teachers names the person, beside the class of the row; in a list of
 * teachers it may also say that the row's own teacher is one, or of which class.
 */
function readHead(reader: RowReader, found: readonly Place[], teachers: readonly string[]): void {
  const text = textOf(reader, headKey)
  if (!text) return
  const isList = teachers.length > 0
  const said = isList ? (text === '班主任' ? 1 : flagWords.get(foldWord(text))) : undefined
  if (said === 0) return
  const isClass = text.includes('班') || 'place' in placeOf(text, reader.grades, reader.reading.directory.places)
  const named = isList && !said && isClass ? reader.classes(headKey, text, true) : undefined
  const [place, ...others] = named ?? found
  if (!place) return
  const people =
    said || named ? teachers : namesOf(text).flatMap(({ name }) => reader.user(headKey, name).map(({ id }) => id))
  const [head] = people
  if (people.length > 1 || others.length > 0)
    reader.add(headKey, { zh: '一个班只能有一名班主任', en: 'must be one person, of one class' })
  else if (head) reader.heads.push({ classId: place.id, userId: head })
}

/** A row as the definition alone says it: its values, the rows that its cells name, and the year or semester of the upload. */
const byDefinition: Derive = (reader) => {
  const { draft, reading } = reader
  readValues(reader)
  for (const field of reading.model.fields) {
    const key = `${reading.form.kind}.${field.name}`
    const text = textOf(reader, key)
    if (!text || !field.to) continue
    const ids = reader.referred(key, text, field).map(({ id }) => id)
    if (field.kind === 'references') draft[field.name] = [...new Set(ids)]
    else if (ids[0]) draft[field.name] = ids[0]
  }
  if (reading.model.byName.has('yearId')) draft.yearId ??= reading.yearId
  if (reading.model.byName.has('semesterId')) draft.semesterId ??= reading.directory.semester?.id
  return [{ draft }]
}

/** The entities whose rows say more than that. */
const deriveByKind: Readonly<Record<string, Derive | undefined>> = {
  schoolclass: classes,
  schoolclassroom: rooms,
  teacherclass: assignments,
  classschedule: deriveLessons,
}

/** Whether the rows of a form say no more than the definition of its entity. */
export const isByDefinition = ({ kind }: Pick<EntityForm, 'kind'>): boolean => deriveByKind[kind] === undefined

/** What one row of the file becomes. */
export const deriveItems: Derive = (reader) => (deriveByKind[reader.reading.form.kind] ?? byDefinition)(reader)
