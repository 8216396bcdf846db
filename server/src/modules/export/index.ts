import { Readable } from 'node:stream'
import { codeOf, type Entity, entities } from '@data-brain/contract'
import { disposition } from '../../kernel/disposition.ts'
import { Problem } from '../../kernel/problem.ts'
import { Bare, code, type DetachedCall, detachedRoute, type Route } from '../../kernel/route.ts'
import type { Module } from '../module.ts'
import { exportFileRoute, exportJobRoutes } from './job.ts'
import { exportParameters, listFile, wishOf } from './list.ts'

/** Exports that one process streams at once. */
const atOnce = 2
let running = 0

/** A list as a file that is written while it is read. */
async function exported(entity: Entity, { query, ...taker }: DetachedCall): Promise<Bare> {
  const wish = wishOf(entity, query, taker.circumstance.language)
  if (running >= atOnce) throw new Problem('too_many')
  const { name, type, bytes } = await listFile(wish, taker)
  const stream = Readable.from(bytes, { objectMode: false })
  running += 1
  stream.once('close', () => {
    running -= 1
  })
  return new Bare(stream, 200, {
    'Content-Type': type,
    'Content-Disposition': disposition('attachment', name),
    'X-Content-Type-Options': 'nosniff',
  })
}

const routes: Route[] = entities.map((entity) =>
  detachedRoute({
    method: 'GET',
    path: `/${entity.path}/export`,
    summary: { zh: `${entity.label.zh}：导出`, en: `${entity.label.en}: export` },
    access: code(codeOf(entity, 'export')),
    platform: entity.ownership === 'platform',
    bare: true,
    tag: entity.name,
    parameters: exportParameters(entity),
    handler: (call) => exported(entity, call as unknown as DetachedCall),
  }),
)

/** Every list as a workbook or CSV, streamed or written in the background. */
export const exporting: Module = { routes: [...routes, ...exportJobRoutes, exportFileRoute] }
