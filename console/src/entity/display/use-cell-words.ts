import type { Entity } from '@data-brain/contract'
import { useMemo } from 'react'
import { useLanguage, useT } from '../../ui/words.ts'
import { useDictionaries } from '../data/client.ts'
import type { CellWords } from './cell.tsx'

const NO_REGIONS = {}

/** What cells of an entity look at, where its regions are not shown by their paths. Its rows may be those of another one. */
export function useCellWords(entity: Entity, rows: Entity = entity): CellWords {
  const t = useT()
  const language = useLanguage()
  const [given, own] = [useDictionaries(rows), useDictionaries(entity)]
  return useMemo(
    () => ({ t, language, dictionaries: rows === entity ? own : { ...given, ...own }, regions: NO_REGIONS }),
    [t, language, given, own, rows, entity],
  )
}
