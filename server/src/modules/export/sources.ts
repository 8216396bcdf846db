import { entities } from '@data-brain/contract'
import { workRecords } from '../flow/index.ts'
import { changeRecords, readRecords } from '../history/index.ts'
import { logRecords } from '../log/index.ts'
import { regionRecords, sessionRecords } from '../system/index.ts'
import { formSource } from './form-source.ts'
import { entitySource } from './list.ts'
import { recordSource } from './record-source.ts'
import { reportSource } from './report-source.ts'
import type { Source } from './source.ts'

/** Every list that can be taken out: those of the entities, and those that are read but never written by a call. */
export const exportSources: readonly Source[] = [
  ...entities.map(entitySource),
  ...[...logRecords, changeRecords, readRecords, sessionRecords, regionRecords, ...workRecords].map(recordSource),
  reportSource,
  formSource,
]

const byName = new Map(exportSources.map((source) => [source.name, source]))

export function sourceOf(name: string): Source {
  const source = byName.get(name)
  if (!source) throw new Error(`no list named ${name}`)
  return source
}
