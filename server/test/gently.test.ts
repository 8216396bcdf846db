import { expect, it } from 'vitest'
import { compile, type Query } from '../src/database/statement.ts'
import type { Tx } from '../src/database/transaction.ts'
import { insertMany } from '../src/entity/bulk.ts'
import { mapGently } from '../src/kernel/cooperative.ts'

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

it('D20 what is written in bulk is sent in pieces that hold nobody up, each row once and in order', async () => {
  const sent: Record<string, unknown>[][] = []
  const sizes: number[] = []
  const tx = {
    run: (query: Query) => {
      const text = String(compile(query).values[0])
      sizes.push(text.length)
      sent.push(JSON.parse(text) as Record<string, unknown>[])
      return Promise.resolve([])
    },
  } as unknown as Tx
  const wide = Array.from({ length: 700 }, (_, id) => ({ id, text: '宽'.repeat(2_000) }))
  await insertMany(tx, 'student', wide)
  expect(sent.flat()).toEqual(wide)
  expect(Math.max(...sizes)).toBeLessThan(210_000)
  sent.length = 0
  await insertMany(
    tx,
    'search_key',
    Array.from({ length: 2_500 }, (_, id) => ({ id })),
  )
  expect(sent.map((rows) => rows.length)).toEqual([1_000, 1_000, 500])
})
