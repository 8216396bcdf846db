import type { AnswerOf } from '@data-brain/contract/call'
import type { planChanges } from '@data-brain/contract/calls/timetable'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { httpCalls } from '../src/entity/data/calls.ts'
import { planWords } from '../src/locales/plan.ts'
import { PublishDialog } from '../src/pages/plan/publish-dialog.tsx'
import { addWords } from '../src/ui/words.ts'
import { good, serve } from './answers.ts'
import { begin, show } from './entity-world.tsx'

addWords(planWords)

const standing = [{ id: '2', name: '课表', fromWeek: 1, toWeek: 16 }]
const changes: AnswerOf<typeof planChanges> = {
  ...{ weekCount: 16, begunWeeks: 9, added: 3, removed: 2, same: 40 },
  ...{ classes: [], teachers: [], replaces: standing },
}
const open = (answer: Partial<typeof changes>): void => {
  serve({
    'blade-user/timetableplan/changes': good({ ...changes, ...answer }),
    'blade-user/timetableplan/publish': good({ id: '3' }),
  })
  show(httpCalls, <PublishDialog id="3" name="草稿" onClose={() => {}} />)
}
const week = async (): Promise<HTMLSelectElement> => screen.findByLabelText('从第几周起')

beforeEach(() => begin(['timetableplan_publish'], '/school/timetable/3'))
afterEach(() => vi.unstubAllGlobals())

describe('ISSUE-15-2 the week from which a plan is published', () => {
  it.each([
    { what: 'the next one, in the middle of a term', answer: {}, is: '10' },
    { what: 'the first one, before the term', answer: { begunWeeks: 0 }, is: '1' },
    { what: 'the last one, once all have begun', answer: { begunWeeks: 16 }, is: '16' },
    { what: 'the first one, where nothing is replaced', answer: { replaces: [] }, is: '1' },
  ])('is $what', async ({ answer, is }) => {
    open(answer)
    await screen.findByText('新增3节，取消2节，不变40节')
    const field = await week()
    await waitFor(() => expect(field.value).toBe(is))
  })

  it('is told of where it has begun: what was taught changes too', async () => {
    open({})
    await screen.findByText('新增3节，取消2节，不变40节')
    expect(screen.queryByText(/已经开始/)).toBeNull()
    fireEvent.change(await week(), { target: { value: '9' } })
    expect((await screen.findByText(/已经开始/)).textContent).toBe(
      '第9周已经开始：本周和以前各周的课也会改成这个方案。要保留以前的课，请选第10周。',
    )
    fireEvent.change(await week(), { target: { value: '12' } })
    await waitFor(() => expect(screen.queryByText(/已经开始/)).toBeNull())
  })

  it('is not told of where nothing changes', async () => {
    open({ added: 0, removed: 0 })
    await screen.findByText('新增0节，取消0节，不变40节')
    fireEvent.change(await week(), { target: { value: '2' } })
    await waitFor(async () => expect((await week()).value).toBe('2'))
    expect(screen.queryByText(/已经开始/)).toBeNull()
  })
})
