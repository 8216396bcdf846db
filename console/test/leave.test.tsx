import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { httpCalls } from '../src/entity/data/calls.ts'
import { leaveWords } from '../src/locales/leave.ts'
import { askedOf, fieldsOfLeave, whose } from '../src/pages/flow/leave/asked.ts'
import LeaveFormPage from '../src/pages/flow/leave/form.tsx'
import LeavesPage from '../src/pages/flow/leave/list.tsx'
import { addWords, translate as t } from '../src/ui/words.ts'
import { good, type Seen, serve } from './answers.ts'
import { begin, rowMenu, show } from './entity-world.tsx'

const page = (records: readonly object[]) => good({ total: records.length, size: 10, current: 1, pages: 1, records })
const body = ({ init }: Seen) => JSON.parse(String(init.body)) as Record<string, unknown>

addWords(leaveWords)
afterEach(() => vi.unstubAllGlobals())

const nobody = { processName: null, meantFor: null, self: null, pupils: [] }
const ground = { anybody: true, dictionaries: undefined, language: 'zh' as const, draft: null }
const self = { applicantType: '2', id: '5', name: '林老师' }
const pupils = [{ id: '8', name: '王小明', className: '一年级（1）班', parents: [] }]

describe('R-FLOW-9 for whom leave is asked', () => {
  const first = (people: object, more: object = {}) =>
    fieldsOfLeave(t, { ...ground, people: { ...nobody, ...people } as never, ...more })[0]!.value

  it('opens on the kind of people that the process is for', () => {
    expect(first({ meantFor: '2' })).toBe(whose.anyStaff)
    expect(first({ meantFor: '1' })).toBe(whose.anyPupil)
    expect(first({ meantFor: '1', self })).toBe(whose.anyPupil)
    expect(first({ meantFor: '2', self, pupils })).toBe(whose.self)
    expect(first({ meantFor: '1', self, pupils })).toBe(whose.ownPupil)
    expect(first({ self, pupils })).toBe(whose.self)
    expect(first({ meantFor: '1', self }, { anybody: false })).toBe(whose.self)
  })
})

const row = (id: string, status: number, reason: string) => ({
  ...{ id, status, reason, version: 1, applicantType: '1', studentId: '8', studentName: '王小明', userId: null },
  ...{ classId: '3', leaveType: '1', startTime: '2026-12-01 14:00:00', endTime: '2026-12-02 10:00:00', days: null },
  ...{ lessons: null, attachIds: [], leavesCampus: 1, pickupParentId: null, substitutePlan: null, schoolId: '1' },
  ...{ createTime: '2026-11-20 08:00:00', updateTime: '2026-11-20 08:00:00' },
})
const draft = {
  ...row('71', 0, '回老家参加婚礼'),
  ...{ processInstanceId: null, personName: '王小明', className: null, files: [], missed: [], flow: null },
  ...{ may: { withdraw: false, cancel: false, back: false }, needsProof: false, pickupName: null },
}

describe('R-FLOW-9 the list of leave', () => {
  const codes = ['leave_view', 'leave_add', 'leave_edit', 'leave_delete']
  const process = (id: string, key: string, name: string) => ({
    ...{ id, key, name, category: '1', version: 1, formKey: 'leave', description: null, averageHours: null },
  })
  const answers = {
    'blade-desk/process/leave/list': page([row('71', 0, '回老家参加婚礼'), row('72', 1, '发烧在家休息')]),
    'blade-system/dict-biz/dictionaries': good({}),
    'blade-desk/process/leave/detail': good({ ...draft, id: '72', processInstanceId: '501' }),
  }
  const both = [process('41', 'leave-staff', '教职工请假'), process('42', 'leave-student', '学生请假')]
  beforeEach(() => begin(codes, '/flow/leave'))

  it('leads to the form of a process, and offers to change or delete nothing that was filed', async () => {
    serve({ ...answers, 'blade-flow/work/start-list': page(both) })
    show(httpCalls, <LeavesPage />)
    await screen.findByRole('link', { name: '发烧在家休息' })
    expect(screen.queryByRole('button', { name: /的编辑|^编辑/ })).toBeNull()
    const entries = async (name: string) => {
      fireEvent.click(screen.getByRole('button', { name: `${name}的更多操作` }))
      const menu = await screen.findByRole('menu')
      const texts = within(menu)
        .getAllByRole('menuitem')
        .map((item) => item.textContent)
      fireEvent.keyDown(menu, { key: 'Escape' })
      await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
      return texts.join()
    }
    expect(await entries('回老家参加婚礼')).toBe('查看,继续填写,删除')
    expect(await entries('发烧在家休息')).toBe('查看,查看流程')
    fireEvent.click(screen.getByRole('button', { name: '新增请假申请' }))
    fireEvent.click(await screen.findByRole('menuitem', { name: '教职工请假' }))
    expect(location.pathname).toBe('/work/process/leave/form/41')
  })

  it('opens a draft in the form of the process for such people, and a request at its process', async () => {
    serve({ ...answers, 'blade-flow/work/start-list': page(both) })
    show(httpCalls, <LeavesPage />)
    await screen.findByRole('link', { name: '发烧在家休息' })
    await screen.findByRole('button', { name: '新增请假申请' })
    await rowMenu('回老家参加婚礼', '继续填写')
    expect(location.pathname + location.search).toBe('/work/process/leave/form/42?draft=71')
    await rowMenu('发烧在家休息', '查看流程')
    await waitFor(() => expect(location.pathname).toBe('/work/process/leave/detail/501/72'))
  })
})

describe('R-FLOW-9 a draft of a leave', () => {
  it('is filed as it was begun, about the same person', async () => {
    await begin(['leave_add'], '/work/process/leave/form/42?draft=71')
    const seen = serve({
      'blade-desk/process/leave/people': good({ ...nobody, processName: '学生请假', meantFor: '1' }),
      'blade-desk/process/leave/detail': good(draft),
      'blade-desk/process/leave/preview': good({
        ...{ startTime: null, endTime: null, days: 1, lessons: [], approvers: [], needsProof: false, problems: [] },
      }),
      'blade-desk/process/leave/start-process': good({ id: '71', processInstanceId: '501', days: 1, lessons: 0 }),
      'blade-flow/work/counts': good({ todo: 0, claim: 0, copy: 0, overdue: 0 }),
      'blade-system/dict-biz/dictionaries': good({
        leave_type: [{ dictKey: '1', dictValue: '事假', dictValueEn: 'Personal', sort: 1 }],
      }),
    })
    show(httpCalls, <LeaveFormPage />)
    await waitFor(() =>
      expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: '事由' }).value).toBe('回老家参加婚礼'),
    )
    await act(async () => fireEvent.click(screen.getByRole('button', { name: '提交申请' })))
    const sent = await waitFor(() => {
      const found = seen.find(({ path }) => path.endsWith('start-process'))
      expect(found).toBeTruthy()
      return body(found!)
    })
    expect(sent).toMatchObject({ id: '71', applicantType: '1', studentId: '8', leaveType: '1', leavesCampus: 1 })
    expect([sent.startTime, sent.endTime]).toEqual(['2026-12-01 15:00:00', '2026-12-02 10:00:00'])
  })

  it('asks a registrar for a pupil of any class in a box that says what to do', async () => {
    await begin(['leave_add'], '/work/process/leave/form/42')
    serve({
      'blade-desk/process/leave/people': good({ ...nobody, processName: '学生请假', meantFor: '1' }),
      'blade-system/dict-biz/dictionaries': good({ leave_type: [] }),
    })
    show(httpCalls, <LeaveFormPage />)
    expect((await screen.findByText('按姓名查找学生')).closest('.ff-full')).not.toBeNull()
  })

  it('of staff keeps its person too', () => {
    const held = { ...draft, studentId: null, userId: '5' } as never
    expect(askedOf({ whose: whose.drafted }, nobody, held)).toMatchObject({ applicantType: '2', userId: '5' })
  })
})
