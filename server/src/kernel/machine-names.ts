import type { Words } from '@data-brain/contract'
import type { Language } from './problem.ts'

/** What the product does by itself, by the name that history keeps of it. */
const machines: Readonly<Record<string, Words>> = {
  demo: { zh: '演示数据', en: 'Demo data' },
  schedule: { zh: '定时任务', en: 'Schedule' },
  registration: { zh: '自助注册', en: 'Registration' },
  'import-tenant': { zh: '租户导入', en: 'Tenant import' },
  oneroster: { zh: '名册接口', en: 'Roster interface' },
  租户清理: { zh: '租户清理', en: 'Tenant removal' },
  附件清理: { zh: '附件清理', en: 'Attachment clean-up' },
  'report-delivery': { zh: '报表订阅', en: 'Report delivery' },
  mail: { zh: '邮件发送', en: 'Mail' },
  flow: { zh: '流程', en: 'Workflow' },
  substitutions: { zh: '代课结转', en: 'Substitutions' },
  运维命令: { zh: '运维命令', en: 'Command line' },
}

/** Who did something, as history kept it: a person by name, the product by what it was doing, in the reader's language. */
export const whoDid = (userId: string | null, userName: string | null, language: Language): string | null =>
  userId === null && userName !== null ? (machines[userName]?.[language] ?? userName) : userName
