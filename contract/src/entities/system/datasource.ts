import { defineEntity } from '../../entity.ts'
import { choice, text } from '../../field.ts'
import { remark } from '../common.ts'

/** Where another database is, for reports once there are some: until then nothing connects to it, so no password is asked. */
export const datasource = defineEntity({
  name: 'datasource',
  path: 'blade-develop/datasource',
  label: { zh: '数据源', en: 'Data source' },
  measure: '个',
  ownership: 'tenant',
  title: 'name',
  fields: {
    name: text('名称', 'Name', { required: true, max: 64 }),
    driverClass: choice('驱动类', 'Driver', 'driver_class', { required: true }),
    url: text('连接地址', 'Address', {
      required: true,
      max: 500,
      help: {
        zh: '供日后的报表使用；目前只作记录，不会连接，也不保存密码',
        en: 'For reports, once there are some; until then it is only noted: nothing connects to it, and no password is kept',
      },
    }),
    username: text('用户名', 'User name', { required: true, max: 64 }),
    remark,
  },
  unique: [['name']],
  list: ['name', 'driverClass', 'url', 'username', 'remark'],
  search: ['name', 'driverClass', 'username'],
  sort: 'name',
})
