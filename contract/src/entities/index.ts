import type { Entity } from '../entity.ts'
import { extensions } from '../extensions.generated.ts'
import { notice } from './desk/notice.ts'
import { flowinstance } from './flow/flowinstance.ts'
import { flowmodel } from './flow/flowmodel.ts'
import { flowprocess } from './flow/flowprocess.ts'
import { leave } from './flow/leave.ts'
import { leaveapprovalrule } from './flow/leaveapprovalrule.ts'
import { fixedform } from './report/fixedform.ts'
import { report } from './report/report.ts'
import { reportsubscription } from './report/reportsubscription.ts'
import { mail } from './resource/mail.ts'
import { maillog } from './resource/maillog.ts'
import { oss } from './resource/oss.ts'
import { sms } from './resource/sms.ts'
import { smslog } from './resource/smslog.ts'
import { classschedule } from './school/classschedule.ts'
import { school } from './school/school.ts'
import { schoolcalendarday } from './school/schoolcalendarday.ts'
import { schoolcampus } from './school/schoolcampus.ts'
import { schoolclass } from './school/schoolclass.ts'
import { schoolclassroom } from './school/schoolclassroom.ts'
import { schoolfloor } from './school/schoolfloor.ts'
import { schoolgrade } from './school/schoolgrade.ts'
import { schoolperiod } from './school/schoolperiod.ts'
import { schoolsemester } from './school/schoolsemester.ts'
import { schoolsubject } from './school/schoolsubject.ts'
import { schoolteachclass } from './school/schoolteachclass.ts'
import { schoolyear } from './school/schoolyear.ts'
import { substitution } from './school/substitution.ts'
import { sysgrade } from './school/sysgrade.ts'
import { syssubject } from './school/syssubject.ts'
import { teacherabsence } from './school/teacherabsence.ts'
import { teacherclass } from './school/teacherclass.ts'
import { timetableplan } from './school/timetableplan.ts'
import { timetablerule } from './school/timetablerule.ts'
import { student } from './student/student.ts'
import { studentclass } from './student/studentclass.ts'
import { studentdetail } from './student/studentdetail.ts'
import { studentgroup } from './student/studentgroup.ts'
import { studentgrouprelevance } from './student/studentgrouprelevance.ts'
import { studentmessage } from './student/studentmessage.ts'
import { studentparents } from './student/studentparents.ts'
import { studentresume } from './student/studentresume.ts'
import { apiscope } from './system/apiscope.ts'
import { attach } from './system/attach.ts'
import { client } from './system/client.ts'
import { code } from './system/code.ts'
import { customfield } from './system/customfield.ts'
import { datascope } from './system/datascope.ts'
import { datasource } from './system/datasource.ts'
import { dept } from './system/dept.ts'
import { dict } from './system/dict.ts'
import { dictbiz } from './system/dictbiz.ts'
import { guest } from './system/guest.ts'
import { job } from './system/job.ts'
import { menu } from './system/menu.ts'
import { param } from './system/param.ts'
import { post } from './system/post.ts'
import { role } from './system/role.ts'
import { rosterclient } from './system/rosterclient.ts'
import { socialprovider } from './system/socialprovider.ts'
import { tenant } from './system/tenant.ts'
import { topmenu } from './system/topmenu.ts'
import { user } from './system/user.ts'

export {
  apiscope,
  attach,
  classschedule,
  client,
  code,
  customfield,
  datascope,
  datasource,
  dept,
  dict,
  dictbiz,
  fixedform,
  flowinstance,
  flowmodel,
  flowprocess,
  guest,
  job,
  leave,
  leaveapprovalrule,
  mail,
  maillog,
  menu,
  notice,
  oss,
  param,
  post,
  report,
  reportsubscription,
  role,
  rosterclient,
  school,
  schoolcalendarday,
  schoolcampus,
  schoolclass,
  schoolclassroom,
  schoolfloor,
  schoolgrade,
  schoolperiod,
  schoolsemester,
  schoolsubject,
  schoolteachclass,
  schoolyear,
  sms,
  smslog,
  socialprovider,
  student,
  studentclass,
  studentdetail,
  studentgroup,
  studentgrouprelevance,
  studentmessage,
  studentparents,
  studentresume,
  substitution,
  sysgrade,
  syssubject,
  teacherabsence,
  teacherclass,
  tenant,
  timetableplan,
  timetablerule,
  topmenu,
  user,
}

/**
 * Every entity, each after those it cannot be made without; those of extensions come last. References that may be empty
 * also point forward: a department's school and head, a teacher's home campus, a room's home class.
 */
export const entities: readonly Entity[] = [
  menu,
  dict,
  client,
  datasource,
  tenant,
  attach,
  dictbiz,
  param,
  topmenu,
  datascope,
  apiscope,
  role,
  post,
  dept,
  sysgrade,
  syssubject,
  user,
  school,
  schoolcampus,
  schoolfloor,
  schoolclassroom,
  schoolyear,
  schoolsemester,
  schoolgrade,
  schoolperiod,
  schoolcalendarday,
  schoolsubject,
  schoolclass,
  student,
  schoolteachclass,
  teacherclass,
  timetableplan,
  timetablerule,
  classschedule,
  teacherabsence,
  substitution,
  studentdetail,
  studentresume,
  studentparents,
  studentclass,
  studentgroup,
  studentgrouprelevance,
  studentmessage,
  oss,
  sms,
  smslog,
  mail,
  maillog,
  notice,
  socialprovider,
  guest,
  rosterclient,
  customfield,
  job,
  flowmodel,
  flowprocess,
  flowinstance,
  leave,
  leaveapprovalrule,
  report,
  fixedform,
  reportsubscription,
  code,
  ...extensions.flatMap((extension) => extension.entities ?? []),
]

/** The entity whose rows are files. */
export const files: Entity = attach

const byName = new Map(entities.map((entity) => [entity.name, entity]))

/** The entity of that name. Throws when there is none. */
export function entityOf(name: string): Entity {
  const entity = byName.get(name)
  if (!entity) throw new Error(`There is no entity named ${name}`)
  return entity
}
