import { expect, it } from 'vitest'
import { mapGently } from '../src/kernel/gently.ts'

const busy = (ms: number): void => {
  const until = performance.now() + ms
  while (performance.now() < until);
}

it('long work makes each of many in their order, and others have their turns meanwhile', async () => {
  let turns = 0
  const clock = setInterval(() => {
    turns += 1
  }, 1)
  const made = await mapGently(
    Array.from({ length: 100 }, (_, at) => at),
    (each, at) => {
      busy(1)
      return [each * 2, at]
    },
  )
  clearInterval(clock)
  expect(made).toEqual(Array.from({ length: 100 }, (_, at) => [at * 2, at]))
  // A hundred milliseconds of work in shares of a few: the clock is heard many times, not once at the end.
  expect(turns).toBeGreaterThan(5)
})

it('a failure of the work is the caller’s', async () => {
  const failing = mapGently([1, 2], () => {
    throw new Error('refused')
  })
  await expect(failing).rejects.toThrow('refused')
})
