import { defineEntity } from '../../entity.ts'
import { integer, text } from '../../field.ts'

/** A heading at the top of the console, under which a tenant gathers menus. */
export const topmenu = defineEntity({
  name: 'topmenu',
  path: 'blade-system/topmenu',
  table: 'top_menu',
  label: { zh: '顶部菜单', en: 'Top menu' },
  measure: '个',
  ownership: 'tenant',
  shares: { whole: 'topmenu', beside: [{ table: 'top_menu_setting', columns: ['top_menu_id', 'menu_id'] }] },
  title: 'name',
  titleEn: 'nameEn',
  fields: {
    code: text('菜单编号', 'Code', { required: true, max: 64, rule: 'code' }),
    name: text('菜单名称', 'Name', { required: true, max: 64 }),
    nameEn: text('英文名称', 'English name', { required: true, max: 64 }),
    source: text('菜单图标', 'Icon', { max: 64 }),
    path: text('路由地址', 'Path', { max: 255 }),
    sort: integer('菜单排序', 'Sort order', { required: true, min: 0, max: 9999, default: 0 }),
  },
  unique: [['code']],
  list: ['name', 'nameEn', 'code', 'path', 'sort', 'source'],
  search: ['name', 'code', 'path'],
  sort: 'sort',
  status: { dict: 'common_status', default: 1 },
})
