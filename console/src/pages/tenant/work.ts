import { useQueryClient } from '@tanstack/react-query'
import { refresh, useTask } from '../../entity/data/index.ts'

/** What a dialog about tenants does: the lists are read again, and the dialog hears of it when it is done. */
export function useTenantWork(onDone: () => void) {
  const queries = useQueryClient()
  const { busy, failure, run } = useTask()
  return {
    busy,
    failure,
    run: async (call: () => Promise<unknown>) => {
      const done = await run(async () => {
        await call()
        await refresh(queries, 'tenant')
      })
      if (done) onDone()
    },
  }
}
