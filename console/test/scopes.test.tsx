import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { httpCalls } from '../src/entity/data/calls.ts'
import { inputKind, readRule } from '../src/entity/value/rule.ts'
import { governedBy, type KnownCall } from '../src/pages/apiscope/calls.ts'
import DataScopePage from '../src/pages/datascope/page.tsx'
import { setLanguage } from '../src/ui/words.ts'
import { good, type Seen, serve } from './answers.ts'
import { begin, show } from './entity-world.tsx'

const codes = (name: string, ...more: string[]) => [
  ...['view', 'add', 'edit', 'delete'].map((verb) => `${name}_${verb}`),
  ...more,
]
const system = { tenantId: '000001', status: 1, version: 4, createTime: '2026-09-01 08:00:00', updateTime: '' }
const bodyOf = (call: Seen | undefined) => JSON.parse(String(call?.init.body)) as Record<string, unknown>
const sent = (seen: readonly Seen[], path: string) => seen.filter((call) => call.path === path)
const page = (records: readonly object[]) => good({ total: records.length, size: 10, current: 1, pages: 1, records })

afterEach(() => vi.unstubAllGlobals())

describe('data scopes', () => {
  const rule = {
    all: [
      { field: 'classId', op: 'in', value: '$myClasses' },
      {
        any: [
          { field: 'sex', op: 'equal', value: '1' },
          { field: 'birthDate', op: 'ge', value: '2018-09-01' },
        ],
      },
    ],
  }
  const row = {
    ...system,
    id: '91',
    scopeName: '三班学生',
    resourceCode: 'class-3',
    menuId: null,
    scopeClass: 'student',
    scopeType: '5',
    scopeColumn: null,
    scopeValue: rule,
  }
  const label = (zh: string, en: string) => ({ zh, en })
  const answers = {
    'blade-system/data-scope/list': page([row]),
    'blade-system/data-scope/detail': good(row),
    'blade-system/data-scope/entities': good([{ name: 'student', label: label('学生', 'Student') }]),
    'blade-system/data-scope/options': good({
      types: ['1', '2', '5'],
      columns: { 2: [{ name: 'create_user', label: label('创建人', 'Created by') }] },
      fields: [
        {
          name: 'classId',
          label: label('班级', 'Class'),
          kind: 'reference',
          to: 'schoolclass',
          ops: ['equal', 'gt', 'in'],
        },
        { name: 'sex', label: label('性别', 'Sex'), kind: 'choice', dict: 'sex', ops: ['equal', 'notequal'] },
        { name: 'birthDate', label: label('出生日期', 'Date of birth'), kind: 'date', ops: ['equal', 'ge', 'null'] },
      ],
    }),
    'blade-system/data-scope/submit': (call: Seen) => good({ ...row, ...bodyOf(call), version: 5 }),
    'blade-system/dict-biz/dictionaries': good({
      sex: [{ dictKey: '1', dictValue: '男', dictValueEn: 'Male', sort: 1 }],
      data_scope_type: ['全部可见', '本人可见', '所在机构可见', '所在机构及子级可见', '自定义'].map((dictValue, i) => ({
        dictKey: String(i + 1),
        dictValue,
        sort: i,
      })),
    }),
    'blade-auth/oauth/user-info': good({ userId: '1', tenantId: '000001', account: 'a', roles: [], mustChange: true }),
  }
  const open = async (path: string) => {
    await begin(codes('datascope'), path)
    const seen = serve(answers)
    show(httpCalls, <DataScopePage />)
    await screen.findAllByText('三班学生')
    return seen
  }

  it('R-PERM-3 are read as a sentence, in both languages', async () => {
    await open('/authority/datascope?id=91')
    const zh = '可见的学生：班级 属于 本人任教的班级，并且（性别 是 男，或者出生日期 不早于 2018-09-01）'
    expect(
      await screen.findByText((_, element) => element?.tagName === 'SPAN' && element.textContent === zh),
    ).toBeTruthy()
    await setLanguage('en')
    const en =
      'student where Class is one of the classes that the user teaches, and (Sex is Male, or Date of birth is not before 2018-09-01)'
    expect(
      await screen.findByText((_, element) => element?.tagName === 'SPAN' && element.textContent === en),
    ).toBeTruthy()
  })

  it('a rule is built of groups three deep at most, and sent as data', async () => {
    const seen = await open('/authority/datascope?edit=91')
    const outer = await screen.findByRole('group', { name: '规则条件' })
    expect(within(outer).getByRole('group', { name: '第 2 层条件组' })).toBeTruthy()
    // Comparisons that mean nothing for what is chosen by name are not offered, though the server knows them.
    fireEvent.mouseDown(within(outer).getAllByRole('combobox', { name: '比较方式' })[0]!)
    await waitFor(() => expect(document.querySelectorAll('.ant-select-item-option')).toHaveLength(5))
    const inner = within(outer).getByRole('group', { name: '第 2 层条件组' })
    fireEvent.click(within(inner).getByRole('button', { name: '添加条件组' }))
    const deepest = await within(inner).findByRole('group', { name: '第 3 层条件组' })
    expect(within(deepest).queryByRole('button', { name: '添加条件组' })).toBeNull()
    // What is not filled in shows in the sentence.
    expect(screen.getByText('（未填写）')).toBeTruthy()
    fireEvent.click(within(deepest).getByRole('button', { name: '移除条件组' }))
    fireEvent.click(within(outer).getAllByRole('radio', { name: '满足任一条件' })[0]!)
    fireEvent.click(within(outer).getAllByRole('button', { name: '移除第 1 个条件' })[0]!)
    fireEvent.click(screen.getByRole('button', { name: '保存' }))
    await waitFor(() => expect(sent(seen, 'blade-system/data-scope/submit')).toHaveLength(1))
    expect(bodyOf(sent(seen, 'blade-system/data-scope/submit')[0])).toEqual({
      id: '91',
      version: 4,
      scopeValue: { any: [rule.all[1]] },
    })
  })

  it('only what the rule needs is asked for: another type takes the conditions away', async () => {
    await open('/authority/datascope?edit=91')
    await screen.findByRole('group', { name: '规则条件' })
    fireEvent.mouseDown(document.querySelector('[data-field=scopeType] input')!)
    const names = await waitFor(() => {
      const found = [...document.querySelectorAll<HTMLElement>('.ant-select-item-option')]
      expect(found.length).toBeGreaterThan(0)
      return found
    })
    // Of the five types that there are, those that fit students.
    expect(names.map((option) => option.textContent)).toEqual(['全部可见', '本人可见', '自定义'])
    fireEvent.click(names[1]!)
    await waitFor(() => expect(document.querySelector('[data-field=scopeColumn]')).toBeTruthy())
    expect(screen.queryByRole('group', { name: '规则条件' })).toBeNull()
  })

  it('rules travel whole, and what is no rule has no conditions', () => {
    expect(readRule(JSON.parse(JSON.stringify(rule)))).toEqual(rule)
    for (const broken of [null, '', '{', '[]', '{"some":[]}', 7]) expect(readRule(broken)).toEqual({ all: [] })
    expect([inputKind('reference', 'in'), inputKind('text', 'in'), inputKind('choices', 'equal')]).toEqual([
      'references',
      undefined,
      'choice',
    ])
  })
})

describe('API scopes', () => {
  const call = (method: KnownCall['method'], path: string, always: 0 | 1 = 0): KnownCall => ({
    method,
    access: 'session',
    path,
    always,
    summary: { zh: path, en: path },
  })
  const calls = [
    call('GET', '/api/blade-user/student/list'),
    call('POST', '/api/blade-user/student/submit'),
    call('GET', '/api/blade-user/studentgroup/list'),
    call('GET', '/api/blade-auth/oauth/logout', 1),
    call('POST', '/api/blade-auth/oauth/logout'),
  ]
  const governed = (path: string) => governedBy(path, calls).map(({ method, path: of }) => `${method} ${of}`)

  it.each([
    ['/api/blade-user/student/list', ['GET /api/blade-user/student/list']],
    ['/blade-user/student/list', ['GET /api/blade-user/student/list']],
    ['/api/blade-user/student/**', ['GET /api/blade-user/student/list', 'POST /api/blade-user/student/submit']],
    ['POST /api/blade-user/**', ['POST /api/blade-user/student/submit']],
    ['/api/blade-user/student', []],
    ['/api/blade-auth/oauth/logout', ['POST /api/blade-auth/oauth/logout']],
    ['.*', []],
  ])('R-PERM-4 %s governs what the server would refuse, and no more', (path, expected) => {
    expect(governed(path)).toEqual(expected)
  })
})
