import type { EntityForm } from './entity-form.ts'
import { formColumns } from './form.ts'

/** How many columns may hold a value for each heading. */
const taughtMost = 30
const headed = (part: string, zh: string, en: string): string =>
  Array.from({ length: taughtMost }, (_each, at) => `${part}.${at + 1}|${zh}${at + 1}|${en} ${at + 1}||`).join('\n')
const taught = headed('taught', '任课教师（学科或班级看列名）', 'Teacher, by the heading')
const lessons = headed('lessons', '周课时（学科看列名）', 'Hours a week, by the heading')
const heads = headed('headed', '班主任（班号看列名）', 'Class teacher, by the heading')

/**
 * Entities of the product whose rows come out of a spreadsheet, by their names. What their rows say beyond what the
 * definition says of a cell is in the server (modules/import/entity/derive.ts); one that says no more is `importOf` alone.
 */
export const entityForms = {
  schoolclass: {
    rows: 1_000,
    headings: 2,
    such: { zh: '班级、班主任', en: 'Class, Class teacher' },
    columns: formColumns(`
schoolclass.className|班级名称|Class name|★|班级,班名,行政班,班别,班次,班级全称,班,所在班级,class,class name,homeroom
schoolclass.gradeId|年级|Grade||所在年级,年级名称,grade name,year group
schoolclass.classNo|班号|Class no.||班级号,班序,班级序号,班级编号,班次,class no,class number
schoolclass.headTeacherId|班主任|Class teacher||班主任姓名,班主任老师,正班主任,班主任教师,head teacher,homeroom teacher,class teacher
schoolclass.deputyTeacherIds|副班主任|Deputy class teachers||副班主任姓名,副班,配班教师,配班老师,辅导员
schoolclass.classroomId|固定教室|Home room||教室,所在教室,教室名称,上课教室,班级教室,教室号,教室编号,room,home room,classroom
schoolclass.campusId|校区|Campus||所在校区,所属校区,campus
schoolclass.cohortYear|入学年份|Cohort||届,级,入学年,届别,年级届,级别,入学年级
schoolclass.classType|班级类型|Class type||类型,班级性质,班级类别
schoolclass.maxSize|班额|Size limit||额定人数,计划人数,班额上限,核定班额,容量
schoolclass.motto|班训|Motto||班级口号,口号
schoolclass.remark|备注|Remarks||说明,remark,note
ignored.fault|未导入原因|Why it was left out||
ignored.serial|序号|Row number||编号,序,no,#
ignored.count|现有人数|Pupils now||人数,学生数,学生人数,在籍人数,班级人数,总人数,男生,女生,男,女,男生人数,女生人数,住校生,实有人数
${heads}
ignored.phone|班主任电话|Class teacher’s phone||联系电话,电话,手机,联系方式,班主任手机,班主任联系电话,班主任联系方式
`),
    identity: [['yearId', 'gradeId', 'classNo']],
    usual: {},
    template: [
      'className',
      'gradeId',
      'headTeacherId',
      'deputyTeacherIds',
      'classroomId',
      'campusId',
      'maxSize',
      'remark',
    ],
    example: { className: '三年级（1）班', gradeId: '三年级', headTeacherId: '王老师', maxSize: '45' },
  },
  schoolclassroom: {
    rows: 2_000,
    headings: 2,
    such: { zh: '教室名称、座位数', en: 'Room, Seats' },
    makes: ['schoolfloor'],
    columns: formColumns(`
schoolclassroom.roomName|教室名称|Room name|★|名称,教室,房间名称,场室名称,功能室名称,功能室,场室,房间,场所名称,room,room name,name
schoolclassroom.roomCode|教室编号|Room code||编号,房间号,门牌号,教室号,场室编号,房号,门牌,房间编号,代码,room no,room number,code
schoolclassroom.roomType|教室类型|Room type||类型,用途,功能,场室类型,教室用途,房间用途,场室用途,场地用途,使用用途,主要用途,房间类型,使用性质,类别,type
schoolclassroom.capacity|座位数|Seats|★|容量,可容纳人数,座位,容纳人数,教室容量,最大容量,座位数量,人数,capacity,seats
schoolclassroom.campusId|校区|Campus||所在校区,所属校区,campus
ref.building|楼栋|Building||教学楼,所在楼,所在楼栋,楼名,楼宇,楼宇名称,楼房名称,大楼名称,教学楼名称,建筑名称,建筑物名称,建筑物,所属楼栋,楼号,楼房,建筑,楼,大楼,所在建筑,所属建筑,楼栋名称,building
ref.floor|楼层|Floor||层,所在楼层,层数,楼层号,层次,floor
schoolclassroom.floorId|位置|Place||所在位置,地点,具体位置,地址,location
schoolclassroom.homeClassId|固定班级|Home class||使用班级,班级,所属班级,所在班级,班级名称,class
schoolclassroom.examCapacity|考试座位数|Exam seats||考试容量,考位数,考场座位数,考场人数
schoolclassroom.concurrency|可同时上课班数|Simultaneous lessons||同时上课班数
schoolclassroom.equipment|设备|Equipment||配备设备,主要设备,设施,设备配置
schoolclassroom.bookable|可预约|Bookable||是否可预约,预约
schoolclassroom.remark|备注|Remarks||说明,remark,note
ignored.fault|未导入原因|Why it was left out||
ignored.serial|序号|Row number||序,no,#
ignored.area|面积|Area||使用面积,建筑面积,面积平方米
ignored.keeper|管理员|Keeper||负责人,管理人,责任人,保管人,管理老师
`),
    identity: [
      ['campusId', 'roomCode'],
      ['campusId', 'roomName'],
    ],
    usual: { 'schoolclassroom.capacity': '45' },
    template: [
      'roomName',
      'roomCode',
      'roomType',
      'capacity',
      'campusId',
      'building',
      'floor',
      'homeClassId',
      'equipment',
      'remark',
    ],
    example: {
      roomName: '三年级（1）班教室',
      roomCode: 'A301',
      roomType: '普通教室',
      capacity: '45',
      building: '教学楼A',
      floor: '3',
    },
  },
  teacherclass: {
    called: { zh: '任课关系', en: 'Teaching assignments' },
    rows: 5_000,
    headings: 2,
    such: { zh: '教师、学科、班级', en: 'Teacher, Subject, Class' },
    columns: formColumns(`
teacherclass.userId|教师|Teacher|★|任课教师,教师姓名,姓名,老师,授课教师,任教老师,任课老师,授课老师,教师名称,任课教师姓名,教员,teacher,teacher name,name
ref.staffNo|工号|Staff no.||教工号,职工号,教师编号,教师工号,职工编号,staff no,staff number
teacherclass.subjectId|学科|Subject|★|科目,任教学科,课程,课程名称,任教科目,学科名称,任教课程,所教学科,所教科目,授课科目,任课科目,任课学科,科目名称,subject,course
teacherclass.classId|班级|Class|★|任教班级,授课班级,任课班级,所教班级,班别,班次,行政班,班级名称,所带班级,任教班,教学班级,担任班级,class,classes,class name
ref.teaching|任课情况|Subjects and classes||任教情况,授课情况,任课,任教,任课安排,任教学科及班级,任教班级及学科,任教班级学科,任教学科班级,任课班级及学科,任课学科及班级,任课班级学科,所教班级及学科,担任课程及班级
ref.grade|年级|Grade||任教年级,所教年级,所在年级,授课年级,grade,year group
ref.head|班主任|Class teacher||班主任姓名,正班主任,班主任老师,班主任教师,head teacher,homeroom teacher,class teacher
teacherclass.weekHours|周课时|Hours a week||课时,每周课时,周课时数,节数,周节数,课时数,每周节数,周课节,hours,periods,hours a week
teacherclass.role|角色|Role||任课角色,主讲助教,role
teacherclass.beginDate|开始日期|Begin date||起始日期,开始时间,任课开始
teacherclass.endDate|结束日期|End date||截止日期,结束时间,任课结束
ignored.fault|未导入原因|Why it was left out||
ignored.serial|序号|Row number||编号,序,no,#
ignored.total|合计|Total||总课时,课时合计,合计课时,总节数,周课时合计,总课时数
ignored.deputy|副班主任|Deputy class teacher||副班主任姓名
ignored.phone|联系电话|Phone||电话,手机,手机号,联系方式
ignored.remark|备注|Remarks||说明,职称,职务,性别,remark,note
${taught}
${lessons}
`),
    identity: [
      ['semesterId', 'classId', 'subjectId', 'userId'],
      ['semesterId', 'teachClassId', 'subjectId', 'userId'],
    ],
    alone: [
      { fields: ['semesterId', 'classId', 'subjectId'], where: { role: '1' } },
      { fields: ['semesterId', 'teachClassId', 'subjectId'], where: { role: '1' } },
    ],
    usual: {},
    template: ['userId', 'staffNo', 'subjectId', 'classId', 'weekHours'],
    example: {
      userId: '王老师',
      staffNo: 'T2026001',
      subjectId: '语文',
      classId: '三（1）班、三（2）班',
      weekHours: '6',
    },
  },
  classschedule: {
    called: { zh: '课程表', en: 'Timetables' },
    // Two hundred classes of forty lessons.
    rows: 8_000,
    headings: 3,
    such: { zh: '班级、星期、节次', en: 'Class, Weekday, Period' },
    makes: ['timetableplan'],
    columns: formColumns(`
classschedule.classId|班级|Class|★|行政班,教学班,上课班级,授课班级,班级名称,班别,class,class name
classschedule.subjectId|学科|Subject|★|科目,学科名称,科目名称,subject
ref.lesson|课程|Lesson||课,课程名称,上课内容,课程安排,course,lesson
classschedule.teacherId|教师|Teacher||任课教师,授课教师,老师,任课老师,授课老师,教师姓名,teacher,teacher name
classschedule.weekday|星期|Weekday|★|周几,星期几,上课星期,weekday,day
classschedule.periodNo|节次|Period|★|节,第几节,上课节次,课节,period,period no
classschedule.span|连堂|Periods in a row||连堂数,连上节数,连续节数,节数,span
classschedule.weekType|周次|Weeks||单双周,上课周次,上课周,周次类型,weeks
classschedule.classroomId|教室|Room||上课教室,场地,上课地点,教室名称,地点,room,classroom
classschedule.remark|备注|Remarks||说明,remark,note
ref.grade|年级|Grade||所在年级,年级名称,grade,year group
ignored.place|出处|Where it stands||
ignored.fault|未导入原因|Why it was left out||
ignored.serial|序号|Row number||编号,序,no,#
ignored.semester|学期|Semester||学年学期,semester,term
`),
    // All of a file go into a new plan: no row is known for one that stands.
    identity: [],
    usual: {},
    template: ['classId', 'subjectId', 'teacherId', 'weekday', 'periodNo', 'span', 'weekType', 'classroomId'],
    example: {
      classId: '三（1）班',
      subjectId: '语文',
      teacherId: '王老师',
      weekday: '星期一',
      periodNo: '1',
      span: '1',
      weekType: '每周',
    },
  },
} as const satisfies Readonly<Record<string, Omit<EntityForm, 'kind'>>>

const subjects =
  '语文|数学|英语|外语|日语|俄语|法语|德语|物理|化学|生物|生物学|历史|地理|政治|思想政治|思政|道德与法治|道德法治|道法|品德|品德与生活|品德与社会|品社|品生|思品|思想品德|科学|自然|信息技术|信息科技|信息|计算机|电脑|微机|通用技术|技术|音乐|美术|艺术|体育|体育与健康|体健|体活|体锻|劳动|劳动教育|劳技|综合实践活动|综合实践|综实|综合|心理|心理健康|心理健康教育|健康|健康教育|书法|写字|阅读|口语|作文|校本|校本课程|校本课|地方课程|地方|班会|班队|队会|社团|安全|安全教育|舞蹈|国学|编程|人工智能|研究性学习|研学|历史与社会|人文与社会|国防|生涯|自习'
const subjectHeading = new RegExp(
  `^(${subjects}|chinese|math|maths|english|physics|chemistry|biology|history|geography|politics|science|music|art|arts|pe|it)(科|课|学科)?(任课|授课|任教)?(教师|老师|teacher)?$`,
)

/** Whether a folded heading names a subject: 语文, 数学教师. */
export const namesSubject = (folded: string): boolean => subjectHeading.test(folded)

/** The subject that a heading names, without the word for its teacher. */
export const subjectInHeading = (heading: string): string =>
  heading
    .normalize('NFKC')
    .replace(/\s/g, '')
    .replace(/(任课|授课|任教)?(教师|老师|teacher)$/i, '')
    .replace(/(?<=.{2})课$/, '')
