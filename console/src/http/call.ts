import type { AnswerOf, CallDefinition, InputOf, NeedsInput } from '@data-brain/contract/call'
import type { FileShape } from '@data-brain/contract/shape'
import { type DownloadOptions, download, get, type PostOptions, post, postBare, type Query } from './client.ts'

/** What the console keeps of a declaration (callsByPath in vite.config.ts): of `query` the names alone. */
type Kept = Pick<CallDefinition, 'method' | 'path' | 'as' | 'query' | 'bare'>

type Options = Omit<PostOptions, 'query' | 'body' | 'form'>
type Sent<C extends CallDefinition, O = Options> =
  NeedsInput<C> extends true ? [input: InputOf<C>, options?: O] : [input?: InputOf<C>, options?: O]

/** Most characters of a form in one text: the server takes 64 kB of it. A longer one is sent in parts. */
const textMost = 60_000

/** What is there, as a form says it: lists comma separated. */
function formOf(input: Readonly<Record<string, unknown>>): FormData | URLSearchParams {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(input))
    if (value !== undefined && value !== null) form.set(name, String(value))
  if (String(form).length <= textMost) return form
  const parts = new FormData()
  for (const [name, value] of form) parts.set(name, value)
  return parts
}

/**
 * Makes a declared call and answers its `data`, or all of a bare answer (of a POST); anything but 200 is thrown as
 * `HttpProblem`, and shown unless silent. The declaration says what is sent, how it travels, and what comes back.
 */
export function call<const C extends CallDefinition>(declared: C, ...sent: Sent<NoInfer<C>>): Promise<AnswerOf<C>> {
  const [given, options = {}] = sent
  const { method, path, as, bare, query = {} }: Kept = declared
  const send = bare ? postBare<AnswerOf<C>> : post<AnswerOf<C>>
  const input = { ...(given as (Query & Record<string, unknown>) | undefined) }
  if (method === 'GET') return get(path, input, options)
  if (as === 'list') return send(path, { ...options, body: given })
  if (as === 'form') return send(path, { ...options, form: formOf(input) })
  if (as !== 'json') return send(path, { ...options, query: input })
  const split = (wanted: boolean) =>
    Object.fromEntries(Object.entries(input).filter(([name]) => name in query === wanted))
  return send(path, { ...options, query: split(true) as Query, body: split(false) })
}

/** Makes a call that takes one file. */
export function sendFile<const C extends CallDefinition & { readonly upload: true }>(
  declared: C,
  file: File,
  ...sent: Sent<NoInfer<C>>
): Promise<AnswerOf<C>> {
  const [given, options = {}] = sent
  const form = new FormData()
  form.append('file', file)
  return post(declared.path, { ...options, form, query: { ...(given as Query | undefined) } })
}

/** Makes a call that answers a file. */
export function fetchFile<const C extends CallDefinition & { readonly answer: FileShape }>(
  declared: C,
  ...sent: Sent<NoInfer<C>, DownloadOptions>
): Promise<{ blob: Blob; name: string }> {
  const [given, options = {}] = sent
  const { method, path }: Kept = declared
  return download(path, { ...(given as Query | undefined) }, { ...options, ...(method === 'POST' ? { body: {} } : {}) })
}

/** A list that is no entity's: its name in codes, and under which its calls stand. */
export const plainList = (name: string, { path }: Pick<CallDefinition, 'path'>) => ({
  name,
  path: path.slice(0, path.lastIndexOf('/')),
})
