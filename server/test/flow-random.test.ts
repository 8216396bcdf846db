import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Block, Blocks, blocks, modelOf } from './flow-blocks.ts'
import { planOf } from './flow-bpmn-parts.ts'
import { World } from './flow-engine-world.ts'

/** Runs a model by picks, beside what its blocks say; answers how many steps were decided. */
async function runBeside(block: Block, picks: readonly number[], refuses: boolean): Promise<number> {
  const { xml, variables } = modelOf(block)
  const expected = new Blocks(block)
  const world = await new World(await planOf(xml)).start(variables)
  let decided = 0
  for (;;) {
    expect(world.waiting).toEqual(expected.names)
    if (expected.ending !== undefined) break
    const pick = picks[decided % picks.length]! + decided
    const { name } = expected.waiting[pick % expected.waiting.length]!
    // Turns of one step are told apart by their order alone: of several the first, in both.
    const which = expected.waiting.find((each) => each.name === name)!
    const outcome = refuses && pick % 7 === 3 ? 'no' : 'ok'
    expected.complete(which, outcome)
    await world.complete(which.name, outcome, which.more)
    decided += 1
  }
  expect(world.run.ending).toBe(expected.ending)
  expect(world.run.tokens.size).toBe(0)
  expect(world.timers.size).toBe(0)
  return decided
}

const picks = fc.array(fc.nat({ max: 1_000 }), { minLength: 1, maxLength: 12 })

describe('R-FLOW-2 random models of blocks', () => {
  it('never stand, never ask twice, and always end', async () => {
    let decided = 0
    await fc.assert(
      fc.asyncProperty(blocks(), picks, fc.boolean(), async (block, picked, refuses) => {
        decided += await runBeside(block, picked, refuses)
      }),
      { numRuns: 2_000 },
    )
    expect(decided).toBeGreaterThan(2_000)
  })
})
