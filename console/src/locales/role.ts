import type { Bundle } from '../ui/words.ts'

/** Words of granting: roles, and top menus. */
export const roleWords = {
  'role.grant': { zh: '权限设置', en: 'Grant rights' },
  'role.many': { zh: '批量授权', en: 'Grant to several' },
  'role.next': { zh: '下一步', en: 'Next' },
  'role.free': { zh: '可选角色', en: 'Roles' },
  'role.chosen': { zh: '已选角色', en: 'Roles chosen' },
  'role.grantOf': { zh: '{names}的权限', en: 'Rights of {names}' },
  'role.granted': { zh: '权限已保存', en: 'Rights saved' },
  'role.menu': { zh: '菜单权限', en: 'Menus and buttons' },
  'role.dataScope': { zh: '数据权限', en: 'Data scopes' },
  'role.apiScope': { zh: '接口权限', en: 'API scopes' },
  'role.preview': { zh: '预览菜单', en: 'Preview the menu' },
  'role.previewNone': { zh: '拥有此角色的用户看不到任何菜单', en: 'Somebody with this role would find no menu at all' },
  'role.none.menu': { zh: '没有可以授出的菜单', en: 'There are no menus to grant' },
  'role.none.dataScope': {
    zh: '还没有数据权限。可在“数据权限”页面新增。',
    en: 'There are no data scopes yet. Add them on the page Data scopes.',
  },
  'role.none.apiScope': {
    zh: '还没有接口权限。可在“接口权限”页面新增。',
    en: 'There are no API scopes yet. Add them on the page API scopes.',
  },
  'role.searchIn': { zh: '搜索：{list}', en: 'Search: {list}' },
  'role.all': { zh: '全选', en: 'Select all' },
  'role.invert': { zh: '反选', en: 'Invert' },
  'role.nothing': { zh: '清空', en: 'Clear' },
  'role.linked': { zh: '父子联动', en: 'Link parents and children' },
  'role.onlyChecked': { zh: '只看已选', en: 'Only selected' },
  'role.ticked': { zh: '已选 {count} / {all}', en: '{count} of {all} selected' },
  'role.alike': {
    zh: '已选 {count} 个角色：保存后它们的权限都与下面勾选的相同。',
    en: '{count} roles are selected: after saving they all have exactly what is ticked below.',
  },
  'role.unchanged': { zh: '没有变化', en: 'Nothing would change' },
  'role.counting': { zh: '正在计算变化…', en: 'Working out what would change…' },
  'role.effect': {
    zh: '将新增 {added} 项，移除 {removed} 项，影响 {users} 名用户',
    en: 'Adds {added}, removes {removed}; users affected: {users}',
  },
  'role.changes': { zh: '变化明细', en: 'What would change' },
  'role.added': { zh: '新增', en: 'Added' },
  'role.removed': { zh: '移除', en: 'Removed' },
} as const satisfies Bundle
