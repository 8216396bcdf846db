import type { ColumnTaste } from '@data-brain/contract'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { arrangeColumns } from '../src/entity/list/column-preferences.tsx'
import EntityPage from '../src/entity/list/page.tsx'
import type { Column } from '../src/ui/table/table.tsx'
import { stretchedOf } from '../src/ui/table/widths.ts'
import { begin, FakeServer, show } from './entity-world.tsx'
import { FakeViews, viewOf, withViews } from './view-world.tsx'

const heads = () =>
  [...document.querySelectorAll('thead th:not(.dt-tick)')].map((head) => head.textContent?.trim() ?? '')
const rowKeys = () => [...document.querySelectorAll('tbody tr[data-key]')].length
const taste = (more: Partial<ColumnTaste>): ColumnTaste => ({ order: [], hidden: [], widths: {}, pins: {}, ...more })

async function list(views = new FakeViews(), path?: string) {
  if (path) await begin(undefined, path)
  const server = new FakeServer(12)
  const view = show(server, withViews(views, <EntityPage entity="student" />))
  await waitFor(() => expect(rowKeys()).toBeGreaterThan(0))
  return { server, views, ...view }
}
async function openPanel() {
  fireEvent.click(screen.getByRole('button', { name: /^显示/ }))
  return within(await screen.findByRole('region', { name: /^显示/ }))
}
const row = (label: string) => screen.getByRole('checkbox', { name: label }).closest('li')!
/** What the server was told, once nothing more follows. */
const kept = async (views: FakeViews) => {
  await waitFor(() => expect(views.tastes.length).toBeGreaterThan(0), { timeout: 3_000 })
  await new Promise((resolve) => setTimeout(resolve, 600))
  return views.tastes.at(-1)!.taste
}

// What comes when it is wanted is here before the clock runs.
beforeAll(() => Promise.all([import('../src/entity/views/strip.tsx'), import('../src/ui/table/columns-panel.tsx')]))
beforeEach(() => begin())

describe('columns of a list', () => {
  it('are hidden, moved and pinned; the server keeps it for this person and page', async () => {
    const { views, unmount } = await list()
    expect(heads().slice(0, 5)).toEqual(['姓名', '校内学号', '性别', '班级', '状态'])
    const panel = await openPanel()
    fireEvent.click(await panel.findByRole('checkbox', { name: '出生日期' }))
    expect(heads()).not.toContain('出生日期')
    fireEvent.click(panel.getByRole('button', { name: '性别前移' }))
    expect(heads().slice(0, 4)).toEqual(['姓名', '性别', '校内学号', '班级'])
    // The pressed button keeps the focus, though its row has moved.
    await waitFor(() => expect(document.activeElement?.closest('li')).toBe(row('性别')))
    fireEvent.click(panel.getByRole('button', { name: '班级：不固定' }))
    expect(heads().slice(0, 3)).toEqual(['姓名', '班级', '性别'])
    fireEvent.click(panel.getByRole('radio', { name: '紧凑' }))
    expect(document.querySelector('.dt-compact')).toBeTruthy()
    const wanted = { hidden: ['birthDate'], pins: { classId: 'start' }, density: 'compact' }
    await waitFor(() => expect(views.tastes.at(-1)?.taste).toMatchObject(wanted), { timeout: 3_000 })
    // What comes in one burst is sent once.
    expect(views.tastes.length).toBeLessThan(4)
    const sent = views.tastes.at(-1)?.taste
    expect(sent?.order.indexOf('sex')).toBeLessThan(sent!.order.indexOf('studentNo'))
    unmount()
    // Another browser of the same person: nothing is stored here.
    localStorage.clear()
    await list(new FakeViews({ taste: sent! }))
    await waitFor(() => expect(heads().slice(0, 4)).toEqual(['姓名', '班级', '性别', '校内学号']))
    expect(heads()).not.toContain('出生日期')
  })

  it('are painted at once from what the browser remembers, before the server has answered', async () => {
    const { unmount, views } = await list()
    const panel = await openPanel()
    fireEvent.click(await panel.findByRole('checkbox', { name: '班级' }))
    await kept(views)
    unmount()
    const silent = new FakeViews()
    silent.list = () => new Promise(() => {})
    await list(silent)
    expect(heads()).not.toContain('班级')
  })

  it('that could not be sent are sent the next time', async () => {
    const views = new FakeViews()
    const works = views.taste.bind(views)
    views.taste = () => Promise.reject(new Error('away'))
    const { unmount } = await list(views)
    const panel = await openPanel()
    fireEvent.click(await panel.findByRole('checkbox', { name: '班级' }))
    unmount()
    views.taste = works
    await list(views)
    expect((await kept(views))?.hidden).toEqual(['classId'])
    expect(heads()).not.toContain('班级')
  })

  it('go back to what the page gives by one button', async () => {
    const views = new FakeViews({ taste: taste({ hidden: ['sex', 'gone'], order: ['gone', 'classId'] }) })
    await list(views)
    await waitFor(() => expect(heads()).not.toContain('性别'))
    const panel = await openPanel()
    fireEvent.click(await panel.findByRole('button', { name: '恢复默认' }))
    expect(heads().slice(0, 4)).toEqual(['姓名', '校内学号', '性别', '班级'])
    expect(await kept(views)).toBeNull()
  })

  it('cannot all be hidden: what names the row stays', async () => {
    await list(new FakeViews({ taste: taste({ hidden: ['name', 'sex'] }) }))
    await waitFor(() => expect(heads()).not.toContain('性别'))
    expect(heads()).toContain('姓名')
    const panel = await openPanel()
    expect(((await panel.findByRole('checkbox', { name: '姓名' })) as HTMLInputElement).disabled).toBe(true)
    expect(panel.queryByRole('checkbox', { name: '操作' })).toBeNull()
  })

  it('are moved by dragging too, also into what is pinned', async () => {
    const { views } = await list()
    await openPanel()
    await screen.findByRole('checkbox', { name: '班级' })
    const dataTransfer = { effectAllowed: '', setData: () => {} }
    fireEvent.dragStart(row('班级'), { dataTransfer })
    fireEvent.dragOver(row('性别'), { dataTransfer })
    fireEvent.drop(row('性别'), { dataTransfer })
    expect(heads().slice(1, 4)).toEqual(['校内学号', '班级', '性别'])
    fireEvent.dragStart(row('性别'), { dataTransfer })
    fireEvent.dragOver(row('姓名'), { dataTransfer })
    fireEvent.drop(row('姓名'), { dataTransfer })
    expect(heads().slice(0, 3)).toEqual(['性别', '姓名', '校内学号'])
    expect((await kept(views))?.pins).toEqual({ sex: 'start' })
  })

  it('are made wider by the arrows on their edge, and no row is drawn again for it', async () => {
    const { views } = await list()
    const edge = () => screen.getByRole('separator', { name: '性别列宽' })
    const wide = Number(edge().getAttribute('aria-valuenow'))
    const cell = document.querySelector('tbody tr[data-key] td:nth-child(4)')
    fireEvent.keyDown(edge(), { key: 'ArrowRight' })
    fireEvent.keyDown(edge(), { key: 'ArrowRight' })
    expect(Number(edge().getAttribute('aria-valuenow'))).toBe(wide + 32)
    expect(document.querySelector('tbody tr[data-key] td:nth-child(4)')).toBe(cell)
    for (let n = 0; n < 40; n += 1) fireEvent.keyDown(edge(), { key: 'ArrowLeft' })
    expect(edge().getAttribute('aria-valuenow')).toBe('48')
    expect((await kept(views))?.widths).toEqual({ sex: 48 })
    // The key belongs to the edge, and turns nothing else.
    expect(screen.getByRole('columnheader', { name: /姓名/ }).getAttribute('aria-sort')).toBe('none')
  })

  it('changed within a view stay with the view: a difference until it is kept', async () => {
    const view = viewOf({ content: { filters: { status: '1' }, sort: null, taste: taste({ hidden: ['sex'] }) } })
    const views = new FakeViews({ views: [view] })
    await list(views, '/blade/student?status=1&view=71')
    await waitFor(() => expect(heads()).not.toContain('性别'))
    expect(screen.queryByText('与视图不同')).toBeNull()
    const panel = await openPanel()
    fireEvent.click(await panel.findByRole('checkbox', { name: '班级' }))
    expect(await screen.findByText('与视图不同')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: '更新视图' }))
    await waitFor(() => expect(views.drafts[0]?.content.taste?.hidden).toEqual(['sex', 'classId']))
    await waitFor(() => expect(screen.queryByText('与视图不同')).toBeNull())
    expect(views.tastes).toEqual([])
  })
})

describe('arrange', () => {
  const columns = (...keys: string[]): Column<null>[] =>
    keys.map((key) => ({
      key: key.replace(/[<>]/, ''),
      label: key,
      width: 100,
      pin: key.endsWith('<') ? 'start' : key.endsWith('>') ? 'end' : undefined,
      cell: () => null,
    }))
  const keys = (of: readonly Column<null>[]) => of.map((column) => column.key).join(' ')

  it('keeps what is pinned at its side, and the actions last', () => {
    const all = columns('no<', 'name<', 'a', 'b', 'c', 'actions>')
    expect(keys(arrangeColumns(all, { order: ['c', 'a', 'b'], pins: {} }))).toBe('no name c a b actions')
    expect(keys(arrangeColumns(all, { order: [], pins: { no: 'none', b: 'end', actions: 'none' } }))).toBe(
      'name no a c b actions',
    )
  })

  it('leaves a column that came later where the page puts it', () => {
    const all = columns('a', 'fresh', 'b', 'c')
    expect(keys(arrangeColumns(all, { order: ['c', 'b', 'a'], pins: {} }))).toBe('c fresh b a')
  })

  it('gives what is left of a wide table to the column that names the row', () => {
    const places = [{ key: 'name', title: true }, { key: 'a' }, { key: 'b' }]
    expect(stretchedOf(places, {})).toBeUndefined()
    expect(stretchedOf(places, { a: 90 })).toBe('name')
    expect(stretchedOf(places, { name: 90 })).toBe('b')
    expect(stretchedOf(places, { gone: 90 })).toBeUndefined()
  })
})
