import { useCallback, useRef, useState } from 'react'
import { Icon } from '../ui/icon.tsx'
import { useLazyOpen } from '../ui/lazy-open.ts'
import { usePlace } from '../ui/place.ts'
import { useStore } from '../ui/store.ts'
import { useT } from '../ui/words.ts'
import { routeOf } from './routes.ts'
import { tabStore, useTabName } from './tabs.ts'

const load = () => import('./open-pages.tsx')

/** How many pages are open, or in a narrow window the name of the one shown; opens the list of them. */
export function PagesButton({ named = false }: { named?: boolean }) {
  const t = useT()
  const tabs = useStore(tabStore)
  const name = useTabName()
  const { path } = usePlace()
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  const fail = useCallback(() => setOpen(false), [])
  const close = useCallback(() => {
    setOpen(false)
    button.current?.focus()
  }, [])
  const List = useLazyOpen(load, open, fail)
  const tab = tabs.list.find((each) => each.value === path)
  const here = tab ? name(tab) : t(routeOf(path)?.route.label ?? 'shell.home')
  const count = tabs.list.length
  const said = t('tabs.open', { here, count })
  return (
    <span className={named ? 'pages named' : 'pages'}>
      <button
        ref={button}
        type="button"
        className={named ? 'pages-here' : 'pages-count'}
        // What is read begins with what is seen.
        aria-label={named ? said : `${count} ${t('tabs.list')}`}
        title={said}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen((now) => !now)}
      >
        <span className="tab-text">{named ? here : tabs.list.length}</span>
        <Icon name="chevron-down" size={named ? 18 : 14} />
      </button>
      {List && <List narrow={named} onClose={close} />}
    </span>
  )
}
