import { post } from '@data-brain/contract'
import type { AnswerOf } from '@data-brain/contract/call'
import { postChoices } from '@data-brain/contract/calls/post'
import { sql } from '../../database/statement.ts'
import { bindingCodes } from '../../entity/choice-access.ts'
import { rowsOf } from '../../entity/routes.ts'
import { on } from '../../entity/serve-call.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Call, Route } from '../../kernel/route.ts'

type Post = AnswerOf<typeof postChoices>[number]

async function choices(call: Call): Promise<Post[]> {
  const { tx, actor } = call
  const { tenantId, ...wanted } = call.query
  if (tenantId && tenantId !== actor.tenantId) throw new Problem('not_found')
  const chosen = await rowsOf(post, call).select(wanted, bindingCodes(post, actor))
  const rows = await tx.run<Omit<Post, 'beside' | 'usual'>>(
    sql`select p.id, p.post_name as name, p.post_code as "postCode", p.post_name as "postName", p.category, p.sort from post p
        where p.tenant_id = ${actor.tenantId} and p.id = any(${chosen.map((row) => row.id)}::bigint[])`,
  )
  return chosen.flatMap((row) => rows.filter((each) => each.id === row.id).map((each) => ({ ...row, ...each })))
}

// The keyword, the ids and their number are read out of the address, as every call of choices does.
export const postRoutes: readonly Route[] = [on(postChoices, (_, call) => choices(call))]
