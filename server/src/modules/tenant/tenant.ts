import { randomInt } from 'node:crypto'
import { codeOf, type Row, rules, tenant } from '@data-brain/contract'
import type { AnswerOf, InputOf } from '@data-brain/contract/call'
import {
  bindDatasource,
  purgedTenants,
  purgeTenant,
  removeTenants,
  restoreTenants,
  setTenants,
} from '@data-brain/contract/calls/tenant'
import { rowOf, textValue } from '@data-brain/contract/shape'
import { sql } from '../../database/statement.ts'
import { isTenantCode, type Tx } from '../../database/transaction.ts'
import type { Values } from '../../entity/check.ts'
import { modelOf, platformTenant } from '../../entity/model.ts'
import { contextOf, rowsOf, submit } from '../../entity/routes.ts'
import { draftSchema } from '../../entity/schema.ts'
import { on } from '../../entity/serve-call.ts'
import { shapeSchema } from '../../entity/shape-schema.ts'
import { writeOver } from '../../entity/write.ts'
import { type Actor, holdsCode } from '../../kernel/actor.ts'
import { namesRow, objectOf } from '../../kernel/body.ts'
import { refuseBrokenTexts } from '../../kernel/broken-text.ts'
import { plainText } from '../../kernel/parameter.ts'
import { randomPassword } from '../../kernel/password.ts'
import { fieldProblem, Problem } from '../../kernel/problem.ts'
import { type Call, code, type DetachedCall, detachedRoute, type Route } from '../../kernel/route.ts'
import { addRoles, fillTenant } from '../../seed/index.ts'
import { startJob } from '../jobs/index.ts'
import { forgetDomains } from './domain.ts'
import { makeTenant } from './make.ts'
import { usePictures } from './pictures.ts'
import { refuseBegun, refuseUnmarked } from './purge.ts'
import { sourceTableRoutes } from './source-tables.ts'

/** The code of the demo's tenant, which a start lays when it is asked to. */
const demoTenant = '000001'

type Language = 'zh' | 'en'

const wrongCode = (zh: string, en: string, language: Language): Problem =>
  fieldProblem([{ field: 'tenantId', label: tenant.fields.tenantId.label, reason: { zh, en } }], language)

/** A code that no tenant has or has had. */
async function freeCode(tx: Tx): Promise<string> {
  for (let tries = 0; tries < 1_000; tries += 1) {
    const made = String(randomInt(2, 1_000_000)).padStart(6, '0')
    const taken = await tx.one(
      sql`select 1 from tenant where tenant_id = ${made} union all select 1 from tenant_purge where tenant_id = ${made}
          union all select 1 from seed_mark where name = ${`making:${made}`} limit 1`,
    )
    if (!taken) return made
  }
  throw new Problem('rule_broken', {
    reason: { zh: '没有空闲的租户编号，请自行指定', en: 'No code was found to be free: name one' },
  })
}

function givenCode(given: unknown, language: Language): string | undefined {
  if (given === undefined || given === null || given === '') return undefined
  if (!isTenantCode(given)) throw wrongCode('租户编号为6位数字', 'has six digits', language)
  if (given === platformTenant || given === demoTenant)
    throw wrongCode('该编号由系统保留', 'is kept for the system', language)
  return given
}

function givenAccount(given: unknown, language: Language): string {
  if (given === undefined || given === null || given === '') return 'admin'
  const reason =
    typeof given === 'string' ? rules.account.check(given.trim()) : { zh: '类型不正确', en: 'has the wrong type' }
  if (reason) throw fieldProblem([{ field: 'account', label: { zh: '账号', en: 'Account' }, reason }], language)
  return String(given).trim()
}

/** The caller's own tenant, which is the platform's, must stay usable: nobody else could bring it back. */
function refuseOwn(actor: Actor, tenantId: unknown): void {
  if (tenantId === platformTenant || tenantId === actor.tenantId)
    throw new Problem('rule_broken', {
      reason: {
        zh: '平台租户和当前租户不能停用、到期或删除',
        en: 'The platform’s own tenant cannot be disabled, given an expiry date or deleted',
      },
    })
}

/** States that a submit may set; the way to 9 and back is by removing and restoring. */
const settable = [0, 1, 2, 3]

function judge(
  row: Row<typeof tenant>,
  before: number | undefined,
  { actor, circumstance }: Pick<Call, 'actor' | 'circumstance'>,
): void {
  if (row.status !== before && (!settable.includes(row.status) || before === 9))
    throw fieldProblem(
      [
        {
          field: 'status',
          label: { zh: '状态', en: 'Status' },
          reason:
            before === 9
              ? { zh: '待清除的租户须先恢复', en: 'cannot be set before the tenant is restored' }
              : { zh: '不是可选的值', en: 'is not one of the choices' },
        },
      ],
      circumstance.language,
    )
  const usable = (row.status === 1 || row.status === 2) && row.expireTime === null
  if (!usable) refuseOwn(actor, row.tenantId)
}

type Opened = Pick<Call, 'tx' | 'actor'>
const callOf = (call: DetachedCall, { tx, actor }: Opened, body: unknown): Call => ({
  ...call,
  tx,
  actor,
  body,
  query: {},
  stamp: '0',
})

/** Makes a tenant with all that it begins with, or changes one. Of a new one, the administrator's password is told once. */
async function save(call: DetachedCall): Promise<unknown> {
  refuseBrokenTexts(call.body)
  const { account, ...draft } = objectOf(call.body)
  const done = namesRow(draft)
    ? await call.as((opened) => edit(callOf(call, opened, draft), plainText(draft.id)))
    : await add(call, account, draft)
  await usePictures(call.services, done)
  forgetDomains(call.services)
  return done
}

async function edit(call: Call, id: string): Promise<Row<typeof tenant>> {
  const before = await call.tx.one<{ status: number }>(sql`select status from tenant where id::text = ${id} for update`)
  const row = await submit(tenant, call)
  judge(row, before?.status, call)
  return row
}

/** A new tenant with its first administrator, whose password is told once. */
type NewTenant = Row<typeof tenant> & { readonly account: string; readonly password: string }

async function add(call: DetachedCall, account: unknown, draft: Values): Promise<NewTenant> {
  const { services, circumstance } = call
  const needed = codeOf(tenant, 'add')
  const given = givenCode(draft.tenantId, circumstance.language)
  const login = givenAccount(account, circumstance.language)
  const { tenantId, actor } = await call.as(async ({ tx, actor }) => {
    if (!holdsCode(actor, needed)) throw new Problem('forbidden', { code: needed })
    return { tenantId: given ?? (await freeCode(tx)), actor }
  })
  const password = randomPassword()
  const { placed } = await makeTenant(services, {
    tenantId,
    act: (work) => call.as(({ tx }) => work(tx)),
    place: async (tx) => {
      const row = await submit(tenant, callOf(call, { tx, actor }, { ...draft, tenantId }))
      judge(row, undefined, { actor, circumstance })
      return row
    },
    fill: async (tx) => {
      await fillTenant(
        tx,
        {
          tenantId,
          name: plainText(draft.tenantName).trim(),
          account: login,
          realName: '管理员',
          password,
          mustChange: true,
        },
        services.secrets.pepper,
      )
      // The usual roles stand ready: nobody has to work out what a class teacher may see before one can log in.
      await addRoles(tx, tenantId)
    },
  })
  return { ...placed, account: login, password }
}

/** Begins the grace period: nobody can log in any more, and after thirty days the sweep purges. */
async function remove(call: Call, ids: readonly string[]): Promise<void> {
  const { tx, actor } = call
  const rows = rowsOf(tenant, call)
  const { end } = (await tx.one<{ end: string }>(sql`select now() + interval '30 days' as end`))!
  for await (const { id, before } of rows.eachToRemove(ids)) {
    refuseOwn(actor, before.tenantId)
    if (before.status !== 9)
      await writeOver(modelOf(tenant), contextOf(call), id, before, { purgeAfter: end }, { status: 9 })
  }
}

/** Takes a removal back while the grace lasts. */
async function restore(call: Call, ids: readonly string[]): Promise<void> {
  const rows = rowsOf(tenant, call)
  for (const id of [...ids].sort()) {
    const before = await rows.before(id, { lock: true })
    if (before.status !== 9)
      throw new Problem('rule_broken', {
        reason: { zh: `租户${before.tenantId}没有被删除`, en: `Tenant ${before.tenantId} was not removed` },
      })
    await refuseBegun(call.tx, before.tenantId)
    await writeOver(modelOf(tenant), contextOf(call), id, before, { purgeAfter: null }, { status: 1 })
  }
}

/** Sets quotas and expiry of tenants; what is not given stays as it is. */
async function setting({ ids, ...values }: InputOf<typeof setTenants>, call: Call): Promise<void> {
  const rows = rowsOf(tenant, call)
  for (const id of [...ids].sort()) {
    const row = await rows.edit(id, {
      ...(values.accountNumber === undefined ? {} : { accountNumber: values.accountNumber }),
      ...(values.quotaStorageMb === undefined ? {} : { quotaStorageMb: values.quotaStorageMb }),
      ...(values.expireTime === undefined ? {} : { expireTime: values.expireTime || null }),
    })
    if (row.expireTime !== null) refuseOwn(call.actor, row.tenantId)
  }
}

/** The tenant of a code, held for the transaction. */
async function heldByCode(call: Call, tenantId: string) {
  const found = await call.tx.one<{ id: string }>(sql`select id from tenant where tenant_id = ${tenantId}`)
  if (!found) throw new Problem('not_found')
  return { id: found.id, before: await rowsOf(tenant, call).before(found.id, { lock: true }) }
}

/** Binds a tenant to a data source of the platform, or to none. Of another source no table is chosen yet. */
async function bind({ tenantId, datasourceId }: InputOf<typeof bindDatasource>, call: Call): Promise<void> {
  const { id, before } = await heldByCode(call, tenantId)
  if (datasourceId) {
    const source = await call.tx.one(
      sql`select 1 from datasource where tenant_id = ${platformTenant} and id = ${datasourceId} and status = 1`,
    )
    if (!source)
      throw new Problem(
        'reference_unknown',
        { label: tenant.fields.datasourceId.label },
        { field: 'datasourceId', fields: [] },
      )
  }
  if ((before.datasourceId ?? null) !== (datasourceId ?? null))
    await writeOver(
      modelOf(tenant),
      contextOf(call),
      id,
      before,
      { datasourceId: datasourceId ?? null, sourceTables: null },
      {},
    )
}

/** Asks for one tenant to be purged now, when its code is typed once more; answers the job. */
async function purge(
  { ids, confirm, keepBuckets = 0 }: InputOf<typeof purgeTenant>,
  call: Call,
): Promise<AnswerOf<typeof purgeTenant>> {
  const row = await call.tx.one<{ tenant_id: string; tenant_name: string; status: number }>(
    sql`select tenant_id, tenant_name, status from tenant where id = ${ids[0]} for update`,
  )
  if (!row) throw new Problem('not_found')
  if (row.tenant_id !== confirm)
    throw fieldProblem(
      [
        {
          field: 'confirm',
          label: tenant.fields.tenantId.label,
          reason: { zh: '与要清除的租户编号不一致', en: 'is not the code of the tenant to purge' },
        },
      ],
      call.circumstance.language,
    )
  refuseUnmarked(row.status, row.tenant_id)
  const subject = `${row.tenant_name} (${row.tenant_id})`
  return { jobId: await startJob(call, 'tenant-purge', { subject, subjectId: ids[0]!, input: { keepBuckets } }) }
}

async function purged(
  { current = 1, size = 10 }: InputOf<typeof purgedTenants>,
  call: Call,
): Promise<AnswerOf<typeof purgedTenants>> {
  const total = (await call.tx.one<{ n: number }>(sql`select count(*)::int as n from tenant_purge`))?.n ?? 0
  const records = await call.tx.run<AnswerOf<typeof purgedTenants>['records'][number]>(
    sql`select id, tenant_id as "tenantId", tenant_name as "tenantName", purged_by as "purgedBy", at, row_counts as "rowCounts"
        from tenant_purge order by at desc, id desc limit ${size} offset ${(current - 1) * size}`,
  )
  return { total, size, current, pages: Math.ceil(total / size), records }
}

const account = { type: 'string', description: 'of a new tenant: the account of its first administrator (admin)' }
const told = textValue({ optional: true })

export const tenantRoutes: readonly Route[] = [
  detachedRoute({
    method: 'POST',
    path: '/blade-system/tenant/submit',
    tag: tenant.name,
    platform: true,
    access: code(codeOf(tenant, 'add'), codeOf(tenant, 'edit')),
    summary: { zh: '租户：新增或修改', en: 'Tenant: add or change' },
    bodySchema: draftSchema(tenant, { account }),
    // Of a new one, with its first administrator.
    dataSchema: shapeSchema(rowOf(tenant, { account: told, password: told })),
    handler: save,
  }),
  on(
    removeTenants,
    async ({ ids }, call) => {
      await remove(call, ids)
      forgetDomains(call.services)
    },
    { platform: true },
  ),
  on(
    restoreTenants,
    async ({ ids }, call) => {
      await restore(call, ids)
      forgetDomains(call.services)
    },
    { platform: true },
  ),
  on(purgeTenant, purge, { platform: true }),
  on(purgedTenants, purged, { platform: true }),
  on(setTenants, setting, { platform: true }),
  on(bindDatasource, bind, { platform: true }),
  ...sourceTableRoutes,
]
