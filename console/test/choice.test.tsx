import { entityOf } from '@data-brain/contract'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { ReferenceSelect } from '../src/entity/fields/select.tsx'
import EntityForm from '../src/entity/form/form.tsx'
import EntityPage from '../src/entity/list/page.tsx'
import { begin, clerk, FakeServer, show, toastTexts } from './entity-world.tsx'

beforeEach(() => begin())

/** A server whose choices are told by the entity they are of. */
class Choosing extends FakeServer {
  choices: Record<string, readonly object[]> = {}
  override async select(path: string, query: Record<string, unknown> | URLSearchParams) {
    this.asked.push(`${path} ${JSON.stringify(query)}`)
    return (this.choices[path.split('/').at(-1)!] ?? []) as { id: string; name: string }[]
  }
}

describe('A3 a choice', () => {
  it('tells two pupils of one name apart, in the list and once chosen', async () => {
    const server = new Choosing(0)
    server.choices.student = [
      { id: '1', name: '王芳', beside: ['三（1）班', 'A001'] },
      { id: '2', name: '王芳', beside: ['三（2）班', 'B002'] },
    ]
    const choose = vi.fn()
    const part = (value: string | null) => (
      <ReferenceSelect label="学生" to="student" value={value} names={{ 2: '王芳' }} onChange={choose} />
    )
    const view = show(server, part(null))
    fireEvent.mouseDown(screen.getByRole('combobox'))
    const options = () => [...document.querySelectorAll('.ant-select-item-option')]
    await waitFor(() => expect(options()).toHaveLength(2))
    const texts = options().map((option) => option.textContent)
    expect(new Set(texts).size).toBe(2)
    expect(texts[1]).toContain('三（2）班')
    fireEvent.click(options()[1]!)
    expect(choose).toHaveBeenCalledWith('2')
    view.again(part('2'))
    await waitFor(() => expect(document.querySelector('.ant-select-content')?.textContent).toContain('B002'))
  })
})

describe('R-LIST-1 what is typed in a choice and left at once', () => {
  const two = [
    { id: '1', name: '王芳', beside: ['三（1）班', 'A001'] },
    { id: '2', name: '王芳', beside: ['三（2）班', 'B002'] },
  ]
  async function typed(text: string, key: 'Enter' | 'Tab', choices: readonly object[]) {
    const server = new Choosing(0)
    server.choices.student = choices
    const choose = vi.fn()
    show(server, <ReferenceSelect label="学生" to="student" value={null} onChange={choose} />)
    const box = screen.getByRole('combobox')
    fireEvent.mouseDown(box)
    await waitFor(() => expect(document.querySelectorAll('.ant-select-item-option')).toHaveLength(choices.length))
    fireEvent.change(box, { target: { value: text } })
    fireEvent.keyDown(box, { key, keyCode: key === 'Tab' ? 9 : 13 })
    await waitFor(() => expect(server.asked.some((asked) => asked.includes(text))).toBe(true))
    return choose
  }

  it('takes none of several that are meant, and Tab says so', async () => {
    const left = await typed('王芳', 'Tab', two)
    await waitFor(() => expect(toastTexts()).toEqual(['“王芳”不止一个，没有选：学生未改动']))
    expect(left).not.toHaveBeenCalled()
  })

  it('looks beyond the grade where no class of it is meant, and lets the grade go with what is chosen', async () => {
    const server = new Choosing(0)
    const three = { id: '31', name: '三年级（1）班', beside: [] }
    server.select = async (path, query) => {
      server.asked.push(`${path} ${JSON.stringify(query)}`)
      return (query as { gradeId?: string; keyword?: string }).gradeId && (query as { keyword?: string }).keyword
        ? []
        : [three]
    }
    const wide = vi.fn()
    const choose = vi.fn()
    show(
      server,
      <ReferenceSelect
        {...{ label: '班级', to: 'schoolclass', value: null, onChange: choose }}
        scope={{ within: { schoolId: '5', gradeId: '16' }, loose: ['gradeId'], onWide: wide }}
      />,
    )
    const box = screen.getByRole('combobox')
    fireEvent.mouseDown(box)
    fireEvent.change(box, { target: { value: '三1' } })
    fireEvent.keyDown(box, { key: 'Enter', keyCode: 13 })
    await waitFor(() => expect(choose).toHaveBeenCalledWith('31'))
    expect(wide).toHaveBeenCalled()
    // The school stands.
    const asked = server.asked.filter((each) => each.includes('三1') && !each.includes('gradeId'))
    expect(asked).toEqual([expect.stringContaining('"schoolId":"5"')])
  })

  it('R-BAR-4 is emptied by a button that says what it empties, in the reader’s language', async () => {
    const server = new Choosing(0)
    server.choices.student = two
    show(server, <ReferenceSelect label="学生" to="student" value="1" onChange={() => undefined} />)
    expect(await screen.findByRole('button', { name: '清除：学生' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Clear' })).toBeNull()
  })

  it('takes the only one', async () => {
    const only = await typed('王', 'Tab', two.slice(0, 1))
    await waitFor(() => expect(only).toHaveBeenCalledWith('1'))
  })
  it('takes of several the one that is called just so', async () => {
    const exact = await typed('王芳', 'Enter', [{ id: '3', name: '王芳菲' }, two[1]!])
    await waitFor(() => expect(exact).toHaveBeenCalledWith('2'))
  })
})

describe('A3 a filter in force', () => {
  it('says which of two of one name it is, and the pager counts people', async () => {
    await begin(clerk, '/blade/student?classId=2')
    const server = new Choosing(5)
    server.choices.schoolclass = [{ id: '2', name: '三（2）班', beside: ['2026学年', '育英小学'] }]
    show(server, <EntityPage entity="student" />)
    expect(await screen.findByRole('button', { name: /：三（2）班（2026学年，育英小学）$/ })).toBeTruthy()
    expect(screen.getByText('共 5 名')).toBeTruthy()
  })
})

describe('A3 a new row', () => {
  const form = (server: Choosing, name: string) =>
    show(
      server,
      <EntityForm
        entity={entityOf(name)}
        open
        id={null}
        preset={{}}
        onClose={() => undefined}
        onSaved={() => undefined}
        onDirty={(dirty) => void dirtied.push(dirty)}
      />,
    )
  const dirtied: boolean[] = []
  const shown = (name: string) => document.querySelector(`[data-field="${name}"]`)?.textContent ?? ''

  it('begins with the only school, its main campus and the current year, and counts that as no change', async () => {
    const server = new Choosing(0)
    server.choices = {
      school: [{ id: '5', name: '实验小学' }],
      schoolcampus: [
        { id: '6', name: '东校区' },
        { id: '7', name: '本部', usual: true },
      ],
      schoolyear: [
        { id: '8', name: '2026-2027学年', usual: true },
        { id: '9', name: '2025-2026学年' },
      ],
      sysgrade: [
        { id: '11', name: '一年级' },
        { id: '12', name: '二年级' },
      ],
    }
    form(server, 'schoolclass')
    await waitFor(() => expect(shown('yearId')).toContain('2026-2027学年'))
    expect(shown('schoolId')).toContain('实验小学')
    expect(shown('campusId')).toContain('本部')
    expect(shown('gradeId')).not.toContain('一年级')
    expect(dirtied.at(-1)).toBe(false)
    // Campuses are asked for within the school, and not before it is known.
    expect(server.asked.filter((each) => each.includes('schoolcampus') && !each.includes('ids'))).toEqual([
      expect.stringContaining('"schoolId":"5"'),
    ])
  })

  it('is given none of two schools', async () => {
    const server = new Choosing(0)
    server.choices = {
      school: [
        { id: '5', name: '一小' },
        { id: '6', name: '二小' },
      ],
    }
    form(server, 'student')
    await waitFor(() => expect(server.asked.some((each) => each.includes('school '))).toBe(true))
    await new Promise((resolve) => setTimeout(resolve))
    expect(shown('schoolId')).not.toContain('一小')
  })
})
