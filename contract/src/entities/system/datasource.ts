import { defineEntity } from '../../entity.ts'
import { choice, secret, text } from '../../field.ts'
import { remark } from '../common.ts'

/** Where another database is, as a note: the server never connects to it of itself. */
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
    url: text('连接地址', 'Address', { required: true, max: 500 }),
    username: text('用户名', 'User name', { required: true, max: 64 }),
    password: secret('密码', 'Password', { required: true, max: 128 }),
    remark,
  },
  unique: [['name']],
  list: ['name', 'driverClass', 'url', 'username', 'remark'],
  search: ['name', 'driverClass', 'username'],
  sort: 'name',
})
