import { defineEntity } from '../../entity.ts'
import { choice, secret, text } from '../../field.ts'
import { remark } from '../common.ts'

/** Another database that the platform's administrators read: its tables are looked at, and nothing is written to it. */
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
        zh: '如 postgresql://host:5432/school、jdbc:mysql://host:3306/school；SQLite填写运维人员文件夹中的文件名，如 sqlite:school.db',
        en: 'Such as postgresql://host:5432/database or jdbc:mysql://host:3306/database; for SQLite the name of a file in the operator’s folder, such as sqlite:school.db',
      },
    }),
    username: text('用户名', 'User name', {
      max: 64,
      help: {
        zh: '请使用只读账号；SQLite留空',
        en: 'Use an account that can only read; empty for SQLite',
      },
    }),
    password: secret('密码', 'Password', {
      max: 255,
      help: {
        zh: '加密保存，不再显示；地址、驱动或用户名改变后须重新填写',
        en: 'Kept encrypted and never shown; entered anew when address, driver or user name change',
      },
    }),
    remark,
  },
  unique: [['name']],
  list: ['name', 'driverClass', 'url', 'username', 'remark'],
  search: ['name', 'driverClass', 'username'],
  sort: 'name',
})
