import type { DefinedView, Entity, SavedView, ViewContent } from '@data-brain/contract'
import { isPersonalFilter } from '@data-brain/contract'
import { useQueries, useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { HttpProblem } from '../../http/client.ts'
import { viewWords } from '../../locales/view.ts'
import { useCan } from '../../session/session.ts'
import { Icon } from '../../ui/icon.tsx'
import { MenuButton, type MenuEntry } from '../../ui/menu-button.tsx'
import { toast } from '../../ui/toast.ts'
import { addWords, useLanguage, useT } from '../../ui/words.ts'
import { useEntity } from '../data/client.ts'
import type { ListState, Steps } from '../list/list-state.ts'
import { useViewCalls } from './calls.ts'
import { useCutOff } from './cut-off.ts'
import { codeFor, contentOf, filtersNow, labelOf, systemViews } from './system.ts'
import { ALL_ROWS, type ListViews } from './use-views.ts'
import './views.css'
import { lazyPart } from '../../ui/lazy-part.tsx'

addWords(viewWords)

// One file with what a page opens with.
export { contentOf, systemViews }

const ViewDialog = lazyPart(() => import('./dialog.tsx'))

interface StripProps {
  readonly entity: Entity
  readonly state: ListState
  readonly steps: Steps
  readonly views: ListViews
  /** Whether the list is there: what else is asked for waits until then. */
  readonly painted: boolean
}

interface ShownView {
  readonly key: string
  readonly name: string
  readonly run: () => void
  /** One that somebody has saved. */
  readonly view?: SavedView
}

type Asked = Pick<ViewContent, 'filters' | 'sort'>

const textOf = ({ filters, sort }: Asked): string =>
  JSON.stringify([Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1)), sort && [sort.key, sort.descending]])

/** The views of a list as a row of buttons, what the list differs by from the one in force, and what can be done with it. */
export default function ViewStrip({ entity, state, steps, views, painted }: StripProps) {
  const t = useT()
  const can = useCan()
  const calls = useViewCalls()
  const client = useQueryClient()
  const { data, saved, change } = views
  const page = entity.name
  const first = data?.first ?? null
  /** The view that is being named: a new one, or one of one's own. */
  const [naming, setNaming] = useState<'new' | SavedView | null>(null)
  const own = useMemo(
    () => systemViews(entity).filter((view) => codeFor(view) === null || can(codeFor(view)!)),
    [entity, can],
  )
  const system = own.find((view) => view.key === state.view)
  const counts = useCounts(entity, own, painted)
  /** What a view of the page's own said when it was chosen: the days it counts from go on. */
  const said = useRef(new Map<string, string>())
  const asked: Asked = { filters: state.filters, sort: state.sort }
  const kept = saved ?? (system?.filters ? { content: { filters: filtersNow(system.filters), sort: null } } : undefined)
  const isDrifted = saved
    ? textOf(asked) !== textOf(saved.content) ||
      (saved.content.taste !== null && JSON.stringify(views.taste) !== JSON.stringify(saved.content.taste))
    : system
      ? textOf(asked) !== (said.current.get(system.key) ?? (kept ? textOf(kept.content) : textOf(asked)))
      : Object.keys(state.filters).length > 0 || state.sort !== null
  const isAll = !saved && !system

  const dropped = saved?.dropped.join(t('entity.separator')) ?? ''
  useEffect(() => {
    if (dropped) toast.warning(t('view.dropped', { names: dropped }))
  }, [dropped, t])

  const row = useRef<HTMLDivElement>(null)
  const shownKey = saved?.id ?? system?.key ?? ALL_ROWS

  const showSystem = async (view: DefinedView) => {
    const content = await contentOf(view, client)
    if (!content) return
    said.current.set(view.key, textOf(content))
    steps.show(view.key, content)
  }
  const showAll = () => steps.show(first === null ? null : ALL_ROWS, { filters: {}, sort: null })

  const put = (view: SavedView) => {
    change((now) => ({ ...now, views: [...now.views.filter(({ id }) => id !== view.id), view].sort(byName) }))
    views.settle(view.id)
    steps.show(view.id, view.content)
    toast.success(t('view.saved'))
  }
  /** What is listed now, but for people's numbers. */
  const present = (): ViewContent => {
    const entries = Object.entries(state.filters)
    const kept = entries.filter(([name, value]) => !isPersonalFilter(entity, name, value))
    if (kept.length < entries.length) toast.warning(t('view.noNumbers'))
    return { ...asked, filters: Object.fromEntries(kept), taste: views.taste }
  }
  const failed = (problem: unknown) => {
    if (!(problem instanceof HttpProblem)) throw problem
    toast.error(problem.message)
    void client.invalidateQueries({ queryKey: ['views', page] })
  }
  const update = (view: SavedView) =>
    calls
      .submit({ id: view.id, version: view.version, page, name: view.name, roleId: view.roleId, content: present() })
      .then(put, failed)
  const remove = async (view: SavedView) => {
    try {
      await calls.remove(view.id)
    } catch (problem) {
      // The call has said what went wrong.
      if (!(problem instanceof HttpProblem)) throw problem
      return
    }
    // The menu goes with its view: whoever works by keys goes on from what is shown instead.
    const at = document.activeElement
    if (at === document.body || row.current?.contains(at))
      row.current?.querySelector<HTMLElement>(`[data-view="${ALL_ROWS}"]`)?.focus()
    change((now) => ({ ...now, views: now.views.filter(({ id }) => id !== view.id) }))
    showAll()
    const back = async () => {
      const { name, roleId, content } = view
      const again = await calls.submit({ page, name, roleId, content })
      put(again)
      if (first === view.id) await open(again.id)
    }
    toast.success(t('view.deleted'), view.name, {
      label: t('entity.undo'),
      undo: true,
      run: () => void back().catch(failed),
    })
  }
  const open = async (key: string | null) => {
    change((now) => ({ ...now, first: key }))
    await calls.taste(page, { first: key }).catch(failed)
  }

  const menu = (key: string, view: SavedView | undefined): MenuEntry[] => [
    ...(view?.mine
      ? [
          ...(isDrifted
            ? [{ key: 'update', label: t('view.update'), icon: 'refresh-cw', run: () => void update(view) }]
            : []),
          { key: 'rename', label: t('view.rename'), icon: 'pencil', run: () => setNaming(view) },
        ]
      : []),
    {
      key: 'first',
      label: t(first === key ? 'view.notFirst' : 'view.first'),
      icon: 'pin',
      run: () => void open(first === key ? null : key),
    },
    {
      key: 'link',
      label: t('view.copyLink'),
      icon: 'copy',
      run: () => void copyLink(row.current),
    },
    ...(view?.mine
      ? [
          {
            key: 'delete',
            label: t('view.delete'),
            icon: 'trash-2',
            danger: true,
            line: true,
            run: () => void remove(view),
          },
        ]
      : []),
  ]
  const number = new Intl.NumberFormat(useLanguage())
  const settle = (view: SavedView) => {
    views.settle(view.id)
    steps.show(view.id, view.content)
  }
  const all: readonly ShownView[] = [
    { key: ALL_ROWS, name: t('view.all'), run: showAll },
    ...own.map((view) => ({ key: view.key, name: t(labelOf(entity, view)), run: () => void showSystem(view) })),
    ...(data?.views.map((view) => ({ key: view.id, name: view.name, run: () => settle(view), view })) ?? []),
  ]
  const cut = useCutOff(row, shownKey, JSON.stringify([all.map(({ name }) => name), [...counts], isDrifted]))
  const more: MenuEntry[] = all
    .filter(({ key }) => cut.includes(key))
    .map(({ key, name, run }) => ({
      ...{ key, label: name, run, checked: key === shownKey },
      ...(counts.has(key) ? { badge: number.format(counts.get(key)!) } : {}),
    }))
  const tab = ({ key, name, run, view }: ShownView, isShown = key === shownKey) => (
    <span
      key={key}
      className={isShown ? 'list-view list-view-shown' : 'list-view'}
      data-cut={cut.includes(key) ? '' : undefined}
    >
      <button
        type="button"
        data-view={key}
        className="list-view-name"
        aria-current={isShown ? 'true' : undefined}
        aria-label={view && !view.mine ? t('view.of', { name, who: view.ownerName }) : undefined}
        title={view && !view.mine ? t('view.of', { name, who: view.ownerName }) : undefined}
        onClick={run}
      >
        {view?.roleId && <Icon name="users-round" size={14} />}
        {name}
        {counts.has(key) && (
          <>
            {' '}
            <span className="list-view-count">{number.format(counts.get(key)!)}</span>
          </>
        )}
        {first === key && <span className="sr-only"> {t('view.isFirst')}</span>}
        {isShown && isDrifted && !isAll && (
          <>
            <i className="list-view-dot" aria-hidden="true" />
            <span className="sr-only"> {t('view.drifted')}</span>
          </>
        )}
      </button>
      {isShown && key !== ALL_ROWS && (
        <MenuButton label={t('view.menuOf', { name })} className="tool small" entries={menu(key, view)}>
          <Icon name="ellipsis" size={14} />
        </MenuButton>
      )}
    </span>
  )

  return (
    <nav className="list-views" aria-label={t('view.views')} data-views="">
      <div className="list-views-row" ref={row}>
        {all.map((one) => tab(one))}
      </div>
      {more.length > 0 && (
        <MenuButton label={t('view.more', { count: more.length })} className="tool list-views-more" entries={more}>
          <Icon name="chevron-down" size={16} />
          {more.length}
        </MenuButton>
      )}
      {isDrifted ? (
        <span className="list-views-change">
          {saved?.mine && (
            <button type="button" className="button plain" onClick={() => void update(saved)}>
              {t('view.update')}
            </button>
          )}
          <button type="button" className="button plain" onClick={() => setNaming('new')}>
            {t(isAll ? 'view.save' : 'view.saveAs')}
          </button>
        </span>
      ) : (
        <button
          type="button"
          className="tool"
          aria-label={t('view.save')}
          title={t('view.save')}
          onClick={() => setNaming('new')}
        >
          <Icon name="plus" size={16} />
        </button>
      )}
      {naming && (
        <Suspense fallback={null}>
          <ViewDialog
            view={naming === 'new' ? null : naming}
            roles={data?.roles ?? []}
            onSave={async (name, roleId) => {
              const draft =
                naming === 'new'
                  ? { page, name, roleId, content: present() }
                  : { id: naming.id, version: naming.version, page, name, roleId, content: naming.content }
              put(await calls.submit(draft))
            }}
            onClose={() => setNaming(null)}
          />
        </Suspense>
      )}
    </nav>
  )
}

/** A count this old is asked for anew when its page is opened. */
const STALE = 60_000

/** How many rows the views have that are to say so: asked for when the page is opened, and not again while it is. */
function useCounts(entity: Entity, own: readonly DefinedView[], painted: boolean): ReadonlyMap<string, number> {
  const engine = useEntity(entity)
  const counted = own.filter((view) => view.counted && view.filters)
  return useQueries({
    queries: counted.map((view) => ({
      queryKey: ['view-count', entity.name, view.key],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        engine.page({ ...filtersNow(view.filters!), current: 1, size: 1 }, signal),
      staleTime: STALE,
      enabled: painted,
      retry: false,
    })),
    combine: (found) =>
      new Map(found.flatMap(({ data }, at) => (data ? [[counted[at]!.key, data.total] as const] : []))),
  })
}

async function copyLink(near: Element | null): Promise<void> {
  const { copyText } = await import('../../ui/dialog/copy.ts')
  await copyText(window.location.href, near)
}

const byName = (a: SavedView, b: SavedView): number =>
  Number(b.mine) - Number(a.mine) || a.name.localeCompare(b.name, 'zh-CN')
