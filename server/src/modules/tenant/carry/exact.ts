/** A number kept as it was written: ids and decimals do not fit into JavaScript's. */
interface RawJson {
  readonly rawJSON: string
}

const raw = (JSON as unknown as { rawJSON(text: string): RawJson }).rawJSON

const isRaw = (value: unknown): value is RawJson => typeof value === 'object' && value !== null && 'rawJSON' in value

function keep(_key: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' && context?.source !== undefined && String(value) !== context.source
    ? raw(context.source)
    : value
}

/** A row of a table as the database writes it: what is read and written again is the same, number for number. */
export const readExact = (text: string): Record<string, unknown> =>
  JSON.parse(text, keep as (key: string, value: unknown) => unknown) as Record<string, unknown>

/** The text of an id, however it was read. */
export const textOf = (value: unknown): string => (isRaw(value) ? value.rawJSON : String(value))
