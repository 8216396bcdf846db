import { entityOf } from '@data-brain/contract'
import { readWeeks, weeksText } from '@data-brain/contract/rules/weeks'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { valuesOf } from '../src/entity/form/draft.ts'
import EntityForm from '../src/entity/form/form.tsx'
import { draftKey } from '../src/session/draft.ts'
import { setLanguage } from '../src/ui/words.ts'
import { begin, FakeServer, pupil, show } from './entity-world.tsx'

/** How a form looks and speaks: few values side by side, a document in one box, a draft that says that it is kept. */

const form = (server: FakeServer, id: string | null, name = 'student') =>
  show(
    server,
    <EntityForm
      entity={entityOf(name)}
      open
      id={id}
      preset={{}}
      onClose={vi.fn()}
      onSaved={vi.fn()}
      onDirty={vi.fn()}
    />,
  )
const sex = () => screen.findByRole('radiogroup', { name: '性别' })
const radio = (name: string) => screen.getByRole<HTMLInputElement>('radio', { name })
const input = (label: string) => screen.getByLabelText<HTMLInputElement>(new RegExp(`^${label}\\*?$`))
const type = (label: string, value: string) => {
  fireEvent.change(input(label), { target: { value } })
  fireEvent.blur(input(label))
}
const save = () => fireEvent.click(screen.getByRole('button', { name: '保存' }))
const keepDraft = (values: Record<string, unknown>) =>
  sessionStorage.setItem(draftKey('student', undefined), JSON.stringify({ at: Date.now(), version: null, values }))
const kept = () => document.querySelector('.drawer-kept')

beforeEach(() => begin())
afterEach(() => vi.restoreAllMocks())

describe('D15 a choice of few short values', () => {
  it('stands as radio buttons; the one that is missing is asked for, chosen, and sent', async () => {
    const server = new FakeServer(0)
    keepDraft({ ...valuesOf(entityOf('student'), pupil(1)), phone: '13800138000', sex: null })
    form(server, null)
    const group = await sex()
    expect(within(group).getAllByRole('radio')).toHaveLength(2)
    expect(group.getAttribute('aria-required')).toBe('true')
    save()
    await waitFor(() => expect(group.getAttribute('aria-invalid')).toBe('true'))
    expect(document.getElementById(group.getAttribute('aria-describedby')!)?.textContent).toBe('请选择性别')
    expect(server.submitted).toEqual([])
    fireEvent.click(radio('女'))
    expect(group.getAttribute('aria-invalid')).toBeNull()
    save()
    await waitFor(() => expect(server.submitted).toMatchObject([{ sex: '2' }]))
  })

  it('shows what is stored, sends what was changed alone, and comes back as a draft', async () => {
    const server = new FakeServer(3)
    const { unmount } = form(server, '1001')
    await sex()
    await waitFor(() => expect(radio('男').checked).toBe(true))
    fireEvent.click(radio('女'))
    dispatchEvent(new Event('pagehide'))
    unmount()
    form(server, '1001')
    await sex()
    await waitFor(() => expect(radio('女').checked).toBe(true))
    save()
    await waitFor(() => expect(server.submitted).toEqual([{ id: '1001', version: 3, sex: '2' }]))
  })

  it('is emptied again where it may be left empty, and stays a list where the values are many', async () => {
    form(new FakeServer(0), null, 'user')
    const group = await sex()
    expect(within(group).queryByRole('button')).toBeNull()
    fireEvent.click(radio('男'))
    fireEvent.click(within(group).getByRole('button', { name: '清空性别' }))
    expect(within(group).queryByRole('radio', { checked: true })).toBeNull()
    expect(screen.queryByRole('radiogroup', { name: '职称' })).toBeNull()
  })
})

describe('D15 an identity document', () => {
  it('is one box of kind and number; what is wrong with either lands on it and is named', async () => {
    const server = new FakeServer(0)
    keepDraft({ ...valuesOf(entityOf('student'), pupil(1)), phone: '13800138000', idType: null })
    form(server, null)
    const box = await screen.findByRole('group', { name: '证件' })
    expect(within(box).getByRole('combobox', { name: '身份证件类型' })).toBeTruthy()
    type('身份证件号', '33010620170512324')
    expect(box.querySelector('.ff-wrong')?.textContent).toBe('身份证号应为18位')
    expect(input('身份证件号').getAttribute('aria-describedby')).toBe(box.querySelector('.ff-wrong')?.id)
    save()
    await waitFor(() =>
      expect([...box.querySelectorAll('.ff-wrong')].map((note) => note.textContent)).toEqual([
        '填写了证件号，请选择证件类型',
        '身份证号应为18位',
      ]),
    )
    const list = screen.getByRole('status', { name: '2 处需要修改' })
    fireEvent.click(within(list).getByRole('button', { name: '身份证件号' }))
    expect(document.activeElement).toBe(input('身份证件号'))
    fireEvent.click(within(list).getByRole('button', { name: '身份证件类型' }))
    expect(document.activeElement).toBe(within(box).getByRole('combobox'))
    expect(server.submitted).toEqual([])
  })
})

describe('D15 a draft', () => {
  it('says that it is kept once it is, and no longer from the next key on', async () => {
    form(new FakeServer(0), null)
    await screen.findByText('新增学生')
    expect(kept()).toBeNull()
    type('姓名', '赵一')
    expect(kept()).toBeNull()
    await waitFor(() => expect(kept()?.textContent).toMatch(/^草稿暂存于此标签页 \d\d:\d\d$/), { timeout: 3000 })
    expect(sessionStorage.getItem(draftKey('student', undefined))).toContain('赵一')
    setLanguage('en')
    await waitFor(() => expect(kept()?.textContent).toMatch(/^Draft kept in this tab \d\d:\d\d$/))
    setLanguage('zh')
    await waitFor(() => expect(kept()?.textContent).toMatch(/^草稿暂存于此标签页/))
    fireEvent.change(document.querySelector('[data-field=name] input')!, { target: { value: '赵一诺' } })
    expect(kept()).toBeNull()
  })

  it('says nothing where it could not be written, or a password is not in it', async () => {
    const written = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    const { unmount } = form(new FakeServer(0), null)
    await screen.findByText('新增学生')
    type('姓名', '赵一')
    await waitFor(() => expect(written).toHaveBeenCalled(), { timeout: 3000 })
    expect(kept()).toBeNull()
    unmount()
    vi.restoreAllMocks()
    form(new FakeServer(0), null, 'oss')
    await screen.findByText('新增对象存储')
    type('密钥', 'a secret')
    const other = document.querySelector<HTMLInputElement>('[data-field=remark] input, [data-field=remark] textarea')!
    fireEvent.change(other, { target: { value: 'x' } })
    await waitFor(() => expect(sessionStorage.getItem(draftKey('oss', undefined))).toContain('"x"'), { timeout: 3000 })
    expect(kept()).toBeNull()
  })
})

describe('D15 weeks of a lesson', () => {
  it.each([
    ['1-16', '1-16'],
    ['1，3、5-8', '1,3,5-8'],
    ['第１－４周', '1-4'],
    ['1-7单', '1,3,5,7'],
    ['2~8 (双周)', '2,4,6,8'],
    ['1-5 odd', '1,3,5'],
    ['8,1,2,3', '1-3,8'],
  ])('are understood as typed: %s', (typed, shown) => {
    expect(weeksText(readWeeks(typed)!)).toBe(shown)
  })

  it.each(['', '0', '5-3', '1-', '三', '1-60', '1-16x', '[1,2]'])('are asked for again: %s', (typed) =>
    expect(readWeeks(typed)).toBeUndefined(),
  )

  it('come back as they were, whatever they are', () => {
    let seed = 7
    const random = () => {
      seed = (seed * 48271) % 2147483647
      return seed / 2147483647
    }
    for (let round = 0; round < 200; round += 1) {
      const weeks = Array.from({ length: 30 }, (_, at) => at + 1).filter(() => random() < 0.5)
      if (weeks.length > 0) expect(readWeeks(weeksText(weeks))).toEqual(weeks)
    }
  })

  it('are shown as ranges, sent as numbers, and kept while they are not understood', async () => {
    const server = new FakeServer(1)
    const lesson = {
      ...server.rows[0]!,
      id: '1',
      weekday: '1',
      periodNo: 1,
      span: 1,
      weekType: '3',
      weeks: [1, 2, 3, 8],
    }
    server.rows = [{ ...lesson, semesterId: '5', classId: '21', subjectId: '6', teacherId: '7' } as never]
    form(server, '1', 'classschedule')
    await waitFor(() => expect(input('周次').value).toBe('1-3,8'))
    type('周次', '1-')
    expect(input('周次').getAttribute('aria-invalid')).toBe('true')
    save()
    await waitFor(() => expect(screen.getByRole('status', { name: '1 处需要修改' })).toBeTruthy())
    expect([input('周次').value, server.submitted]).toEqual(['1-', []])
    type('周次', '1-5单，第10周')
    expect(input('周次').value).toBe('1,3,5,10')
    save()
    await waitFor(() => expect(server.submitted).toEqual([{ id: '1', version: 3, weeks: [1, 3, 5, 10] }]))
  })
})

describe('D15 the width of a form', () => {
  it.each([
    ['role', true],
    ['schoolyear', true],
    ['post', true],
    ['student', false],
    // Conditions need room.
    ['datascope', false],
  ])('follows the number of its fields: %s', async (name, isNarrow) => {
    form(new FakeServer(0), null, name)
    await screen.findByRole('button', { name: '保存' })
    expect(document.querySelector('.form-narrow') !== null).toBe(isNarrow)
  })
})
