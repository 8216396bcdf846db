import { Activity, useCallback, useLayoutEffect, useMemo, useRef } from 'react'
import { announce } from '../ui/announce.tsx'
import { onPlace, type Place, place, TabContext, type TabHandle, usePlace } from '../ui/place.ts'
import { useStore } from '../ui/store.ts'
import { translate } from '../ui/words.ts'
import { Boundary, LoadedPage } from './fallback.tsx'
import type { PageLoader } from './page.ts'
import { routeOf } from './routes.ts'
import { setTabState, type Tab, tabStore } from './tabs.ts'

export const tabId = (path: string): string => `tab-${path.replace(/\W/g, '_')}`
const panelId = (path: string): string => `panel-${path.replace(/\W/g, '_')}`

function handleOf(value: string): TabHandle {
  let last: Place = place()
  return {
    key: value,
    subscribe: onPlace,
    place: () => {
      const now = place()
      if (now.path === value) last = now
      return last
    },
    active: () => place().path === value,
    // A page that is hidden is taken out of effect, which must not make what was typed there count as saved.
    setDirty: (dirty) => place().path === value && setTabState(value, { dirty }),
    setName: (name) => setTabState(value, { name }),
  }
}

let travelled = false

/** Focus goes to the heading of a page that was just reached, unless the person is busy somewhere that stays. */
function focusHeading(panel: HTMLElement | null): void {
  if (!travelled || !panel) return
  const busy = document.activeElement
  if (busy instanceof HTMLElement && (panel.contains(busy) || busy.closest('dialog,[role=dialog]'))) return
  const heading = panel.querySelector<HTMLElement>('h1')
  if (!heading) return
  if (!heading.hasAttribute('tabindex')) heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}

function TabPanel({ value, label, load }: { value: string; label: string; load: PageLoader }) {
  const ref = useRef<HTMLDivElement>(null)
  const scroll = useRef(0)
  const handle = useMemo(() => handleOf(value), [value])
  const ready = useCallback(() => requestAnimationFrame(() => focusHeading(ref.current)), [])

  // Runs each time the tab is shown again: what is hidden loses its scroll in some browsers.
  useLayoutEffect(() => {
    if (ref.current) ref.current.scrollTop = scroll.current
    focusHeading(ref.current)
    if (travelled)
      announce(translate('shell.arrived', { page: tabStore.get().states[value]?.name ?? translate(label) }))
    travelled = true
  }, [value, label])

  return (
    <div
      ref={ref}
      className="panel"
      role="tabpanel"
      id={panelId(value)}
      aria-label={translate(label)}
      onScroll={(event) => {
        scroll.current = event.currentTarget.scrollTop
      }}
    >
      <TabContext value={handle}>
        <Boundary>
          <LoadedPage load={load} onReady={ready} />
        </Boundary>
      </TabContext>
    </div>
  )
}

/** The pages of the tabs: the last used stay alive, hidden; a page that is no tab covers them. */
export function Panels() {
  const { list, alive, states } = useStore(tabStore)
  const { path } = usePlace()
  const shown = alive
    .map((value) => list.find((tab) => tab.value === value))
    .filter((tab): tab is Tab => tab !== undefined)
    // In an order of their own: moving a tab must not move its page in the document.
    .sort((one, other) => (one.value < other.value ? -1 : 1))
  const alone = list.some((tab) => tab.value === path) ? undefined : routeOf(path)?.route
  return (
    <>
      {shown.map((tab) => {
        const found = routeOf(tab.value)
        if (!found) return null
        return (
          <Activity
            key={`${tab.value} ${states[tab.value]?.turn ?? 0}`}
            mode={tab.value === path ? 'visible' : 'hidden'}
          >
            <TabPanel value={tab.value} label={tab.label} load={found.route.load} />
          </Activity>
        )
      })}
      {alone && (
        <div className="panel" key={alone.path}>
          <Boundary>
            <LoadedPage load={alone.load} />
          </Boundary>
        </div>
      )}
    </>
  )
}
