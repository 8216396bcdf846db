import { vi } from 'vitest'

export interface Seen {
  path: string
  query: URLSearchParams
  init: RequestInit
}

type Given = { status?: number; body?: unknown; headers?: Record<string, string> }
type Answer = Given | Promise<Given> | Error

/** Stands at the other end of the wire: answers by path, and keeps what was sent. Asks nothing of the code under test. */
export function serve(answers: Record<string, Answer | ((seen: Seen) => Answer)>): Seen[] {
  const seen: Seen[] = []
  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    const url = new URL(address, 'http://console.test')
    const call = { path: url.pathname.replace(/^\/api\//, ''), query: url.searchParams, init }
    seen.push(call)
    const given = answers[call.path] ?? {
      status: 404,
      body: { code: 404, success: false, msg: 'no such call', data: null },
    }
    const answer = await (typeof given === 'function' ? given(call) : given)
    if (answer instanceof Error) throw answer
    const body = answer.body === undefined ? '' : JSON.stringify(answer.body)
    return new Response(body, { status: answer.status ?? 200, headers: answer.headers })
  })
  return seen
}

/** A good answer in the envelope. */
export const good = (data: unknown) => ({ body: { code: 200, success: true, msg: 'ok', data } })
