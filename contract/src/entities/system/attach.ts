import { defineEntity } from '../../entity.ts'
import { integer, text } from '../../field.ts'

/** A stored file. Made by an upload: all but its shown name is set by the server. */
export const attach = defineEntity({
  name: 'attach',
  path: 'blade-resource/attach',
  label: { zh: '附件', en: 'Attachment' },
  measure: '个',
  ownership: 'tenant',
  isFile: true,
  title: 'originalName',
  fields: {
    link: text('附件地址', 'Link', { max: 1000, computed: true }),
    domainUrl: text('附件域名', 'Domain', { max: 500, computed: true }),
    name: text('附件名称', 'Stored name', { max: 255, computed: true }),
    originalName: text('附件原名', 'File name', { required: true, max: 255 }),
    extension: text('附件拓展名', 'Extension', { max: 20, computed: true }),
    attachSize: integer('附件大小（字节）', 'Size (bytes)', { min: 0, max: 2147483647, computed: true }),
    sha256: text('校验值', 'SHA-256', { max: 64, computed: true }),
    refCount: integer('引用次数', 'Used by', { min: 0, max: 2147483647, default: 0, computed: true }),
  },
  keptBy: 'create_user',
  list: ['originalName', 'extension', 'attachSize', 'refCount', 'name', 'link', 'domainUrl'],
  aside: ['name', 'link', 'domainUrl'],
  search: ['originalName', 'extension', 'name'],
  sort: 'originalName',
  sorts: ['attachSize'],
  views: [
    { key: 'pictures', filters: { extension_in: 'jpg,png,gif,webp' } },
    { key: 'large', filters: { attachSize_gt: '10485760' } },
    { key: 'loose', filters: { refCount: '0' } },
  ],
})
