import type { LogRow } from './calls.ts'

/** A text as one word of a shell, whatever it holds. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** The JSON of a field, laid out; the text as it is where it is none. */
export function laidOut(text: unknown): string {
  if (typeof text !== 'string') return text === null || text === undefined ? '' : String(text)
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

function given(params: unknown): Record<string, unknown> {
  try {
    const read: unknown = JSON.parse(String(params))
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? (read as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** The call of a row as a command. The token is left out, and what the log has hidden is hidden here. */
export function curlOf(row: LogRow, origin: string): string {
  const method = String(row.method ?? 'GET')
  const params = given(row.params)
  const lines: string[] = []
  let address = `${origin}${String(row.requestUri ?? '')}`
  if (method === 'GET') {
    const query = new URLSearchParams(
      Object.entries(params).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
    ).toString()
    if (query) address += `?${query}`
  }
  lines.push(`curl -X ${method} ${quoted(address)}`, `-H "Blade-Auth: bearer $TOKEN"`)
  if (method === 'POST' && Object.keys(params).length > 0) {
    // An array that was sent is kept as the one thing named `body`.
    const body = Array.isArray(params.body) && Object.keys(params).length === 1 ? params.body : params
    lines.push(`-H 'Content-Type: application/json'`, `--data ${quoted(JSON.stringify(body))}`)
  }
  return lines.join(' \\\n  ')
}
