import { user, type Words } from '@data-brain/contract'
import { newId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import { Problem } from '../../kernel/problem.ts'
import { type Call, type DetachedCall, detachedRoute, type Route, route } from '../../kernel/route.ts'
import { tenantOfTicket } from '../auth/index.ts'
import { tell } from '../desk/index.ts'
import { comeBack } from './flow.ts'
import { heldStranger } from './grant.ts'
import { type SocialWay, socialWays } from './provider.ts'

/** An account elsewhere by which the caller may log in. */
interface MyIdentity extends SocialWay {
  readonly id: string
  readonly socialName: string | null
  readonly linkedAt: string
  readonly lastUsed: string | null
}

const selfOf = (actor: Actor): string => {
  if (actor.userId === null) throw new Problem('not_found')
  return actor.userId
}

/** The caller's identities, and the providers of which there is none yet. */
async function mine({ tx, actor, services }: Call): Promise<{ identities: MyIdentity[]; providers: SocialWay[] }> {
  const { tenantId } = actor
  const identities = await tx.run<MyIdentity>(
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
  tell(tx, actor.tenantId, [selfOf(actor)], {
    kind,
    title,
    body: {
      zh: '如果不是您本人操作，请立即修改密码并联系管理员。',
      en: 'If it was not you, change your password and get in touch with an administrator at once.',
    },
  })

/** Takes one of the caller's own identities away; another's is as good as none. */
async function unlink({ tx, actor }: Call, id: string): Promise<null> {
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
  return null
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

const parameters = {
  source: { kind: 'text', max: 32 },
  code: { kind: 'text', max: 4_000 },
  state: { kind: 'text', max: 4_000 },
  iss: { kind: 'text', max: 4_000 },
  oauthId: { kind: 'text', max: 4_000 },
} as const

/** Links to the caller whoever has just come back from a provider, or was found unknown a moment ago, in this browser. */
async function linkMine(call: DetachedCall<typeof parameters>): Promise<null> {
  const { source, code, state, iss, oauthId } = call.parameters
  const tenantId = await call.as(async ({ actor }) => actor.tenantId)
  if (oauthId !== undefined) {
    if (tenantOfTicket(oauthId) !== tenantId) throw new Problem('social_ticket')
    await call.as(async ({ tx, actor }) => {
      const who = await heldStranger(tx, call, tenantId, oauthId)
      await link(tx, actor, who)
      await who.spend()
    })
    return null
  }
  for (const [field, value] of Object.entries({ source, code, state }))
    if (value === undefined) throw new Problem('parameter_missing', { field })
  const back = await comeBack(call, { tenantId, source: source!, code: code!, state: state!, iss })
  await call.as(({ tx, actor }) =>
    link(tx, actor, { providerId: back.provider.id, subject: back.subject, name: back.name }),
  )
  return null
}

export const identityRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/blade-user/identities',
    tag: user.name,
    access: 'session',
    summary: { zh: '本人关联的第三方账号', en: 'Accounts elsewhere that are linked to the caller' },
    handler: mine,
  }),
  route({
    method: 'POST',
    path: '/blade-user/unlink-identity',
    tag: user.name,
    access: 'session',
    summary: { zh: '取消本人的第三方账号关联', en: 'Unlink one of the caller’s accounts elsewhere' },
    parameters: { id: { kind: 'id', required: true } },
    handler: (call) => unlink(call, call.parameters.id),
  }),
  detachedRoute({
    method: 'POST',
    path: '/blade-user/link-identity',
    tag: user.name,
    access: 'session',
    summary: { zh: '为本人关联第三方账号', en: 'Link an account elsewhere to the caller' },
    parameters,
    handler: linkMine,
  }),
]
