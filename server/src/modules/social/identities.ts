import type { Words } from '@data-brain/contract'
import type { AnswerOf, InputOf } from '@data-brain/contract/call'
import { linkIdentity, myIdentities, unlinkIdentity } from '@data-brain/contract/calls/account'
import { newId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { on, onDetached } from '../../entity/serve-call.ts'
import type { Actor } from '../../kernel/actor.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Call, DetachedCall, Route } from '../../kernel/route.ts'
import { tenantOfTicket } from '../auth/index.ts'
import { sendMessage } from '../desk/index.ts'
import { comeBack } from './flow.ts'
import { heldStranger } from './grant.ts'
import { socialWays } from './provider.ts'

const selfOf = (actor: Actor): string => {
  if (actor.userId === null) throw new Problem('not_found')
  return actor.userId
}

type Mine = AnswerOf<typeof myIdentities>

/** The caller's identities, and the providers of which there is none yet. */
async function mine({ tx, actor, services }: Call): Promise<Mine> {
  const { tenantId } = actor
  const identities = await tx.run<Mine['identities'][number]>(
    sql`select i.id, p.source, p.provider_name as name, p.provider_name_en as "nameEn", p.kind, i.social_name as "socialName",
          i.create_time as "linkedAt", i.last_used as "lastUsed"
        from social_identity i join social_provider p on p.tenant_id = i.tenant_id and p.id = i.provider_id
        where i.tenant_id = ${tenantId} and i.user_id = ${selfOf(actor)} order by p.sort, i.id`,
  )
  const ways = await socialWays(tx, services, tenantId)
  return { identities, providers: ways.filter(({ source }) => !identities.some((each) => each.source === source)) }
}

/** What happens to the ways into an account is told to whom it belongs. */
const report = (tx: Tx, actor: Actor, kind: string, title: Words): Promise<number> =>
  sendMessage(tx, actor.tenantId, [selfOf(actor)], {
    kind,
    title,
    body: {
      zh: '如果不是您本人操作，请立即修改密码并联系管理员。',
      en: 'If it was not you, change your password and get in touch with an administrator at once.',
    },
  })

/** Takes one of the caller's own identities away; another's is as good as none. */
async function unlink({ id }: InputOf<typeof unlinkIdentity>, { tx, actor }: Call): Promise<void> {
  const gone = await tx.one<{ name: string; name_en: string | null }>(
    sql`delete from social_identity i using social_provider p
        where i.tenant_id = ${actor.tenantId} and i.id = ${id} and i.user_id = ${selfOf(actor)}
          and p.tenant_id = i.tenant_id and p.id = i.provider_id
        returning p.provider_name as name, p.provider_name_en as name_en`,
  )
  if (!gone) throw new Problem('not_found')
  await report(tx, actor, 'identity-unlinked', {
    zh: `已取消关联：${gone.name}`,
    en: `${gone.name_en ?? gone.name} was unlinked from your account`,
  })
}

interface Linking {
  readonly providerId: string
  readonly subject: string
  readonly name: string | null
}

async function link(tx: Tx, actor: Actor, { providerId, subject, name }: Linking): Promise<void> {
  const { tenantId } = actor
  const userId = selfOf(actor)
  const made = await tx.count(
    sql`insert into social_identity (tenant_id, id, provider_id, subject, user_id, social_name)
        values (${tenantId}, ${newId()}, ${providerId}, ${subject}, ${userId}, ${name}) on conflict (tenant_id, provider_id, subject) do nothing`,
  )
  if (made === 0) {
    const owner = await tx.one<{ user_id: string }>(
      sql`select user_id from social_identity where tenant_id = ${tenantId} and provider_id = ${providerId} and subject = ${subject}`,
    )
    if (owner?.user_id !== userId) throw new Problem('social_linked')
    return
  }
  const provider = await tx.one<{ name: string; name_en: string | null }>(
    sql`select provider_name as name, provider_name_en as name_en from social_provider where tenant_id = ${tenantId} and id = ${providerId}`,
  )
  await report(tx, actor, 'identity-linked', {
    zh: `已关联第三方账号：${provider?.name ?? ''}`,
    en: `${provider?.name_en ?? provider?.name ?? ''} was linked to your account`,
  })
}

/** Links to the caller whoever has just come back from a provider, or was found unknown a moment ago, in this browser. */
async function linkMine(
  { source, code, state, iss, oauthId }: InputOf<typeof linkIdentity>,
  call: DetachedCall,
): Promise<void> {
  const tenantId = await call.as(async ({ actor }) => actor.tenantId)
  if (oauthId !== undefined) {
    if (tenantOfTicket(oauthId) !== tenantId) throw new Problem('social_ticket')
    await call.as(async ({ tx, actor }) => {
      const who = await heldStranger(tx, call, tenantId, oauthId)
      await link(tx, actor, who)
      await who.spend()
    })
    return
  }
  for (const [field, value] of Object.entries({ source, code, state }))
    if (value === undefined) throw new Problem('parameter_missing', { field })
  const back = await comeBack(call, { tenantId, source: source!, code: code!, state: state!, iss })
  await call.as(({ tx, actor }) =>
    link(tx, actor, { providerId: back.provider.id, subject: back.subject, name: back.name }),
  )
}

export const identityRoutes: readonly Route[] = [
  on(myIdentities, (_, call) => mine(call)),
  on(unlinkIdentity, unlink),
  onDetached(linkIdentity, linkMine),
]
