import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { httpCalls } from '../src/entity/data/calls.ts'
import ModelsPage from '../src/pages/flow/model/page.tsx'
import StartPage from '../src/pages/flow/start/page.tsx'
import { keepMenus } from '../src/session/menus.ts'
import { keepCodes } from '../src/session/session.ts'
import { good, serve } from './answers.ts'
import { begin, show, toastTexts } from './entity-world.tsx'

const page = (records: readonly object[]) => good({ total: records.length, size: 10, current: 1, pages: 1, records })

afterEach(() => vi.unstubAllGlobals())

describe('R-FLOW-7 the processes that the product ships', () => {
  const codes = ['flowmodel_view', 'flowmodel_add', 'flowmodel_deploy']
  beforeEach(() => begin(codes, '/flow/model'))

  it('are brought from the empty list of models by one press, which says what was brought', async () => {
    let held: object[] = []
    const model = { id: '7', version: 1, name: '请假', modelKey: 'leave', category: '1', createTime: null }
    const seen = serve({
      'blade-flow/model/list': () => page(held),
      'blade-flow/model/ship': () => {
        held = [model]
        return good(['学生请假', '用印', '报修'])
      },
      'blade-system/dict-biz/dictionaries': good({ flow: [] }),
    })
    show(httpCalls, <ModelsPage />)
    await screen.findByText(/还没有流程模型/)
    const [, inList] = screen.getAllByRole('button', { name: '加入内置流程' })
    await act(async () => fireEvent.click(inList!))
    await screen.findByRole('link', { name: /请假/ })
    expect(seen.filter(({ path }) => path === 'blade-flow/model/ship')).toHaveLength(1)
    expect(toastTexts()).toContain('已加入并部署3个内置流程')
  })

  it('are offered to nobody who may not deploy', async () => {
    await begin(['flowmodel_view', 'flowmodel_add'], '/flow/model')
    serve({ 'blade-flow/model/list': page([]), 'blade-system/dict-biz/dictionaries': good({ flow: [] }) })
    show(httpCalls, <ModelsPage />)
    await screen.findByText(/还没有流程模型/)
    expect(screen.queryByRole('button', { name: '加入内置流程' })).toBeNull()
  })

  it('are told of where nothing can be started: whom to ask, or where to add them', async () => {
    await begin([], '/work/start')
    serve({ 'blade-flow/work/start-list': page([]), 'blade-system/dict-biz/dictionaries': good({ flow: [] }) })
    show(httpCalls, <StartPage />)
    await screen.findByText(/请联系管理员/)
    expect(screen.queryByRole('link')).toBeNull()
    const entry = { id: '2', parentId: '1', code: 'flowmodel', path: '/flow/model', kind: 'page', sort: 1 }
    const node = { ...entry, source: null, component: null, meta: null, children: [] }
    await act(async () => {
      keepMenus([{ id: '1', code: 'flow', children: [node] } as never])
      keepCodes(codes)
    })
    expect((await screen.findByRole('link', { name: '前往流程模型' })).getAttribute('href')).toBe('/flow/model')
  })
})
