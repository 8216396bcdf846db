import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { httpCalls } from '../src/entity/data/calls.ts'
import { setUpWords } from '../src/locales/set-up.ts'
import YearDialog from '../src/pages/setup/year-dialog.tsx'
import { addWords } from '../src/ui/words.ts'
import { good, serve } from './answers.ts'
import { begin, show } from './entity-world.tsx'

beforeEach(() => {
  addWords(setUpWords)
  begin(['schoolyear_add', 'schoolsemester_add'], '/wel/index')
})
afterEach(() => vi.unstubAllGlobals())

it('R-SCHOOL-2 a year is not opened while one of its dates is not understood; once it is, what stands there is sent', async () => {
  const seen = serve({ 'blade-user/schoolyear/open': good(null) })
  const sent = () => seen.filter(({ path }) => path === 'blade-user/schoolyear/open')
  const school = {
    id: '1',
    name: '一小',
    yearId: null,
    hasYears: false,
    hasSemesters: false,
    campus: true,
    year: false,
    grades: false,
    classes: false,
    students: false,
  }
  const onClose = vi.fn()
  show(httpCalls, <YearDialog school={school} onClose={onClose} />)
  const [box] = await screen.findAllByRole<HTMLInputElement>('textbox')
  const save = screen.getAllByRole('button').find((button) => button.classList.contains('primary'))!
  fireEvent.change(box!, { target: { value: '下周一吧' } })
  fireEvent.blur(box!)
  fireEvent.click(save)
  await screen.findByText('有日期未能识别，请修改标红的日期')
  expect(box!.value).toBe('下周一吧')
  expect(box!.getAttribute('aria-invalid')).toBe('true')
  expect(sent()).toEqual([])
  const day = `${new Date().getFullYear()}年9月3日`
  fireEvent.change(box!, { target: { value: day } })
  fireEvent.blur(box!)
  const shown = box!.value
  expect(shown).toMatch(/-09-03$/)
  fireEvent.click(save)
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(JSON.parse(String(sent()[0]!.init.body)).semesters[0].beginDate).toBe(shown)
})
