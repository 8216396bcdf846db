import type { AnswerOf } from '@data-brain/contract/call'
import { putFile } from '@data-brain/contract/calls/attach'
import { dictionaries } from '@data-brain/contract/calls/dict'
import { call, sendFile } from './call.ts'

/*
 * What the engine asks of the server beside the calls of an entity: dictionaries and files; jobs are in jobs.ts.
 */

type Entry = AnswerOf<typeof dictionaries>[string][number]
/** An entry of a dictionary; a sealed one is shown on old rows and offered nowhere. */
export type DictEntry = Pick<Entry, 'dictKey' | 'dictValue' | 'sort'> & Partial<Pick<Entry, 'dictValueEn' | 'isSealed'>>

/** The entities whose rows are entries of dictionaries. */
export const dictionaryEntities = ['dict', 'dictbiz'] as const

/** The entries of dictionaries, by code. */
export const readDictionaries = (
  codes: readonly string[],
  signal?: AbortSignal,
): Promise<Record<string, readonly DictEntry[]>> => call(dictionaries, { codes }, { signal })

/** A file that was just uploaded. */
export interface KeptFile {
  readonly id: string
  readonly name: string
  readonly link: string
}

/** Uploads a file. */
export async function keepFile(file: File): Promise<KeptFile> {
  const { attachId, originalName, link } = await sendFile(putFile, file, {}, { timeout: 60_000 })
  return { id: attachId, name: originalName, link }
}
