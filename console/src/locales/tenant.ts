import type { Bundle } from '../ui/words.ts'

export const tenantWords = {
  'tenant.account': { zh: '管理员账号', en: 'Administrator account' },
  'tenant.accountHelp': {
    zh: '新租户的第一个管理员；初始密码在保存后显示一次',
    en: 'The first administrator of the new tenant; the first password is shown once after saving',
  },
  'tenant.made': { zh: '租户“{name}”已创建', en: 'The tenant “{name}” was created' },
  'tenant.madeNote': {
    zh: '请把下面的信息交给该租户的管理员。初始密码限时有效（默认 24 小时），首次登录后必须修改。',
    en: 'Pass this on to the tenant’s administrator. The first password is valid for a limited time (24 hours by default) and must be changed at the first log-in.',
  },
  'tenant.code': { zh: '租户编号', en: 'Tenant code' },
  'tenant.login': { zh: '登录地址', en: 'Log-in address' },
  'tenant.password': { zh: '初始密码', en: 'First password' },

  'tenant.expired': { zh: '已过期', en: 'Expired' },
  'tenant.stateDays': {
    zh: '{state} · 剩 {count} 天',
    en: '{state} · {count} days left',
    enOne: '{state} · 1 day left',
  },
  'tenant.stateToday': { zh: '{state} · 今天', en: '{state} · today' },
  'tenant.never': { zh: '永不过期', en: 'Never expires' },
  'tenant.unlimited': { zh: '不限', en: 'No limit' },

  'tenant.setting': { zh: '授权配置', en: 'Quota and expiry' },
  'tenant.settingOne': { zh: '“{name}”的授权配置', en: 'Quota and expiry of “{name}”' },
  'tenant.settingMany': { zh: '{count} 个租户的授权配置', en: 'Quota and expiry of {count} tenants' },
  'tenant.settingOver': {
    zh: '所选租户的额度和过期时间都会改成下面的值。',
    en: 'All selected tenants get the quota and expiry below.',
  },
  'tenant.pictureWrong': {
    zh: '只能是 jpg 或 png，且不超过 {size} kB',
    en: 'Must be a jpg or png of at most {size} kB',
  },
  'tenant.pictureElsewhere': {
    zh: '登录页不显示其他网站的图片，请改为上传：{address}',
    en: 'The log-in page does not show pictures from other sites. Upload it instead: {address}',
  },
  'tenant.storage': { zh: '存储额度（MB）', en: 'Storage quota (MB)' },
  'tenant.storageWrong': { zh: '请输入 0 到 10000000 的整数', en: 'Enter a whole number from 0 to 10000000' },
  'tenant.quota': { zh: '账号额度', en: 'Account quota' },
  'tenant.quotaWrong': { zh: '请输入 0 到 1000000 的整数', en: 'Enter a whole number from 0 to 1000000' },
  'tenant.expires': { zh: '过期时间', en: 'Expires' },
  'tenant.expiresEmpty': {
    zh: '请选择过期时间，或勾选永不过期',
    en: 'Choose when it expires, or tick “Never expires”',
  },

  'tenant.datasource': { zh: '数据源绑定', en: 'Data source' },
  'tenant.datasourceOne': { zh: '“{name}”的数据源', en: 'Data source of “{name}”' },
  'tenant.datasourceHelp': {
    zh: '绑定后，该租户的报表可以读取下面勾选的表（只读）；租户自己的数据始终保存在平台数据库中。换绑或解除后，读取这些表的报表不能再运行。',
    en: 'Lets reports of this tenant read the tables ticked below, and change nothing in them. The tenant’s own data always stay in the platform’s database. Bound to another source or to none, reports over these tables run no more.',
  },
  'tenant.tables': { zh: '报表可读取的表', en: 'Tables that reports may read' },
  'tenant.tablesHelp': {
    zh: '未勾选的表，租户无从得知。勾选的表不受数据范围限制：该租户中有“读取数据源”权限的人都能读取全部行，请不要勾选含有不应公开的个人信息的表，可改为勾选视图。列在保存时读取；表结构改变后请重新保存。',
    en: 'The tenant is never told of a table that is not ticked. Rows of a ticked one have no scopes: everybody of this tenant with the right to read data sources sees all of them, so tick a view instead where personal data are not for all of them. Columns are read when this is saved: save it again when a table has changed.',
  },
  'tenant.tableFind': { zh: '按名称查找表', en: 'Find a table by name' },
  'tenant.tableLabel': { zh: '表“{name}”在报表中的名称', en: 'Name of the table “{name}” in reports' },
  'tenant.tableGone': { zh: '已不存在或不可读取', en: 'gone, or cannot be read' },
  'tenant.tablesNone': { zh: '没有可以读取的表。', en: 'There is no table that can be read.' },
  'tenant.tablesMore': {
    zh: '仅列出前{count}张，请按名称查找其他表。',
    en: 'Only the first {count} are listed: find others by name.',
  },
  'tenant.datasourceAdd': { zh: '新增数据源', en: 'Add a data source' },

  'tenant.clients': { zh: '客户端授权', en: 'Clients' },
  'tenant.clientsOne': { zh: '“{name}”可用的客户端', en: 'Clients of “{name}”' },
  'tenant.clientsHelp': {
    zh: '该租户的用户只能从勾选的客户端登录；一个都不勾选表示不限制。',
    en: 'Users of this tenant can log in only from the ticked clients. If none are ticked, from any.',
  },
  'tenant.clientsNone': { zh: '还没有客户端。', en: 'There are no clients yet.' },

  'tenant.disable': { zh: '停用', en: 'Disable' },
  'tenant.disableAsk': { zh: '停用租户“{name}”？', en: 'Disable the tenant “{name}”?' },
  'tenant.disableBody': {
    zh: '该租户的所有用户会立即退出登录，启用前不能再登录。数据保持不变。',
    en: 'All users of this tenant are logged out at once and cannot log in until it is enabled. No data changes.',
  },
  'tenant.enable': { zh: '启用', en: 'Enable' },
  'tenant.disabled': { zh: '已停用', en: 'Disabled' },
  'tenant.enabled': { zh: '已启用', en: 'Enabled' },

  'tenant.removeOne': { zh: '删除租户“{name}”', en: 'Delete the tenant “{name}”' },
  'tenant.removeMany': { zh: '删除 {count} 个租户', en: 'Delete {count} tenants' },
  'tenant.removeBody': {
    zh: '删除后立即停止使用，数据保留 30 天，期间可以恢复；30 天后自动彻底清除。',
    en: 'It stops working at once. Its data is kept for 30 days, during which it can be restored; then everything is purged.',
  },
  'tenant.removed': { zh: '已移入待清除', en: 'Scheduled for purging' },
  'tenant.removedAlready': { zh: '所选租户都已是待清除状态', en: 'These tenants are already scheduled for purging' },
  'tenant.restore': { zh: '恢复', en: 'Restore' },
  'tenant.restored': { zh: '已恢复', en: 'Restored' },
  'tenant.purge': { zh: '彻底清除', en: 'Purge' },
  'tenant.purgeOne': { zh: '彻底清除租户“{name}”', en: 'Purge the tenant “{name}”' },
  'tenant.purgeBody': {
    zh: '该租户的全部数据、附件和账号会被立即删除，无法恢复。',
    en: 'All data, files and accounts of this tenant are deleted at once. This cannot be undone.',
  },
  'tenant.purgeKeepBuckets': {
    zh: '保留对象存储中的文件（租户已迁往别处，或存储已不存在）',
    en: 'Keep the files in object storage (the tenant has moved, or the storage no longer exists)',
  },
  'tenant.certificateFiles': {
    zh: '对象存储中的文件：已删除 {removed} 个，保留 {left} 个。',
    en: 'Files in object storage: {removed} deleted, {left} kept.',
  },

  'tenant.certificates': { zh: '清除证明', en: 'Purge certificates' },
  'tenant.certificate': { zh: '租户“{name}”清除证明', en: 'Certificate: “{name}” was purged' },
  'tenant.certificateNone': { zh: '还没有清除过租户。', en: 'No tenant has been purged yet.' },
  'tenant.certificateBy': { zh: '{who} 于 {time} 清除', en: 'Purged by {who} at {time}' },
  'tenant.certificateRows': {
    zh: '共删除 {rows} 行，涉及 {count} 张表。',
    en: 'Rows deleted: {rows}; tables: {count}.',
  },
  'tenant.purgedAt': { zh: '清除时间', en: 'Purged at' },
  'tenant.purgedBy': { zh: '操作人', en: 'By' },
  'tenant.rows': { zh: '行数', en: 'Rows' },
  'tenant.table': { zh: '数据表', en: 'Table' },
  'tenant.name': { zh: '租户名称', en: 'Tenant name' },
  'tenant.back': { zh: '返回列表', en: 'Back to the list' },
} as const satisfies Bundle
