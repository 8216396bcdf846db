import type { Module } from '../module.ts'
import { addClientRules, clientRoutes } from './client.ts'
import { addDomainRules, tenantInfo } from './domain.ts'
import { namedClientRoutes } from './named-clients.ts'
import { addQuotaRules } from './quota.ts'
import { tenantRoutes } from './tenant.ts'

export { type Ending, exportTenant } from './carry/export.ts'
export { type Imported, importTenant } from './carry/import.ts'
export { dropFiles, startSweeping, sweepTenants } from './purge.ts'

/** Tenants from their making to their certificate, and the applications that people log in with. */
export const tenants: Module = {
  routes: [...tenantRoutes, tenantInfo, ...clientRoutes, ...namedClientRoutes],
  addRules: () => {
    addDomainRules()
    addQuotaRules()
    addClientRules()
  },
  serves: { tenant: ['submit', 'remove'], client: ['submit', 'remove'] },
}
