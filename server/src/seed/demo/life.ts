import { studentgroup, studentgrouprelevance, studentmessage, studentresume } from '@data-brain/contract'
import { addDays } from '@data-brain/contract/rules/school-year'
import type { DemoRows } from './book.ts'
import type { School } from './schools.ts'
import type { CampusFaculty } from './staff.ts'
import type { Pupil } from './students.ts'

/** What fills a school's days beside lessons: records of what pupils did, groups, and messages to their families. */
export function addLife(book: DemoRows, faculties: readonly CampusFaculty[], pupils: readonly Pupil[]): void {
  for (const pupil of pupils) if (pupil.enrolled && book.dice.chance(0.2)) addResume(book, pupil)
  for (const school of new Set(faculties.map((faculty) => faculty.school))) {
    const own = pupils.filter((pupil) => pupil.school === school && pupil.enrolled)
    const staff = faculties.filter((faculty) => faculty.school === school)
    const groupIds = addGroups(book, school, staff, own)
    addMessages(book, school, staff, groupIds)
  }
}

const before: Readonly<Record<string, string>> = {
  '2': '示范区中心幼儿园',
  '3': '示范区第一小学',
  '4': '示范区实验中学',
}

function addResume(book: DemoRows, pupil: Pupil): void {
  const { dice, year } = book
  const { plan } = pupil.school
  const grade = book.known.grades.get(pupil.gradeCode)!
  const entered = `${year.startYear - grade.no + 1}-09-01`
  const years = plan.stage === '2' ? 3 : plan.stage === '3' ? 6 : 3
  const common = { schoolId: pupil.school.id, studentId: pupil.id }
  book.add(studentresume, {
    ...common,
    kind: '1',
    beginDate: `${Number(entered.slice(0, 4)) - years}-09-01`,
    endDate: `${entered.slice(0, 4)}-07-10`,
    orgName: before[plan.stage]!,
  })
  if (!dice.chance(0.5)) return
  // Last school year, and so never in the future; who has only just come has none here yet.
  if (grade.no === 1) return
  const issuedOn = book.day(`${year.startYear - 1}-10-01`, `${year.startYear}-06-30`)
  const [kind, title, level] = dice.pick([
    ['2', '三好学生', '6'],
    ['2', '优秀班干部', '6'],
    ['6', '区中小学生运动会', '5'],
    ['6', '市青少年科技创新大赛', '4'],
    ['2', '文明礼仪之星', '6'],
    ['6', '区书法比赛', '5'],
  ] as const)
  book.add(studentresume, {
    ...common,
    kind,
    beginDate: issuedOn,
    endDate: issuedOn,
    orgName: plan.name,
    title,
    level,
    rank: kind === '6' ? dice.pick(['一等奖', '二等奖', '三等奖']) : null,
    issuedOn,
  })
}

function addGroups(
  book: DemoRows,
  school: School,
  staff: readonly CampusFaculty[],
  pupils: readonly Pupil[],
): string[] {
  const { dice, year } = book
  return [
    { code: 'G1', name: '校田径队', type: '3', size: 24 },
    { code: 'G2', name: '数学兴趣小组', type: '1', size: 30 },
    { code: 'G3', name: '学习帮扶小组', type: '4', size: 16 },
    { code: 'G4', name: '学生会', type: '5', size: 15 },
  ].map((group, order) => {
    const teachers = staff.flatMap((faculty) => faculty.teachers)
    const picked = dice.pick(teachers)
    const id = book.add(studentgroup, {
      schoolId: school.id,
      groupCode: group.code,
      groupName: group.name,
      groupType: group.type,
      yearId: school.yearId,
      // Pupils who help each other are looked after by a class teacher.
      ownerId: group.type === '4' ? staff[0]!.heads[0]!.id : picked.id,
      maxSize: group.size + 10,
      beginDate: year.begin,
      endDate: year.end,
      sort: order + 1,
    })
    for (const [index, pupil] of dice.some(pupils, group.size).entries())
      book.add(studentgrouprelevance, {
        schoolId: school.id,
        groupId: id,
        studentId: pupil.id,
        role: index === 0 ? '1' : '2',
        beginDate: year.begin,
        sort: index + 1,
      })
    return id
  })
}

function addMessages(
  book: DemoRows,
  school: School,
  staff: readonly CampusFaculty[],
  groupIds: readonly string[],
): void {
  const head = staff[0]!.heads[0]!
  const classId = staff[0]!.campus.classes[0]!.id
  const semester = book.year.semesters.find((each) => each.current)!
  const dean = String(school.values.principalId)
  const messages = [
    {
      senderId: dean,
      messageType: '1',
      title: '致家长的一封信',
      content: '各位家长：\n新学期已经开始，请督促孩子按时作息，注意交通安全。如有特殊情况，请及时与班主任联系。',
      targetType: '5',
      targetIds: null,
      audience: ['2', '3'],
      day: 1,
      receipt: 1,
    },
    {
      senderId: head.id,
      messageType: '2',
      title: '本周作业安排',
      content: '语文：背诵第三课；数学：练习册第12至14页。请家长签字。',
      targetType: '2',
      targetIds: [classId],
      audience: ['1', '2'],
      day: 9,
      receipt: 0,
    },
    {
      senderId: dean,
      messageType: '7',
      title: '秋季研学活动报名',
      content: '学校拟组织研学活动，请在截止日期前回复是否参加。',
      targetType: '4',
      targetIds: [groupIds[1]!],
      audience: ['3'],
      day: 16,
      receipt: 1,
    },
    {
      senderId: head.id,
      messageType: '6',
      title: '表扬：班级卫生评比第一名',
      content: '本周我班获得卫生流动红旗，感谢各位同学的努力！',
      targetType: '2',
      targetIds: [classId],
      audience: ['1', '2'],
      day: 20,
      receipt: 0,
    },
  ]
  for (const { day, receipt, ...message } of messages) {
    const at = addDays(semester.begin, day)
    book.add(studentmessage, {
      schoolId: school.id,
      ...message,
      channels: ['1'],
      needReceipt: receipt ? 1 : 0,
      deadline: receipt ? `${addDays(at, 7)} 18:00:00` : null,
      sendAt: `${at} 16:30:00`,
      // Nothing sends messages, so none was sent.
      state: '0',
    })
  }
}
