import { auth } from './auth/index.ts'
import { desk } from './desk/index.ts'
import { exporting } from './export/index.ts'
import { histories } from './history/index.ts'
import { importing } from './import/index.ts'
import { jobbing } from './jobs/index.ts'
import { logging } from './log/index.ts'
import type { Module } from './module.ts'
import { oneroster } from './oneroster/index.ts'
import { resource } from './resource/index.ts'
import { school } from './school/index.ts'
import { smsModule } from './sms/index.ts'
import { social } from './social/index.ts'
import { student } from './student/index.ts'
import { system } from './system/index.ts'
import { tenants } from './tenant/index.ts'
import { views } from './view/index.ts'

/** The modules, in the order in which their routes stand in the description. */
export const modules: readonly Module[] = [
  auth,
  system,
  tenants,
  social,
  school,
  student,
  resource,
  smsModule,
  desk,
  views,
  importing,
  oneroster,
  exporting,
  histories,
  logging,
  jobbing,
]
