import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { commonWords } from '../src/locales/common.ts'
import { localLogout } from '../src/session/end.ts'
import { askReason } from '../src/session/read-reason.ts'
import { standingReason } from '../src/session/read-reason-store.ts'
import { ReasonHost } from '../src/shell/reason-host.tsx'
import { addWords } from '../src/ui/words.ts'

addWords(commonWords)

// Its code comes when it is first needed, which on a busy machine takes longer than a test waits.
beforeAll(() => import('../src/entity/detail/read-reason.tsx'), 60_000)
afterEach(() => act(() => localLogout()))

interface Call {
  said: string | undefined
  done: boolean
}

/** What somebody who reads the records of these children is answered, once that is known. */
async function asked(...children: string[]): Promise<Call> {
  const result: Call = { said: undefined, done: false }
  await act(async () => {
    void askReason(children).then((said) => Object.assign(result, { said, done: true }))
  })
  return result
}

async function answer(reason: string, forAll = false): Promise<void> {
  fireEvent.change(await screen.findByLabelText(/^事由/), { target: { value: reason } })
  if (forAll) fireEvent.click(screen.getByRole('checkbox'))
  fireEvent.click(screen.getByRole('button', { name: /确\s?定/ }))
}

it('A3 asks once for each child, however many calls wait, and not without words', async () => {
  render(<ReasonHost />)
  const calls = [await asked('1'), await asked('1'), await asked('2')]
  await answer(' ')
  await screen.findByText(/请输入|请填写|必填/)
  expect(calls.map(({ done }) => done)).toEqual([false, false, false])
  await answer('家访')
  await waitFor(() => expect(calls.map(({ said }) => said)).toEqual(['家访', '家访', undefined]))
  await answer('核对')
  await waitFor(() => expect(calls[2]!.said).toBe('核对'))
  const again = [await asked('1'), await asked('2'), await asked('1', '2')]
  await waitFor(() => expect(again.map(({ said }) => said)).toEqual(['家访', '核对', '家访']))
  expect(screen.queryByRole('dialog')).toBeNull()
})

it('A3 remembers a reason for all until the session ends, and nothing of many that are not named', async () => {
  render(<ReasonHost />)
  const many = await asked()
  await answer('报表')
  await waitFor(() => expect(many.said).toBe('报表'))
  const next = await asked()
  await answer('期末', true)
  await waitFor(() => expect(next.said).toBe('期末'))
  expect(standingReason.get()).toBe('期末')
  const other = await asked('9')
  await waitFor(() => expect(other.said).toBe('期末'))
  act(() => localLogout())
  expect(standingReason.get()).toBeUndefined()
  const last = await asked('9')
  await screen.findByRole('dialog')
  fireEvent.click(screen.getByRole('button', { name: /取\s?消/ }))
  await waitFor(() => expect(last).toEqual({ done: true, said: undefined }))
})
