import { askConfirmation } from '../ui/confirm.tsx'
import { go } from '../ui/place.ts'
import { translate } from '../ui/words.ts'
import { dirtyAmong, tabStore } from './tabs.ts'

/** Closes tabs; asks first when one of them holds unsaved changes. */
export async function closeAsking(values: readonly string[], close: () => string): Promise<void> {
  if (dirtyAmong(values).length > 0) {
    const yes = await askConfirmation({
      title: translate('tabs.discard'),
      danger: true,
      okText: translate('tabs.discardOk'),
      cancelText: translate('tabs.keepEditing'),
    })
    if (!yes) return
  }
  const before = tabStore.get().active
  const next = close()
  if (tabStore.get().active !== before || next.split('?')[0] !== window.location.pathname) go(next)
}
