import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { language, useLanguage } from '../../ui/words.ts'
import { followWork } from '../import/index.ts'
import { isWorking, type RosterBatch, readBatch } from './calls.ts'

const batchKey = (id: string | null, language?: string) =>
  ['oneroster', 'batch', id, ...(language ? [language] : [])] as const

/** Follows the work on an archive to its end. */
export function followRoster(client: QueryClient, id: string): void {
  void followWork<RosterBatch | null>(client, `oneroster ${id}`, {
    key: () => batchKey(id, language()),
    read: (signal) => readBatch(id, signal),
    isWorking: (batch) => batch !== null && isWorking(batch),
    ended: (batch) => {
      // Anything may have changed.
      if (batch?.state === 'done') void client.invalidateQueries()
    },
  })
}

/** An archive, kept fresh while the server works on it; without an id the one that is open, or null. */
export function useRoster(id: string | null, enabled: boolean) {
  const language = useLanguage()
  const client = useQueryClient()
  const found = useQuery({
    queryKey: batchKey(id, language),
    queryFn: ({ signal }) => readBatch(id, signal),
    enabled,
    placeholderData: (before) => (before?.id === id ? before : undefined),
    refetchOnMount: 'always',
    retry: false,
  })
  const working = found.data ? isWorking(found.data) : false
  useEffect(() => {
    if (id !== null && working) followRoster(client, id)
  }, [id, working, client])
  return found
}

/** Has an archive asked for again after something was done to it, and follows what that has begun. */
export async function renewRoster(client: QueryClient, id: string): Promise<void> {
  await client.invalidateQueries({ queryKey: batchKey(id) })
  followRoster(client, id)
}

/** Forgets which archive is open: one was dropped, or another begun. */
export const forgetOpen = (client: QueryClient): void => client.removeQueries({ queryKey: batchKey(null) })
