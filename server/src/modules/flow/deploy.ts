import { readFile } from 'node:fs/promises'
import { codeOf, type Words } from '@data-brain/contract'
import type { AnswerOf } from '@data-brain/contract/call'
import {
  changeState,
  deleteDeployment,
  deployModel,
  deployUpload,
  exportProcess,
  modelCheck,
  modelFromCards,
  shipModels,
} from '@data-brain/contract/calls/flow'
import { flowmodel } from '@data-brain/contract/entities/flow/flowmodel'
import { flowprocess } from '@data-brain/contract/entities/flow/flowprocess'
import type { ModelFault, ProcessPlan } from '@data-brain/contract/flow/plan'
import { newId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import { inTenant, type Tx } from '../../database/transaction.ts'
import { type Context, Repository } from '../../entity/repository.ts'
import { contextOf, rowsOf } from '../../entity/routes.ts'
import { on, onDetached } from '../../entity/serve-call.ts'
import { raiseStamp } from '../../entity/stamp.ts'
import { contentDisposition } from '../../kernel/disposition.ts'
import { Problem } from '../../kernel/problem.ts'
import { type DetachedCall, RawResponse, type Route } from '../../kernel/route.ts'
import type { Services } from '../../kernel/services.ts'
import type { ReceivedFile } from '../../kernel/upload.ts'
import { tickAt } from '../jobs/index.ts'
import { readCards } from './bpmn/cards.ts'
import { compileXml } from './bpmn/compile.ts'
import { withDrawing } from './bpmn/diagram.ts'
import { largest } from './bpmn/read.ts'
import { shippedModels } from './bpmn/shipped.ts'
import { writeCards } from './bpmn/write.ts'
import { readModel } from './card-model.ts'
import { lackingRights } from './product-actions.ts'
import { firstStart, resumeStart, startEventOf, stopOlder } from './start-timer.ts'
import { timerWork } from './states.ts'

type Deployed = AnswerOf<typeof deployModel>[number]

/** What is deployed, and for what. */
interface Deployment {
  readonly xml: string
  readonly category: string
  readonly resourceName: string
  /** The key of the model, which the diagram must have too: another's versions are not made by it. */
  readonly modelKey?: string
}

const told = ({ element, ...words }: ModelFault, language: 'zh' | 'en') => ({
  element: element ?? null,
  message: words[language],
})

/** The message by which a process is started. */
const startMessageOf = (plan: ProcessPlan): string | null => {
  const event = startEventOf(plan)
  return event?.kind === 'message' ? event.name : null
}

/** Why a message cannot start a process: of two that it starts, nobody could say which one it would be. */
async function startTaken(tx: Tx, tenantId: string, key: string, message: string): Promise<Words | undefined> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`${tenantId} flow-start ${message}`}, 0))`)
  const other = await tx.one<{ name: string }>(
    sql`select p.name from flowprocess p where p.tenant_id = ${tenantId} and p.start_message = ${message} and p.key <> ${key} and p.suspension_state = '1'
          and not exists (select from flowprocess l where l.tenant_id = p.tenant_id and l.key = p.key and l.suspension_state = '1' and l.version_no > p.version_no) limit 1`,
  )
  return (
    other && {
      zh: `消息“${message}”已用来启动流程“${other.name}”，请换一个消息名称，或先挂起那个流程`,
      en: `The message “${message}” starts the process “${other.name}” already: name another one, or suspend that process first`,
    }
  )
}

interface Kept {
  readonly id: string
  readonly version: number
}

/** Keeps the next version of a process, or says why it is not kept. Two at once are two versions. */
async function keepVersion(
  services: Services,
  tx: Tx,
  tenantId: string,
  userId: string | null,
  { xml, category, resourceName }: Deployment,
  plan: ProcessPlan,
): Promise<Kept | Words> {
  const { key, name, formKey } = plan
  const id = newId()
  const startMessage = startMessageOf(plan)
  const taken = startMessage === null ? undefined : await startTaken(tx, tenantId, key, startMessage)
  if (taken) return taken
  const starts = await firstStart(tx, tenantId, plan)
  if (starts && 'zh' in starts) return starts
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`${tenantId} flow ${key}`}, 0))`)
  await stopOlder(tx, tenantId, key)
  const row = await tx.one<{ version: number }>(
    sql`insert into flowprocess (tenant_id, id, name, key, version_no, category, suspension_state, form_key, resource_name, deployment_id, deployment_time, xml, plan, start_message, start_timer, start_due, start_repeats, create_user, update_user)
        select ${tenantId}, ${id}, ${name.slice(0, 100)}, ${key}, coalesce((select max(version_no) from flowprocess where tenant_id = ${tenantId} and key = ${key}), 0) + 1,
          ${category}, '1', ${formKey ?? null}, ${resourceName.slice(0, 255)}, ${newId()}, now(), ${xml}, ${JSON.stringify(plan)}::jsonb, ${startMessage}, ${starts !== undefined}, ${starts ? new Date(starts.at).toISOString() : null}::timestamptz, ${starts?.repeats ?? null}::int, ${userId}::bigint, ${userId}::bigint
        returning version_no as version`,
  )
  // Messages may have waited for it.
  const looked = starts?.at ?? (startMessage === null ? undefined : Date.now())
  if (looked !== undefined) await tickAt(services, tx, timerWork, tenantId, looked)
  await raiseStamp(tx, tenantId, flowprocess.name)
  return { id, version: row!.version }
}

/** The tenants that somebody may deploy to: the own one, and others for the platform’s administrators. */
function tenantsFor(
  { tenantId, platform }: { readonly tenantId: string; readonly platform: boolean },
  asked: readonly string[] | undefined,
): string[] {
  const wanted = [...new Set(asked ?? [])]
  if (wanted.length === 0) return [tenantId]
  if (!platform && wanted.some((each) => each !== tenantId))
    throw new Problem('rule_broken', {
      reason: {
        zh: '只有平台管理员可以部署到其他租户',
        en: 'Only administrators of the platform deploy to other tenants',
      },
    })
  return wanted
}

const noTenant: Words = { zh: '没有这个租户', en: 'There is no such tenant' }

/** Deploys to each of the tenants, and says of each what became of it: one that fails stops no other. */
async function deployTo(call: DetachedCall, tenants: readonly string[], deployment: Deployment): Promise<Deployed[]> {
  const { language } = call.circumstance
  const { plan, faults: standing } = await compileXml(deployment.xml)
  const faults = plan ? [...standing, ...(await call.as(async ({ actor }) => lackingRights(plan, actor)))] : standing
  // So that the way it takes can be shown.
  const drawn = plan ? { ...deployment, xml: (await withDrawing(deployment.xml)) ?? deployment.xml } : deployment
  const refused = (tenantId: string, message: string): Deployed => ({
    ...{
      tenantId,
      resourceName: deployment.resourceName,
      success: false,
      processDefinitionId: null,
      version: null,
      message,
    },
  })
  if (!plan || faults.length > 0) {
    const message = faults.slice(0, 5).map((fault) => told(fault, language).message)
    return tenants.map((tenantId) => refused(tenantId, message.join(language === 'zh' ? '；' : '; ')))
  }
  if (deployment.modelKey !== undefined && plan.key !== deployment.modelKey) {
    const message =
      language === 'zh'
        ? `流程图中的流程标识“${plan.key}”与模型标识“${deployment.modelKey}”不一致，请在设计器中改为一致`
        : `The process in the diagram is called “${plan.key}” and the model “${deployment.modelKey}”: make them the same in the designer`
    return tenants.map((tenantId) => refused(tenantId, message))
  }
  const results: Deployed[] = []
  for (const tenantId of tenants) {
    const kept = await call.as(async ({ tx, actor }) => {
      if (tenantId === actor.tenantId) return keepVersion(call.services, tx, tenantId, actor.userId, drawn, plan)
      if (!actor.platform) return undefined
      // A tenant is seen from inside it alone.
      return inTenant(call.services.pool, tenantId, async (other) => {
        const there = await other.one(sql`select 1 from tenant where tenant_id = ${tenantId} and status in (1, 2)`)
        return there && keepVersion(call.services, other, tenantId, null, drawn, plan)
      })
    })
    results.push(
      kept && 'id' in kept
        ? {
            ...{ tenantId, resourceName: deployment.resourceName, success: true, processDefinitionId: kept.id },
            ...{ version: kept.version, message: null },
          }
        : refused(tenantId, (kept ?? noTenant)[language]),
    )
  }
  return results
}

const usual = '1'

async function mustBeCategory(tx: Tx, category: string | undefined): Promise<string | undefined> {
  if (category === undefined) return undefined
  const row = await tx.one(
    sql`select 1 from dict r join dict d on d.parent_id = r.id where r.code = 'flow' and r.parent_id is null and d.dict_key = ${category} limit 1`,
  )
  if (!row)
    throw new Problem('field_invalid', {
      label: flowprocess.fields.category.label,
      reason: { zh: '请从列表中选择', en: 'must be one of the list' },
    })
  return category
}

const deployRoute: Route = onDetached(deployModel, async ({ modelId, category, tenantIds }, call) => {
  const { tenants, deployment } = await call.as(async ({ tx, actor }) => {
    const rows = rowsOf(flowmodel, { ...call, tx, actor })
    const model = await rows.before(modelId, { codes: ['flowmodel_deploy'] })
    if (!model.xml)
      throw new Problem('rule_broken', {
        reason: {
          zh: `“${model.name}”还没有流程图，请先设计`,
          en: `“${model.name}” has no diagram yet: design it first`,
        },
      })
    const chosen = (await mustBeCategory(tx, category)) ?? model.category
    return {
      tenants: tenantsFor(actor, tenantIds),
      deployment: {
        ...{ xml: model.xml, category: chosen, modelKey: model.modelKey },
        resourceName: `${model.modelKey}.bpmn20.xml`,
      },
    }
  })
  return deployTo(call, tenants, deployment)
})

const uploadRoute: Route = onDetached(
  deployUpload,
  async ({ category, tenantIds }, call) => {
    const file = call.body as ReceivedFile
    const { tenants, chosen } = await call.as(async ({ tx, actor }) => ({
      tenants: tenantsFor(actor, tenantIds),
      chosen: (await mustBeCategory(tx, category)) ?? usual,
    }))
    if (!/\.(bpmn|xml)$/i.test(file.name))
      throw new Problem('rule_broken', {
        reason: {
          zh: `“${file.name}”不是流程文件，请上传 .bpmn 或 .bpmn20.xml`,
          en: `“${file.name}” is no process file: upload .bpmn or .bpmn20.xml`,
        },
      })
    return deployTo(call, tenants, {
      xml: await readFile(file.path, 'utf8'),
      category: chosen,
      resourceName: file.name,
    })
  },
  { uploadLimit: largest + 1 },
)

const checkRoute: Route = on(
  modelCheck,
  async ({ xml }, { circumstance, actor }) => {
    const { plan, faults: standing } = await compileXml(xml)
    const faults = plan ? [...standing, ...lackingRights(plan, actor)] : standing
    return {
      ...{ key: plan?.key ?? null, name: plan?.name ?? null, cards: plan ? ((await readCards(xml)) ?? null) : null },
      faults: faults.map((fault) => told(fault, circumstance.language)),
    }
  },
  { bodyLimit: largest * 2 },
)

const cardsRoute: Route = on(
  modelFromCards,
  async ({ cards }, { circumstance }) => {
    const xml = await writeCards(readModel(cards))
    const { faults } = await compileXml(xml)
    return { xml, faults: faults.map((fault) => told(fault, circumstance.language)) }
  },
  { bodyLimit: largest },
)

/** Makes a model of each process that is shipped and not there, and deploys it; answers their names. */
export async function ship(services: Services, context: Context): Promise<string[]> {
  const { tx, actor } = context
  const rows = new Repository(flowmodel, context)
  const held = new Set(
    (
      await tx.run<{ key: string }>(sql`select model_key as key from flowmodel where tenant_id = ${actor.tenantId}`)
    ).map(({ key }) => key),
  )
  const brought: string[] = []
  for (const cards of shippedModels.filter(({ key }) => !held.has(key))) {
    const xml = await writeCards(cards)
    const { plan, faults } = await compileXml(xml)
    if (!plan || faults.length > 0) throw new Error(`the shipped process ${cards.key} does not run: ${faults[0]?.en}`)
    const category = cards.formKey === 'leave' ? '1' : cards.key === 'repair' ? '3' : '2'
    await rows.add({ name: cards.name, modelKey: cards.key, category, xml })
    await keepVersion(
      services,
      tx,
      actor.tenantId,
      actor.userId,
      { xml, category, resourceName: `${cards.key}.bpmn20.xml` },
      plan,
    )
    brought.push(cards.name)
  }
  return brought
}

const shipRoute: Route = on(shipModels, async (_, call) => ship(call.services, { ...contextOf(call), unscoped: true }))

const stateRoute: Route = on(changeState, async ({ processId, state }, call) => {
  const { tx, actor } = call
  await rowsOf(flowprocess, call).before(processId, { lock: true, codes: ['flowprocess_state'] })
  await tx.run(
    sql`update flowprocess set suspension_state = ${state === 'active' ? '1' : '2'}, version = version + 1, update_time = now(), update_user = ${actor.userId}::bigint
        where tenant_id = ${actor.tenantId} and id = ${processId}`,
  )
  if (state === 'active') await resumeStart(call.services, tx, actor.tenantId, processId)
  await raiseStamp(tx, actor.tenantId, flowprocess.name)
})

const deleteRoute: Route = on(deleteDeployment, async ({ deploymentIds }, call) => {
  const { tx, actor } = call
  const rows = await tx.run<{ id: string; name: string; used: number; running: number }>(
    sql`select p.id, p.name || ' v' || p.version_no as name,
          (select count(*)::int from flowinstance i where i.tenant_id = p.tenant_id and i.process_definition_id = p.id) as used,
          (select count(*)::int from flowinstance i where i.tenant_id = p.tenant_id and i.process_definition_id = p.id and i.end_time is null) as running
        from flowprocess p where p.tenant_id = ${actor.tenantId} and p.deployment_id = any(${[...deploymentIds]}::text[]) order by p.id for update of p`,
  )
  if (rows.length === 0) throw new Problem('not_found')
  const held = rows.find(({ used }) => used > 0)
  if (held)
    throw new Problem('blocked', {
      reason: {
        zh: `“${held.name}”已有${held.used}个流程实例（进行中${held.running}个），可以挂起`,
        en: `“${held.name}” has ${held.used} instances (${held.running} running): suspend it instead`,
      },
    })
  await tx.run(
    sql`delete from flowprocess where tenant_id = ${actor.tenantId} and id = any(${rows.map(({ id }) => id)}::bigint[])`,
  )
  await raiseStamp(tx, actor.tenantId, flowprocess.name)
})

const exportRoute: Route = on(exportProcess, async ({ processDefinitionId }, call) => {
  const { tx, actor } = call
  await rowsOf(flowprocess, call).before(processDefinitionId, { codes: [codeOf(flowprocess, 'export')] })
  const row = await tx.one<{ xml: string; name: string }>(
    sql`select xml, name || '-v' || version_no as name from flowprocess where tenant_id = ${actor.tenantId} and id = ${processDefinitionId}`,
  )
  if (!row) throw new Problem('not_found')
  return new RawResponse(Buffer.from(row.xml), 200, {
    'content-type': 'application/xml',
    'content-disposition': contentDisposition('attachment', `${row.name}.bpmn20.xml`),
  })
})

export const deployRoutes: readonly Route[] = [
  cardsRoute,
  shipRoute,
  checkRoute,
  deployRoute,
  uploadRoute,
  stateRoute,
  deleteRoute,
  exportRoute,
]
