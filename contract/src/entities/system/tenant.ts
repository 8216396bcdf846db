import { defineEntity } from '../../entity.ts'
import { instant, integer, json, reference, text } from '../../field.ts'

const unlimited = { value: -1, label: { zh: '不限', en: 'No limit' } } as const

/** A customer of the installation: a bureau, a group of schools or a school, apart from every other. */
export const tenant = defineEntity({
  name: 'tenant',
  path: 'blade-system/tenant',
  label: { zh: '租户', en: 'Tenant' },
  measure: '个',
  ownership: 'platform',
  title: 'tenantName',
  fields: {
    tenantId: text('租户编号', 'Tenant code', {
      max: 6,
      fixed: true,
      help: { zh: '6位数字；留空则自动生成', en: 'Six digits; generated if left empty' },
    }),
    tenantName: text('租户名称', 'Tenant name', { required: true, max: 60 }),
    domain: text('域名地址', 'Domain', {
      max: 255,
      help: { zh: '从该域名登录时自动选中本租户', en: 'Logging in from this host chooses the tenant' },
    }),
    linkman: text('联系人', 'Contact', { max: 20 }),
    contactNumber: text('联系电话', 'Contact number', { max: 20, rule: 'phone' }),
    address: text('联系地址', 'Address', { max: 255 }),
    // Addresses of uploaded files: the log-in page shows none of another host.
    logo: text('标志', 'Logo', {
      max: 500,
      help: {
        zh: '显示在登录页；jpg或png，不超过500kB。其他网站的图片不会显示',
        en: 'Shown on the log-in page: a jpg or png of at most 500 kB. No picture of another site is shown',
      },
    }),
    backgroundUrl: text('登录背景', 'Log-in background', {
      max: 500,
      help: {
        zh: 'jpg或png，不超过2MB。其他网站的图片不会显示',
        en: 'A jpg or png of at most 2 MB. No picture of another site is shown',
      },
    }),
    accountNumber: integer('账号额度', 'Account quota', {
      required: true,
      min: -1,
      max: 1_000_000,
      default: -1,
      none: unlimited,
    }),
    quotaStorageMb: integer('存储额度（MB）', 'Storage quota (MB)', {
      required: true,
      min: -1,
      max: 10_000_000,
      default: 10_240,
      none: unlimited,
    }),
    expireTime: instant('过期时间', 'Expires', {
      help: { zh: '留空则不过期', en: 'Left empty: never' },
    }),
    datasourceId: reference('数据源', 'Data source', 'datasource', { computed: true }),
    /** The tables of the data source that its reports may read, with their columns as they were when they were chosen. */
    sourceTables: json('可读取的表', 'Tables to read', { computed: true, inner: true }),
    purgeAfter: instant('清除时间', 'Purged after', { computed: true }),
  },
  unique: [['tenantId'], ['domain']],
  list: [
    'tenantId',
    'tenantName',
    'domain',
    'linkman',
    'contactNumber',
    'accountNumber',
    'quotaStorageMb',
    'expireTime',
    'datasourceId',
    'purgeAfter',
  ],
  search: ['tenantName', 'tenantId', 'domain', 'linkman'],
  sort: 'tenantId',
  sorts: ['tenantName', 'expireTime'],
  groups: [
    { label: { zh: '基本信息', en: 'Basics' }, fields: ['tenantId', 'tenantName', 'domain'] },
    { label: { zh: '联系', en: 'Contact' }, fields: ['linkman', 'contactNumber', 'address'] },
    { label: { zh: '额度与期限', en: 'Quota and expiry' }, fields: ['accountNumber', 'quotaStorageMb', 'expireTime'] },
    { label: { zh: '外观', en: 'Appearance' }, fields: ['logo', 'backgroundUrl'] },
  ],
  status: { dict: 'tenant_state', default: 1 },
})
