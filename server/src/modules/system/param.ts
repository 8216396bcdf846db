import { param } from '@data-brain/contract'
import {
  type ParameterDefinition,
  type ParameterKey,
  parameterDefinition,
  parameters,
  readParameter,
} from '@data-brain/contract/parameters'
import { sql } from '../../database/statement.ts'
import { addRules } from '../../entity/rules.ts'
import { fieldProblem } from '../../kernel/problem.ts'
import { type Call, code, type Route, route } from '../../kernel/route.ts'
import { parametersOf } from '../../kernel/setting.ts'

export function addParamRules(): void {
  addRules(param, {
    // A key that the server reads takes what the server can read; any other is the tenant's own affair.
    beforeSave: async ({ values, whole, context }) => {
      if (!('paramKey' in values || 'paramValue' in values)) return
      const definition = parameterDefinition(String(whole.paramKey))
      const read = definition && readParameter(definition, String(whole.paramValue))
      if (read && 'wrong' in read)
        throw fieldProblem(
          [{ field: 'paramValue', label: param.fields.paramValue.label, reason: read.wrong }],
          context.circumstance.language,
        )
    },
  })
}

/** The parameters that the server reads, each with what holds in the caller's tenant and the row that sets it there. */
async function known({ tx, actor }: Call): Promise<unknown[]> {
  const keys = Object.keys(parameters) as ParameterKey[]
  const inForce = await parametersOf(tx, actor.tenantId, keys)
  const rows = await tx.run<{ param_key: string; id: string; version: number }>(
    sql`select param_key, id, version from param where tenant_id = ${actor.tenantId} and param_key = any(${keys}::text[])`,
  )
  const own = new Map(rows.map(({ param_key, id, version }) => [param_key, { id, version }]))
  return keys.map((key) => {
    const definition: ParameterDefinition = parameters[key]
    return { key, ...definition, value: inForce[key], own: own.has(key) ? 1 : 0, row: own.get(key) ?? null }
  })
}

export const paramRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/blade-system/param/known',
    tag: param.name,
    access: code('param_view'),
    summary: { zh: '系统参数：服务器读取的参数及其当前值', en: 'The parameters that the server reads, as they hold' },
    handler: known,
  }),
]
