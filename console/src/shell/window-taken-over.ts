import { gaveWayWords } from '../locales/gave-way.ts'
import { toast } from '../ui/toast.ts'
import { addWords, translate } from '../ui/words.ts'

addWords(gaveWayWords)

/** Tells whoever has taken over a window that it was another person's, and where what that one typed has gone. */
export const tellWindowTakenOver = (account: string): void => {
  toast.warning(translate('shell.gaveWay'), translate('shell.gaveWayKept', { account }))
}
