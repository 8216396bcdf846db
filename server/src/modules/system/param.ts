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

/** The parameters that the server reads, each with what holds in the caller's tenant and whether it was set there. */
async function known({ tx, actor }: Call): Promise<unknown[]> {
  const keys = Object.keys(parameters) as ParameterKey[]
  const inForce = await parametersOf(tx, actor.tenantId, keys)
  const own = new Set(
    (
      await tx.run<{ param_key: string }>(
        sql`select param_key from param where tenant_id = ${actor.tenantId} and param_key = any(${keys}::text[])`,
      )
    ).map((row) => row.param_key),
  )
  return keys.map((key) => {
    const definition: ParameterDefinition = parameters[key]
    return { key, ...definition, value: inForce[key], own: own.has(key) ? 1 : 0 }
  })
}

export const paramRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/blade-system/param/known',
    tag: param.name,
    access: code('param_view'),
    summary: { zh: '系统参数:服务器读取的参数及其当前值', en: 'The parameters that the server reads, as they hold' },
    handler: known,
  }),
]
