import { act, render } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { commonWords } from '../src/locales/common.ts'
import { shellWords } from '../src/locales/shell.ts'
import { DialogHost, openDialog } from '../src/shell/dialogs.tsx'
import { toasts } from '../src/ui/toast.ts'
import { addWords } from '../src/ui/words.ts'

addWords(commonWords)
addWords(shellWords)

vi.mock('../src/shell/keys-sheet.tsx', () => {
  throw new TypeError('Failed to fetch dynamically imported module')
})

it('R-ERR-4 says of a dialog whose code does not come why that may be, and offers to load the console anew', async () => {
  render(<DialogHost />)
  act(() => openDialog('keys'))
  await vi.waitFor(() => expect(toasts.get()).toHaveLength(1))
  const [told] = toasts.get()
  expect(told).toMatchObject({ kind: 'error', text: '页面加载失败', detail: '网络可能中断，或者服务器刚刚升级' })
  expect(told?.action?.label).toBe('重新加载')
})
