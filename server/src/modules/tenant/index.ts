import type { Module } from '../module.ts'
import { addClientRules, clientRoutes } from './client.ts'
import { addDomainRules, domainRoutes } from './domain.ts'
import { namedClientRoutes } from './named-clients.ts'
import { addPictureRules } from './pictures.ts'
import { accountRoom, addQuotaRules } from './quota.ts'
import { tenantRoutes } from './tenant.ts'

export { exportTenant } from './carry/export.ts'
export { importTenant } from './carry/import.ts'
export { tenantSweep } from './purge.ts'
export { accountRoom }

/** Tenants from their making to their certificate, and the applications that people log in with. */
export const tenants: Module = {
  routes: [...tenantRoutes, ...domainRoutes, ...clientRoutes, ...namedClientRoutes],
  addRules: () => {
    addDomainRules()
    addPictureRules()
    addQuotaRules()
    addClientRules()
  },
  serves: { tenant: ['submit', 'remove'], client: ['submit', 'remove'] },
}
