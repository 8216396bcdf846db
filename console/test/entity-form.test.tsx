import { type Entity, entities, entityOf, type Kind } from '@data-brain/contract'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { DictEntry } from '../src/entity/data/calls.ts'
import { LOADING_DICTIONARY } from '../src/entity/data/client.ts'
import { isSeveral, RecordContext } from '../src/entity/fields/control.tsx'
import { fieldKinds } from '../src/entity/fields/kinds/index.ts'
import { DictSelect } from '../src/entity/fields/select.tsx'
import { checkField, checkForm } from '../src/entity/fields/validate.ts'
import { draftOf, initialValues, valuesOf } from '../src/entity/form/draft.ts'
import EntityForm from '../src/entity/form/form.tsx'
import { HttpProblem } from '../src/http/client.ts'
import { draftKey } from '../src/session/draft.ts'
import { Field } from '../src/ui/form/field.tsx'
import { createForm } from '../src/ui/form/store.ts'
import { toasts } from '../src/ui/toast.ts'
import { undoLast } from '../src/ui/undo.ts'
import { begin, clerk, FakeServer, pupil, show, toastTexts } from './entity-world.tsx'

const student = entityOf('student')

function form(server: FakeServer, id: string | null, entity: Entity = student) {
  const onClose = vi.fn()
  const onSaved = vi.fn()
  const onDirty = vi.fn()
  const part = (open: boolean) => (
    <EntityForm entity={entity} open={open} id={id} preset={{}} onClose={onClose} onSaved={onSaved} onDirty={onDirty} />
  )
  const view = show(server, part(true))
  return {
    ...view,
    onClose,
    onSaved,
    onDirty,
    reopen: () => view.again(part(true)),
    close: () => view.again(part(false)),
  }
}
const input = (label: string) => screen.getByLabelText(new RegExp(`^${label}\\*?$`)) as HTMLInputElement
const type = (label: string, value: string) => {
  fireEvent.change(input(label), { target: { value } })
  fireEvent.blur(input(label))
}
const save = () => fireEvent.click(screen.getByRole('button', { name: '保存' }))
const wrongs = () => [...document.querySelectorAll('.ff-wrong')].map((note) => note.textContent)

beforeEach(() => begin())

describe('form of a new row', () => {
  it('R-ERR-5 names every required field that is empty, focuses the first, and sends nothing', async () => {
    const server = new FakeServer(0)
    form(server, null)
    await screen.findByText('新增学生')
    save()
    await waitFor(() =>
      expect(wrongs()).toEqual(['请填写姓名', '请选择性别', '请选择出生日期', '请选择学校', '请填写校内学号']),
    )
    // Counted above the form, each with the way to it; who mends one sees one less.
    const list = screen.getByRole('status', { name: '5 处需要修改' })
    fireEvent.click(within(list).getByRole('button', { name: '校内学号' }))
    expect(document.activeElement).toBe(input('校内学号'))
    type('校内学号', 'S1')
    await waitFor(() => expect(list.textContent).toBe('4 处需要修改：姓名、性别、出生日期、学校'))
    input('姓名').focus()
    expect(server.submitted).toEqual([])
    expect(input('姓名').getAttribute('aria-invalid')).toBe('true')
    const note = document.getElementById(input('姓名').getAttribute('aria-describedby')!)
    expect(note?.textContent).toBe('请填写姓名')
    await waitFor(() =>
      expect(document.activeElement?.closest('[data-field]')?.getAttribute('data-field')).toBe('name'),
    )
  })

  it('R-AUTH-11 a phone loses its spaces, dashes and +86 when it is left, and a wrong one is named', async () => {
    form(new FakeServer(0), null, entityOf('user'))
    await screen.findByText('新增用户')
    type('手机', '+86 138-0013 8000')
    expect(input('手机').value).toBe('13800138000')
    expect(wrongs()).toEqual([])
    type('手机', '1380013')
    expect(wrongs()).toEqual(['手机号码长度不为11位'])
    type('手机', '12345678901')
    expect(wrongs()).toEqual(['手机号码格式不正确'])
    // Once it is wrong it is judged with every key.
    fireEvent.change(input('手机'), { target: { value: '13800138000' } })
    expect(wrongs()).toEqual([])
  })

  it('judges what must agree: identity number with birth date and sex, end with begin, exactly one of two', () => {
    const names = Object.keys(student.fields)
    const values = { ...valuesOf(student, pupil(1)), idNo: '11010519491231002X', birthDate: '1949-12-31', sex: '2' }
    const wrongOf = (patch: Record<string, unknown>) =>
      Object.fromEntries(
        [...checkForm(student, names, { ...values, ...patch }, {})].map(([name, words]) => [name, words.zh]),
      )
    expect(wrongOf({}).idNo).toBeUndefined()
    expect(wrongOf({ sex: '1' }).idNo).toBe('身份证号与性别不一致')
    expect(wrongOf({ birthDate: '1950-01-01' }).idNo).toBe('身份证号与出生日期不一致')
    expect(wrongOf({ idType: 'A', idNo: 'E12345678' }).idNo).toBeUndefined()
    const group = entityOf('studentgroup')
    const days = checkForm(group, ['endDate'], { beginDate: '2026-09-01', endDate: '2026-08-01' }, {})
    expect(days.get('endDate')?.zh).toBe('不能早于开始日期')
    const teacherclass = entityOf('teacherclass')
    const both = checkForm(teacherclass, ['classId'], { classId: '1', teachClassId: '2' }, {})
    expect(both.get('classId')?.en).toContain('exactly one')
  })

  it('judges numbers by their bounds and digits, in both languages', () => {
    const height = entityOf('studentdetail').fields.heightCm!
    expect(checkField(height, 300, null)).toEqual({ zh: '不能大于 230', en: 'Not more than 230' })
    expect(checkField(height, 120.25, null)?.zh).toBe('最多 1 位小数')
    expect(checkField(student.fields.seatNo!, 1.5, null)?.zh).toBe('请填写整数')
    expect(checkField(height, 120.5, null)).toBeNull()
  })

  it('R-LIST-4 saves, says 新增成功 and keeps school and class for the next', async () => {
    const server = new FakeServer(0)
    // A draft is the quickest way to a form that is filled in.
    const whole = valuesOf(student, pupil(1))
    const { onClose } = formWithDraft(server, { ...whole, phone: '13800138000' })
    await waitFor(() => expect(input('姓名').value).toBe('王小二'))
    fireEvent.click(screen.getByRole('button', { name: '保存并继续新增' }))
    await waitFor(() => expect(server.submitted).toHaveLength(1))
    expect(server.submitted[0]).toMatchObject({
      name: '王小二',
      studentNo: 'S101',
      schoolId: '1',
      status: 1,
      phone: '13800138000',
    })
    expect(server.submitted[0]).not.toHaveProperty('id')
    expect(server.submitted[0]).not.toHaveProperty('email')
    await waitFor(() => expect(toastTexts()).toEqual(['新增成功']))
    await waitFor(() => expect(input('姓名').value).toBe(''))
    expect(onClose).not.toHaveBeenCalled()
    expect(document.querySelector('[data-field=classId] .ant-select-content')?.textContent).not.toBe('')
    expect(document.querySelectorAll('[data-field=sex] input:checked')).toHaveLength(0)
  })

  it('goes away again by undo, where the person may remove it; others are offered no undo', async () => {
    for (const codes of [clerk, clerk.filter((code) => code !== 'student_delete')]) {
      await begin(codes)
      const server = new FakeServer(0)
      const { unmount } = formWithDraft(server, { ...valuesOf(student, pupil(1)), phone: '13800138000' })
      await waitFor(() => expect(input('姓名').value).toBe('王小二'))
      save()
      await waitFor(() => expect(toastTexts()).toEqual(['新增成功']))
      const may = codes.includes('student_delete')
      expect(toasts.get()[0]!.action?.label).toBe(may ? '撤销' : undefined)
      expect(undoLast()).toBe(may)
      await waitFor(() => expect(server.undone).toEqual(may ? [['8008', false]] : []))
      unmount()
    }
  })

  it('R-ERR-5 puts what the server says to its field, keeps what was typed, and shows the rest above', async () => {
    const server = new FakeServer(0)
    formWithDraft(server, valuesOf(student, { ...pupil(1), phone: null } as never))
    await waitFor(() => expect(input('校内学号').value).toBe('S101'))
    const fields = [{ field: 'studentNo', message: '校内学号已被本校其他学生使用' }]
    server.failure = new HttpProblem('校内学号已被本校其他学生使用', 409, 409, { field: 'studentNo', fields })
    save()
    await waitFor(() => expect(wrongs()).toEqual(['校内学号已被本校其他学生使用']))
    // Said once, where it is mended.
    expect(toastTexts()).toEqual([])
    expect(input('姓名').value).toBe('王小二')
    server.failure = new HttpProblem('服务暂时不可用', 503, 503, null)
    type('校内学号', 'S102')
    save()
    expect((await screen.findByRole('alert')).textContent).toContain('服务暂时不可用')
    expect(input('校内学号').value).toBe('S102')
  })
})

function formWithDraft(server: FakeServer, values: Record<string, unknown>) {
  sessionStorage.setItem(draftKey('student', undefined), JSON.stringify({ at: Date.now(), version: null, values }))
  return form(server, null)
}

describe('what a form fills in and leaves out', () => {
  const idNo = '330106201705123248'
  it('takes sex and birth from the document as soon as it is left, and says so; what was typed stays', async () => {
    const server = new FakeServer(0)
    form(server, null)
    await screen.findByText('新增学生')
    type('身份证件号', idNo)
    await waitFor(() => expect(screen.getAllByText('由证件号码填入，可修改')).toHaveLength(2))
    expect(input('出生日期').value).toBe('2017-05-12')
    // Another number takes what the first has filled in along.
    type('身份证件号', '110103201503070010')
    await waitFor(() => expect(input('出生日期').value).toBe('2015-03-07'))
    type('出生日期', '2015-03-08')
    type('身份证件号', idNo)
    expect(input('出生日期').value).toBe('2015-03-08')
    expect(screen.getAllByText('由证件号码填入，可修改')).toHaveLength(1)
  })

  it('has the guardians in the form of a new child, for whoever may add them, line by line, and sends all as one', async () => {
    for (const may of [true, false]) {
      await begin(may ? [...clerk, 'studentparents_add'] : clerk.filter((code) => code !== 'studentparents_add'))
      const server = new FakeServer(0)
      const whole = { ...valuesOf(student, pupil(1)), phone: '13800138000' }
      const { unmount } = formWithDraft(server, whole)
      await waitFor(() => expect(input('姓名').value).toBe('王小二'))
      expect(screen.queryByRole('group', { name: '第一位家长' }) !== null).toBe(may)
      if (may) {
        type('第一位家长姓名', '王大')
        type('第一位家长手机', '13805714130')
        for (const [line, name] of [
          ['第二', '张三'],
          ['第三', '李四'],
        ]) {
          fireEvent.click(screen.getByRole('button', { name: '再加一位家长' }))
          type(`${line}位家长姓名`, name!)
        }
        fireEvent.click(screen.getByRole('button', { name: '移除第二位家长' }))
        expect(input('第二位家长姓名').value).toBe('李四')
        expect(screen.queryByRole('group', { name: '第三位家长' })).toBeNull()
      }
      save()
      await waitFor(() => expect([wrongs(), server.submitted.length]).toEqual([[], 1]))
      const [sent] = server.submitted
      expect(sent!.guardians).toEqual(
        may ? [{ parentName: '王大', mobile: '13805714130' }, { parentName: '李四' }] : undefined,
      )
      expect(Object.keys(sent!).filter((name) => name.includes('.'))).toEqual([])
      unmount()
    }
    // A child that is there has guardians of its own.
    await begin([...clerk, 'studentparents_add'])
    form(new FakeServer(3), '1001')
    await waitFor(() => expect(input('姓名').value).toBe('王小二'))
    expect(screen.queryByRole('group', { name: '第一位家长' })).toBeNull()
  })

  it('folds what may be left out, says what is inside, and has the defaults in one line', async () => {
    const server = new FakeServer(0)
    form(server, null)
    await screen.findByText('新增学生')
    expect(document.querySelector('[data-field]')?.getAttribute('data-field')).toBe('name')
    const fold = screen.getByRole('button', { name: /^更多信息/ })
    expect(fold.getAttribute('aria-expanded')).toBe('false')
    expect(fold.textContent).toContain('姓名拼音、曾用名、英文名等 11 项，选填，已填 5 项')
    expect(screen.queryByLabelText('姓名拼音')).toBeNull()
    fireEvent.click(fold)
    expect(input('姓名拼音')).toBeTruthy()
    const line = screen.getByText('已用默认值').parentElement!
    expect(within(line).getAllByRole('listitem')).toHaveLength(4)
    expect(screen.queryByLabelText(/^就读方式/)).toBeNull()
    fireEvent.click(within(line).getByRole('button', { name: '修改' }))
    expect(screen.getByLabelText(/^就读方式/)).toBeTruthy()
    expect(screen.queryByLabelText('排序')).toBeNull()
  })
})

describe('form of a stored row', () => {
  it('R-ERR-5 of a row that is not there says so and leads back; one that failed is tried again', async () => {
    const server = new FakeServer(3)
    server.detail = () => Promise.reject(new HttpProblem('数据不存在', 404, 404, null))
    const { onClose } = form(server, '9999')
    expect((await screen.findByRole('alert')).textContent).toContain('数据不存在')
    expect(screen.queryByRole('button', { name: '重试' })).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: '返回列表' }))
    expect(onClose).toHaveBeenCalled()
  })

  it('sends only what changed, with the version it was read at', async () => {
    const server = new FakeServer(3)
    const { onClose, onSaved } = form(server, '1001')
    await waitFor(() => expect(input('姓名').value).toBe('王小二'))
    type('姓名', '王小明')
    save()
    await waitFor(() => expect(server.submitted).toEqual([{ id: '1001', version: 3, name: '王小明' }]))
    await waitFor(() => expect(toastTexts()).toEqual(['更新成功']))
    expect(onSaved.mock.calls[0]![0]).toMatchObject({ id: '1001', name: '王小明' })
    expect(onClose).toHaveBeenCalled()
  })

  it('R-ERR-5 of a row that is gone stays as it was typed, and says what can be done', async () => {
    const server = new FakeServer(3)
    form(server, '1001')
    await waitFor(() => expect(input('姓名').value).toBe('王小二'))
    type('姓名', '王小明')
    server.failure = new HttpProblem('没有找到该数据', 404, 404, null)
    save()
    expect((await screen.findByRole('alert')).textContent).toContain('这条记录已被删除，或不再归您管理')
    expect(input('姓名').value).toBe('王小明')
  })

  it('goes back by the undo of its toast, and asks first where somebody has changed the row since', async () => {
    const server = new FakeServer(3)
    form(server, '1001')
    await waitFor(() => expect(input('姓名').value).toBe('王小二'))
    type('姓名', '王小明')
    save()
    await waitFor(() =>
      expect(toasts.get()[0]).toMatchObject({ text: '更新成功', action: { label: '撤销', undo: true } }),
    )
    server.failure = new HttpProblem('该操作之后已有改动，不能撤销：学生 1（王小明）', 400, 400, { own: true })
    undoLast()
    const question = await screen.findByRole('alertdialog')
    expect(question.textContent).toContain('该操作之后已有改动，不能撤销：学生 1（王小明）')
    fireEvent.click(within(question).getByRole('button', { name: '取消' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(server.undone).toEqual([['8008', false]])
    expect(toastTexts()).not.toContain('已撤销')
  })

  it('sends nothing when nothing changed, and never a masked number', async () => {
    const server = new FakeServer(3)
    const { onClose } = form(server, '1001')
    await waitFor(() => expect(input('联系电话').value).toBe('*********00'))
    save()
    await waitFor(() => expect(onClose).toHaveBeenCalled())
    expect(server.submitted).toEqual([])
    type('联系电话', '*********01')
    save()
    await waitFor(() => expect(wrongs()).toEqual(['请填写完整，不要保留 *']))
    expect(server.submitted).toEqual([])
  })

  it('shows what was fixed when the row was made, and offers no input for it or for what is computed', async () => {
    const server = new FakeServer(3)
    form(server, '1001')
    await waitFor(() => expect(input('姓名').value).toBe('王小二'))
    const school = document.querySelector('[data-field=schoolId]')!
    expect(school.textContent).toBe('学校实验小学')
    expect(school.querySelector('input')).toBeNull()
    const names = Object.entries(entityOf('schoolclass').fields).flatMap(([name, field]) =>
      field.computed ? [name] : [],
    )
    expect(names).toContain('studentCount')
    for (const name of names) expect(initialValues(entityOf('schoolclass'), {})).not.toHaveProperty(name)
  })

  it('on a stale version shows mine and theirs, takes what is chosen, and saves over the new version', async () => {
    const server = new FakeServer(3)
    form(server, '1001')
    await waitFor(() => expect(input('姓名').value).toBe('王小二'))
    type('姓名', '王我的')
    type('校内学号', 'MINE')
    const theirs = {
      ...server.rows[1]!,
      name: '王他们',
      studentNo: 'THEIRS',
      email: 'new@school.cn',
      version: 4,
      updateUser: '2',
      updateUserName: '张老师',
    }
    server.rows[1] = theirs
    server.failure = new HttpProblem('该数据已被他人修改', 409, 409, { yours: {}, theirs })
    save()
    const banner = await screen.findByRole('alert')
    expect(banner.textContent).toContain('张老师')
    expect(toastTexts()).toEqual([])
    expect(within(banner).getAllByRole('row')).toHaveLength(3)
    fireEvent.click(within(banner).getByRole('radio', { name: '姓名：用现在的' }))
    fireEvent.click(within(banner).getByRole('button', { name: '按选择继续' }))
    await waitFor(() => expect(input('姓名').value).toBe('王他们'))
    expect(input('校内学号').value).toBe('MINE')
    expect(input('电子信箱').value).toBe('new@school.cn')
    save()
    await waitFor(() => expect(server.submitted.at(-1)).toEqual({ id: '1001', version: 4, studentNo: 'MINE' }))
  })

  it('R-LIST-5 puts the focus into the first field where the row comes after the drawer stands', async () => {
    const server = new FakeServer(3)
    let arrive = () => {}
    server.detail = () =>
      new Promise((resolve) => {
        arrive = () => resolve(server.rows[1]!)
      })
    form(server, '1001')
    await waitFor(() => expect(document.activeElement?.className).toContain('ant-drawer'))
    // It stands once nothing of it moves.
    await waitFor(() => expect(document.querySelector('.ant-drawer [class*="-motion"]')).toBeNull())
    await act(async () => {})
    await act(async () => arrive())
    await waitFor(() => expect(document.activeElement).toBe(input('姓名')))
  })

  it('R-LIST-5 names what a reference was changed to on the stale version, with what tells its rows apart', async () => {
    const server = new FakeServer(3)
    const choices = [
      { id: '21', name: '一年级（1）班', beside: ['实验小学'] },
      { id: '22', name: '一年级（2）班', beside: ['实验小学'] },
      { id: '23', name: '一年级（2）班', beside: ['城南小学'] },
    ]
    server.select = async () => choices
    const draft = { at: Date.now(), version: 3, base: { classId: '21' }, values: { classId: '22' } }
    sessionStorage.setItem(draftKey('student', '1001'), JSON.stringify(draft))
    form(server, '1001')
    await screen.findByRole('button', { name: '丢弃草稿' })
    const theirs = { ...server.rows[1]!, classId: '23', className: '一年级（2）班', version: 4 }
    server.failure = new HttpProblem('该数据已被他人修改', 409, 409, { yours: {}, theirs })
    save()
    const row = await screen.findByRole('row', { name: /^班级/ })
    await waitFor(() =>
      expect(
        within(row)
          .getAllByRole('cell')
          .map((side) => side.textContent),
      ).toEqual(['一年级（2）班（实验小学）', '一年级（2）班（城南小学）']),
    )
  })

  it('keeps what was typed as a draft and brings it back with a notice; discarding forgets it', async () => {
    const server = new FakeServer(3)
    const { unmount } = form(server, '1001')
    await waitFor(() => expect(input('姓名').value).toBe('王小二'))
    type('姓名', '王写到一半')
    const key = draftKey('student', '1001')
    await waitFor(() => expect(sessionStorage.getItem(key)).not.toBeNull(), { timeout: 3000 })
    expect(JSON.parse(sessionStorage.getItem(key)!).values).toEqual({ name: '王写到一半' })
    unmount()
    form(server, '1001')
    await waitFor(() => expect(input('姓名').value).toBe('王写到一半'))
    fireEvent.click(screen.getByRole('button', { name: '丢弃草稿' }))
    await waitFor(() => expect(input('姓名').value).toBe('王小二'))
    expect(sessionStorage.getItem(key)).toBeNull()
  })

  it('R-LIST-5 asks mine or theirs of a draft as well, where somebody has changed the same before it came back', async () => {
    const server = new FakeServer(3)
    const { unmount } = form(server, '1001')
    await waitFor(() => expect(input('姓名').value).toBe('王小二'))
    type('姓名', '王写到一半')
    fireEvent(window, new Event('pagehide'))
    unmount()
    // Somebody else saves the name meanwhile; the form that comes back is of the newer row.
    const row = server.rows.find(({ id }) => id === '1001')!
    Object.assign(row, { name: '王别人改', version: 4 })
    form(server, '1001')
    await waitFor(() => expect(input('姓名').value).toBe('王写到一半'))
    server.failure = new HttpProblem('数据已被他人修改', 409, 409, { theirs: { ...row } })
    save()
    await waitFor(() => expect(server.submitted).toEqual([{ id: '1001', version: 3, name: '王写到一半' }]))
    const conflict = await screen.findByRole('alert')
    expect(conflict.textContent).toContain('王别人改')
    expect(conflict.textContent).not.toContain('不冲突')
  })

  it('keeps what was typed just before the page goes', async () => {
    const server = new FakeServer(3)
    form(server, '1002')
    await waitFor(() => expect(input('姓名').value).not.toBe(''))
    type('姓名', '王刚打完')
    const key = draftKey('student', '1002')
    expect(sessionStorage.getItem(key)).toBeNull()
    fireEvent(window, new Event('pagehide'))
    expect(JSON.parse(sessionStorage.getItem(key)!).values).toEqual({ name: '王刚打完' })
  })

  it('an Esc in the question answers it, and does not ask it again', async () => {
    const server = new FakeServer(3)
    form(server, '1001')
    await waitFor(() => expect(input('姓名').value).toBe('王小二'))
    type('姓名', '王小明')
    fireEvent.click(screen.getByRole('button', { name: '取消' }))
    const question = await screen.findByRole('alertdialog')
    fireEvent.keyDown(within(question).getByRole('button', { name: '继续编辑' }), { key: 'Escape' })
    // What a browser does of itself on that key.
    fireEvent(question, new Event('cancel', { cancelable: true }))
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(input('姓名').value).toBe('王小明')
  })

  it('asks before a change is thrown away, and not when there is none', async () => {
    const server = new FakeServer(3)
    const { onClose, onDirty } = form(server, '1001')
    await waitFor(() => expect(input('姓名').value).toBe('王小二'))
    type('姓名', '王小明')
    expect(onDirty).toHaveBeenLastCalledWith(true)
    fireEvent.click(screen.getByRole('button', { name: '取消' }))
    const dialog = await screen.findByRole('alertdialog')
    expect(dialog.textContent).toContain('放弃未保存的修改？')
    fireEvent.click(within(dialog).getByRole('button', { name: '继续编辑' }))
    expect(onClose).not.toHaveBeenCalled()
    type('姓名', '王小二')
    await waitFor(() => expect(onDirty).toHaveBeenLastCalledWith(false))
    fireEvent.click(screen.getByRole('button', { name: '取消' }))
    await waitFor(() => expect(onClose).toHaveBeenCalled())
  })

  it('a key in one field draws no other field again', async () => {
    const server = new FakeServer(3)
    form(server, '1001')
    await waitFor(() => expect(input('姓名').value).toBe('王小二'))
    // Text areas measure themselves once after they are mounted.
    await new Promise((resolve) => setTimeout(resolve, 100))
    const touched = new Set<string>()
    const watcher = new MutationObserver((changes) => {
      for (const { target } of changes)
        touched.add((target as Element).closest?.('[data-field]')?.getAttribute('data-field') ?? 'other')
    })
    watcher.observe(document.querySelector('.entity-form')!, {
      subtree: true,
      attributes: true,
      childList: true,
      characterData: true,
    })
    fireEvent.change(input('姓名'), { target: { value: '王小明' } })
    await waitFor(() => expect(touched.size).toBeGreaterThan(0))
    watcher.disconnect()
    expect([...touched]).toEqual(['name'])
  })

  it('Ctrl+S saves from anywhere in the form', async () => {
    const server = new FakeServer(3)
    form(server, '1001')
    await waitFor(() => expect(input('姓名').value).toBe('王小二'))
    type('姓名', '王小明')
    fireEvent.keyDown(input('姓名'), { key: 's', code: 'KeyS', ctrlKey: true })
    await waitFor(() => expect(server.submitted).toHaveLength(1))
  })
})

describe('inputs by kind', () => {
  // An input of several parts has a name of its own.
  const kinds = Object.keys(fieldKinds) as Kind[]
  // The first field of each kind among all entities; every kind is used by some entity.
  const examples = new Map(
    kinds.flatMap((kind) => {
      const found = entities.flatMap((entity) =>
        Object.entries(entity.fields).map(([name, field]) => ({ entity, name, field })),
      )
      const one = found.find(
        ({ field }) => field.kind === kind && !field.computed && field.to !== 'attach' && !isSeveral(field),
      )
      return one ? [[kind, one] as const] : []
    }),
  )

  it.each(kinds)('a %s has an input that its label belongs to', async (kind) => {
    const example = examples.get(kind)
    const { entity, name, field } = example!
    const store = createForm({ [name]: null })
    const Control = fieldKinds[kind].Control
    show(
      new FakeServer(0),
      <Field form={store} name={name} label="标签">
        {(ties) => (
          <RecordContext value={{ entity, dictionaries: {}, names: {}, mayMake: false }}>
            <Control
              name={name}
              field={field}
              label="标签"
              form={store}
              ties={ties}
              disabled={false}
              onChange={(value) => store.set(name, value)}
              onBlur={() => {}}
            />
          </RecordContext>
        )}
      </Field>,
    )
    const control = (await screen.findAllByLabelText('标签')).find((element) =>
      element.matches('input,textarea,button'),
    )
    expect(control).toBeTruthy()
    if (control instanceof HTMLTextAreaElement || ['text', 'personal', 'integer', 'decimal'].includes(kind)) {
      fireEvent.change(control!, { target: { value: '7' } })
      expect(String(store.value(name))).toBe('7')
    }
    if (kind === 'flag') {
      fireEvent.click(control!)
      expect(store.value(name)).toBe(1)
    }
  })

  it('R-FORM-2 a list whose values are on their way says so, and calls nothing wrong that is typed before', () => {
    const missed = vi.fn()
    const list = (entries: readonly DictEntry[]) => (
      <DictSelect label="就读方式" entries={entries} value={null} onChange={() => {}} onMissed={missed} />
    )
    const isLoading = () => document.querySelector('.ant-select-loading') !== null
    const view = show(new FakeServer(0), list(LOADING_DICTIONARY))
    expect(isLoading()).toBe(true)
    const box = screen.getByRole('combobox', { name: '就读方式' })
    fireEvent.change(box, { target: { value: '走读' } })
    fireEvent.keyDown(box, { key: 'Enter', code: 'Enter', keyCode: 13 })
    expect(missed).not.toHaveBeenCalled()
    expect(toastTexts()).toEqual([])
    view.again(list([{ dictKey: '1', dictValue: '走读', dictValueEn: null, sort: 1 }]))
    expect(isLoading()).toBe(false)
  })

  it('values come back from the form as they travel: lists with commas, numbers, values of several parts', () => {
    const user = entityOf('user')
    const row = {
      ...pupil(1),
      roleId: '5,6',
      maxWeekHours: 12,
      unavailableSlots: [{ weekday: 1, periodNo: 1 }],
      account: 'a',
      realName: '王',
    }
    const store = createForm(valuesOf(user, row as never))
    expect(store.value('roleId')).toEqual(['5', '6'])
    store.set('roleId', ['5'])
    store.set('unavailableSlots', [{ weekday: 2, periodNo: 1 }])
    expect(draftOf(user, store, row as never, 3)).toEqual({
      id: '1001',
      version: 3,
      roleId: '5',
      unavailableSlots: [{ weekday: 2, periodNo: 1 }],
    })
  })
})
