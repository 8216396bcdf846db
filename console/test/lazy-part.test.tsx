import { fireEvent, render, screen } from '@testing-library/react'
import { Suspense } from 'react'
import { beforeEach, describe, expect, it } from 'vitest'
import { commonWords } from '../src/locales/common.ts'
import { shellWords } from '../src/locales/shell.ts'
import { lazyPart } from '../src/ui/lazy-part.tsx'
import { toasts } from '../src/ui/toast.ts'
import { addWords } from '../src/ui/words.ts'

/** A part that cannot be fetched while the network is away. */
function away() {
  let isAway = true
  const load = async () => {
    if (isAway) throw new TypeError('Failed to fetch dynamically imported module')
    return { default: ({ name }: { name: string }) => <p>{`part of ${name}`}</p> }
  }
  return {
    load,
    back: () => {
      isAway = false
    },
  }
}
const show = (Part: ReturnType<typeof lazyPart<{ name: string }>>) =>
  render(
    <>
      <input aria-label="typed" defaultValue="what was typed" />
      <Suspense fallback="…">
        <Part name="a list" />
      </Suspense>
    </>,
  )

beforeEach(() => addWords({ ...commonWords, ...shellWords }))

describe('R-ERR-5 a part that could not be fetched', () => {
  it('leaves the page as it is, says so in its place, and is there once it can be fetched', async () => {
    const { load, back } = away()
    show(lazyPart(load))
    expect((await screen.findByRole('alert')).textContent).toContain('加载失败')
    expect(screen.getByLabelText<HTMLInputElement>('typed').value).toBe('what was typed')
    fireEvent.click(screen.getByRole('button', { name: '重试' }))
    back()
    await expect.poll(() => screen.getByRole('button', { name: '重试' }).hasAttribute('disabled')).toBe(false)
    // The server may run another version by now: then trying again is in vain, and the page anew helps.
    expect(toasts.get().map(({ text, action }) => [text, action?.label])).toEqual([['页面加载失败', '重新加载']])
    fireEvent.click(screen.getByRole('button', { name: '重试' }))
    expect(await screen.findByText('part of a list')).toBeTruthy()
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('is missed by nobody where the page is whole without it', async () => {
    const { load } = away()
    const { container } = show(lazyPart(load, { optional: true }))
    await expect.poll(() => container.textContent).toBe('')
    expect(screen.queryByRole('alert')).toBeNull()
  })
})
