import { createHash, randomBytes } from 'node:crypto'
import { client, codeOf } from '@data-brain/contract'
import type { AnswerOf } from '@data-brain/contract/call'
import { removeClients, resetClientSecret } from '@data-brain/contract/calls/client'
import { rowOf, textValue } from '@data-brain/contract/shape'
import { eachTenant } from '../../database/each-tenant.ts'
import { sql } from '../../database/statement.ts'
import { modelOf } from '../../entity/model.ts'
import { contextOf, rowsOf, submit } from '../../entity/routes.ts'
import { addRules } from '../../entity/rules.ts'
import { draftSchema } from '../../entity/schema.ts'
import { on } from '../../entity/serve-call.ts'
import { shapeSchema } from '../../entity/shape-schema.ts'
import { writeOver } from '../../entity/write.ts'
import { namesRow, objectOf } from '../../kernel/body.ts'
import { refuseBrokenTexts } from '../../kernel/broken-text.ts'
import { pluralize } from '../../kernel/pluralize.ts'
import { fieldProblem, Problem } from '../../kernel/problem.ts'
import { type Call, code, type Route, route } from '../../kernel/route.ts'

/** A secret nobody has chosen: 256 bits. */
const makeSecret = (): string => randomBytes(32).toString('base64url')

/** What the database keeps of a secret. It is long and random, so a plain hash tells nothing of it. */
const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()

const storeSecret = (call: Call, id: string, secret: string): Promise<unknown> =>
  call.tx.run(sql`update client set client_secret_hash = ${hashOf(secret)} where id = ${id}`)

function givenSecret(given: unknown, call: Call): string | undefined {
  if (given === undefined || given === null || given === '') return undefined
  if (typeof given === 'string' && /^[\x21-\x7e]{16,128}$/.test(given)) return given
  throw fieldProblem(
    [
      {
        field: 'clientSecret',
        label: { zh: '客户端密钥', en: 'Client secret' },
        reason: {
          zh: '须为16–128位可见ASCII字符，不含空格',
          en: 'must be 16–128 visible ASCII characters without spaces',
        },
      },
    ],
    call.circumstance.language,
  )
}

const ownOf = (call: Call, clientId: unknown): boolean => clientId === call.services.secrets.clientId

/** The console logs in with a client of its own: without it nobody could undo the change. */
const refuseOwn = (zh: string, en: string): Problem => new Problem('rule_broken', { reason: { zh, en } })

const consoles = { zh: '控制台自己的客户端', en: 'The console’s own client' }

/** Adds or changes a client. A new one's secret is told once, also when it was given. */
async function save(call: Call): Promise<unknown> {
  refuseBrokenTexts(call.body)
  const body = objectOf(call.body)
  if (namesRow(body)) {
    const row = await submit(client, call)
    const grants = row.authorizedGrantTypes.split(',')
    if (
      ownOf(call, row.clientId) &&
      (row.status !== 1 || !['password', 'refresh_token'].every((grant) => grants.includes(grant)))
    )
      throw refuseOwn(
        `${consoles.zh}不能停用，也不能去掉密码或刷新令牌授权`,
        `${consoles.en} can neither be disabled nor lose the grants password and refresh_token`,
      )
    return row
  }
  const { clientSecret, ...draft } = body
  const secret = givenSecret(clientSecret, call) ?? makeSecret()
  const row = await submit(client, { ...call, body: draft })
  await storeSecret(call, row.id, secret)
  return { ...row, clientSecret: secret }
}

/** Removes clients that nobody was named: whose only client went could log in with any. */
async function remove(call: Call, ids: readonly string[]): Promise<void> {
  const { tx, actor } = call
  const found = await tx.run<{ id: string; client_id: string }>(
    sql`select id, client_id from client where id = any(${[...ids]}::bigint[]) order by id for update`,
  )
  if (found.some((row) => ownOf(call, row.client_id)))
    throw refuseOwn(`${consoles.zh}不能删除`, `${consoles.en} cannot be removed`)
  const named: string[] = []
  await eachTenant(tx, actor.tenantId, async (tenantId, name) => {
    const holds = await tx.one(
      sql`select 1 from tenant_client where tenant_id = ${tenantId} and client_id = any(${[...ids]}::bigint[])
          union all select 1 from user_client where tenant_id = ${tenantId} and client_id = any(${[...ids]}::bigint[]) limit 1`,
    )
    if (holds) named.push(`${tenantId} ${name}`)
  })
  if (named.length > 0)
    throw new Problem('blocked', {
      reason: {
        zh: `已指定给${named.length}个租户或其用户（${named.slice(0, 5).join('、')}）`,
        en: `named for ${pluralize(named.length, 'tenant')} or their users (${named.slice(0, 5).join(', ')})`,
      },
    })
  await rowsOf(client, call).remove(ids)
}

/** Gives a client another secret, told once; the old one is void at once. */
async function resetSecret(call: Call, id: string): Promise<AnswerOf<typeof resetClientSecret>> {
  const row = await rowsOf(client, call).before(id, { lock: true })
  if (ownOf(call, row.clientId))
    throw refuseOwn(
      `${consoles.zh}的密钥由服务器的密钥文件决定`,
      `${consoles.en} has the secret that stands in the server’s file of secrets`,
    )
  const secret = makeSecret()
  await storeSecret(call, id, secret)
  // The row's history tells who did it, and nothing of the secret.
  await writeOver(modelOf(client), contextOf(call), id, row, {}, {})
  return { clientSecret: secret }
}

/** A client's id travels before a colon in a header. */
export function addClientRules(): void {
  addRules(client, {
    beforeSave: async ({ values, context }) => {
      if (typeof values.clientId === 'string' && !/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(values.clientId))
        throw fieldProblem(
          [
            {
              field: 'clientId',
              label: client.fields.clientId.label,
              reason: {
                zh: '只能包含字母、数字和 . _ -，以字母或数字开头',
                en: 'may contain only letters, digits and . _ -, and must begin with a letter or digit',
              },
            },
          ],
          context.circumstance.language,
        )
    },
  })
}

const clientSecret = { type: 'string', description: 'of a new client: 16–128 characters; none: one is made' }

export const clientRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/blade-system/client/submit',
    tag: client.name,
    platform: true,
    access: code(codeOf(client, 'add'), codeOf(client, 'edit')),
    summary: { zh: '客户端：新增或修改', en: 'Client: add or change' },
    bodySchema: draftSchema(client, { clientSecret }),
    // A new one's secret is told once.
    dataSchema: shapeSchema(rowOf(client, { clientSecret: textValue({ optional: true }) })),
    handler: save,
  }),
  on(removeClients, ({ ids }, call) => remove(call, ids), { platform: true }),
  on(resetClientSecret, ({ id }, call) => resetSecret(call, id), { platform: true }),
]
