import { student, studentclass } from '@data-brain/contract'
import { addDays } from '@data-brain/contract/rules/school-year'
import type { DemoRows } from './book.ts'
import { givenNameOf, type SexCode, surnameOf } from './names.ts'
import { idNumbers } from './numbers.ts'
import type { Campus, ClassRoom, School } from './schools.ts'

export interface Pupil {
  readonly id: string
  readonly school: School
  readonly surname: string
  readonly name: string
  readonly birthDate: string
  readonly gradeCode: string
  readonly enrolled: boolean
}

const nations: readonly (readonly [string, number])[] = [
  ['01', 94],
  ['11', 2.5],
  ['03', 1.5],
  ['05', 0.8],
  ['15', 0.4],
  ['06', 0.3],
  ['10', 0.3],
  ['08', 0.2],
]

/** Fills the classes: pupils, their seats, and where they sat. */
export function enrolStudents(book: DemoRows, schools: readonly School[]): Pupil[] {
  const idNo = idNumbers(book.dice)
  return schools.flatMap((school) => {
    const pupils = school.campuses.flatMap((campus) =>
      campus.classes.flatMap((each) => fill(book, school, campus, each, idNo)),
    )
    return [...pupils, ...leavers(book, school, idNo)]
  })
}

type MakeIdNo = ReturnType<typeof idNumbers>

function fill(book: DemoRows, school: School, campus: Campus, each: ClassRoom, idNo: MakeIdNo): Pupil[] {
  const { plan } = school
  const size = plan.cap - book.dice.int(...plan.spare)
  const pupils = Array.from({ length: size }, (_, index) => admit(book, school, each, idNo, index + 1))
  each.values.studentCount = size
  // A few changed class after the first weeks, within the grade.
  const moved = addDays(book.year.begin, 37)
  const former = campus.classes.filter((other) => other.gradeCode === each.gradeCode && other !== each)
  for (const [index, pupil] of pupils.entries()) {
    const hasMoved = index === 2 && moved <= book.today && former.length > 0
    const history = { schoolId: school.id, studentId: pupil.id }
    if (hasMoved)
      book.add(studentclass, {
        ...history,
        classId: book.dice.pick(former).id,
        beginDate: book.year.begin,
        endDate: moved,
        reason: '分班',
      })
    book.add(studentclass, {
      ...history,
      classId: each.id,
      beginDate: hasMoved ? moved : book.year.begin,
      reason: hasMoved ? '转班' : book.known.grades.get(each.gradeCode)!.no === 1 ? '分班' : '升级',
    })
  }
  return pupils
}

function admit(book: DemoRows, school: School, each: ClassRoom, idNo: MakeIdNo, seat: number, status = 1): Pupil {
  const { dice, known, year } = book
  const grade = known.grades.get(each.gradeCode)!
  const enrolled = status === 1
  const cohort = year.startYear - grade.no + 1
  const sex: SexCode = dice.chance(0.52) ? '1' : '2'
  const birthDate = book.day(`${year.startYear - grade.minAge - 1}-09-01`, `${year.startYear - grade.minAge}-08-31`)
  const surname = surnameOf(dice)
  const name = surname + givenNameOf(dice, sex, Number(birthDate.slice(0, 4)))
  const number = idNo(birthDate, sex)
  const senior = school.plan.stage === '4'
  const politics = senior ? (dice.chance(0.45) ? '03' : '13') : each.gradeCode === '11' ? '13' : '90'
  const id = book.add(
    student,
    {
      schoolId: school.id,
      studentNo: `${cohort}${String(each.classNo).padStart(2, '0')}${String(seat).padStart(2, '0')}`,
      nationalCode: number ? `G${number}` : null,
      name,
      sex,
      birthDate,
      idType: number ? '1' : 'Z',
      idNo: number,
      nation: dice.weighted(nations),
      politics,
      health: dice.weighted([
        ['10', 93],
        ['20', 5],
        ['30', 2],
      ]),
      gradeId: enrolled ? each.gradeId : null,
      classId: enrolled ? each.id : null,
      seatNo: enrolled ? seat : null,
      enrollDate: `${cohort}-09-01`,
      enrollWay: senior
        ? dice.weighted([
            ['21', 92],
            ['22', 4],
            ['23', 4],
          ])
        : '11',
      source: dice.weighted([
        ['1', 97],
        ['2', 3],
      ]),
      studyWay: senior
        ? dice.weighted([
            ['1', 55],
            ['2', 45],
          ])
        : '1',
      phone: senior && dice.chance(0.6) ? book.phone() : null,
    },
    status,
  )
  return { id, school, surname, name, birthDate, gradeCode: each.gradeCode, enrolled }
}

/** Those who were there and are not: moved away, or on leave for a year. Their numbers follow the class's last seat. */
function leavers(book: DemoRows, school: School, idNo: MakeIdNo): Pupil[] {
  const classes = school.campuses.flatMap((campus) => campus.classes)
  return [10, 10, 2].map((status, index) => {
    const each = classes[(index * 5) % classes.length]!
    const pupil = admit(book, school, each, idNo, school.plan.cap + 1 + index, status)
    const left = addDays(book.year.begin, 20 + index * 4)
    const end = left <= book.today ? left : book.year.begin
    book.add(studentclass, {
      schoolId: school.id,
      studentId: pupil.id,
      classId: each.id,
      beginDate: book.year.begin,
      endDate: end,
      reason: status === 10 ? '转出' : '休学',
    })
    return pupil
  })
}
