import type { Page } from 'playwright-core'

export interface Asked {
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Sent by POST though it has no body. */
  readonly post?: boolean
}

/** Calls the server past a page, as the person whose page it is; throws what it answers in words. */
export async function askAs<T>(
  page: Page,
  url: string,
  address: string,
  { query = {}, body, post = body !== undefined }: Asked = {},
): Promise<T> {
  const token = (await page.context().cookies()).find((cookie) => cookie.name.includes('access'))!.value
  const search = new URLSearchParams(query).toString()
  const answer = await fetch(`${url}/api/${address}${search && `?${search}`}`, {
    method: post ? 'POST' : 'GET',
    headers: { 'blade-auth': `bearer ${token}`, ...(body ? { 'Content-Type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const { code, msg, data } = (await answer.json()) as { code: number; msg: string; data: T }
  if (code !== 200) throw new Error(`${address}: ${code} ${msg} ${JSON.stringify(data)}`)
  return data
}
