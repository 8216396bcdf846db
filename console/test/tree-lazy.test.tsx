import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { httpCalls } from '../src/entity/data/calls.ts'
import { IdempotencyKey } from '../src/entity/data/idempotency.ts'
import { HttpProblem } from '../src/http/client.ts'
import DeptPage from '../src/pages/dept/page.tsx'
import { good, type Seen, serve } from './answers.ts'
import { begin, show } from './entity-world.tsx'

const rowOf = (id: string) => document.querySelector<HTMLElement>(`[role=treegrid] tr[data-key="${id}"]`)!
const rowIds = () =>
  [...document.querySelectorAll<HTMLElement>('[role=treegrid] tr[data-key]')].map((row) => row.dataset.key)

afterEach(() => vi.unstubAllGlobals())

describe('R-SYS-5 departments of a tenant that has many', () => {
  const dept = (id: string, deptName: string, parentId: string, hasChildren = false) => ({
    ...{ tenantId: '000001', status: 1, version: 1, createTime: '2026-09-01 08:00:00', updateTime: '' },
    ...{ id, deptName, parentId, hasChildren, sort: 1, deptCategory: '3' },
  })
  const all = [
    dept('1', '实验小学', '0', true),
    dept('2', '实验中学', '0', true),
    dept('11', '教务处', '1', true),
    dept('111', '考务组', '11'),
    dept('21', '考务办', '2'),
  ]
  const page = (records: unknown[], total: number) => good({ records, total, size: 1, current: 1, pages: total })
  const answers = {
    'blade-system/dept/list': ({ query }: Seen) => {
      const ids = query.get('id')?.split(',')
      return ids
        ? page(
            all.filter(({ id }) => ids.includes(id)),
            ids.length,
          )
        : page([all[0]], 5_000)
    },
    'blade-system/dept/lazy-list': ({ query }: Seen) => {
      const [parentId, name] = [query.get('parentId'), query.get('deptName')]
      return good(all.filter((row) => (name ? row.deptName.includes(name) : row.parentId === parentId)))
    },
    'blade-system/dict-biz/dictionaries': good({}),
    'blade-system/dept/move': () => good(null),
    'blade-system/dept/select': ({ query }: Seen) => {
      const [ids, keyword] = [query.get('ids')?.split(','), query.get('keyword')]
      const found = all.filter((row) => (ids ? ids.includes(row.id) : !keyword || row.deptName.includes(keyword)))
      return good(found.map(({ id, deptName }) => ({ id, name: deptName })))
    },
  }
  const open = async () => {
    await begin(
      ['view', 'add', 'edit', 'delete'].map((verb) => `dept_${verb}`),
      '/system/dept',
    )
    const seen = serve(answers)
    show(httpCalls, <DeptPage />)
    await waitFor(() => expect(rowIds()).toEqual(['1', '2']))
    return seen
  }

  it('are fetched a level at a time, and never as a whole', async () => {
    const seen = await open()
    expect(screen.getByText(/5,000/)).toBeTruthy()
    fireEvent.click(within(rowOf('1')).getByRole('button', { name: /展开/ }))
    await waitFor(() => expect(rowIds()).toEqual(['1', '11', '2']))
    fireEvent.click(within(rowOf('11')).getByRole('button', { name: /展开/ }))
    await waitFor(() => expect(rowIds()).toEqual(['1', '11', '111', '2']))
    const lists = seen.filter(({ path }) => path === 'blade-system/dept/list')
    expect(lists.every(({ query }) => query.get('size') !== null)).toBe(true)
    expect(seen.filter(({ path }) => path.endsWith('lazy-list')).map(({ query }) => query.get('parentId'))).toEqual([
      '0',
      '1',
      '11',
    ])
  })

  it('are searched by the server, which tells the ways to what it found', async () => {
    await open()
    fireEvent.change(screen.getByRole('textbox', { name: /搜索/ }), { target: { value: '考务' } })
    await waitFor(() => expect(rowIds()).toEqual(['1', '11', '111', '2', '21']))
    expect(screen.getByText('找到 2 项')).toBeTruthy()
  })

  it('are moved under any other, found by name though it was never opened, and before any of its rows', async () => {
    const seen = await open()
    fireEvent.click(within(rowOf('1')).getByRole('button', { name: '实验小学的更多操作' }))
    fireEvent.click(await screen.findByRole('menuitem', { name: '移动到…' }))
    const dialog = within(await screen.findByRole('dialog', { name: '移动“实验小学”' }))
    // Where it stands now.
    await dialog.findByText('在“实验中学”之前')
    const parent = dialog.getByLabelText('上级')
    fireEvent.mouseDown(parent)
    fireEvent.change(parent, { target: { value: '考务' } })
    const options = async () => [...document.querySelectorAll('.ant-select-item-option')].map((one) => one.textContent)
    await waitFor(async () => expect(await options()).toEqual(['考务组', '考务办']))
    fireEvent.click(screen.getByText('考务办', { selector: '.ant-select-item-option-content' }))
    // The rows of the chosen one are asked for first.
    const ok = dialog.getByRole('button', { name: '移动' })
    await waitFor(() => expect(seen.some(({ query }) => query.get('parentId') === '21')).toBe(true))
    await waitFor(() => expect(ok.getAttribute('aria-busy')).not.toBe('true'))
    fireEvent.click(ok)
    await waitFor(() => expect(seen.some(({ path }) => path === 'blade-system/dept/move')).toBe(true))
    const sent = seen.find(({ path }) => path === 'blade-system/dept/move')!
    expect(JSON.parse(String(sent.init.body))).toEqual({ id: '1', parentId: '21', beforeId: null })
  })
})

describe('a save that is sent again', () => {
  const problem = (status: number) => new HttpProblem('', status, status, undefined)
  it('goes under the same key while nobody knows whether it was done, and under another after an answer', async () => {
    const once = new IdempotencyKey()
    const keys: string[] = []
    const send = (outcome: 'done' | number) =>
      once
        .send(async (headers) => {
          keys.push(headers['Idempotency-Key'])
          if (outcome !== 'done') throw problem(outcome)
        })
        .catch((thrown: HttpProblem) => expect(thrown.status).toBe(outcome))
    for (const outcome of [0, 504, 'done', 400, 0] as const) await send(outcome)
    once.renew()
    await send('done')
    const [timedOut, gateway, done, refused, again, renewed] = keys
    expect([timedOut, gateway]).toEqual([done, done])
    expect(new Set([done, refused, again, renewed]).size).toBe(4)
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/)
  })
})
