import { user, type Words } from '@data-brain/contract'
import { sql } from '../../database/statement.ts'
import { givenBetween, recordGiven } from '../../entity/given-fields.ts'
import { modelOf } from '../../entity/model.ts'
import type { Context } from '../../entity/repository.ts'

const label: Words = { zh: '关联的第三方账号', en: 'Linked accounts elsewhere' }

/**
 * Takes all accounts elsewhere away by which a user can log in, and records them in the user's history. Called before
 * the sessions are ended: a log-in by one of them that is under way is waited for, and its session ends with the others.
 * Answers how many they were.
 */
export async function dropIdentities(
  context: Pick<Context, 'tx' | 'actor' | 'circumstance'>,
  userId: string,
): Promise<number> {
  const { tx, actor } = context
  const gone = await tx.run<Words & { id: string }>(
    sql`delete from social_identity i using social_provider p
        where i.tenant_id = ${actor.tenantId} and i.user_id = ${userId} and p.tenant_id = i.tenant_id and p.id = i.provider_id
        returning i.id, p.provider_name as zh, coalesce(nullif(p.provider_name_en, ''), p.provider_name) as en`,
  )
  const names = new Map(gone.map(({ id, zh, en }) => [id, { zh, en }]))
  await recordGiven(modelOf(user), context, userId, [givenBetween('identities', label, [...names.keys()], [], names)])
  return gone.length
}
