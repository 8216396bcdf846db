import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Block, Blocks, blocks, modelOf } from './flow-blocks.ts'
import { planOf } from './flow-bpmn-parts.ts'
import { World } from './flow-engine-world.ts'
import { OracleWorld } from './flow-oracle-world.ts'

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

const within = (block: Block): readonly Block[] => [
  block,
  ...('of' in block ? ('kind' in block.of ? within(block.of) : block.of.flatMap(within)) : []),
]

/**
 * Whether the other engine runs a model as BPMN 2.0 says: its inclusive gateways do not wait where they join, and what
 * comes by a plain merge without having been taken counts at a later join.
 */
function isComparable(whole: Block): boolean {
  const all = within(whole)
  if (all.some((each) => each.kind === 'or' && each.flags.slice(0, each.of.length - 1).filter(Boolean).length > 1))
    return false
  return !all.some(({ kind }) => kind === 'and') || !all.some(({ kind }) => ['xor', 'or', 'loop'].includes(kind))
}

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

  it('give the same order of steps as bpmn-elements, wherever that follows BPMN 2.0', async () => {
    let decided = 0
    await fc.assert(
      fc.asyncProperty(blocks(2).filter(isComparable), picks, async (block, picked) => {
        const { xml, variables } = modelOf(block)
        const world = await new World(await planOf(xml)).start(variables)
        const oracle = await OracleWorld.start(xml, variables)
        const expected = new Blocks(block)
        for (; ; decided += 1) {
          expect(oracle.waiting).toEqual(world.waiting)
          if (expected.ending) break
          const { name } = expected.waiting[(picked[decided % picked.length]! + decided) % expected.waiting.length]!
          const which = expected.waiting.find((each) => each.name === name)!
          expected.complete(which, 'ok')
          await world.complete(name, 'ok', which.more)
          oracle.complete(name, which.more)
        }
        expect([oracle.isOver, world.run.ending]).toEqual([true, 'agreed'])
      }),
      { numRuns: 500 },
    )
    expect(decided).toBeGreaterThan(500)
  })
})

/** A step that was asked again alone asks for the step that had asked for it, and that one goes back to it once more. */
const inTurns: Block = {
  kind: 'and',
  of: [
    {
      kind: 'xor',
      of: [
        { kind: 'sub', of: { kind: 'people', isSequential: false, need: 'all' } },
        { kind: 'seq', of: [{ kind: 'task' }] },
      ],
      flags: [false, false],
    },
    {
      kind: 'loop',
      times: 1,
      of: {
        kind: 'or',
        flags: [true, true],
        of: [{ kind: 'people', isSequential: false, need: { share: 0.67 } }, { kind: 'task' }, { kind: 'task' }],
      },
    },
  ],
}

describe('R-FLOW-3 random returns', () => {
  it('leave no step behind, lose none, ask none twice, and the process always ends', async () => {
    let returned = 0
    await fc.assert(
      fc.asyncProperty(
        blocks(),
        picks,
        fc.array(fc.nat({ max: 1_000 }), { minLength: 1, maxLength: 6 }),
        async (block, picked, turns) => {
          const { xml, variables } = modelOf(block)
          const again: Record<string, boolean> = {}
          const world = await new World(await planOf(xml)).start(variables)
          let left = turns.length
          for (let step = 0; world.run.ending === undefined; step += 1) {
            expect(world.waiting.length, 'it stands').toBeGreaterThan(0)
            expect(new Set(world.places).size, `asked twice: ${world.places}`).toBe(world.places.length)
            const name = world.waiting[(picked[step % picked.length]! + step) % world.waiting.length]!
            const targets = left > 0 && step % 3 === 2 ? world.earlier(name) : []
            if (targets.length > 0) {
              left -= 1
              const pick = turns[left]!
              const target = targets[pick % targets.length]!
              await world.back(name, target.node, pick % 2 === 1)
              expect(world.waiting).toContain(world.waiting.find((each) => each.split(':')[0] === target.node))
              returned += 1
              continue
            }
            // Each loop comes again once.
            const loop = name.startsWith('ask') ? `again${name.slice(3)}` : undefined
            if (loop) again[loop] = !(again[loop] ?? false)
            await world.complete(name, 'ok', loop ? { [loop]: again[loop] } : {})
          }
          expect(world.run.ending).toBe('agreed')
          expect(world.run.tokens.size + world.open.size).toBe(0)
        },
      ),
      { numRuns: 2_000, examples: [[inTurns, [512], [0, 357, 435]]] },
    )
    expect(returned).toBeGreaterThan(1_000)
  })
})
