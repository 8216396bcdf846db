import { clearCache as clearing } from '@data-brain/contract/calls/auth'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../http/call.ts'
import { askConfirmation } from '../ui/confirm.tsx'
import { MenuAt } from '../ui/menu.tsx'
import type { MenuEntry, MenuSpot } from '../ui/menu-button.tsx'
import { useStore } from '../ui/store.ts'
import { toast } from '../ui/toast.ts'
import { useT } from '../ui/words.ts'
import { openPalette } from './palette-store.ts'
import { closeAsking } from './tab-close.ts'
import {
  closeAll,
  closeOthers,
  closeRight,
  closeTab,
  isClosable,
  moveTab,
  type OpenTabs,
  pinTab,
  refreshTab,
  type Tab,
  tabStore,
} from './tabs.ts'
import '../ui/later-words.ts'

const rest = (tabs: OpenTabs, keep: (tab: Tab, at: number) => boolean): string[] =>
  tabs.list.filter((tab, at) => at > 0 && !keep(tab, at)).map((tab) => tab.value)

/** What can be done with a tab and with the others. */
export function useTabEntries(value: string): MenuEntry[] {
  const t = useT()
  const tabs = useStore(tabStore)
  const client = useQueryClient()
  const at = tabs.list.findIndex((tab) => tab.value === value)
  const pinned = tabs.list[at]?.pinned === true
  const refresh = () => {
    refreshTab(value)
    void client.invalidateQueries()
  }
  const clearCache = async () => {
    if (!(await askConfirmation({ title: t('spec.clearCacheConfirm'), okText: t('tabs.clearCache') }))) return
    await call(clearing)
    client.clear()
    for (const tab of tabs.alive) refreshTab(tab)
    toast.success(t('tabs.cacheCleared'))
  }
  return [
    { key: 'refresh', label: t('tabs.refresh'), icon: 'refresh-cw', run: refresh },
    {
      key: 'pin',
      label: t(pinned ? 'tabs.unpin' : 'tabs.pin'),
      icon: 'pin',
      disabled: at < 1,
      run: () => pinTab(value, !pinned),
    },
    { key: 'left', label: t('tabs.left'), icon: 'arrow-left', disabled: at < 2, run: () => moveTab(value, -1) },
    {
      key: 'right',
      label: t('tabs.right'),
      icon: 'arrow-right',
      disabled: at < 1 || at === tabs.list.length - 1,
      run: () => moveTab(value, 1),
    },
    {
      key: 'close',
      label: t('tabs.close'),
      icon: 'x',
      line: true,
      disabled: !isClosable(tabs, value),
      run: () => void closeAsking([value], () => closeTab(value)),
    },
    {
      key: 'others',
      label: t('tabs.closeOthers'),
      disabled: rest(tabs, (tab) => tab.value === value).length === 0,
      run: () =>
        void closeAsking(
          rest(tabs, (tab) => tab.value === value || tab.pinned === true),
          () => closeOthers(value),
        ),
    },
    {
      key: 'toRight',
      label: t('tabs.closeRight'),
      disabled: at === tabs.list.length - 1,
      run: () =>
        void closeAsking(
          rest(tabs, (tab, other) => other <= at || tab.pinned === true),
          () => closeRight(value),
        ),
    },
    {
      key: 'all',
      label: t('tabs.closeAll'),
      run: () =>
        void closeAsking(
          rest(tabs, (tab) => tab.pinned === true),
          closeAll,
        ),
    },
    { key: 'cache', label: t('tabs.clearCache'), line: true, run: () => void clearCache() },
    { key: 'search', label: t('tabs.menuSearch'), icon: 'search', run: openPalette },
  ]
}

/** The menu of a tab, at a spot of the window. */
export default function TabMenu({ value, spot, onClose }: { value: string; spot: MenuSpot; onClose: () => void }) {
  const t = useT()
  return <MenuAt label={t('tabs.menu')} entries={useTabEntries(value)} spot={spot} onClose={onClose} />
}
