import { tenant } from '@data-brain/contract'
import { tenantOfDomain, tenantsOfAccount } from '@data-brain/contract/calls/tenant'
import { sql } from '../../database/statement.ts'
import { inPlatform } from '../../database/transaction.ts'
import { addRules } from '../../entity/rules.ts'
import { onPublic } from '../../entity/serve-call.ts'
import { fieldProblem } from '../../kernel/problem.ts'
import type { Route } from '../../kernel/route.ts'
import type { Services } from '../../kernel/services.ts'
import { TokenBuckets } from '../auth/index.ts'
import { shownPicture } from './pictures.ts'

const label = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?$/

/**
 * A host as it is compared: lower case, other scripts as browsers send them, with its port where one is given that is
 * not the usual one. Undefined of what is no host.
 */
export function hostOf(text: string): string | undefined {
  const bare = text.trim().toLowerCase()
  if (!/^[^\s/?#@\\]+$/.test(bare)) return undefined
  const url = URL.parse(`http://${bare}`)
  if (!url || url.username || url.pathname !== '/') return undefined
  const name = url.hostname.replace(/\.$/, '')
  if (!name.startsWith('[') && !name.split('.').every((part) => label.test(part))) return undefined
  return url.port === '' || url.port === '443' ? name : `${name}:${url.port}`
}

/** Keeps a tenant's domain as it is compared, and refuses what a browser could not come from. */
export function addDomainRules(): void {
  addRules(tenant, {
    beforeSave: async ({ values, whole, context }) => {
      if (typeof values.domain !== 'string' || values.domain === '') return
      const host = hostOf(values.domain.replace(/^https?:\/\//i, '').replace(/\/$/, ''))
      if (!host)
        throw fieldProblem(
          [
            {
              field: 'domain',
              label: tenant.fields.domain.label,
              reason: {
                zh: '应为域名或 域名：端口，例如 school.example.cn',
                en: 'should be a host or host:port, such as school.example.cn',
              },
            },
          ],
          context.circumstance.language,
        )
      values.domain = host
      Object.assign(whole, { domain: host })
    },
  })
}

interface Shown {
  readonly tenantId: string
  readonly tenantName: string
  readonly domain: string
  readonly logo: string | null
  readonly backgroundUrl: string | null
}

/** All tenants that have a domain, by it: few, asked by whoever opens the log-in page, so read once in a while. */
interface Known {
  readonly until: number
  readonly byHost: Promise<ReadonlyMap<string, Shown>>
}
const kept = new WeakMap<Services, Known>()
const keptFor = 5_000

/** Forgets which tenant has which domain: called where one was changed. */
export const forgetDomains = (services: Services): boolean => kept.delete(services)

function byHost(services: Services): Promise<ReadonlyMap<string, Shown>> {
  const now = performance.now()
  const known = kept.get(services)
  if (known && known.until > now) return known.byHost
  const reading = inPlatform(services.platform, (tx) =>
    tx.run<Shown>(
      sql`select tenant_id as "tenantId", tenant_name as "tenantName", domain, logo, background_url as "backgroundUrl"
          from tenant where domain is not null and status <> 9`,
    ),
  ).then((rows) => new Map(rows.map((row) => [row.domain, row])))
  kept.set(services, { until: now + keptFor, byHost: reading })
  reading.catch(() => kept.delete(services))
  return reading
}

/** The tenant of a domain, with its port or without. */
async function tenantAt(services: Services, domain: string): Promise<Shown | undefined> {
  const host = hostOf(domain)
  if (!host) return undefined
  const hosts = await byHost(services)
  return hosts.get(host) ?? hosts.get(host.replace(/:\d+$/, ''))
}

const paces = new WeakMap<Services, TokenBuckets>()

function paceOf(services: Services): TokenBuckets {
  const pace =
    paces.get(services) ?? new TokenBuckets({ perMinute: services.environment.loginsPerMinute, longest: 2_000 })
  paces.set(services, pace)
  return pace
}

export const domainRoutes: readonly Route[] = [
  // The tenant whose log-in page a host is: for its name and pictures, before anybody has logged in.
  onPublic(tenantOfDomain, async ({ domain }, { services, circumstance }) => {
    await paceOf(services).pass(circumstance.address)
    const shown = await tenantAt(services, domain)
    if (!shown) return {}
    return {
      ...shown,
      logo: shownPicture(services, shown.logo),
      backgroundUrl: shownPicture(services, shown.backgroundUrl),
    }
  }),
  // The tenants that somebody may mean before log-in: of `account@domain` the one that has the domain, else the one whose
  // host they came by. What stands before the @ is not looked up, so nobody learns who has an account, or where.
  onPublic(tenantsOfAccount, async ({ account }, { services, headers, circumstance }) => {
    await paceOf(services).pass(circumstance.address)
    const found =
      (account?.includes('@') ? await tenantAt(services, account.slice(account.lastIndexOf('@') + 1)) : undefined) ??
      (await tenantAt(services, headers.host?.toString() ?? ''))
    return found ? [{ tenantId: found.tenantId, tenantName: found.tenantName }] : []
  }),
]
