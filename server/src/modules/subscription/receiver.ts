import type { Words } from '@data-brain/contract'
import { wayKeys } from '@data-brain/contract/subscription'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { pluralize } from '../../kernel/pluralize.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Services } from '../../kernel/services.ts'
import { sendMessage } from '../desk/index.ts'
import { addFileReceiver, jobsPage } from '../export/index.ts'
import { askMail } from '../mail/index.ts'
import { subscriptionsPage } from './rules.ts'

/** What files of subscriptions are received by. */
export const receiverName = 'report-subscription'

/** Whoever is away over a holiday week still finds the file. */
const keptDays = 7

interface Subscribed {
  readonly name: string
  readonly way: string
  readonly email: string | null
  readonly language: 'zh' | 'en'
}

const subscribedOf = (tx: Tx, tenantId: string, id: string): Promise<Subscribed | undefined> =>
  tx.one<Subscribed>(
    sql`select r.name, s.way, u.email, s.file_language as language from reportsubscription s
          join report r on r.tenant_id = s.tenant_id and r.id = s.report_id
          left join app_user u on u.tenant_id = s.tenant_id and u.id = s.create_user
        where s.tenant_id = ${tenantId} and s.id = ${id}`,
  )

const noAddress: Words = { zh: '您的个人信息中没有电子邮箱', en: 'your own details have no e-mail address' }

/** A mail tells that the file is there and holds none of it: who may not log in any more sees nothing. */
function letterOf(name: string, { publicUrl }: Services['environment']): { subject: Words; text: Words } {
  const address = publicUrl === null ? null : `${publicUrl.replace(/\/+$/, '')}${jobsPage}`
  return {
    subject: { zh: '订阅的报表已生成', en: 'A report that you subscribed to is ready' },
    text: {
      zh: `您订阅的报表“${name}”已生成。\n\n请登录后在“我的任务”中下载，文件保留${keptDays}天。\n${address ?? ''}\n\n不再需要时，可在“报表订阅”中暂停或删除。\n`,
      en: `The report "${name}" that you subscribed to is ready.\n\nLog in and download it on the page My jobs within ${keptDays} days.\n${address ?? ''}\n\nWhen it is no longer needed, pause or remove it under Subscriptions.\n`,
    },
  }
}

/** Asks for the mail; answers why there is none. */
async function mail(
  tx: Tx,
  services: Services,
  { tenantId, userId, jobId }: { readonly tenantId: string; readonly userId: string; readonly jobId: string },
  { name, email, language }: Subscribed,
): Promise<Words | undefined> {
  if (!email) return noAddress
  const { subject, text } = letterOf(name, services.environment)
  try {
    await askMail(tx, services, {
      ...{ tenantId, userId, to: email, purpose: 'report', requestKey: `report|${jobId}` },
      ...{ subject: subject[language], text: text[language] },
    })
    return undefined
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { zh: error.words('zh'), en: error.words('en') }
  }
}

/** Says how whoever subscribed hears of a file. Called once, when the server is put together. */
export function addSubscriptionReceiver(): void {
  addFileReceiver({
    name: receiverName,
    keptHours: keptDays * 24,
    ready: async (tx, { services, tenantId, userId, of, jobId, rows }) => {
      const subscribed = await subscribedOf(tx, tenantId, of)
      const unsent =
        subscribed?.way === wayKeys.mail ? await mail(tx, services, { tenantId, userId, jobId }, subscribed) : undefined
      const name = subscribed?.name ?? ''
      await sendMessage(tx, tenantId, [userId], {
        kind: 'report-ready',
        title: { zh: `订阅的报表已生成：${name}`, en: `Report ready: ${name}` },
        body: {
          zh: `共${rows}行，请在“我的任务”页下载。文件保留${keptDays}天。${unsent ? `邮件未发送：${unsent.zh}。` : ''}`,
          en: `${pluralize(rows, 'row')}. Download it on the page My jobs within ${keptDays} days.${unsent ? ` No mail was sent: ${unsent.en}.` : ''}`,
        },
        link: jobsPage,
      })
    },
    failed: async (tx, { tenantId, userId, of, failure }) => {
      const name = (await subscribedOf(tx, tenantId, of))?.name ?? ''
      await sendMessage(tx, tenantId, [userId], {
        kind: 'report-failed',
        title: { zh: `订阅的报表未能生成：${name}`, en: `A report could not be made: ${name}` },
        body: failure,
        link: subscriptionsPage,
      })
    },
  })
}
