import { defineCall } from '../call.ts'
import { attach } from '../entities/system/attach.ts'
import { codeOf } from '../entity.ts'
import {
  emptyAnswer,
  fileOf,
  idOf,
  idsOf,
  integerValue,
  listOf,
  mapOf,
  objectOf,
  tenantValue,
  textValue,
} from '../shape.ts'

const of = attach.name
const view = { codes: [codeOf(attach, 'view')] } as const

/** A file that was stored. */
const stored = objectOf({
  // With leave to be shown for some minutes.
  link: textValue(),
  domain: textValue(),
  name: textValue(),
  originalName: textValue(),
  attachId: idOf(of),
})

export const putFile = defineCall({
  method: 'POST',
  path: 'blade-resource/oss/endpoint/put-file',
  of,
  access: 'session',
  summary: {
    zh: '上传文件（一天内没有被使用即清除）',
    en: 'Upload a file; it is swept unless something points at it within a day',
  },
  upload: true,
  answer: stored,
})

export const putAttachment = defineCall({
  method: 'POST',
  path: 'blade-resource/oss/endpoint/put-file-attach',
  of,
  access: { codes: [codeOf(attach, 'add')] },
  summary: { zh: '上传附件（保留至删除）', en: 'Upload an attachment, which stays until it is removed' },
  upload: true,
  answer: stored,
})

export const fileLinks = defineCall({
  method: 'GET',
  path: 'blade-resource/attach/link',
  of,
  access: 'session',
  summary: {
    zh: '附件：可直接打开的地址（给出宽度即为图片的缩略图）',
    en: 'Addresses under which files, or with a width small copies of pictures, can be shown for some minutes',
  },
  input: { ids: idsOf(of, { required: true }), width: integerValue() },
  // By the ids of those that the caller may read.
  answer: mapOf(textValue()),
})

export const fileContent = defineCall({
  method: 'GET',
  path: 'blade-resource/attach/file',
  of,
  access: 'public',
  summary: {
    zh: '附件：内容（签名地址或会话，支持分段；图片可取缩略图）',
    en: 'A file, by a signed address or by a session, in ranges; of a picture a small copy too',
  },
  input: {
    id: idOf(of, { required: true }),
    tenant: tenantValue(),
    session: idOf('session'),
    expires: integerValue(),
    sign: textValue({ max: 64 }),
    width: integerValue(),
  },
  answer: fileOf('application/octet-stream'),
})

export const fileUses = defineCall({
  method: 'GET',
  path: 'blade-resource/attach/uses',
  of,
  access: view,
  summary: { zh: '附件：被谁使用', en: 'Attachment: what points at it' },
  input: { id: idOf(of, { required: true }) },
  answer: listOf(
    objectOf({
      entity: textValue(),
      field: textValue({ optional: true }),
      label: textValue(),
      unit: textValue({ optional: true }),
      count: integerValue(),
      // Names of some, for whoever may see all of them.
      sample: listOf(textValue()),
    }),
  ),
})

export const storageUsage = defineCall({
  method: 'GET',
  path: 'blade-resource/attach/usage',
  of,
  access: view,
  summary: { zh: '附件：已用空间与额度', en: 'Attachments: room used, and the quota' },
  answer: objectOf({
    usedBytes: integerValue(),
    files: integerValue(),
    // -1 for no limit.
    quotaMb: integerValue(),
    // The code of the place that new files go to; null for the data folder.
    place: textValue({ nullable: true }),
  }),
})

export const removeFiles = defineCall({
  method: 'POST',
  path: 'blade-resource/attach/remove',
  of,
  access: { codes: [codeOf(attach, 'delete')] },
  summary: { zh: '附件：删除', en: 'Attachment: remove' },
  input: { ids: idsOf(of, { required: true }) },
  answer: emptyAnswer,
})
