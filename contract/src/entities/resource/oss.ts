import { defineEntity } from '../../entity.ts'
import { choice, flag, secret, text } from '../../field.ts'
import { remark } from '../common.ts'

/** A place to keep files at. Of a tenant's places at most one is enabled; without one, files lie in the data folder. */
export const oss = defineEntity({
  name: 'oss',
  path: 'blade-resource/oss',
  label: { zh: '对象存储', en: 'Object storage' },
  measure: '个',
  ownership: 'tenant',
  title: 'ossCode',
  fields: {
    category: choice('存储类型', 'Kind', 'oss', { required: true }),
    ossCode: text('资源编号', 'Code', { required: true, max: 32, rule: 'code' }),
    endpoint: text('资源地址', 'Endpoint', { required: true, max: 255, rule: 'url' }),
    region: text('区域', 'Region', { max: 64 }),
    bucketName: text('空间名', 'Bucket', { required: true, max: 63 }),
    accessKey: secret('访问键', 'Access key', { required: true, max: 255 }),
    secretKey: secret('密钥', 'Secret key', { required: true, max: 255 }),
    pathStyle: flag('路径式地址', 'Path-style address', {
      default: 0,
      help: { zh: 'MinIO等自建存储多为是', en: 'Mostly yes for MinIO and other stores of one’s own' },
    }),
    appId: text('应用编号', 'App ID', { max: 64 }),
    remark,
  },
  unique: [['ossCode']],
  list: ['ossCode', 'category', 'endpoint', 'region', 'bucketName', 'accessKey', 'remark'],
  search: ['ossCode', 'category', 'bucketName'],
  sort: 'ossCode',
  status: { dict: 'enable_status', default: 1, switchedBy: 'oss_enable', tones: { '1': 'off', '2': 'good' } },
})
