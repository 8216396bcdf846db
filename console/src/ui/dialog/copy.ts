import { dialogWords } from '../../locales/dialog.ts'
import { announce } from '../announce.tsx'
import { toast } from '../toast.ts'
import { addWords, translate } from '../words.ts'

addWords(dialogWords)

/**
 * Puts a text on the clipboard and says so. A page that came without TLS has no clipboard of its own: there the old
 * way is tried, from inside the element given, because a dialog keeps the focus to itself.
 */
export async function copyText(text: string, near: Element | null): Promise<void> {
  const copied = navigator.clipboard
    ? await navigator.clipboard.writeText(text).then(
        () => true,
        () => copyOldWay(text, near),
      )
    : copyOldWay(text, near)
  if (copied) announce(translate('dialog.copied'))
  if (copied) toast.success(translate('dialog.copied'))
  else toast.warning(translate('dialog.notCopied'))
}

function copyOldWay(text: string, near: Element | null): boolean {
  const place = document.createElement('textarea')
  place.value = text
  place.className = 'sr-only'
  const before = document.activeElement
  ;(near ?? document.body).append(place)
  place.select()
  const done = document.execCommand('copy')
  place.remove()
  if (before instanceof HTMLElement) before.focus()
  return done
}
