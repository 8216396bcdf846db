import { entityOf } from '@data-brain/contract'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { tidyValue } from '../src/entity/fields/tidy.ts'
import { checkField } from '../src/entity/fields/validate.ts'
import EntityForm from '../src/entity/form/form.tsx'
import { HttpProblem } from '../src/http/client.ts'
import { begin, FakeServer, show } from './entity-world.tsx'

/** Values of several parts in a form: what an older program left, and what somebody else has saved meanwhile. */

const open = (server: FakeServer, subject: Record<string, unknown>) => {
  const row = { ...server.rows[0]!, id: '1', subjectName: '语文', shortName: '语文', category: '1', color: '#1677ff' }
  server.rows = [{ ...row, schoolId: '3', schoolName: '一小', ...subject } as never]
  show(
    server,
    <EntityForm
      entity={entityOf('schoolsubject')}
      open
      id="1"
      preset={{}}
      onClose={vi.fn()}
      onSaved={vi.fn()}
      onDirty={vi.fn()}
    />,
  )
}
const box = (name: string) => document.querySelector<HTMLElement>(`[data-field=${name}]`)!
const input = (label: string) => screen.getByLabelText<HTMLInputElement>(new RegExp(`^${label}\\*?$`))
const save = () => fireEvent.click(screen.getByRole('button', { name: '保存' }))

beforeEach(() => begin())
afterEach(() => vi.restoreAllMocks())

describe('R-LIST-1 a field that means a month', () => {
  it.each([
    ['student', 'enrollDate'],
    ['school', 'foundedOn'],
  ])('%s.%s takes a month as it is typed, keeps its first day, and guesses no year', (entity, name) => {
    const field = entityOf(entity).fields[name]!
    for (const typed of ['2024-09', '2024年9月', '202409', '2024/9', '2024.9', '9/2024']) {
      expect([typed, tidyValue(field, typed)]).toEqual([typed, '2024-09-01'])
      expect([typed, checkField(field, typed, null)]).toEqual([typed, null])
    }
    expect(tidyValue(field, '9/24')).toBe('9/24')
    expect(checkField(field, '9/24', null)?.zh).toBe('请写上年份，如 2018-09-24')
  })

  it('shows its first day when it is left', async () => {
    const server = new FakeServer(1)
    show(
      server,
      <EntityForm
        entity={entityOf('student')}
        open
        id={null}
        preset={{}}
        onClose={vi.fn()}
        onSaved={vi.fn()}
        onDirty={vi.fn()}
      />,
    )
    const month = await screen.findByLabelText<HTMLInputElement>(/^入学年月/)
    fireEvent.change(month, { target: { value: '2024年9月' } })
    fireEvent.blur(month)
    await waitFor(() => expect(month.value).toBe('2024-09-01'))
  })

  it('is one of the two that do: a birth is a day', () => {
    const { birthDate } = entityOf('student').fields
    expect(checkField(birthDate!, '2014-09', null)).not.toBeNull()
  })
})

describe('C12 values of several parts', () => {
  it('what an older program left is told in words, and kept by a save of something else', async () => {
    const server = new FakeServer(1)
    open(server, { researchSlot: { day: '周三', from: '14:00' } })
    await screen.findByText('day：周三；from：14:00')
    fireEvent.change(input('简称'), { target: { value: '语' } })
    save()
    await waitFor(() => expect(server.submitted).toEqual([{ id: '1', version: 3, shortName: '语' }]))
  })

  it('it is entered anew where somebody wants to', async () => {
    const server = new FakeServer(1)
    open(server, { researchSlot: { day: '周三', from: '14:00' } })
    fireEvent.click(await screen.findByRole('button', { name: '重新填写' }))
    const list = await waitFor(() => within(box('researchSlot')).getByRole('combobox'))
    fireEvent.mouseDown(list)
    fireEvent.click(await screen.findByTitle('周四上午'))
    save()
    await waitFor(() =>
      expect(server.submitted).toEqual([{ id: '1', version: 3, researchSlot: { weekday: 4, half: 'am' } }]),
    )
  })

  it('a conflict sets mine and theirs side by side in words, with the names of rows', async () => {
    const server = new FakeServer(1)
    open(server, { weekHours: [{ gradeId: '11', hours: 5, doubleCount: 0 }], weekHoursName: { '11': '一年级' } })
    const hours = await screen.findByRole('spinbutton', { name: '第 1 行的每周课时' })
    fireEvent.change(hours, { target: { value: '6' } })
    const theirs = {
      ...server.rows[0]!,
      weekHours: [{ gradeId: '12', hours: 4, doubleCount: 1 }],
      weekHoursName: { '12': '二年级' },
      version: 4,
      updateUser: '2',
      updateUserName: '张老师',
    }
    server.failure = new HttpProblem('该数据已被他人修改', 409, 409, { yours: {}, theirs })
    save()
    const banner = await screen.findByRole('alert')
    expect(banner.textContent).toContain('一年级 6 节')
    expect(banner.textContent).toContain('二年级 4 节（连堂 1）')
    expect(banner.textContent).not.toMatch(/[{}[\]]/)
  })
})
