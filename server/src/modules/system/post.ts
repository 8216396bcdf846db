import { post } from '@data-brain/contract'
import { sql } from '../../database/statement.ts'
import { bindingCodes } from '../../entity/choosers.ts'
import { rowsOf } from '../../entity/routes.ts'
import { Problem } from '../../kernel/problem.ts'
import { type Route, route } from '../../kernel/route.ts'

export const postRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/blade-system/post/select',
    tag: post.name,
    access: 'session',
    summary: { zh: '岗位：选项', en: 'Posts to choose from' },
    parameters: {
      tenantId: { kind: 'tenant' },
      keyword: { kind: 'text', max: 64 },
      ids: { kind: 'ids' },
      size: { kind: 'integer', min: 1, max: 50 },
    },
    handler: async (call) => {
      const { tenantId, ...query } = call.query
      if (tenantId && tenantId !== call.actor.tenantId) throw new Problem('not_found')
      const chosen = await rowsOf(post, call).select(query, bindingCodes(post, call.actor))
      const rows = await call.tx.run<{ id: string }>(
        sql`select p.id, p.post_name as name, p.post_code as "postCode", p.post_name as "postName", p.category, p.sort from post p
            where p.tenant_id = ${call.actor.tenantId} and p.id = any(${chosen.map((row) => row.id)}::bigint[])`,
      )
      return chosen.flatMap((row) => rows.filter((each) => each.id === row.id).map((each) => ({ ...row, ...each })))
    },
  }),
]
