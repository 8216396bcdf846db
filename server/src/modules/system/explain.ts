import { codeOf, entities, isNarrowable, user, type Verb, type Words } from '@data-brain/contract'
import type { AnswerOf } from '@data-brain/contract/call'
import { explainCall, explainRow, knownCalls } from '@data-brain/contract/calls/explain'
import { sql } from '../../database/statement.ts'
import { modelOf } from '../../entity/model.ts'
import { Repository } from '../../entity/repository.ts'
import { contextOf, rowsOf } from '../../entity/routes.ts'
import { reachBy } from '../../entity/scope.ts'
import { scopeOf, scopesOfRole } from '../../entity/scopes-of-role.ts'
import { on } from '../../entity/serve-call.ts'
import type { Actor, Role } from '../../kernel/actor.ts'
import { loadActor } from '../../kernel/load-actor.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Call, Route } from '../../kernel/route.ts'
import { knownRoutes, routeKey, routesOf } from '../../kernel/route-path.ts'

/*
 * Why somebody may do something, or what they lack: answered with the very functions that judge their requests.
 */

type Verdict = AnswerOf<typeof explainCall>
type Reason = Verdict['reasons'][number]
type Missing = Verdict['missing'][number]

const verdict = (reasons: Reason[], missing: Missing[]): Verdict => ({
  allowed: missing.length === 0 && reasons.length > 0,
  reasons,
  missing,
})

const say = (call: Call, words: Words): string => words[call.circumstance.language]

/** The person asked about, as the next request would see them; a disabled one can do nothing. */
async function personOf(call: Call, userId: string): Promise<Actor | Verdict> {
  const { tx, actor } = call
  // Who works with some users only is told of no other.
  await rowsOf(user, call).before(userId, { codes: ['explain_view'] })
  const person = await loadActor(tx, actor.tenantId, userId, { sessionId: null })
  if (person) return person
  const text = say(call, { zh: '该用户已停用', en: 'The user is disabled' })
  return verdict([], [{ kind: 'user', text }])
}

const of = ({ id, name }: Role): Pick<Reason, 'roleId' | 'roleName'> => ({ roleId: id, roleName: name })

/** A permission that nobody gives, by its place in the menus and by its code. */
async function lacks(call: Call, wanted: string): Promise<Missing> {
  const found = await call.tx.one<Words>(
    sql`select concat_ws(' / ', p.name, m.name) as zh, concat_ws(' / ', p.name_en, m.name_en) as en
        from menu m left join menu p on p.id = m.parent_id where m.code = ${wanted}`,
  )
  const named = found ?? { zh: '', en: '' }
  return {
    kind: 'code',
    code: wanted,
    text: say(call, {
      zh: `没有任何角色授予权限 ${named.zh ? `“${named.zh}” ` : ''}${wanted}`,
      en: `None of the roles gives the permission ${named.en ? `"${named.en}" ` : ''}${wanted}`,
    }),
  }
}

async function ofCall(call: Call, userId: string, method: string, path: string): Promise<Verdict> {
  const wanted = path.replace(/^\/api/, '')
  const asked = knownRoutes().find((each) => each.method === method.toUpperCase() && each.path === wanted)
  if (!asked || asked.access === 'public') throw new Problem('not_found')
  const person = await personOf(call, userId)
  if ('allowed' in person) return person
  const reasons: Reason[] = []
  const missing: Missing[] = []
  const { access } = asked
  const admin = person.roles.find((role) => role.admin)
  if (access === 'session') reasons.push({ kind: 'session' })
  else if (admin && access.codes.some((each) => person.codes.has(each))) reasons.push({ kind: 'admin', ...of(admin) })
  else
    for (const role of person.roles)
      for (const each of access.codes) if (role.codes.has(each)) reasons.push({ kind: 'role', ...of(role), code: each })
  if (reasons.length === 0 && access !== 'session') missing.push(await lacks(call, access.codes[0] ?? ''))
  if ('platform' in asked && asked.platform && !person.platform)
    missing.push({
      kind: 'platform',
      text: say(call, { zh: '只有平台管理员可以', en: 'Only the platform’s administrators may' }),
    })
  if (person.refused.has(routeKey(asked)))
    for (const scope of await call.tx.run<{ name: string; path: string }>(
      sql`select scope_name as name, scope_path as path from api_scope where tenant_id = ${call.actor.tenantId} order by id`,
    ))
      if (routesOf(scope.path).includes(routeKey(asked)))
        missing.push({
          kind: 'apiScope',
          scopeName: scope.name,
          text: say(call, {
            zh: `接口受“${scope.name}”限制，未授予任何角色`,
            en: `The API scope "${scope.name}" keeps this call, and no role was granted it`,
          }),
        })
  return verdict(reasons, missing)
}

async function ofRow(call: Call, userId: string, name: string, id: string, verb: Verb): Promise<Verdict> {
  const entity = entities.find((each) => each.name === name && isNarrowable(each))
  if (!entity) throw new Problem('not_found')
  // Who asks must be able to see the row, or the answer would tell that it exists.
  await new Repository(entity, contextOf(call)).detail(id)
  const person = await personOf(call, userId)
  if ('allowed' in person) return person
  const wanted = codeOf(entity, verb)
  const admin = person.roles.find((role) => role.admin)
  if (admin) return verdict([{ kind: 'admin', ...of(admin) }], [])
  const giving = person.roles.filter((role) => role.codes.has(wanted))
  if (giving.length === 0) return verdict([], [await lacks(call, wanted)])
  const reasons: Reason[] = []
  const missing: Missing[] = []
  const model = modelOf(entity)
  const ground = { tx: call.tx, actor: person, cipher: call.services.cipher }
  for (const role of giving) {
    const scopes = scopesOfRole(role.scopes, entity)
    if (scopes === undefined) {
      reasons.push({ kind: 'role', ...of(role), code: wanted, scope: null })
      continue
    }
    for (const scope of scopes) {
      const { id: scopeId, name: scopeName, type } = scopeOf(scope)
      const within = new Repository(entity, { ...contextOf(call), actor: person })
      if (await within.lies(id, await reachBy(ground, model, [scope])))
        reasons.push({ kind: 'role', ...of(role), code: wanted, scope: { id: scopeId, name: scopeName, type } })
      else
        missing.push({
          kind: 'scope',
          roleName: role.name,
          scopeName,
          text: say(call, {
            zh: `角色“${role.name}”的数据权限“${scopeName}”不包含该数据`,
            en: `The row is outside "${scopeName}", to which the role "${role.name}" is narrowed`,
          }),
        })
    }
  }
  return reasons.length > 0 ? verdict(reasons, []) : verdict([], missing)
}

export const explainRoutes: readonly Route[] = [
  on(knownCalls, async () =>
    knownRoutes().flatMap(
      ({ method, path, summary, access, always }): AnswerOf<typeof knownCalls> =>
        access === 'public'
          ? []
          : [
              {
                method,
                path: `/api${path}`,
                summary,
                access: access === 'session' ? access : access.codes.join(','),
                always: always ? 1 : 0,
              },
            ],
    ),
  ),
  on(explainCall, ({ userId, method, path }, call) => ofCall(call, userId, method, path)),
  on(explainRow, ({ userId, entity, id, verb = 'view' }, call) => {
    if (verb !== 'view' && verb !== 'edit' && verb !== 'delete')
      throw new Problem('field_invalid', {
        label: 'verb',
        reason: { zh: '应为view、edit或delete', en: 'must be view, edit or delete' },
      })
    return ofRow(call, userId, entity, id, verb)
  }),
]
