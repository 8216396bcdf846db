import { attach, codeOf } from '@data-brain/contract'
import { contextOf, rowsOf } from '../../entity/routes.ts'
import { Problem } from '../../kernel/problem.ts'
import { code, type DetachedCall, detachedRoute, publicRoute, type Route, route } from '../../kernel/route.ts'
import { type Width, widths } from './picture.ts'
import { mostOf, putFile } from './put.ts'
import { file, links } from './read.ts'
import { holdFiles, removeLoose } from './storage/loose.ts'
import { usageOf } from './usage.ts'
import { usesOf } from './uses.ts'

/** Removes attachments, and the bytes that nothing leads to any more once the removal is durable. */
async function remove(call: DetachedCall, ids: readonly string[]): Promise<void> {
  const { services } = call
  const tenantId = await call.as(async (opened) => {
    // Taken before the rows: whoever else changes the tenant's files takes it first as well.
    await holdFiles(opened.tx, opened.actor.tenantId)
    await rowsOf(attach, { ...call, ...opened }).remove(ids)
    return opened.actor.tenantId
  })
  removeLoose(services, tenantId).catch((error: Error) =>
    services.log.warn('removed files stay in their store for now', { tenantId, error: error.message }),
  )
}

function widthOf(given: number | undefined): Width | undefined {
  if (given === undefined) return undefined
  const width = widths.find((each) => each === given)
  if (width) return width
  const reason = { zh: `须为${widths.join('、')}之一`, en: `must be one of ${widths.join(', ')}` }
  throw new Problem('field_invalid', { label: 'width', reason }, { field: 'width', fields: [] })
}

const tag = attach.name
const view = code(codeOf(attach, 'view'))

export const attachRoutes: readonly Route[] = [
  detachedRoute({
    method: 'POST',
    path: '/blade-resource/oss/endpoint/put-file',
    tag,
    access: 'session',
    upload: true,
    uploadLimit: mostOf,
    summary: {
      zh: '上传文件（一天内没有被使用即清除）',
      en: 'Upload a file; it is swept unless something points at it within a day',
    },
    handler: (call) => putFile(call, false),
  }),
  detachedRoute({
    method: 'POST',
    path: '/blade-resource/oss/endpoint/put-file-attach',
    tag,
    access: code(codeOf(attach, 'add')),
    upload: true,
    uploadLimit: mostOf,
    summary: { zh: '上传附件（保留至删除）', en: 'Upload an attachment, which stays until it is removed' },
    handler: (call) => putFile(call, true),
  }),
  route({
    method: 'GET',
    path: '/blade-resource/attach/link',
    tag,
    access: 'session',
    summary: {
      zh: '附件：可直接打开的地址（给出宽度即为图片的缩略图）',
      en: 'Addresses under which files, or with a width small copies of pictures, can be shown for some minutes',
    },
    parameters: {
      ids: { kind: 'ids', required: true },
      width: { kind: 'integer' },
    },
    records: true,
    handler: (call) => {
      const { ids, width } = call.parameters
      return links(call, ids, widthOf(width))
    },
  }),
  publicRoute({
    method: 'GET',
    path: '/blade-resource/attach/file',
    tag,
    access: 'public',
    bare: true,
    summary: {
      zh: '附件：内容（签名地址或会话，支持分段；图片可取缩略图）',
      en: 'A file, by a signed address or by a session, in ranges; of a picture a small copy too',
    },
    parameters: {
      id: { kind: 'id', required: true },
      tenant: { kind: 'tenant' },
      session: { kind: 'id' },
      expires: { kind: 'integer' },
      sign: { kind: 'text', max: 64 },
      width: { kind: 'integer' },
    },
    handler: (call) => file(call, { ...call.parameters, width: widthOf(call.parameters.width) }),
  }),
  route({
    method: 'GET',
    path: '/blade-resource/attach/uses',
    tag,
    access: view,
    summary: { zh: '附件：被谁使用', en: 'Attachment: what points at it' },
    parameters: { id: { kind: 'id', required: true } },
    handler: async (call) => {
      await rowsOf(attach, call).mustSee(call.parameters.id)
      return usesOf(contextOf(call), call.parameters.id)
    },
  }),
  route({
    method: 'GET',
    path: '/blade-resource/attach/usage',
    tag,
    access: view,
    summary: { zh: '附件：已用空间与额度', en: 'Attachments: room used, and the quota' },
    handler: ({ tx, actor }) => usageOf(tx, actor.tenantId),
  }),
  detachedRoute({
    method: 'POST',
    path: '/blade-resource/attach/remove',
    tag,
    access: code(codeOf(attach, 'delete')),
    summary: { zh: '附件：删除', en: 'Attachment: remove' },
    parameters: { ids: { kind: 'ids', required: true } },
    handler: (call) => remove(call, call.parameters.ids),
  }),
]
