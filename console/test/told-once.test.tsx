import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { askConfirmation, ConfirmHost } from '../src/ui/confirm.tsx'
import { OnceDialog } from '../src/ui/dialog/told-once.tsx'
import { setLanguage } from '../src/ui/words.ts'

/** A form that is gone once it is saved; what it made is told once, over a page with another page hidden beside it. */
function Page() {
  const [state, setState] = useState<'form' | 'told' | 'done'>('form')
  return (
    <>
      <div role="tabpanel" style={{ display: 'none' }}>
        <h1>学生</h1>
      </div>
      <div role="tabpanel">
        <h1>租户</h1>
      </div>
      {state === 'form' && (
        <button type="button" onClick={() => setState('told')}>
          保存
        </button>
      )}
      {state === 'told' && (
        <OnceDialog
          title="已创建"
          told={[{ key: 'password', label: '初始密码', value: 's5uTpVrs' }]}
          onClose={() => setState('done')}
        />
      )}
    </>
  )
}

it.each([
  ['the button that opened it', true],
  ['nothing, since the form was closed before', false],
])(
  'R-KEY-1 keys go on from the heading in sight where a told secret is closed and %s had the focus',
  async (_, isHeld) => {
    await setLanguage('zh')
    render(<Page />)
    const save = screen.getByRole('button', { name: '保存' })
    if (isHeld) save.focus()
    fireEvent.click(save)
    fireEvent.click(await screen.findByRole('button', { name: '我已保存' }))
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(document.activeElement?.textContent).toBe('租户')
  },
)

it('R-KEY-1 keys go on from the heading where a question is answered and the row that it was about is gone', async () => {
  await setLanguage('zh')
  const { rerender } = render(
    <>
      <h1>租户</h1>
      <button type="button">删除</button>
      <ConfirmHost />
    </>,
  )
  screen.getByRole('button', { name: '删除' }).focus()
  const answer = askConfirmation({ title: '删除这一行？', okText: '删除它' })
  const ok = await screen.findByRole('button', { name: '删除它' })
  rerender(
    <>
      <h1>租户</h1>
      {null}
      <ConfirmHost />
    </>,
  )
  fireEvent.click(ok)
  expect(await answer).toBe(true)
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { name: '租户' })))
})
