import { defineEntity } from '../../entity.ts'
import { choices, date, flag, instant, references, text } from '../../field.ts'

/** A program of somebody else's that reads by OneRoster REST. Its secret and its tokens are kept beside it, as hashes. */
export const rosterclient = defineEntity({
  name: 'rosterclient',
  path: 'blade-user/rosterclient',
  label: { zh: 'OneRoster 客户端', en: 'OneRoster client' },
  ownership: 'tenant',
  title: 'name',
  fields: {
    name: text('名称', 'Name', { required: true, max: 64 }),
    purpose: text('用途', 'Purpose', {
      required: true,
      max: 200,
      help: { zh: '记入每次访问学生数据的访问记录', en: 'Stands in the access records as the reason of every reading' },
    }),
    scopes: choices('可读内容', 'May read', 'roster_scope', { required: true }),
    allSchools: flag('所有学校', 'All schools', { default: 0 }),
    schoolIds: references('学校', 'Schools', 'school', {
      help: { zh: '未选“所有学校”时，只读这些学校', en: 'Unless it reads all schools, only these' },
    }),
    expireDate: date('有效期至', 'Valid until'),
    lastUsed: instant('最近使用', 'Last used', { computed: true }),
  },
  unique: [['name']],
  guards: ['schoolIds'],
  list: ['name', 'purpose', 'scopes', 'allSchools', 'schoolIds', 'expireDate', 'lastUsed'],
  search: ['name', 'purpose', 'scopes'],
  sort: 'name',
  status: { dict: 'enable_status', default: 2, tones: { '1': 'off', '2': 'good' } },
})
