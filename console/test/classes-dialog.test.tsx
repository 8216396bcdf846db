import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { httpCalls } from '../src/entity/data/calls.ts'
import ClassesDialog from '../src/pages/setup/classes-dialog.tsx'
import { good, serve } from './answers.ts'
import { begin, show } from './entity-world.tsx'

beforeEach(() => begin(['schoolclass_add', 'school_view'], '/wel/index'))
afterEach(() => vi.unstubAllGlobals())

const school = {
  ...{ id: '1', name: '一小', yearId: '7', hasYears: true, hasSemesters: true, campus: true, year: true, grades: true },
  ...{ classes: true, students: false },
}
/** The third grade has lost its class 3. */
const grades = [
  { id: '11', gradeName: '一年级', gradeCode: '11', classCount: 0, classNos: [] },
  { id: '13', gradeName: '三年级', gradeCode: '13', classCount: 3, classNos: [1, 2, 4] },
]

async function open() {
  const seen = serve({
    'blade-user/sysgrade/listBySchool': good(grades),
    'blade-user/schoolclass/open': good({ made: 2, existing: 0 }),
  })
  const onClose = vi.fn()
  show(httpCalls, <ClassesDialog schools={[school]} onClose={onClose} />)
  const first = await screen.findByRole<HTMLInputElement>('textbox', { name: '一年级的班数' })
  const third = screen.getByRole<HTMLInputElement>('textbox', { name: '三年级的班数' })
  const all = screen.getByRole<HTMLInputElement>('textbox', { name: '每个年级的班数' })
  const type = (box: HTMLInputElement, text: string) => fireEvent.change(box, { target: { value: text } })
  const note = (box: HTMLInputElement) =>
    document.getElementById(box.getAttribute('aria-describedby') ?? '')?.textContent ?? ''
  const press = () =>
    fireEvent.click(screen.getAllByRole('button').find((button) => button.classList.contains('primary'))!)
  const sent = () =>
    seen.filter(({ path }) => path === 'blade-user/schoolclass/open').map(({ init }) => JSON.parse(String(init.body)))
  return { first, third, all, type, note, press, sent, onClose }
}

it('R-SCHOOL-3 a wrong number of classes is said at its field as it is typed, and nothing is sent while one stands', async () => {
  const { first, third, all, type, note, press, sent } = await open()
  for (const wrong of ['61', '-1', '2.5', '两', '4个', '1e1', '0x4', '１００']) {
    type(first, wrong)
    expect(note(first), wrong).toBe('须为 0 到 60 的整数')
    expect(first.getAttribute('aria-invalid'), wrong).toBe('true')
  }
  // Of all grades: said at that field alone.
  type(all, '99')
  expect([note(all), first.getAttribute('aria-invalid')]).toEqual(['须为 0 到 60 的整数', null])
  press()
  expect(document.activeElement).toBe(all)
  type(all, '')
  type(third, '2')
  expect(note(third)).toBe('已有 3 个班；要减少，请在行政班中删除')
  press()
  expect(document.activeElement).toBe(third)
  expect(sent()).toEqual([])
})

it('R-SCHOOL-3 what will be made is named before it is, by the numbers that are free, and nothing that nobody asked for', async () => {
  const { first, third, all, type, note, press, sent, onClose } = await open()
  expect([third.value, note(third)]).toEqual(['3', '已有 3 个班'])
  press()
  await screen.findByText('请填写班数')
  type(third, '5')
  expect(note(third)).toBe('新建 3、5 班')
  screen.getByText('将新建：三年级（3）班、三年级（5）班')
  expect(sent()).toEqual([])
  // A number for all leaves a grade with more as it is.
  type(all, '２')
  expect([first.value, note(first), note(third)]).toEqual(['2', '新建 1–2 班', '已有 3 个班'])
  screen.getByText('将新建：一年级（1）班、一年级（2）班')
  screen.getByRole('button', { name: '新建 2 个班' })
  press()
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(sent()).toEqual([{ schoolId: '1', yearId: '7', grades: [{ gradeId: '11', count: 2 }] }])
})
