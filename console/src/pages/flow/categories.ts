import { useQuery } from '@tanstack/react-query'
import { entryText } from '../../entity/display/index.ts'
import { type DictEntry, readDictionaries } from '../../http/services.ts'
import { useLanguage } from '../../ui/words.ts'

const codes = ['flow', 'flow_instance_state'] as const

const useFlowDictionaries = () =>
  useQuery({
    queryKey: ['flow-dictionaries'],
    queryFn: ({ signal }) => readDictionaries(codes, signal),
    staleTime: 300_000,
    retry: false,
    meta: { reads: ['dict', 'dictbiz'] },
  })

function useEntries(code: (typeof codes)[number]): (key: string) => string {
  const language = useLanguage()
  const { data } = useFlowDictionaries()
  const entries: readonly DictEntry[] = data?.[code] ?? []
  return (key) => {
    const entry = entries.find(({ dictKey }) => dictKey === key)
    return entry ? entryText(entry, language) : ''
  }
}

/** Keys of the dictionary flow_instance_state of which pages know more than the words. */
export const instanceStates = { running: '1', incident: '6' } as const

/** States of a request that has ended without what it asked for: refused, withdrawn, terminated. */
export const failedStates: readonly string[] = ['3', '4', '5']

/** The words of a category of processes. */
export const useCategories = () => useEntries('flow')

/** The words of the state of an instance. */
export const useInstanceStates = () => useEntries('flow_instance_state')

/** The categories, to choose from. */
export function useCategoryOptions(): { value: string; label: string }[] {
  const language = useLanguage()
  const { data } = useFlowDictionaries()
  return (data?.flow ?? [])
    .filter(({ isSealed }) => !isSealed)
    .map((entry) => ({ value: entry.dictKey, label: entryText(entry, language) }))
}
