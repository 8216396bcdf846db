import { Readable } from 'node:stream'
import { disposition } from '../../kernel/disposition.ts'
import { Problem } from '../../kernel/problem.ts'
import { Bare, code, type DetachedCall, detachedRoute, type Route } from '../../kernel/route.ts'
import type { Module } from '../module.ts'
import { exportFileRoute, exportJobRoutes } from './job.ts'
import type { Source } from './source.ts'
import { sources } from './sources.ts'

/** Exports that one process streams at once. */
const atOnce = 2
let running = 0

/** A list as a file that is written while it is read. */
async function exported(source: Source, { query, ...taker }: DetachedCall): Promise<Bare> {
  const asked = source.ask(query, taker.circumstance.language)
  if (running >= atOnce) throw new Problem('too_many')
  const { name, type, bytes } = await asked.file(taker)
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

const routes: Route[] = sources.map((source) =>
  detachedRoute({
    method: 'GET',
    path: `/${source.path}/export`,
    summary: { zh: `${source.label.zh}：导出`, en: `${source.label.en}: export` },
    access: code(source.code),
    platform: source.platform,
    bare: true,
    tag: source.tag,
    parameters: source.parameters,
    handler: (call) => exported(source, call as unknown as DetachedCall),
  }),
)

/** Every list as a workbook or CSV, streamed or written in the background. */
export const exporting: Module = { routes: [...routes, ...exportJobRoutes, exportFileRoute] }
