import { defineEntity } from '../../entity.ts'
import { choice, flag, integer, reference, text } from '../../field.ts'

/** A page, a group of pages, or a button under a page. Shared by all tenants; its code is the permission. */
export const menu = defineEntity({
  name: 'menu',
  path: 'blade-system/menu',
  label: { zh: '菜单', en: 'Menu' },
  measure: '个',
  ownership: 'platform',
  title: 'name',
  beside: ['parentId'],
  titleEn: 'nameEn',
  fields: {
    parentId: reference('上级菜单', 'Parent menu', 'menu'),
    category: choice('菜单类型', 'Type', 'menu_category', { required: true, default: '1' }),
    name: text('菜单名称', 'Name', { required: true, max: 64 }),
    nameEn: text('英文名称', 'English name', { required: true, max: 64 }),
    code: text('菜单编号', 'Code', {
      required: true,
      max: 64,
      help: { zh: '也是权限编号，如 student_view', en: 'Also the permission, such as student_view' },
    }),
    path: text('路由地址', 'Path', {
      max: 255,
      help: {
        zh: '以/开头的页面，或http(s)网址；网址与以html结尾的地址在页面内嵌打开',
        en: 'A page beginning with /, or an http(s) address; addresses, and paths that end in html, open inside the console',
      },
    }),
    source: text('菜单图标', 'Icon', { max: 64 }),
    alias: text('菜单别名', 'Alias', { max: 64 }),
    action: choice('按钮功能', 'Button place', 'button_func'),
    isOpen: choice('新窗口', 'New window', 'yes_no', { required: true, default: '1' }),
    fullScreen: flag('全屏显示', 'Full screen', { required: true, default: 0 }),
    isTab: flag('显示为标签页', 'Opens a tab', { required: true, default: 1 }),
    keepAlive: flag('保留页面', 'Keeps its page', {
      required: true,
      default: 1,
      help: {
        zh: '切换标签页后保留滚动位置与未保存的内容',
        en: 'Scroll and unsaved input stay while its tab is hidden',
      },
    }),
    platformOnly: flag('仅平台可用', 'Platform only', { required: true, default: 0 }),
    sort: integer('菜单排序', 'Sort order', { required: true, min: 0, max: 9999, default: 0 }),
    remark: text('备注', 'Remarks', { max: 255 }),
  },
  unique: [['code']],
  list: ['parentId', 'category', 'name', 'nameEn', 'code', 'path', 'source', 'sort', 'platformOnly'],
  search: ['name', 'code', 'alias', 'category'],
  sort: 'sort',
  groups: [
    {
      label: { zh: '名称与权限', en: 'Name and permission' },
      fields: ['parentId', 'category', 'name', 'nameEn', 'code'],
    },
    {
      label: { zh: '页面', en: 'Page' },
      fields: [
        'path',
        'source',
        'alias',
        'action',
        'isOpen',
        'fullScreen',
        'isTab',
        'keepAlive',
        'platformOnly',
        'sort',
        'remark',
      ],
    },
  ],
  status: { dict: 'common_status', default: 1 },
})
