import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { shellWords } from '../src/locales/shell.ts'
import { HomeSide } from '../src/pages/home/side.tsx'
import { addWords } from '../src/ui/words.ts'
import { good, serve } from './answers.ts'
import { begin } from './entity-world.tsx'

afterEach(() => vi.unstubAllGlobals())

const side = async (figures: readonly object[]) => {
  await begin([])
  addWords(shellWords)
  serve({
    'blade-desk/notice/noticeListByTenantIdAndClient': good({ records: [], total: 0 }),
    'blade-desk/todo': good(figures),
  })
  render(
    <QueryClientProvider client={new QueryClient()}>
      <HomeSide />
    </QueryClientProvider>,
  )
  await screen.findByText('暂无通知')
}

describe('C11 the pages beside the first page', () => {
  it('begin with the gate for whoever stands there, though no pass waits and no menu leads there', async () => {
    await side([{ key: 'passes', code: 'gate', query: {}, count: 0 }])
    const often = within(await screen.findByRole('region', { name: '常用页面' }))
    expect(often.getByRole('link', { name: '出门条核验' }).getAttribute('href')).toBe('/work/gate')
  })

  it('have no gate for anybody else', async () => {
    await side([])
    expect(screen.queryByRole('link', { name: '出门条核验' })).toBeNull()
  })
})
