import { defineCall } from '../call.ts'
import { tenant } from '../entities/system/tenant.ts'
import { codeOf } from '../entity.ts'
import { sourceLimits } from '../report-source.ts'
import {
  emptyAnswer,
  idOf,
  idsOf,
  instantValue,
  integerValue,
  listOf,
  mapOf,
  objectOf,
  pageOf,
  tenantValue,
  textValue,
} from '../shape.ts'
import { paging } from './paging.ts'

const of = tenant.name
const removing = { codes: [codeOf(tenant, 'delete')] } as const
const setting = { codes: ['tenant_setting'] } as const
const ids = idsOf(of, { required: true })

export const removeTenants = defineCall({
  method: 'POST',
  path: 'blade-system/tenant/remove',
  of,
  access: removing,
  summary: { zh: '租户：删除（30天后清除）', en: 'Tenant: remove, to be purged after 30 days' },
  input: { ids },
  answer: emptyAnswer,
})

export const restoreTenants = defineCall({
  method: 'POST',
  path: 'blade-system/tenant/restore',
  of,
  access: removing,
  summary: { zh: '租户：恢复', en: 'Tenant: take a removal back' },
  input: { ids },
  answer: emptyAnswer,
})

export const purgeTenant = defineCall({
  method: 'POST',
  path: 'blade-system/tenant/purge',
  of,
  access: { codes: ['tenant_purge'] },
  summary: { zh: '租户：彻底清除（任务）', en: 'Tenant: purge for good, as a job' },
  input: {
    ids: idsOf(of, { required: true, max: 1 }),
    confirm: tenantValue({ required: true }),
    // 1: what lies in the tenant's object stores stays there.
    keepBuckets: integerValue({ max: 1, label: { zh: '保留对象存储中的文件', en: 'Leave files in object stores' } }),
  },
  answer: objectOf({ jobId: idOf('job') }),
})

export const purgedTenants = defineCall({
  method: 'GET',
  path: 'blade-system/tenant/purges',
  of,
  access: { codes: [codeOf(tenant, 'view')] },
  summary: { zh: '租户：清除记录', en: 'What was purged' },
  input: paging,
  answer: pageOf(
    objectOf({
      id: textValue(),
      tenantId: tenantValue(),
      tenantName: textValue(),
      purgedBy: textValue(),
      at: instantValue(),
      // Rows by table.
      rowCounts: mapOf(integerValue()),
    }),
  ),
})

export const setTenants = defineCall({
  method: 'POST',
  path: 'blade-system/tenant/setting',
  of,
  access: setting,
  summary: { zh: '租户：账号额度、存储额度和过期时间', en: 'Tenant: quotas and expiry' },
  // An empty time means never, and an address leaves out what is empty.
  as: 'form',
  input: {
    ids,
    accountNumber: integerValue({ min: -1, max: 1_000_000, label: tenant.fields.accountNumber.label }),
    quotaStorageMb: integerValue({ min: -1, max: 10_000_000, label: tenant.fields.quotaStorageMb.label }),
    expireTime: textValue({ max: 19, empty: true, label: tenant.fields.expireTime.label }),
  },
  answer: emptyAnswer,
})

export const bindDatasource = defineCall({
  method: 'POST',
  path: 'blade-system/tenant/datasource',
  of,
  access: setting,
  summary: { zh: '租户：绑定数据源', en: 'Tenant: bind to a data source' },
  as: 'form',
  // None: to no data source.
  input: { tenantId: tenantValue({ required: true }), datasourceId: idOf('datasource') },
  answer: emptyAnswer,
})

/** A table that reports of a tenant may read, and what it is called there. */
const sourceTable = {
  schema: textValue({ max: 128, empty: true }),
  name: textValue({ required: true, max: 128, label: { zh: '表', en: 'Table' } }),
  label: textValue({ required: true, max: 64, label: { zh: '名称', en: 'Name' } }),
} as const

export const tenantSourceTables = defineCall({
  method: 'GET',
  path: 'blade-system/tenant/datasource-tables',
  of,
  access: setting,
  summary: { zh: '租户：报表可读取的表', en: 'Tenant: the tables that its reports may read' },
  input: { tenantId: tenantValue({ required: true }) },
  answer: listOf(objectOf(sourceTable)),
})

export const chooseSourceTables = defineCall({
  method: 'POST',
  path: 'blade-system/tenant/datasource-tables',
  of,
  access: setting,
  summary: { zh: '租户：选择报表可读取的表', en: 'Tenant: choose the tables that its reports may read' },
  as: 'json',
  input: {
    tenantId: tenantValue({ required: true }),
    // The data source that the tenant is bound to.
    datasourceId: idOf('datasource', { required: true }),
    tables: listOf(objectOf(sourceTable), {
      required: true,
      max: sourceLimits.tables,
      label: { zh: '表', en: 'Tables' },
    }),
  },
  answer: emptyAnswer,
})

export const tenantOfDomain = defineCall({
  method: 'GET',
  path: 'blade-system/tenant/info',
  of,
  access: 'public',
  summary: { zh: '租户：按域名查询', en: 'The tenant of a domain' },
  input: { domain: textValue({ required: true }) },
  // Empty where no tenant has it.
  answer: objectOf({
    tenantId: tenantValue({ optional: true }),
    tenantName: textValue({ optional: true }),
    domain: textValue({ optional: true }),
    logo: textValue({ optional: true, nullable: true }),
    backgroundUrl: textValue({ optional: true, nullable: true }),
  }),
})

export const tenantsOfAccount = defineCall({
  method: 'POST',
  path: 'blade-user/selectTenantByAccount',
  of,
  access: 'public',
  summary: { zh: '登录前可选的租户', en: 'The tenants to choose from before log-in' },
  input: { account: textValue() },
  answer: listOf(objectOf({ tenantId: tenantValue(), tenantName: textValue() })),
})
