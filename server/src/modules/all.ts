import { auth } from './auth/index.ts'
import { deskModule } from './desk/index.ts'
import { developing } from './develop/index.ts'
import { exporting } from './export/index.ts'
import { flows } from './flow/index.ts'
import { fixedForms } from './form/index.ts'
import { histories } from './history/index.ts'
import { importing } from './import/index.ts'
import { insights } from './insight/index.ts'
import { jobsModule } from './jobs/index.ts'
import { leaveModule } from './leave/index.ts'
import { logging } from './log/index.ts'
import { mailModule } from './mail/index.ts'
import { messages } from './message/index.ts'
import type { Module } from './module.ts'
import { oneroster } from './oneroster/index.ts'
import { reports } from './report/index.ts'
import { resource } from './resource/index.ts'
import { school } from './school/index.ts'
import { smsModule } from './sms/index.ts'
import { socialModule } from './social/index.ts'
import { student } from './student/index.ts'
import { subscriptions } from './subscription/index.ts'
import { substitutions } from './substitution/index.ts'
import { system } from './system/index.ts'
import { tenants } from './tenant/index.ts'
import { timetable } from './timetable/index.ts'
import { viewsModule } from './view/index.ts'

/** The modules, in the order in which their routes stand in the description. */
export const modules: readonly Module[] = [
  auth,
  system,
  tenants,
  developing,
  socialModule,
  school,
  timetable,
  substitutions,
  leaveModule,
  student,
  resource,
  smsModule,
  mailModule,
  messages,
  deskModule,
  flows,
  viewsModule,
  insights,
  reports,
  fixedForms,
  importing,
  oneroster,
  exporting,
  subscriptions,
  histories,
  logging,
  jobsModule,
]
