import { defineCall } from '../call.ts'
import { client } from '../entities/system/client.ts'
import { tenant } from '../entities/system/tenant.ts'
import { user } from '../entities/system/user.ts'
import { codeOf } from '../entity.ts'
import { emptyAnswer, flagValue, idOf, idsOf, listOf, objectOf, tenantValue, textValue } from '../shape.ts'

/** An application that somebody may log in with. */
export const clientFields = {
  id: idOf('client'),
  clientId: textValue(),
  clientGroup: textValue({ nullable: true }),
  remark: textValue({ nullable: true }),
} as const

export const clientsOfTenant = defineCall({
  method: 'GET',
  path: 'blade-system/client/selectClientByTenantId',
  of: 'client',
  access: { codes: [codeOf(user, 'view'), codeOf(tenant, 'view')] },
  summary: { zh: '客户端：租户可用的客户端', en: 'The clients that a tenant may log in with' },
  input: { tenantId: tenantValue({ required: true }) },
  // All that there are, with whether the tenant is bound to them.
  answer: listOf(objectOf({ ...clientFields, granted: flagValue() })),
})

export const grantClientsToTenant = defineCall({
  method: 'POST',
  path: 'blade-system/tenantclientrelevance/add',
  of: tenant.name,
  access: { codes: ['tenant_setting'] },
  summary: { zh: '租户：指定可用的客户端', en: 'Tenant: name the clients it may log in with' },
  as: 'json',
  query: { tableTenantId: tenantValue({ required: true }) },
  // All of them; none: it may log in with any.
  input: { clientIds: idsOf('client', { label: { zh: '客户端', en: 'Clients' }, required: true, empty: true }) },
  answer: emptyAnswer,
})

export const removeClients = defineCall({
  method: 'POST',
  path: 'blade-system/client/remove',
  of: client.name,
  access: { codes: [codeOf(client, 'delete')] },
  summary: { zh: '客户端：删除', en: 'Client: remove' },
  input: { ids: idsOf(client.name, { required: true }) },
  answer: emptyAnswer,
})

export const resetClientSecret = defineCall({
  method: 'POST',
  path: 'blade-system/client/reset-secret',
  of: client.name,
  access: { codes: [codeOf(client, 'edit')] },
  summary: { zh: '客户端：重置密钥', en: 'Client: a new secret' },
  input: { id: idOf(client.name, { required: true }) },
  // Told once; the old one is void at once.
  answer: objectOf({ clientSecret: textValue() }),
})
