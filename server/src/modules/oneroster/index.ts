import { student, type Words } from '@data-brain/contract'
import { exportRoster, whatIsCarried } from '@data-brain/contract/calls/oneroster'
import { sql } from '../../database/statement.ts'
import { recordReads } from '../../entity/read-log.ts'
import type { Context } from '../../entity/repository.ts'
import { mustReachAll, opensAll } from '../../entity/scopes-of-role.ts'
import { on } from '../../entity/serve-call.ts'
import { Problem } from '../../kernel/problem.ts'
import { type Call, RawResponse } from '../../kernel/route.ts'
import type { Module } from '../module.ts'
import { carriedEntities, carriers, personalEntities } from './carried-entities.ts'
import { exportArchive } from './export.ts'
import { profileOf, rosterProfiles } from './profile.ts'
import { addRestRules, restRoutes, restUnknown } from './rest/index.ts'
import { importRoutes } from './routes.ts'
import { addRosterWork } from './work.ts'

addRosterWork()

const contextOf = (call: Pick<Call, 'tx' | 'actor' | 'circumstance' | 'services'>): Context => ({
  tx: call.tx,
  actor: call.actor,
  circumstance: call.circumstance,
  cipher: call.services.cipher,
})

/** What has no place in the files, told before somebody relies on them. */
const notCarried: readonly Words[] = [
  { zh: '教学楼层与教室、课程表', en: 'Floors and rooms, the timetable' },
  { zh: '学生扩展信息、简历、分组与家校消息', en: 'Student details, resumes, groups and messages' },
  { zh: '照片、校徽、头像等文件', en: 'Photos, logos and other files' },
  { zh: '密码、角色与权限', en: 'Passwords, roles and permissions' },
  {
    zh: '学校以下的部门，岗位与年级、学科的定义（按代码对应）',
    en: 'Departments below the schools; posts, grades and system subjects (matched by their codes)',
  },
  { zh: '班级之间的升级关系', en: 'Which class became which in the next year' },
  { zh: '没有工号的管理员账号', en: 'Administrators without a staff number' },
]

const carried = on(whatIsCarried, async (_, { actor, circumstance: { language } }) => ({
  carried: [...carriers.values()]
    .filter(({ model }) => model.entity.name !== 'dept')
    .map(({ model, file }) => ({
      entity: model.entity.name,
      label: model.entity.label[language],
      file: `${file}.csv`,
    })),
  profiles: rosterProfiles.map(({ key, label }) => ({ key, label: label[language] })),
  notCarried: notCarried.map((words) => words[language]),
  // Whose personal values leave masked, because the caller may not see them.
  masked: personalEntities.filter((entity) => !opensAll(actor, entity)).map((entity) => entity.label[language]),
}))

let exporting = 0
/** Exports at once: each holds a tenant's people in memory. */
const exportsMost = 2

const download = on(
  exportRoster,
  async ({ profile: asked }, call) => {
    mustReachAll(call.actor, carriedEntities(), ['oneroster_export'])
    const profile = profileOf(asked)
    if (exporting >= exportsMost) throw new Problem('too_many')
    exporting += 1
    try {
      const { bytes, counts } = await exportArchive(contextOf(call), profile)
      // Each child is in it.
      const pupils = await call.tx.run<{ id: string }>(
        sql`select id from student where tenant_id = ${call.actor.tenantId}`,
      )
      await recordReads(
        call,
        student,
        'export',
        pupils.map(({ id }) => ({ id, childId: id })),
      )
      call.services.log.info('oneroster export', {
        tenantId: call.actor.tenantId,
        userId: call.actor.userId,
        requestId: call.circumstance.requestId,
        profile: profile.key,
        counts,
      })
      return new RawResponse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), 200, {
        'Content-Type': 'application/zip',
        'Content-Disposition': `attachment; filename="oneroster-${call.actor.tenantId}.zip"`,
      })
    } finally {
      exporting -= 1
    }
  },
  { records: true },
)

/** Exchange with other systems by OneRoster 1.2: as one archive of CSV, in as a job; by REST for programs that read. */
export const oneroster: Module = {
  routes: [carried, download, ...importRoutes, ...restRoutes],
  addRules: addRestRules,
  unknown: restUnknown,
}
