import { attach } from '@data-brain/contract'
import {
  fileContent,
  fileLinks,
  fileUses,
  putAttachment,
  putFile,
  removeFiles,
  storageUsage,
} from '@data-brain/contract/calls/attach'
import { contextOf, rowsOf } from '../../entity/routes.ts'
import { on, onDetached, onPublic } from '../../entity/serve-call.ts'
import { Problem } from '../../kernel/problem.ts'
import type { DetachedCall, Route } from '../../kernel/route.ts'
import { thumbnailWidths, type Width } from './picture.ts'
import { mostOf, storeFile } from './put.ts'
import { file, signedFileLinks } from './read.ts'
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
  const width = thumbnailWidths.find((each) => each === given)
  if (width) return width
  const reason = { zh: `须为${thumbnailWidths.join('、')}之一`, en: `must be one of ${thumbnailWidths.join(', ')}` }
  throw new Problem('field_invalid', { label: 'width', reason }, { field: 'width', fields: [] })
}

export const attachRoutes: readonly Route[] = [
  onDetached(putFile, (_, call) => storeFile(call, false), { uploadLimit: mostOf }),
  onDetached(putAttachment, (_, call) => storeFile(call, true), { uploadLimit: mostOf }),
  on(fileLinks, ({ ids, width }, call) => signedFileLinks(call, ids, widthOf(width)), { records: true }),
  onPublic(fileContent, (claim, call) => file(call, { ...claim, width: widthOf(claim.width) })),
  on(fileUses, async ({ id }, call) => {
    await rowsOf(attach, call).mustSee(id)
    return usesOf(contextOf(call), id)
  }),
  on(storageUsage, (_, { tx, actor }) => usageOf(tx, actor.tenantId)),
  onDetached(removeFiles, ({ ids }, call) => remove(call, ids)),
]
