import { describe, expect, it } from 'vitest'
import { document, element, end, extension, flow, planOf, process, start, task } from './flow-bpmn-parts.ts'
import { World } from './flow-engine-world.ts'
import { OracleWorld } from './flow-oracle-world.ts'

const gateway = (type: string, id: string, attributes = ''): string => element(`${type}Gateway`, id, attributes)
const sub = (id: string, ...within: readonly string[]): string => element('subProcess', id, '', ...within)
const edge = (id: string, at: string, interrupting: boolean, definition: string): string =>
  element('boundaryEvent', id, `attachedToRef="${at}" cancelActivity="${interrupting}"`, definition)
const timer =
  '<timerEventDefinition><timeDuration xsi:type="tFormalExpression">P1D</timeDuration></timerEventDefinition>'
const several = (times: number, done: string, isSequential = false): string =>
  element(
    'multiInstanceLoopCharacteristics',
    `several${times}`,
    `isSequential="${isSequential}"`,
    `<loopCardinality xsi:type="tFormalExpression">${times}</loopCardinality>`,
    done === '' ? '' : `<completionCondition xsi:type="tFormalExpression">${when(done)}</completionCondition>`,
  )

const when = (condition: string): string => `${'$'}{${condition}}`
const principal = extension('<db:assignees><db:assignee kind="principal"/></db:assignees>')
/** A step that is asked of several. */
const asked = (id: string, loop: string): string => element('userTask', id, `name="${id}"`, principal, loop)

interface Case {
  readonly title: string
  readonly within: readonly string[]
  /** Steps that are done one after the other; `!x` is the event x that comes due. */
  readonly acts: string
  readonly variables?: Readonly<Record<string, unknown>>
  /** What stands beside the process in its file. */
  readonly beside?: string
}

const fork = (...branches: readonly string[]): string[] => [
  gateway('parallel', 'f'),
  gateway('parallel', 'j'),
  flow('s>f'),
  flow('j>z>e'),
  task('z'),
  ...branches.flatMap((each) => [flow(`f>${each}>j`), ...each.split('>').map((id) => task(id))]),
]

const ways = (type: string): string[] => [
  gateway(type, 'x', 'default="x_c"'),
  gateway('exclusive', 'm'),
  flow('s>x'),
  flow('x>a', when('big')),
  flow('x>b', when('small')),
  flow('x>c'),
  flow('a>m'),
  flow('b>m'),
  flow('c>m'),
  flow('m>z>e'),
  ...['a', 'b', 'c', 'z'].map((id) => task(id)),
]

const cases: readonly Case[] = [
  { title: 'a sequence', within: [flow('s>a>b>c>e'), task('a'), task('b'), task('c')], acts: 'a b c' },
  {
    title: 'an exclusive gateway whose first condition holds',
    within: ways('exclusive'),
    acts: 'a z',
    variables: { big: true, small: true },
  },
  {
    title: 'an exclusive gateway whose second condition holds',
    within: ways('exclusive'),
    acts: 'b z',
    variables: { small: true },
  },
  { title: 'the default of an exclusive gateway', within: ways('exclusive'), acts: 'c z' },
  { title: 'one way out of an inclusive gateway', within: ways('inclusive'), acts: 'b z', variables: { small: true } },
  { title: 'the default of an inclusive gateway', within: ways('inclusive'), acts: 'c z' },
  { title: 'parallel branches, the short one first', within: fork('a>b', 'c'), acts: 'c a b z' },
  { title: 'parallel branches, the long one first', within: fork('a>b', 'c'), acts: 'a b c z' },
  { title: 'three branches in turns', within: fork('a>b', 'c>d', 'g'), acts: 'a c g b d z' },
  {
    title: 'a fork within a branch',
    within: [
      gateway('parallel', 'f'),
      gateway('parallel', 'f2'),
      gateway('parallel', 'j2'),
      gateway('parallel', 'j'),
      flow('s>f>a>f2>b>j2>j>z>e'),
      flow('f2>c>j2'),
      flow('f>d>j'),
      ...['a', 'b', 'c', 'd', 'z'].map((id) => task(id)),
    ],
    acts: 'a c d b z',
  },
  {
    title: 'a loop that is left by its condition',
    within: [
      gateway('exclusive', 'm'),
      gateway('exclusive', 'x', 'default="x_z"'),
      flow('s>m>a>x'),
      flow('x>m', when('again')),
      flow('x>z>e'),
      task('a'),
      task('z'),
    ],
    acts: 'a+again a+again a-again z',
  },
  {
    title: 'a sub-process with branches of its own',
    within: [
      sub(
        'p1',
        start('s1'),
        end('e1'),
        gateway('parallel', 'f'),
        end('e2'),
        flow('s1>f>a>e1'),
        flow('f>b>e2'),
        task('a'),
        task('b'),
      ),
      flow('s>p1>z>e'),
      task('z'),
    ],
    acts: 'b a z',
  },
  {
    title: 'a sub-process in a sub-process',
    within: [
      sub(
        'p1',
        start('s1'),
        end('e1'),
        sub('p2', start('s2'), end('e2'), flow('s2>a>e2'), task('a')),
        flow('s1>p2>b>e1'),
        task('b'),
      ),
      flow('s>p1>z>e'),
      task('z'),
    ],
    acts: 'a b z',
  },
  {
    title: 'several at once, all of them',
    within: [asked('a', several(3, '')), flow('s>a>z>e'), task('z')],
    acts: 'a a a z',
  },
  {
    title: 'several at once, any of them',
    within: [asked('a', several(3, 'nrOfCompletedInstances >= 1')), flow('s>a>z>e'), task('z')],
    acts: 'a z',
  },
  {
    title: 'several at once, two of them',
    within: [asked('a', several(3, 'nrOfCompletedInstances >= 2')), flow('s>a>z>e'), task('z')],
    acts: 'a a z',
  },
  {
    title: 'several at once, more than half of them',
    within: [asked('a', several(3, 'nrOfCompletedInstances / nrOfInstances > 0.5')), flow('s>a>z>e'), task('z')],
    acts: 'a a z',
  },
  {
    title: 'several in sequence, all of them',
    within: [asked('a', several(3, '', true)), flow('s>a>z>e'), task('z')],
    acts: 'a a a z',
  },
  {
    title: 'several in sequence, two of them',
    within: [asked('a', several(3, 'nrOfCompletedInstances >= 2', true)), flow('s>a>z>e'), task('z')],
    acts: 'a a z',
  },
  {
    title: 'a sub-process several times at once',
    within: [
      sub('p1', several(2, ''), start('s1'), end('e1'), flow('s1>a>b>e1'), task('a'), task('b')),
      flow('s>p1>z>e'),
      task('z'),
    ],
    acts: 'a b a b z',
  },
  {
    title: 'a sub-process several times in sequence',
    within: [
      sub('p1', several(2, '', true), start('s1'), end('e1'), flow('s1>a>b>e1'), task('a'), task('b')),
      flow('s>p1>z>e'),
      task('z'),
    ],
    acts: 'a b a b z',
  },
  {
    title: 'an end that terminates all',
    within: [
      gateway('parallel', 'f'),
      end('t', '<terminateEventDefinition/>'),
      flow('s>f>a>t'),
      flow('f>b>z>e'),
      task('a'),
      task('b'),
      task('z'),
    ],
    acts: 'b a',
  },
  {
    title: 'an end that terminates a sub-process alone',
    within: [
      sub(
        'p1',
        start('s1'),
        end('e1'),
        end('t', '<terminateEventDefinition/>'),
        gateway('parallel', 'f'),
        flow('s1>f>a>t'),
        flow('f>b>e1'),
        task('a'),
        task('b'),
      ),
      flow('s>p1>z>e'),
      task('z'),
    ],
    acts: 'a z',
  },
  {
    title: 'an error that is caught at the edge of a sub-process',
    beside: '<error id="err" errorCode="E"/>',
    within: [
      sub(
        'p1',
        start('s1'),
        end('e1'),
        end('t', '<errorEventDefinition errorRef="err"/>'),
        gateway('parallel', 'f'),
        flow('s1>f>a>t'),
        flow('f>b>e1'),
        task('a'),
        task('b'),
      ),
      edge('c', 'p1', true, '<errorEventDefinition errorRef="err"/>'),
      flow('s>p1>y>e'),
      flow('c>z>e'),
      task('y'),
      task('z'),
    ],
    acts: 'a z',
  },
  {
    title: 'a timer at an edge that ends a step',
    within: [edge('c', 'a', true, timer), flow('s>a>y>e'), flow('c>z>e'), task('a'), task('y'), task('z')],
    acts: '!c z',
  },
  {
    title: 'a timer at an edge that is not waited for',
    within: [edge('c', 'a', true, timer), flow('s>a>y>e'), flow('c>z>e'), task('a'), task('y'), task('z')],
    acts: 'a y',
  },
  {
    title: 'a timer at an edge that begins something beside a step',
    within: [edge('c', 'a', false, timer), flow('s>a>y>e'), flow('c>z>e2'), end('e2'), task('a'), task('y'), task('z')],
    acts: '!c z a y',
  },
  {
    title: 'a timer at the edge of a sub-process',
    within: [
      sub('p1', start('s1'), end('e1'), flow('s1>a>b>e1'), task('a'), task('b')),
      edge('c', 'p1', true, timer),
      flow('s>p1>y>e'),
      flow('c>z>e'),
      task('y'),
      task('z'),
    ],
    acts: 'a !c z',
  },
  {
    title: 'a timer that is caught on the way',
    within: [element('intermediateCatchEvent', 'c', '', timer), flow('s>a>c>z>e'), task('a'), task('z')],
    acts: 'a !c z',
  },
  {
    title: 'whichever event comes first',
    within: [
      gateway('eventBased', 'g'),
      element('intermediateCatchEvent', 'c', '', timer),
      element('intermediateCatchEvent', 'd', '', timer),
      flow('s>g>c>y>e'),
      flow('g>d>z>e'),
      task('y'),
      task('z'),
    ],
    acts: '!d z',
  },
  {
    title: 'conditions on the ways out of a step',
    within: [
      task('a', 'default="a_c"'),
      flow('s>a'),
      flow('a>b', when('big')),
      flow('a>c'),
      flow('b>e'),
      flow('c>e'),
      task('b'),
      task('c'),
    ],
    acts: 'a+big b',
  },
  {
    title: 'two ways out of a step',
    within: [flow('s>a>b>e'), flow('a>c>e'), task('a'), task('b'), task('c')],
    acts: 'a c b',
  },
]

/** `a+again` is the step a with the variable again set to true, `a-again` with false. */
const actOf = (text: string): { name: string; more: Record<string, unknown> } => {
  const [, name = '', sign, variable] = /^([^+-]+)(?:([+-])(.+))?$/.exec(text) ?? []
  return { name, more: variable === undefined ? {} : { [variable]: sign === '+' } }
}

describe('R-FLOW-2 the order of steps is that of bpmn-elements', () => {
  it.each(cases)('$title', async ({ within, acts, variables = {}, beside = '' }) => {
    const xml = document(beside, process(start(), end(), ...within))
    const ours = await new World(await planOf(xml)).start(variables)
    const oracle = await OracleWorld.start(xml, variables)
    expect(ours.waiting).toEqual(oracle.waiting)
    for (const act of acts.split(' ')) {
      if (act.startsWith('!')) {
        await ours.fire(act.slice(1))
        oracle.fire(act.slice(1))
      } else {
        const { name, more } = actOf(act)
        const mine = ours.waiting.find((each) => each.split(':')[0] === name)
        await ours.complete(mine ?? name, 'ok', more)
        oracle.complete(mine ?? name, more)
      }
      expect(ours.waiting, `after ${act}`).toEqual(oracle.waiting)
    }
    expect([oracle.isOver, ours.run.ending]).toEqual([true, 'agreed'])
    expect(ours.run.tokens.size).toBe(0)
  })
})

describe('R-FLOW-2 where the package judges otherwise, BPMN 2.0 is followed', () => {
  it('a plain merge and an exclusive gateway go on once for each token', async () => {
    for (const type of ['exclusiveGateway', 'userTask']) {
      const merge = type === 'userTask' ? task('m') : element(type, 'm')
      const xml = document(
        process(
          start(),
          end(),
          gateway('parallel', 'f'),
          merge,
          flow('s>f>a>m>z>e'),
          flow('f>b>m'),
          task('a'),
          task('b'),
          task('z'),
        ),
      )
      const world = await new World(await planOf(xml)).start()
      await world.complete('a')
      await world.complete('b')
      const twice = type === 'userTask' ? ['m', 'm'] : ['z', 'z']
      expect(world.waiting).toEqual(twice)
    }
  })
})
