import { newId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import { type Tx, UnknownOutcome } from '../../database/transaction.ts'
import { Problem } from '../../kernel/problem.ts'
import { isOutage, problemOf } from '../../kernel/problem-of.ts'
import type { Services } from '../../kernel/services.ts'
import { sendMessage } from '../desk/index.ts'
import { managersAndMaker } from './people.ts'

/**
 * Why one of several that come due together failed, so that it can be told and left out: a defect as well, which would else
 * be tried for ever and keep all others from their turn. An outage is that of all of them, and goes up.
 */
export function whyFailed(services: Services, thrown: unknown): Problem {
  if (thrown instanceof UnknownOutcome || isOutage(thrown)) throw thrown
  if (!(thrown instanceof Problem)) services.log.error('a defect in a process', { error: String(thrown) })
  return problemOf(thrown, { requestId: newId(), language: 'zh', address: '', agent: '' })
}

/**
 * Tells whoever manages a process why it is not gone on with, or not started, and that it is tried again every hour: once, when
 * it could not for the first time.
 */
export async function tellPutOff(
  tx: Tx,
  tenantId: string,
  { tries, instanceId, processId }: { tries: number; instanceId: string | null; processId?: string | null },
  problem: Problem,
): Promise<void> {
  if (tries !== 1) return
  const about = await tx.one<{ name: string; processId: string }>(
    instanceId
      ? sql`select title as name, process_definition_id as "processId" from flowinstance where tenant_id = ${tenantId} and id = ${instanceId}::bigint`
      : sql`select name, id as "processId" from flowprocess where tenant_id = ${tenantId} and id = ${processId ?? null}::bigint`,
  )
  if (!about) return
  await sendMessage(tx, tenantId, await managersAndMaker(tx, tenantId, [about.processId]), {
    kind: 'flow-put-off',
    title: instanceId
      ? { zh: `流程未能继续：${about.name}`, en: `A process could not go on: ${about.name}` }
      : { zh: `流程未能由消息启动：${about.name}`, en: `A process could not be started by a message: ${about.name}` },
    body: {
      zh: `${problem.words('zh')}。每小时自动重试一次，处理后无需再操作。`,
      en: `${problem.words('en')}. It is tried again every hour: nothing else is needed once that is settled.`,
    },
    link: instanceId ? `/work/process/detail/${instanceId}` : '/flow/flowprocess',
  })
}
