import {
  dept,
  school,
  schoolcampus,
  schoolclass,
  schoolclassroom,
  schoolfloor,
  schoolsemester,
  schoolsubject,
  schoolyear,
} from '@data-brain/contract'
import { usualClassName } from '@data-brain/contract/rules/school-year'
import type { DemoRows } from './book.ts'
import { landline } from './numbers.ts'
import { type CampusPlan, district, offices, ownSubjects, type SchoolPlan, schoolPlans, specialRooms } from './plan.ts'

export interface ClassRoom {
  readonly id: string
  readonly gradeCode: string
  readonly gradeId: string
  readonly classNo: number
  readonly name: string
  readonly roomId: string
  readonly hours: Readonly<Record<string, number>>
  /** Filled when the class gets its people. */
  readonly values: Record<string, unknown>
}

export interface Room {
  readonly id: string
  readonly concurrency: number
}

export interface Campus {
  readonly id: string
  readonly plan: CampusPlan
  readonly classes: ClassRoom[]
  /** Rooms for a subject. */
  readonly special: ReadonlyMap<string, readonly Room[]>
}

export interface School {
  readonly id: string
  readonly order: number
  readonly plan: SchoolPlan
  readonly deptId: string
  readonly officeIds: ReadonlyMap<string, string>
  readonly yearId: string
  readonly semesterId: string
  readonly subjectIds: ReadonlyMap<string, string>
  readonly campuses: Campus[]
  readonly values: Record<string, unknown>
}

/** The schools with all that stands still: departments, campuses, floors, rooms, terms, subjects, empty classes. */
export function buildSchools(book: DemoRows): School[] {
  return schoolPlans.map((plan, order) => buildSchool(book, plan, order))
}

function buildSchool(book: DemoRows, plan: SchoolPlan, order: number): School {
  const { known, year } = book
  const ancestors = `0,${known.rootDept}`
  const deptId = book.add(dept, {
    parentId: known.rootDept,
    ancestors,
    deptName: plan.name,
    fullName: plan.name,
    deptCategory: '2',
    sort: order + 1,
  })
  const officeIds = new Map(
    offices.map((name, index) => [
      name,
      book.add(dept, {
        parentId: deptId,
        ancestors: `${ancestors},${deptId}`,
        deptName: name,
        fullName: `${plan.name}${name}`,
        deptCategory: '3',
        sort: index + 1,
      }),
    ]),
  )
  const values: Record<string, unknown> = {
    schoolCode: plan.code,
    schoolName: plan.name,
    schoolShortName: plan.shortName,
    schoolNameEn: plan.nameEn,
    schoolType: plan.type,
    stages: [plan.stage],
    runningType: '1',
    urbanRural: '1',
    regionCode: district.region,
    address: plan.campuses[0]!.address,
    postcode: district.postcode,
    eduBureau: district.name,
    contactPhone: landline(order),
    email: `office${order + 1}@school.example`,
    website: `https://school${order + 1}.example/`,
    foundedOn: plan.founded,
    deptId,
    maxClassSize: plan.cap,
    sort: order + 1,
  }
  const id = book.add(school, values)
  // The book keeps a copy with the defaults; what is filled in afterwards goes into that one.
  const stored = book.rows.get('school')!.at(-1)!.values
  for (const each of [deptId, ...officeIds.values()]) book.later(dept, each, 'schoolId', id)
  const yearId = book.add(
    schoolyear,
    {
      schoolId: id,
      yearName: year.name,
      startYear: year.startYear,
      beginDate: year.begin,
      endDate: year.end,
      isCurrent: 1,
    },
    1,
  )
  let semesterId = ''
  for (const semester of year.semesters) {
    const made = book.add(
      schoolsemester,
      {
        schoolId: id,
        yearId,
        semesterName: semester.name,
        semesterNo: semester.no,
        beginDate: semester.begin,
        endDate: semester.end,
        firstWeekMonday: semester.firstMonday,
        weekCount: semester.weeks,
        isCurrent: semester.current ? 1 : 0,
        examBegin: semester.examBegin,
        examEnd: semester.examEnd,
      },
      semester.status,
    )
    if (semester.current) semesterId = made
  }
  const subjectIds = buildSubjects(book, plan, id)
  const campuses = plan.campuses.map((campus, index) => buildCampus(book, plan, campus, index, { id, yearId }))
  return { id, order, plan, deptId, officeIds, yearId, semesterId, subjectIds, campuses, values: stored }
}

function buildSubjects(book: DemoRows, plan: SchoolPlan, schoolId: string): Map<string, string> {
  const grades = plan.campuses.flatMap((campus) => campus.grades).sort()
  const hoursOf = (subject: string) =>
    grades.flatMap((grade) => {
      const most = Math.max(
        ...Array.from({ length: plan.classesPerGrade }, (_, index) => plan.hours(grade, index + 1)[subject] ?? 0),
      )
      return most > 0 ? [{ gradeId: book.known.grades.get(grade)!.id, hours: most, doubleCount: 0 }] : []
    })
  const ids = new Map<string, string>()
  let sort = 0
  for (const [code, subject] of book.known.subjects) {
    const weekHours = hoursOf(code)
    if (weekHours.length === 0) continue
    sort += 1
    const scored = !['TY', 'YL', 'MS', 'XX', 'LD'].includes(code)
    const fullScore = ['YW', 'SX', 'YY'].includes(code) && plan.stage !== '2' ? 150 : 100
    ids.set(
      code,
      book.add(schoolsubject, {
        schoolId,
        sysSubjectId: subject.id,
        subjectName: subject.name,
        shortName: subject.short,
        category: subject.category,
        color: subject.color,
        ...(scored ? { fullScore, passScore: fullScore * 0.6 } : {}),
        weekHours,
        sort,
      }),
    )
  }
  for (const own of ownSubjects) {
    const weekHours = hoursOf(own.code)
    if (own.code === 'YD' && weekHours.length === 0) continue
    sort += 1
    ids.set(
      own.code,
      book.add(schoolsubject, {
        schoolId,
        subjectName: own.name,
        shortName: own.short,
        category: own.category,
        color: own.color,
        weekHours: weekHours.length > 0 ? weekHours : null,
        sort,
      }),
    )
  }
  return ids
}

function buildCampus(
  book: DemoRows,
  plan: SchoolPlan,
  campus: CampusPlan,
  index: number,
  at: { id: string; yearId: string },
): Campus {
  const campusId = book.add(schoolcampus, {
    schoolId: at.id,
    campusCode: campus.code,
    campusName: campus.name,
    isMain: campus.main ? 1 : 0,
    regionCode: district.region,
    address: campus.address,
    postcode: district.postcode,
    phone: landline(10 + Number(plan.stage) * 10 + index),
    areaSqm: 12_000 + campus.grades.length * 4_500,
    travelMinutes: campus.travelMinutes,
    sort: index + 1,
  })
  const floor = (code: string, name: string, no: number): string =>
    book.add(schoolfloor, {
      schoolId: at.id,
      campusId,
      buildingCode: code,
      buildingName: name,
      floorNo: no,
      floorName: `${name}${no}层`,
      hasElevator: code === 'A' ? 1 : 0,
      isBarrierFree: no === 1 ? 1 : 0,
      sort: no,
    })
  const room = (floorId: string, roomCode: string, roomName: string, more: Record<string, unknown>): string =>
    book.add(schoolclassroom, {
      schoolId: at.id,
      campusId,
      floorId,
      roomCode,
      roomName,
      roomType: '1',
      capacity: 60,
      equipment: ['1', '2', '8'],
      ...more,
    })
  const classes: ClassRoom[] = []
  for (const [storey, gradeCode] of campus.grades.entries()) {
    const floorId = floor('A', '教学楼', storey + 1)
    const grade = book.known.grades.get(gradeCode)!
    for (let classNo = 1; classNo <= plan.classesPerGrade; classNo += 1) {
      const name = usualClassName(grade.name, classNo)
      const code = `A${storey + 1}0${classNo}`
      const roomId = room(floorId, code, `教学楼${storey + 1}0${classNo}`, { examCapacity: 30, sort: classNo })
      const id = book.add(schoolclass, {
        schoolId: at.id,
        campusId,
        yearId: at.yearId,
        gradeId: grade.id,
        classNo,
        className: name,
        cohortYear: book.year.startYear - grade.no + 1,
        classType: plan.classType,
        classroomId: roomId,
        maxSize: plan.cap,
        motto: book.dice.pick(['勤学善思', '明理笃行', '自强不息', '团结向上', '知书达理', '日新其德']),
        sort: classNo,
      })
      book.later(schoolclassroom, roomId, 'homeClassId', id)
      const values = book.rows.get('schoolclass')!.at(-1)!.values
      classes.push({
        id,
        gradeCode,
        gradeId: grade.id,
        classNo,
        name,
        roomId,
        hours: plan.hours(gradeCode, classNo),
        values,
      })
    }
  }
  const taught = new Set(classes.flatMap((each) => Object.keys(each.hours)))
  const special = new Map<string, Room[]>()
  const ground = floor('Y', '运动场', 1)
  special.set('TY', [
    {
      id: room(ground, 'Y01', '操场', { roomType: '9', capacity: 400, concurrency: 6, equipment: [], bookable: 1 }),
      concurrency: 6,
    },
    {
      id: room(ground, 'Y02', '体育馆', {
        roomType: '9',
        capacity: 300,
        concurrency: 3,
        equipment: ['4'],
        bookable: 1,
      }),
      concurrency: 3,
    },
  ])
  const wanted = Object.entries(specialRooms).filter(([subject]) => subject !== 'TY' && taught.has(subject))
  const floors = Array.from({ length: Math.ceil((wanted.length + 1) / 3) }, (_, each) => floor('B', '综合楼', each + 1))
  for (const [order, [subject, kind]] of wanted.entries()) {
    const storey = Math.floor(order / 3)
    const code = `B${storey + 1}0${(order % 3) + 1}`
    special.set(subject, [
      {
        id: room(floors[storey]!, code, kind.name, { roomType: kind.type, capacity: 56, bookable: 1 }),
        concurrency: 1,
      },
    ])
  }
  room(floors.at(-1)!, `B${floors.length}09`, '报告厅', {
    roomType: '10',
    capacity: 320,
    bookable: 1,
    equipment: ['1', '4', '8'],
  })
  return { id: campusId, plan: campus, classes, special }
}
