import { guest, rules, type Words } from '@data-brain/contract'
import type { InputOf } from '@data-brain/contract/call'
import { registerGuest } from '@data-brain/contract/calls/social'
import { newId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import { inTenant, isTenantCode, type Tx } from '../../database/transaction.ts'
import { modelOf } from '../../entity/model.ts'
import { onPublic } from '../../entity/serve-call.ts'
import { writeNew } from '../../entity/write.ts'
import { system } from '../../kernel/actor.ts'
import { hashPassword } from '../../kernel/password.ts'
import { type FieldFault, fieldProblem, Problem } from '../../kernel/problem.ts'
import type { PublicCall } from '../../kernel/route.ts'
import { md5Of, refuseWeak, slowDown, tenantOfTicket } from '../auth/index.ts'
import { sendMessage } from '../desk/index.ts'
import { type HeldStranger, heldStranger } from './grant.ts'

/** Most registrations that wait in a tenant at once: whoever has many accounts elsewhere must not fill its list. */
const waitingMost = 500

const refuse = (zh: string, en: string): Problem => new Problem('rule_broken', { reason: { zh, en } })

interface Wish {
  readonly tenantId: string
  readonly name: string
  readonly account: string
  readonly password: string
  readonly oauthId: string
}

/** What was filled in, judged in the order in which the form asks for it. */
function wishOf(given: InputOf<typeof registerGuest>, { circumstance }: PublicCall): Wish {
  const tenantId = given.tenantId?.trim() ?? ''
  const account = given.account?.trim() ?? ''
  const password = given.password ?? ''
  const name = given.name?.trim() ?? ''
  if (!tenantId) throw refuse('请先输入租户编号', 'Enter the tenant code first')
  if (!account) throw refuse('请先输入账号名称', 'Enter the account name first')
  if (!password) throw refuse('请先输入密码', 'Enter the password first')
  if (given.password2 !== undefined && given.password2 !== password)
    throw refuse('两次密码输入不一致', 'The two passwords differ')
  const faults: FieldFault[] = []
  const judge = (field: 'name' | 'account', value: string, wrong: Words | null): void => {
    const { label, max = 0 } = guest.fields[field]
    const long = [...value].length > max ? { zh: `不能超过${max}个字符`, en: `at most ${max} characters` } : null
    const reason = wrong ?? long
    if (reason) faults.push({ field, label, reason })
  }
  judge('name', name, name ? rules.personName.check(name) : { zh: '不能为空', en: 'is required' })
  judge('account', account, rules.account.check(account))
  if (faults.length > 0) throw fieldProblem(faults, circumstance.language)
  return { tenantId, name, account, password, oauthId: given.oauthId ?? '' }
}

const messageKind = 'guest-waiting'

/** Tells those who may approve that somebody waits: once, until they have read it, however many ask meanwhile. */
async function tellDeciders(tx: Tx, tenantId: string): Promise<void> {
  const deciders = await tx.run<{ id: string }>(
    sql`select distinct l.owner_id as id from app_user_role l join role r on r.tenant_id = l.tenant_id and r.id = l.target_id
        where l.tenant_id = ${tenantId} and (r.is_admin = 1 or exists (
            select 1 from role_menu_seen g join menu m on m.id = g.menu_id
            where g.tenant_id = r.tenant_id and g.role_id = r.id and m.code = 'guest_approve'))
          and not exists (select 1 from inbox i
            where i.tenant_id = l.tenant_id and i.user_id = l.owner_id and i.kind = ${messageKind} and i.read_at is null)`,
  )
  await sendMessage(
    tx,
    tenantId,
    deciders.map(({ id }) => id),
    {
      kind: messageKind,
      title: { zh: '有新的注册申请待审批', en: 'Somebody asks for an account' },
      link: '/system/guest?status=0',
    },
  )
}

/** Stores a registration. An account that somebody has already is no fault here: who is not let in is told nothing of it. */
async function store(tx: Tx, call: PublicCall, wish: Wish, who: HeldStranger, hash: string): Promise<void> {
  const { tenantId, name, account } = wish
  const { services, circumstance } = call
  const linked = await tx.one(
    sql`select 1 from social_identity where tenant_id = ${tenantId} and provider_id = ${who.providerId} and subject = ${who.subject}`,
  )
  if (linked) throw new Problem('social_linked')
  const waiting = await tx.one<{ n: number }>(
    sql`select count(*)::int as n from guest_secret where tenant_id = ${tenantId}`,
  )
  if ((waiting?.n ?? 0) >= waitingMost)
    throw refuse('待审批的注册申请过多，请稍后再试', 'Too many registrations wait already: try again later')
  const id = newId()
  const context = { tx, actor: system('registration', tenantId), circumstance, cipher: services.cipher }
  const values = { name, account, source: who.source, socialName: who.name }
  await writeNew(modelOf(guest), context, id, values, { status: 0 })
  const kept = await tx.count(
    sql`insert into guest_secret (tenant_id, guest_id, provider_id, subject, password_hash)
        values (${tenantId}, ${id}, ${who.providerId}, ${who.subject}, ${hash}) on conflict (tenant_id, provider_id, subject) do nothing`,
  )
  if (kept === 0) throw new Problem('guest_waiting')
  await tellDeciders(tx, tenantId)
  await who.spend()
}

/** Takes a registration of somebody whom a provider knows; it waits until an administrator decides. */
async function register(given: InputOf<typeof registerGuest>, call: PublicCall): Promise<void> {
  const { services } = call
  const wish = wishOf(given, call)
  const { tenantId, account, password, oauthId } = wish
  await slowDown(call)
  const of = tenantOfTicket(oauthId)
  if (of === undefined) throw new Problem('social_ticket')
  if (!isTenantCode(tenantId) || of !== tenantId) throw new Problem('social_tenant')
  // Asked before the password is hashed, which is dear; and again when it is stored.
  await inTenant(services.pool, tenantId, (tx) => heldStranger(tx, call, tenantId, oauthId))
  await refuseWeak(password, { account, tenantId })
  const hash = await hashPassword(md5Of(password), services.secrets.pepper)
  await inTenant(services.pool, tenantId, async (tx) => {
    await store(tx, call, wish, await heldStranger(tx, call, tenantId, oauthId), hash)
  })
}

export const registerRoute = onPublic(registerGuest, register)
