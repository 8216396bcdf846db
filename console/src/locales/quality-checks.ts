import type { Bundle } from '../ui/words.ts'

/** What each check is called, why it matters, and how its findings are put right. */
export const qualityCheckWords = {
  'quality.check.pupilGuardian': { zh: '学生没有家长', en: 'Student without a parent' },
  'quality.how.pupilGuardian': {
    zh: '有急事时无人可联系。在学生档案中添加家长。',
    en: 'Nobody can be called in an emergency. Add a parent to the student’s record.',
  },
  'quality.check.pupilGuardianship': { zh: '没有监护人', en: 'No guardian' },
  'quality.how.pupilGuardianship': {
    zh: '登记了家长，但没有一位标为监护人。修改家长信息，至少标一位。',
    en: 'Parents are on file, but none is marked as guardian. Mark at least one.',
  },
  'quality.check.pupilEmergency': { zh: '没有紧急联系人', en: 'No emergency contact' },
  'quality.how.pupilEmergency': {
    zh: '登记了家长，但没有一位标为紧急联系人。修改家长信息，至少标一位。',
    en: 'Parents are on file, but none is marked as emergency contact. Mark at least one.',
  },
  'quality.check.pupilIdNo': { zh: '缺少身份证件号', en: 'ID number missing' },
  'quality.how.pupilIdNo': {
    zh: '上报学籍需要证件号。核对证件后补填；确无证件的，证件类型选“其他”。',
    en: 'Enrolment is reported with it. Enter it from the document; where there is none, choose Other as the type.',
  },
  'quality.check.pupilNational': { zh: '缺少全国学籍号', en: 'National student code missing' },
  'quality.how.pupilNational': {
    zh: '从全国学籍系统查得后补填。',
    en: 'Look it up in the national system and enter it.',
  },
  'quality.check.pupilPhoto': { zh: '缺少照片', en: 'Photo missing' },
  'quality.how.pupilPhoto': {
    zh: '学籍卡和学生证需要照片。在学生档案中上传。',
    en: 'Record cards need it. Upload one to the student’s record.',
  },
  'quality.check.pupilClass': { zh: '学生没有班级', en: 'Student without a class' },
  'quality.how.pupilClass': {
    zh: '不在任何班级的学生没有课表，也不计入班级人数。为其选择班级。',
    en: 'Without a class there is no timetable, and no class counts the student. Choose one.',
  },
  'quality.check.pupilSeat': { zh: '缺少班内学号', en: 'No. in class missing' },
  'quality.how.pupilSeat': {
    zh: '名单和考号按班内学号排列。补填或按班级统一编号。',
    en: 'Lists are sorted by it. Enter it, or number the whole class.',
  },
  'quality.check.pupilDetail': { zh: '没有学生扩展信息', en: 'Details missing' },
  'quality.how.pupilDetail': {
    zh: '户籍、住址等上报信息尚未填写。添加学生扩展信息。',
    en: 'Registered residence and address have not been entered. Add the details.',
  },
  'quality.check.pupilAge': { zh: '年龄与年级不符', en: 'Age does not fit the grade' },
  'quality.how.pupilAge': {
    zh: '按9月1日的周岁，超出该年级的年龄范围。核对出生日期和年级；确属特殊情况的可忽略。',
    en: 'On 1 September the age is outside that of the grade. Check date of birth and grade, or ignore a true exception.',
  },
  'quality.check.pupilEnrol': { zh: '入学日期有误', en: 'Enrolment day is wrong' },
  'quality.how.pupilEnrol': {
    zh: '入学日期晚于今天，或早于两周岁。核对入学年月和出生日期。',
    en: 'It is in the future, or before the second birthday. Check it and the date of birth.',
  },
  'quality.check.pupilGrade': { zh: '年级与班级不一致', en: 'Grade differs from the class' },
  'quality.how.pupilGrade': {
    zh: '学生的年级不是所在班级的年级。重新选择班级。',
    en: 'The student’s grade is not that of the class. Choose the class again.',
  },
  'quality.check.pupilClassClosed': { zh: '所在班级已停用', en: 'Class is closed' },
  'quality.how.pupilClassClosed': {
    zh: '在读学生的班级不是“正常”状态。调入其他班级，或修改班级状态。',
    en: 'An enrolled student stands in a class that is not in use. Move the student, or change the class.',
  },
  'quality.check.pupilHistory': { zh: '在班历史缺少当前班级', en: 'Class history lacks the class' },
  'quality.how.pupilHistory': {
    zh: '在班历史中没有正在就读的这个班级。在学生的在班历史中补上。',
    en: 'The history has no open entry for the class of today. Add it to the student’s class history.',
  },
  'quality.check.pupilHistoryHole': { zh: '在班历史有间断', en: 'Hole in the class history' },
  'quality.how.pupilHistoryHole': {
    zh: '两段在班历史之间有空缺的日子。核对起止日期。',
    en: 'Days are missing between two entries. Check their first and last days.',
  },
  'quality.check.pupilLeft': { zh: '离校学生的在班历史未结束', en: 'Left, and still in a class' },
  'quality.how.pupilLeft': {
    zh: '不在读的学生还有未结束的在班历史。填写结束日期。',
    en: 'Somebody who is not enrolled has an open entry in the class history. Enter its last day.',
  },
  'quality.check.pupilTwin': { zh: '可能重复的学生', en: 'Same name and birth' },
  'quality.how.pupilTwin': {
    zh: '姓名和出生日期都相同。并排核对：同一人的合并，确为两人的忽略。',
    en: 'Compare them: merge them if it is the same child, ignore it if there are two.',
  },
  'quality.check.pupilSex': { zh: '性别未说明', en: 'Sex not stated' },
  'quality.how.pupilSex': {
    zh: '性别不是男或女。核对证件后修改。',
    en: 'It is neither male nor female. Check the document.',
  },
  'quality.check.pupilIdExpired': { zh: '证件已过期', en: 'ID has expired' },
  'quality.how.pupilIdExpired': {
    zh: '证件有效期早于今天。请家长提供新证件后修改。',
    en: 'Its last day has passed. Ask for the new document.',
  },
  'quality.check.pupilYear': { zh: '仍在往年的班级', en: 'Still in a class of a past year' },
  'quality.how.pupilYear': {
    zh: '学校当前学年已更换，学生仍在往年的班级。办理升级或调班。',
    en: 'The school has moved on to another year. Roll the class over, or move the student.',
  },
  'quality.check.parentName': { zh: '家长与学生同名', en: 'Parent named as the student' },
  'quality.how.parentName': {
    zh: '家长姓名与学生姓名相同，多半是填错。核对后修改。',
    en: 'Mostly a slip of the hand. Check and correct it.',
  },
  'quality.check.parentPickup': { zh: '限制探视却可接送', en: 'Restricted, and may pick up' },
  'quality.how.parentPickup': {
    zh: '同一位家长既有探视限制又可接送。向监护人核实后修改。',
    en: 'The same parent has restricted custody and may pick up. Ask the guardian.',
  },
  'quality.check.parentTwin': { zh: '家长登记重复', en: 'Parent entered twice' },
  'quality.how.parentTwin': {
    zh: '同一学生有两位同名家长。合并为一条。',
    en: 'Two parents of one student have the same name. Merge them.',
  },
  'quality.check.parentPhone': { zh: '手机号登记在多个家庭', en: 'One number in many families' },
  'quality.how.parentPhone': {
    zh: '同一手机号登记为多名学生的家长，可能是老师代填。向家长核实。',
    en: 'One mobile number stands for parents of many students. Ask the parents.',
  },
  'quality.check.detailRegion': { zh: '户籍地区划已撤销', en: 'Region abolished' },
  'quality.how.detailRegion': {
    zh: '户口所在地的行政区划已撤销。改为现行区划。',
    en: 'The region of the registered residence has been abolished. Choose the one in force.',
  },
  'quality.check.staffPhone': { zh: '用户缺少手机', en: 'Mobile missing' },
  'quality.how.staffPhone': {
    zh: '没有手机号就收不到短信和验证码。补填手机。',
    en: 'Without it no text message arrives. Enter it.',
  },
  'quality.check.staffNo': { zh: '用户缺少工号', en: 'Staff no. missing' },
  'quality.how.staffNo': {
    zh: '补填工号。',
    en: 'Enter it.',
  },
  'quality.check.staffDept': { zh: '用户没有部门', en: 'No department' },
  'quality.how.staffDept': {
    zh: '没有部门的用户不在任何数据范围内。选择部门。',
    en: 'Scopes are told by departments. Choose one.',
  },
  'quality.check.staffHired': { zh: '入职时未满16周岁', en: 'Hired before the age of 16' },
  'quality.how.staffHired': {
    zh: '核对出生日期和入职日期。',
    en: 'Check the date of birth and the day of hiring.',
  },
  'quality.check.staffLoad': { zh: '课时超过上限', en: 'Load above the limit' },
  'quality.how.staffLoad': {
    zh: '本学期任课课时之和超过本人的周课时上限。调整任课或上限。',
    en: 'The hours of this semester’s classes exceed the person’s limit. Change either.',
  },
  'quality.check.staffTwin': { zh: '可能重复的用户', en: 'Same name and mobile' },
  'quality.how.staffTwin': {
    zh: '姓名和手机都相同。同一人的停用一个账号。',
    en: 'If it is one person, disable one account.',
  },
  'quality.check.staffLeft': { zh: '已离职仍可登录', en: 'Has left, and may log in' },
  'quality.how.staffLeft': {
    zh: '离职日期已过，账号仍启用。停用账号。',
    en: 'The last day has passed. Disable the account.',
  },
  'quality.check.classTeacher': { zh: '班级没有班主任', en: 'Class without a class teacher' },
  'quality.how.classTeacher': {
    zh: '请假和通知找不到审批人。选择班主任。',
    en: 'Leave and notices find nobody. Choose one.',
  },
  'quality.check.classRoom': { zh: '班级没有固定教室', en: 'Class without a home room' },
  'quality.how.classRoom': {
    zh: '排课时没有默认教室。选择固定教室。',
    en: 'Timetables need a usual room. Choose one.',
  },
  'quality.check.classCap': { zh: '人数超过班额', en: 'More students than the limit' },
  'quality.how.classCap': {
    zh: '在读人数多于班额。调班，或修改班额。',
    en: 'More are enrolled than the limit. Move students, or change the limit.',
  },
  'quality.check.classSeats': { zh: '人数超过教室座位', en: 'More students than seats' },
  'quality.how.classSeats': {
    zh: '在读人数多于固定教室的座位数。换教室，或核对座位数。',
    en: 'More are enrolled than the home room seats. Choose another room, or check its seats.',
  },
  'quality.check.classTeacherLeft': { zh: '班主任已停用或离职', en: 'Class teacher has left' },
  'quality.how.classTeacherLeft': {
    zh: '班主任的账号已停用或离职日期已过。更换班主任。',
    en: 'The account is disabled or the last day has passed. Choose another class teacher.',
  },
  'quality.check.classTeacherTwice': { zh: '一人任两个班的班主任', en: 'Class teacher of two classes' },
  'quality.how.classTeacherTwice': {
    zh: '同一学年同一人是多个班的班主任。核实；确实如此的可忽略。',
    en: 'One person heads several classes of a year. Check it, or ignore it if that is so.',
  },
  'quality.check.classEmpty': { zh: '班级没有学生', en: 'Class without students' },
  'quality.how.classEmpty': {
    zh: '正常状态的班级没有在读学生。编入学生，或停用班级。',
    en: 'A class in use has nobody enrolled. Add students, or close it.',
  },
  'quality.check.classYear': { zh: '往年班级未结束', en: 'Class of a past year in use' },
  'quality.how.classYear': {
    zh: '学年已结束，班级仍是“正常”状态。办理升级，或停用班级。',
    en: 'The year is over and the class is in use. Roll it over, or close it.',
  },
  'quality.check.roomHome': { zh: '教室与班级互不对应', en: 'Room and class disagree' },
  'quality.how.roomHome': {
    zh: '教室的固定班级没有把这间教室作为固定教室。修改其中一处。',
    en: 'The home class of the room has another home room or none. Change one of them.',
  },
  'quality.check.schoolPrincipal': { zh: '学校没有校长', en: 'School without a principal' },
  'quality.how.schoolPrincipal': {
    zh: '审批和每周提醒找不到校长。选择校长。',
    en: 'Approvals and the weekly digest find nobody. Choose one.',
  },
  'quality.check.schoolYear': { zh: '没有当前学年', en: 'No current year' },
  'quality.how.schoolYear': {
    zh: '没有设为当前的学年。添加学年，或把一个学年设为当前。',
    en: 'No school year is the current one. Add one, or make one current.',
  },
  'quality.check.schoolRegion': { zh: '学校区划已撤销', en: 'Region abolished' },
  'quality.how.schoolRegion': {
    zh: '学校所在的行政区划已撤销。改为现行区划。',
    en: 'The region has been abolished. Choose the one in force.',
  },
  'quality.check.yearOver': { zh: '当前学年已结束', en: 'Current year is over' },
  'quality.how.yearOver': {
    zh: '当前学年的结束日期已过。把新学年设为当前。',
    en: 'Its last day has passed. Make the next one current.',
  },
  'quality.check.semesterOutside': { zh: '学期超出学年', en: 'Semester outside its year' },
  'quality.how.semesterOutside': {
    zh: '学期的起止日期不在学年之内。修改日期。',
    en: 'Its days are not within those of the year. Change them.',
  },
  'quality.check.semesterOverlap': { zh: '学期日期重叠', en: 'Semesters overlap' },
  'quality.how.semesterOverlap': {
    zh: '同一学校的两个学期有相同的日子。修改日期。',
    en: 'Two semesters of a school share days. Change them.',
  },
  'quality.check.semesterOver': { zh: '当前学期已结束', en: 'Current semester is over' },
  'quality.how.semesterOver': {
    zh: '当前学期的结束日期已过。把新学期设为当前。',
    en: 'Its last day has passed. Make the next one current.',
  },
  'quality.check.semesterPlan': { zh: '当前学期没有已发布的课表', en: 'No published timetable' },
  'quality.how.semesterPlan': {
    zh: '师生看不到课表。发布一个课表方案。',
    en: 'Nobody sees lessons. Publish a timetable plan.',
  },
  'quality.check.assignmentLeft': { zh: '任课教师已停用或离职', en: 'Teacher has left' },
  'quality.how.assignmentLeft': {
    zh: '任课未结束，教师的账号已停用或离职日期已过。更换任课教师。',
    en: 'The assignment goes on, but the account is disabled or the last day has passed. Choose another teacher.',
  },
  'quality.check.lessonLeft': { zh: '课表中的教师已停用或离职', en: 'Lesson of somebody who left' },
  'quality.how.lessonLeft': {
    zh: '已发布课表中还有其课程。换人，或安排代课。',
    en: 'The published timetable still has these lessons. Change the teacher, or arrange cover.',
  },
  'quality.check.lessonSeats': { zh: '上课教室座位不足', en: 'Room too small for the lesson' },
  'quality.how.lessonSeats': {
    zh: '班级人数多于上课教室的座位数。换教室。',
    en: 'The class is larger than the room. Choose another.',
  },
} as const satisfies Bundle
