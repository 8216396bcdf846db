import { contentDisposition } from '../../kernel/disposition.ts'
import { code, type DetachedCall, detachedRoute, RawResponse, type Route } from '../../kernel/route.ts'
import { spoolBytes } from '../../kernel/spool.ts'
import { TurnQueue } from '../../kernel/turn-queue.ts'
import type { Module } from '../module.ts'
import { fillUploadedRoute, previewRoute, previewUploadedRoute } from './form-source.ts'
import { exportFileRoute, exportJobRoutes } from './job.ts'
import { fileTypes, type Source } from './source.ts'
import { exportSources } from './sources.ts'

export { addFileReceiver, jobsPage, refuse as refuseTaker, refuseExport, startExport } from './job.ts'
export { refuseReport, reportSource } from './report-source.ts'

/** Exports that one process writes at once: each has a thread of its own. A tenant's wait for each other. */
const turns = new TurnQueue({
  ...{ atOnce: 2, perTenant: 1, perUser: 1 },
  ...{ waitingOfUser: 3, waitingOfTenant: 10, longest: 60_000 },
})

/**
 * A list as a file that is written while it is read. The turn ends when it is written, however slowly, or not at all, it
 * is fetched.
 */
async function exported(source: Source, { query, ...taker }: DetachedCall): Promise<RawResponse> {
  const actor = await taker.as(async (opened) => opened.actor)
  const asked = source.ask(query, taker.circumstance.language, actor)
  const end = await turns.take(actor)
  try {
    const { name, type, bytes } = await asked.file(taker)
    return new RawResponse(await spoolBytes(bytes, end), 200, {
      'Content-Type': type,
      'Content-Disposition': contentDisposition('attachment', name),
      'X-Content-Type-Options': 'nosniff',
    })
  } catch (error) {
    end()
    throw error
  }
}

const routes: Route[] = exportSources.map((source) =>
  detachedRoute({
    method: 'GET',
    path: `/${source.path}/export`,
    summary: { zh: `${source.label.zh}：导出`, en: `${source.label.en}: export` },
    access: code(source.code),
    platform: source.platform,
    bare: true,
    file: source.types ?? fileTypes(),
    tag: source.tag,
    parameters: source.parameters,
    handler: (call) => exported(source, call),
  }),
)

/** Every list as a workbook or CSV, streamed or written in the background. */
export const exporting: Module = {
  routes: [...routes, ...exportJobRoutes, exportFileRoute, previewRoute, previewUploadedRoute, fillUploadedRoute],
}
