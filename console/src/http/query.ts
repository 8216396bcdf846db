import { QueryClient } from '@tanstack/react-query'
import { HttpProblem } from './client.ts'

/** Data this old is asked for again when somebody looks; a return to a kept tab does not ask for younger data. */
const staleTime = 30_000

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime,
      refetchOnWindowFocus: false,
      // What the server said stands; only no answer at all is worth a second try.
      retry: (count, error) => count < 1 && error instanceof HttpProblem && error.status === 0,
    },
  },
})
