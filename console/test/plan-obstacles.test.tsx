import type { GeneratedPlan } from '@data-brain/contract/calls/timetable'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { httpCalls } from '../src/entity/data/calls.ts'
import { GenerateDialog } from '../src/pages/plan/generate-dialog.tsx'
import { keepMenus, type MenuNode } from '../src/session/menus.ts'
import { place } from '../src/ui/place.ts'
import { good, serve } from './answers.ts'
import { begin, show, toastTexts } from './entity-world.tsx'

const made: GeneratedPlan = {
  ...{ lessons: 4, missing: 6, moved: null, cost: 0, broken: 0, unkept: [], enough: true },
  obstacles: [
    {
      text: { zh: '王芳每周10节课，只有4个可排的时段：让出6个时段', en: '王芳: 10 lessons and 4 free periods' },
      about: [
        { entity: 'user', id: '7', name: { zh: '王芳', en: '王芳' } },
        { entity: 'schoolclass', id: '8', name: { zh: '一班', en: '一班' } },
      ],
    },
  ],
}
const users = { id: '1', code: 'user', path: '/system/user', category: 1, children: [] } as unknown as MenuNode

const onClose = vi.fn()
async function generate(result: GeneratedPlan): Promise<void> {
  serve({
    'blade-user/timetableplan/generate': good({ jobId: '5' }),
    'blade-system/job/own': good({ id: '5', state: 'done', progress: 10, total: 10, failure: null, result }),
  })
  show(httpCalls, <GenerateDialog id="3" name="草稿" replaces={false} onDone={() => {}} onClose={onClose} />)
  fireEvent.click(await screen.findByRole('button', { name: '自动排课' }))
}

beforeEach(async () => {
  await begin(['classschedule_edit'], '/school/timetable/3')
  keepMenus([{ id: '0', children: [users] }] as unknown as Parameters<typeof keepMenus>[0])
  onClose.mockReset()
})
afterEach(() => {
  keepMenus([])
  vi.unstubAllGlobals()
})

describe('ISSUE-15-4 a timetable that lacks lessons', () => {
  it('says why in the dialog, and leads to whom it is about, as far as the menus lead there', async () => {
    await generate(made)
    const dialog = await screen.findByRole('dialog')
    const item = await within(dialog).findByRole('listitem')
    expect(item.textContent).toContain('王芳每周10节课，只有4个可排的时段')
    expect(dialog.textContent).toContain('“草稿”已排4节，还有6节排不下')
    expect(dialog.textContent).toContain('就能全部排好')
    expect(within(item).getAllByRole('link')).toHaveLength(1)
    expect(onClose).not.toHaveBeenCalled()
    fireEvent.click(within(item).getByRole('link', { name: '王芳' }))
    expect(`${place().path}?${place().query}`).toBe('/system/user?id=7')
    expect(onClose).toHaveBeenCalledOnce()
  })

  it.each([
    { what: 'that there may be more', result: { ...made, enough: false }, says: /至少要这样调整/ },
    { what: 'that nothing was found', result: { ...made, obstacles: [] }, says: /没有找到必然排不下的原因/ },
  ])('says $what where it is so', async ({ result, says }) => {
    await generate(result)
    expect((await screen.findByText(says)).textContent).toMatch(says)
  })

  it('is not shown where every lesson has a place', async () => {
    await generate({ ...made, missing: 0, obstacles: [] })
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
    expect(toastTexts()).toEqual(['“草稿”已排好4节'])
  })
})
