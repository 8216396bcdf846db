import { toast } from './toast.ts'
import { translate } from './words.ts'

/** Says that a part of the console could not be fetched, why that may be, and offers the way on. */
export function tellUnloaded(): void {
  toast.error(translate('error.chunk'), translate('error.chunk.text'), {
    label: translate('common.reload'),
    run: () => window.location.reload(),
  })
}
