import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { commonWords } from '../src/locales/common.ts'
import { DialogHost, openDialog } from '../src/shell/dialogs.tsx'
import { defaultWish, lookStore, showLook, startTheme } from '../src/ui/theme.ts'
import { addWords } from '../src/ui/words.ts'

addWords(commonWords)

beforeEach(async () => {
  localStorage.clear()
  await showLook(defaultWish)
  startTheme('7')
})
afterEach(() => showLook(defaultWish))

const kept = (): unknown => JSON.parse(localStorage.getItem('databrain-look:7') ?? '{}').content

async function open(): Promise<void> {
  render(<DialogHost />)
  act(() => openDialog('themes'))
  await screen.findByRole('dialog', { name: '主题' })
}
async function choose(name: string): Promise<void> {
  await act(async () => {
    fireEvent.click(screen.getByRole('radio', { name }))
  })
}

describe('R-BAR-5 the theme dialog', () => {
  it('shows all eleven as pictures of themselves, the one in force chosen', async () => {
    await open()
    const names = [...document.querySelectorAll<HTMLInputElement>('input[name=theme]')]
    expect(names).toHaveLength(11)
    expect(names.filter((radio) => radio.checked).map((radio) => radio.value)).toEqual(['theme-default'])
    const mini = document.querySelector<HTMLElement>('[data-mini="theme-lte"]')
    expect(mini?.style.getPropertyValue('--side')).toBe('#222d32')
  })

  it('shows at once what is chosen, and gives it back on Esc', async () => {
    await open()
    await choose('尊享')
    expect(lookStore.get().theme).toBe('theme-vip')
    fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }))
    await expect.poll(() => lookStore.get().theme).toBe('theme-default')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(kept()).toBeUndefined()
  })

  it('keeps theme, scheme and density on Enter；暗夜 brings its dark scheme and leaves none behind', async () => {
    await open()
    await choose('暗夜')
    expect(lookStore.get().scheme).toBe('dark')
    await choose('酷炫')
    expect(lookStore.get()).toMatchObject({ theme: 'theme-cool', scheme: 'light', density: 'compact' })
    await choose('深色')
    await choose('宽松')
    await act(async () => {
      fireEvent.submit(screen.getByRole('dialog').querySelector('form')!)
    })
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(kept()).toEqual({ theme: 'theme-cool', scheme: 'dark', density: 'loose', colour: null })
    expect(lookStore.get()).toMatchObject({ theme: 'theme-cool', scheme: 'dark', density: 'loose' })
  })

  it('corrects a colour that could not be read, and says so；恢复默认 is #0E64F4 again', async () => {
    await open()
    const own = screen.getByLabelText<HTMLInputElement>(/^自选颜色/)
    expect(own.value).toBe('#0e64f4')
    await act(async () => {
      fireEvent.change(own, { target: { value: '#ffe600' } })
    })
    const { fill } = lookStore.get().tokens
    expect(fill).not.toBe('#ffe600')
    expect(screen.getByRole('status').textContent).toBe(`#FFE600 在此难以辨认，已为可读性调整为 ${fill.toUpperCase()}`)
    await act(async () => {
      fireEvent.change(own, { target: { value: '#7a2fd0' } })
    })
    expect(lookStore.get().tokens.fill).toBe('#7a2fd0')
    expect(screen.getByRole('status').textContent).toBe('')
    await act(async () => {
      fireEvent.click(screen.getByRole('button', { name: '恢复默认' }))
    })
    expect(lookStore.get().tokens.fill).toBe('#0e64f4')
    expect(screen.getByLabelText<HTMLInputElement>(/^自选颜色/).value).toBe('#0e64f4')
  })
})
