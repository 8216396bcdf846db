import { type Condition, type Group, groupOf, isGroup, membersOf, modeOf } from '@data-brain/contract/rules/condition'

/*
 * What a report asks for is kept as conditions on its rows, which are told in words wherever the subscription is shown; a run
 * takes it as filters of the list.
 */

const days = { datege: 'ge', datele: 'le' } as const

/** Filters of a list, as a run of a report takes them, as conditions; null where there are none. */
export function conditionsOf(parameters: Readonly<Record<string, string>>): Group | null {
  const all = Object.entries(parameters).flatMap(([name, value]): Condition[] => {
    if (value === '') return []
    const [, field = name, span] = /^(.+)_(datege|datele)$/.exec(name) ?? []
    return [span ? { field, op: days[span as keyof typeof days], value } : { field, op: 'in', value: value.split(',') }]
  })
  return all.length > 0 ? groupOf('all', all) : null
}

/** The same the other way round; undefined for conditions that no run of a report takes. */
export function parametersIn(conditions: unknown): Record<string, string> | undefined {
  if (conditions === null || conditions === undefined) return {}
  if (!isGroup(conditions) || modeOf(conditions) !== 'all') return undefined
  const parameters: Record<string, string> = {}
  for (const member of membersOf(conditions)) {
    if (isGroup(member)) return undefined
    const { field, op, value } = member
    const name = op === 'ge' ? `${field}_datege` : op === 'le' ? `${field}_datele` : op === 'in' ? field : undefined
    if (name === undefined || name in parameters) return undefined
    parameters[name] = Array.isArray(value) ? value.join(',') : String(value ?? '')
  }
  return parameters
}
