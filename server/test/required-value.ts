import type { Parameter } from '../src/kernel/parameter.ts'

/** A value that a named parameter of any call takes, ids aside: for walks through all calls. */
export function requiredValue(
  name: string,
  { kind, values }: Parameter,
  { tenantId, entity, keyword }: { readonly tenantId: string; readonly entity: string; readonly keyword: string },
): string {
  if (name === 'entity') return entity
  if (name === 'keyword') return keyword
  if (/^codes?$/.test(name)) return '110000'
  if (kind === 'tenant') return tenantId
  if (kind === 'date') return '2026-09-01'
  if (kind === 'oneOf') return String(values?.at(-1))
  return 'GET'
}
