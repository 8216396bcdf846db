import { fetchOutbound, isAllowedHost, OutboundError, outboundAddress } from '../../kernel/outbound.ts'
import type { Services } from '../../kernel/services.ts'

interface Wanted {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** Statuses whose answers have no body. */
const bare: ReadonlySet<number> = new Set([204, 205, 304])

/**
 * A `fetch` whose every call goes through the gate for calls to other hosts: five seconds, 256 kB, no redirects. What is
 * sent are secrets and codes, so without encryption only a host that the operator lists in OUTBOUND_ALLOW is called.
 */
export function gatedFetch(services: Pick<Services, 'environment'>): (url: string, init?: Wanted) => Promise<Response> {
  return async (url, { method, headers = {}, body } = {}) => {
    const address = outboundAddress(url)
    if (address.protocol === 'http:' && !isAllowedHost(services, address.hostname, Number(address.port || 80)))
      throw new OutboundError('refused', {
        zh: `${address.host} 须以 https 访问`,
        en: `${address.host} must be called by https`,
      })
    const text = body === undefined || body === null ? undefined : String(body)
    const answer = await fetchOutbound(services, address, {
      method,
      // Some providers refuse calls that do not say who is calling.
      headers: { 'user-agent': 'data-brain', ...headers },
      ...(text === undefined ? {} : { body: text }),
      timeout: 5_000,
      limit: 262_144,
    })
    const kept = new Headers()
    for (const [name, value] of Object.entries(answer.headers))
      if (value !== undefined) kept.set(name, Array.isArray(value) ? value.join(', ') : value)
    return new Response(bare.has(answer.status) ? null : new Uint8Array(answer.bytes), {
      status: answer.status,
      headers: kept,
    })
  }
}
