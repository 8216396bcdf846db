import { entityOf, param, type Words } from '@data-brain/contract'
import type { AnswerOf } from '@data-brain/contract/call'
import { knownParameters } from '@data-brain/contract/calls/param'
import {
  type ParameterDefinition,
  type ParameterKey,
  parameterDefinition,
  parameters,
  readParameter,
} from '@data-brain/contract/parameters'
import { sql } from '../../database/statement.ts'
import { modelOf } from '../../entity/model.ts'
import { addRules, type Saving } from '../../entity/rules.ts'
import { columnRef, nameRef } from '../../entity/select.ts'
import { on } from '../../entity/serve-call.ts'
import { fieldProblem } from '../../kernel/problem.ts'
import type { Call, Route } from '../../kernel/route.ts'
import { parametersOf } from '../../kernel/setting.ts'

export function addParamRules(): void {
  addRules(param, {
    // A key that the server reads takes what the server can read; any other is the tenant's own affair.
    beforeSave: async ({ values, whole, context }) => {
      if (!('paramKey' in values || 'paramValue' in values)) return
      const definition = parameterDefinition(whole.paramKey)
      if (!definition) return
      const read = readParameter(definition, whole.paramValue)
      const reason = 'wrong' in read ? read.wrong : await noSuch(context, definition, String(read.value))
      if (reason)
        throw fieldProblem(
          [{ field: 'paramValue', label: param.fields.paramValue.label, reason }],
          context.circumstance.language,
        )
    },
  })
}

/** Why a title that names a row of another entity is not taken; nothing where the tenant has such a row. */
async function noSuch(
  { tx, actor }: Saving['context'],
  { from }: ParameterDefinition,
  name: string,
): Promise<Words | undefined> {
  if (!from || name === '') return undefined
  const entity = entityOf(from)
  const { table, byName } = modelOf(entity)
  // Held until the parameter is stored: a row that is removed meanwhile is not named by it.
  const row = await tx.one(
    sql`select 1 from ${nameRef(table)} t where t.tenant_id = ${actor.tenantId} and ${columnRef(byName.get(entity.title)!.column)} = ${name} for share`,
  )
  if (row) return undefined
  const label = entity.label
  return {
    zh: `没有“${name}”这个${label.zh}，请从已有的${label.zh}中选择，或恢复默认`,
    en: `there is no ${label.en.toLowerCase()} called “${name}”: choose one that exists, or go back to the default`,
  }
}

/** The parameters that the server reads, each with what holds in the caller's tenant and the row that sets it there. */
async function known({ tx, actor }: Call): Promise<AnswerOf<typeof knownParameters>> {
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

export const paramRoutes: readonly Route[] = [on(knownParameters, (_, call) => known(call))]
