import { toast } from './toast.ts'
import { translate } from './words.ts'

let keep: (error: unknown) => void = () => {}

/** Where the error is kept of a part that could not be fetched: the local log. */
export const keepUnloaded = (log: (error: unknown) => void): void => {
  keep = log
}

/** Says that a part of the console could not be fetched, why that may be, and offers the way on. */
export function tellUnloaded(error: unknown): void {
  keep(error)
  toast.error(translate('error.chunk'), translate('error.chunk.text'), {
    label: translate('common.reload'),
    run: () => window.location.reload(),
  })
}
