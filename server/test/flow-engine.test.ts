import { describe, expect, it } from 'vitest'
import { EndlessRun } from '../src/modules/flow/engine/host.ts'
import { loop, planOf, World } from './flow-engine-world.ts'

const gateway = (type: 'exclusive' | 'parallel' | 'inclusive' | 'eventBased') => ({ type })
const timer = { event: { kind: 'timer', timer: { kind: 'duration', value: 'P1D', by: 'clock' } } } as const

describe('R-FLOW-2 elements that run', () => {
  it('goes from step to step, and ends agreed', async () => {
    const world = await new World(planOf('start -> a -> b -> end')).start()
    expect(world.waiting).toEqual(['a'])
    expect(await world.complete('a')).toEqual(['b'])
    expect(await world.complete('b')).toEqual([])
    expect(world.run.ending).toBe('agreed')
    expect(world.run.tokens.size).toBe(0)
  })

  it('ends refused with a refusal, goes on where the model says so, or goes back to a step', async () => {
    const ended = await new World(planOf('start -> a -> b -> end')).start()
    expect(await ended.complete('a', 'no')).toEqual([])
    expect(ended.run.ending).toBe('refused')
    const going = await new World(
      planOf('start -> a -> x -[pass]-> b -> end\nx -[else]-> c -> end2', {
        a: { task: { onRefuse: 'continue' } },
        x: gateway('exclusive'),
      }),
    ).start()
    expect(await going.complete('a', 'no')).toEqual(['c'])
    const back = await new World(planOf('start -> a -> b -> end', { b: { task: { onRefuse: { to: 'a' } } } })).start()
    await back.complete('a')
    expect(await back.complete('b', 'no')).toEqual(['a'])
    expect(back.run.ending).toBeUndefined()
  })

  it('takes the first way of an exclusive gateway that holds, else its default; without one it stands until it is tried again', async () => {
    const plan = planOf('start -> x -[big]-> a -> end\nx -[small]-> b -> end\nx -[else]-> c -> end', {
      x: gateway('exclusive'),
    })
    expect((await new World(plan).start({ big: true, small: true })).waiting).toEqual(['a'])
    expect((await new World(plan).start({ small: true })).waiting).toEqual(['b'])
    expect((await new World(plan).start({})).waiting).toEqual(['c'])
    const open = planOf('start -> x -[big]-> a -> end\nx -[small]-> b -> end', { x: gateway('exclusive') })
    const world = await new World(open).start({})
    expect(world.waiting).toEqual([])
    expect(world.run.ending).toBeUndefined()
    const [stuck] = [...world.run.tokens.values()]
    expect(stuck!.data.incident?.zh).toContain('“x”')
    world.run.variables = { small: true }
    world.again()
    await world.run.retry(stuck!.id)
    expect(world.waiting).toEqual(['b'])
  })

  it('waits at a parallel join for every branch, and merges plainly once per token', async () => {
    const world = await new World(
      planOf('start -> f -> a -> j -> c -> end\nf -> b -> j', { f: gateway('parallel'), j: gateway('parallel') }),
    ).start()
    expect(world.waiting).toEqual(['a', 'b'])
    expect(await world.complete('b')).toEqual(['a'])
    expect(await world.complete('a')).toEqual(['c'])
    await world.complete('c')
    expect(world.run.ending).toBe('agreed')
    const merged = await new World(
      planOf('start -> f -> a -> m -> c -> end\nf -> b -> m', { f: gateway('parallel'), m: gateway('exclusive') }),
    ).start()
    await merged.complete('a')
    expect(await merged.complete('b')).toEqual(['c', 'c'])
    await merged.complete('c')
    expect(merged.run.ending).toBeUndefined()
    await merged.complete('c')
    expect(merged.run.ending).toBe('agreed')
  })

  it('waits at an inclusive join for as many as were sent, also where a branch ends elsewhere', async () => {
    const plan = planOf(
      'start -> f -[x]-> a -> j -> d -> end\nf -[y]-> b -> j\nf -[z]-> c -> k -[pass]-> j\nk -[else]-> end2',
      {
        f: gateway('inclusive'),
        j: gateway('inclusive'),
        k: gateway('exclusive'),
        c: { task: { onRefuse: 'continue' } },
      },
    )
    const two = await new World(plan).start({ x: true, y: true })
    expect(two.waiting).toEqual(['a', 'b'])
    expect(await two.complete('a')).toEqual(['b'])
    expect(await two.complete('b')).toEqual(['d'])
    const elsewhere = await new World(plan).start({ x: true, z: true })
    expect(await elsewhere.complete('a')).toEqual(['c'])
    expect(await elsewhere.complete('c', 'no')).toEqual(['d'])
    const one = await new World(plan).start({ y: true })
    expect(await one.complete('b')).toEqual(['d'])
  })

  it('asks several at once or one after another, until all, any, a number or a share agree, or that cannot be any more', async () => {
    const of = (order: 'parallel' | 'sequence', need: Parameters<typeof loop>[1]) =>
      new World(planOf('start -> a -> b -> end', { a: loop(order, need) })).start()
    const all = await of('parallel', 'all')
    expect(all.waiting).toEqual(['a:p1', 'a:p2', 'a:p3'])
    await all.complete('a:p2')
    expect(await all.complete('a:p1')).toEqual(['a:p3'])
    expect(await all.complete('a:p3')).toEqual(['b'])
    const one = await of('parallel', 'any')
    expect(await one.complete('a:p2', 'no')).toEqual(['a:p1', 'a:p3'])
    expect(await one.complete('a:p3')).toEqual(['b'])
    const share = await of('parallel', { share: 0.5 })
    expect(await share.complete('a:p1')).toEqual(['a:p2', 'a:p3'])
    expect(await share.complete('a:p2', 'no')).toEqual(['a:p3'])
    expect(await share.complete('a:p3')).toEqual(['b'])
    const count = await of('parallel', { count: 2 })
    await count.complete('a:p1', 'no')
    expect(await count.complete('a:p2', 'no')).toEqual([])
    expect(count.run.ending).toBe('refused')
    const inOrder = await of('sequence', 'all')
    expect(inOrder.waiting).toEqual(['a:p1'])
    expect(await inOrder.complete('a:p1')).toEqual(['a:p2'])
    await inOrder.complete('a:p2')
    expect(await inOrder.complete('a:p3')).toEqual(['b'])
    const refused = await of('sequence', 'all')
    expect(await refused.complete('a:p1', 'no')).toEqual([])
    expect(refused.run.ending).toBe('refused')
  })

  it('passes over a step for which nobody is found where that is allowed, one of several too', async () => {
    const world = new World(planOf('start -> a -> b -> end', { b: loop('parallel', 'all') }))
    world.nobody = 'ok'
    await world.start()
    expect(world.run.ending).toBe('agreed')
  })

  it('runs a sub-process, and calls another process, as often as it says', async () => {
    const sub = await new World(
      planOf('start -> s -> b -> end\nsub-start -> c -> sub-end', {
        s: { type: 'sub' },
        'sub-start': { type: 'start', scope: 's' },
        c: { scope: 's' },
        'sub-end': { type: 'end', scope: 's' },
      }),
    ).start()
    expect(sub.waiting).toEqual(['c'])
    expect(await sub.complete('c')).toEqual(['b'])
    const calling = planOf('start -> k -> b -> end', { k: { type: 'call', calls: 'q', ...loop('sequence', 'all', 2) } })
    const world = await new World(calling, planOf('start -> c -> end', {}, 'q')).start()
    expect(world.waiting).toEqual(['c'])
    expect(await world.complete('c')).toEqual(['c'])
    expect(await world.complete('c')).toEqual(['b'])
  })

  it('stops processes that call one another without an end', async () => {
    const world = await new World(planOf('start -> k -> end', { k: { type: 'call', calls: 'p' } })).start()
    expect([...world.run.tokens.values()].some(({ data }) => data.incident)).toBe(true)
  })

  it('ends everything by a terminate event, of its own scope alone', async () => {
    const whole = await new World(
      planOf('start -> f -> a -> end-all\nf -> b -> end', {
        f: gateway('parallel'),
        'end-all': { type: 'end', event: { kind: 'terminate' } },
      }),
    ).start()
    expect(await whole.complete('a')).toEqual([])
    expect(whole.run.ending).toBe('agreed')
    const inner = await new World(
      planOf('start -> s -> z -> end\nsub-start -> f -> a -> sub-end-all\nf -> b -> sub-end', {
        s: { type: 'sub' },
        'sub-start': { type: 'start', scope: 's' },
        f: { ...gateway('parallel'), scope: 's' },
        a: { scope: 's' },
        b: { scope: 's' },
        'sub-end': { type: 'end', scope: 's' },
        'sub-end-all': { type: 'end', scope: 's', event: { kind: 'terminate' } },
      }),
    ).start()
    expect(await inner.complete('a')).toEqual(['z'])
  })

  it('an end that terminates leaves nothing that was about to begin', async () => {
    const world = await new World(
      planOf('start -> f -> s -> z -> end\nf -> end-all\nsub-start -> a -> sub-end', {
        f: gateway('parallel'),
        s: { type: 'sub' },
        'sub-start': { type: 'start', scope: 's' },
        a: { scope: 's' },
        'sub-end': { type: 'end', scope: 's' },
        'end-all': { type: 'end', event: { kind: 'terminate' } },
      }),
    ).start()
    expect(world.waiting).toEqual([])
    expect([world.run.ending, world.run.tokens.size]).toEqual(['agreed', 0])
  })

  it('takes a condition for true that a form sends as text', async () => {
    const plan = planOf('start -> x -[big]-> a -> end\nx -[else]-> c -> end', { x: gateway('exclusive') })
    expect((await new World(plan).start({ big: 'true' })).waiting).toEqual(['a'])
  })

  it('catches an error at the edge of what it ended, and stands where nobody does', async () => {
    const special = {
      s: { type: 'sub' },
      'sub-start': { type: 'start', scope: 's' },
      f: { type: 'parallel', scope: 's' },
      a: { scope: 's' },
      b: { scope: 's' },
      'sub-end': { type: 'end', scope: 's' },
      'sub-end-error': { type: 'end', scope: 's', event: { kind: 'error', code: 'E' } },
    } as const
    const lines = 'start -> s -> y -> end\nsub-start -> f -> a -> sub-end-error\nf -> b -> sub-end'
    const caught = await new World(
      planOf(`${lines}\nedge -> z -> end2`, {
        ...special,
        edge: { type: 'boundary', attachedTo: 's', interrupting: true, event: { kind: 'error', code: 'E' } },
      }),
    ).start()
    expect(await caught.complete('a')).toEqual(['z'])
    const missed = await new World(planOf(lines, special)).start()
    expect(await missed.complete('a')).toEqual(['b'])
    expect([...missed.run.tokens.values()].some(({ data }) => data.incident?.zh.includes('“E”'))).toBe(true)
  })

  it('lets a timer at the edge interrupt a step, or begin something beside it', async () => {
    const of = (interrupting: boolean) =>
      new World(
        planOf('start -> a -> b -> end\nedge -> c -> end2', {
          edge: { type: 'boundary', attachedTo: 'a', interrupting, ...timer },
        }),
      ).start()
    expect(await (await of(true)).fire('edge')).toEqual(['c'])
    const beside = await of(false)
    expect(await beside.fire('edge')).toEqual(['a', 'c'])
    await beside.complete('c')
    expect(beside.run.ending).toBeUndefined()
    await beside.complete('a')
    await beside.complete('b')
    expect(beside.run.ending).toBe('agreed')
    expect(beside.timers.size).toBe(0)
  })

  it('goes on with whichever event comes first, and forgets the other', async () => {
    const world = await new World(
      planOf('start -> g -> t -> a -> end\ng -> m -> b -> end2', {
        g: gateway('eventBased'),
        t: { type: 'catch', ...timer },
        m: { type: 'catch', event: { kind: 'message', name: 'paid' } },
      }),
    ).start()
    world.again()
    expect(await world.run.message('other')).toBe(false)
    expect(await world.run.message('paid')).toBe(true)
    expect(world.waiting).toEqual(['b'])
    expect(world.timers.size).toBe(0)
  })

  it('hears a message of its own, also one that comes with the end of a branch', async () => {
    const world = await new World(
      planOf('start -> f -> m -> a -> end\nf -> b -> end-told', {
        f: gateway('parallel'),
        m: { type: 'catch', event: { kind: 'message', name: 'go' } },
        'end-told': { type: 'end', event: { kind: 'message', name: 'go' } },
      }),
    ).start()
    expect(world.waiting).toEqual(['b'])
    expect(await world.complete('b')).toEqual(['a'])
  })

  it('stands at a service that failed, and goes on once it is done', async () => {
    const world = new World(planOf('start -> v -> a -> end', { v: { type: 'service' } }))
    world.failing.add('v')
    await world.start()
    expect(world.waiting).toEqual([])
    expect(world.run.ending).toBeUndefined()
    const [token] = [...world.run.tokens.keys()]
    world.failing.clear()
    world.again()
    await world.run.retry(token!)
    expect(world.waiting).toEqual(['a'])
  })

  it('is stopped after 1,000 steps of itself', async () => {
    const circle = planOf('start -> x -> y -> x\ny -[never]-> end', {
      x: gateway('exclusive'),
      y: gateway('exclusive'),
    })
    await expect(new World(circle).start()).rejects.toThrow(EndlessRun)
  })
})

describe('R-FLOW-3 a return', () => {
  const branches = planOf('start -> o -> f -> a -> b -> j -> e -> end\nf -> c -> d -> j', {
    f: gateway('parallel'),
    j: gateway('parallel'),
    d: loop('parallel', 'all'),
  })

  it('to a step of the own branch leaves the other branch alone', async () => {
    const world = await new World(branches).start()
    await world.complete('o')
    await world.complete('c')
    expect(await world.complete('a')).toEqual(['b', 'd:p1', 'd:p2', 'd:p3'])
    expect(await world.back('b', 'a')).toEqual(['a', 'd:p1', 'd:p2', 'd:p3'])
    await world.complete('a')
    await world.complete('b')
    for (const person of ['p1', 'p2']) await world.complete(`d:${person}`)
    expect(await world.complete('d:p3')).toEqual(['e'])
  })

  it('to a step before the fork takes back every branch, a finished one too, and none comes twice', async () => {
    const world = await new World(branches).start()
    await world.complete('o')
    await world.complete('a')
    await world.complete('b')
    await world.complete('c')
    await world.complete('d:p1')
    expect(await world.back('d:p2', 'o')).toEqual(['o'])
    expect(world.run.tokens.size).toBe(1)
    expect(await world.complete('o')).toEqual(['a', 'c'])
    await world.complete('a')
    await world.complete('b')
    await world.complete('c')
    for (const person of ['p1', 'p2']) await world.complete(`d:${person}`)
    expect(await world.complete('d:p3')).toEqual(['e'])
    await world.complete('e')
    expect(world.run.ending).toBe('agreed')
  })

  it('that comes back leads to the step that asked, and touches nothing else', async () => {
    const world = await new World(branches).start()
    await world.complete('o')
    await world.complete('a')
    expect(await world.back('b', 'o', true)).toEqual(['c', 'o'])
    expect(await world.complete('o')).toEqual(['b', 'c'])
    await world.complete('b')
    await world.complete('c')
    for (const person of ['p1', 'p2']) await world.complete(`d:${person}`)
    expect(await world.complete('d:p3')).toEqual(['e'])
  })

  it('out of a sub-process ends what runs in it', async () => {
    const world = await new World(
      planOf('start -> o -> s -> b -> end\nsub-start -> f -> x -> sub-end\nf -> y -> sub-end2', {
        s: { type: 'sub' },
        'sub-start': { type: 'start', scope: 's' },
        f: { ...gateway('parallel'), scope: 's' },
        x: { scope: 's' },
        y: { scope: 's' },
        'sub-end': { type: 'end', scope: 's' },
        'sub-end2': { type: 'end', scope: 's' },
      }),
    ).start()
    expect(await world.complete('o')).toEqual(['x', 'y'])
    expect(await world.back('x', 'o')).toEqual(['o'])
    expect(world.run.tokens.size).toBe(1)
    expect(await world.complete('o')).toEqual(['x', 'y'])
  })

  const forked = (more: Parameters<typeof planOf>[1] = {}) =>
    planOf('start -> o -> f -> a -> b -> j -> e -> g -> end\nf -> c -> d -> j', {
      f: gateway('parallel'),
      j: gateway('parallel'),
      ...more,
    })

  it('to a step beside it is none, nor to one that only follows', async () => {
    const world = await new World(forked()).start()
    await world.complete('o')
    await world.complete('a')
    await world.complete('c')
    expect(world.earlier('d').map(({ node }) => node)).toEqual(['c', 'o'])
    await world.back('d', 'o')
    expect(world.earlier('o')).toEqual([])
  })

  it('into a branch that has been joined asks that step alone, and comes back', async () => {
    const world = await new World(forked()).start()
    for (const each of ['o', 'a', 'b', 'c', 'd']) await world.complete(each)
    expect(await world.back('e', 'b')).toEqual(['b'])
    expect(await world.back('b', 'a', true)).toEqual(['a'])
    expect(await world.complete('a')).toEqual(['b'])
    expect(await world.complete('b')).toEqual(['e'])
    expect(await world.complete('e')).toEqual(['g'])
    // A step that was asked for alone stands in no branch: what came later goes back into the branch as it was.
    expect(await world.back('g', 'a')).toEqual(['a'])
    expect(await world.complete('a')).toEqual(['g'])
  })

  it('to a step of the branch beside it, as it was a round ago, is none', async () => {
    const world = await new World(
      planOf('start -> m -> f -> a -> j -> r -> x -[again]-> m\nf -> b -> j\nx -[else]-> end', {
        f: gateway('parallel'),
        j: gateway('parallel'),
        m: gateway('exclusive'),
        x: gateway('exclusive'),
      }),
    ).start({ again: true })
    for (const each of ['a', 'b', 'r']) await world.complete(each)
    expect(world.earlier('a').map(({ node }) => node)).toEqual(['r'])
  })

  it('to a step that another turn of its sub-process has done is none', async () => {
    const world = await new World(
      planOf('start -> s -> end\nsub-start -> x -[first]-> p -> y -> sub-end\nx -[else]-> q -> y', {
        s: { type: 'sub', ...loop('sequence', 'all', 2) },
        'sub-start': { type: 'start', scope: 's' },
        x: { ...gateway('exclusive'), scope: 's' },
        p: { scope: 's' },
        q: { scope: 's' },
        y: { scope: 's' },
        'sub-end': { type: 'end', scope: 's' },
      }),
    ).start({ first: true })
    await world.complete('p')
    await world.complete('y', 'ok', { first: false })
    await world.complete('q')
    expect(world.earlier('y').map(({ node }) => node)).toEqual(['q'])
  })

  it('that comes back is waited for where branches join', async () => {
    const world = await new World(
      planOf('start -> o -> f -[x]-> a -> j -> e -> end\nf -[y]-> b -> j', {
        f: gateway('inclusive'),
        j: gateway('inclusive'),
      }),
    ).start({ x: true, y: true })
    await world.complete('o')
    expect(await world.back('a', 'o', true)).toEqual(['b', 'o'])
    expect(await world.complete('b')).toEqual(['o'])
    expect(await world.complete('o')).toEqual(['a'])
    expect(await world.complete('a')).toEqual(['e'])
  })

  it('out of a later fork into an earlier one takes back nothing of the later one', async () => {
    const world = await new World(
      planOf('start -> f -> a -> j -> f2 -> c -> j2 -> end\nf -> b -> j\nf2 -> d -> j2', {
        f: gateway('parallel'),
        j: gateway('parallel'),
        f2: gateway('parallel'),
        j2: gateway('parallel'),
      }),
    ).start()
    await world.complete('a')
    await world.complete('b')
    expect(await world.back('c', 'a')).toEqual(['a', 'd'])
    expect(await world.complete('a')).toEqual(['c', 'd'])
    await world.complete('d')
    await world.complete('c')
    expect(world.run.ending).toBe('agreed')
  })

  it('by a refusal out of a branch to a step before the fork takes back every branch', async () => {
    const world = await new World(forked({ a: { task: { onRefuse: { to: 'o' } } } })).start()
    await world.complete('o')
    await world.complete('c')
    expect(await world.complete('a', 'no')).toEqual(['o'])
    expect(await world.complete('o')).toEqual(['a', 'c'])
  })

  it('keeps what began beside a step before the one it goes to, and takes back what began since', async () => {
    const lines = 'start -> a -> b -> c -> end\nedge -> d -> end2'
    const of = (host: string) =>
      new World(planOf(lines, { edge: { type: 'boundary', attachedTo: host, interrupting: false, ...timer } })).start()
    const before = await of('a')
    await before.fire('edge')
    await before.complete('a')
    await before.complete('b')
    expect(await before.back('c', 'b')).toEqual(['b', 'd'])
    const since = await of('b')
    await since.complete('a')
    await since.fire('edge')
    await since.complete('b')
    expect(await since.back('c', 'a')).toEqual(['a'])
  })

  it('within one of several turns of a sub-process leaves the others alone', async () => {
    const world = await new World(
      planOf('start -> s -> z -> end\nsub-start -> f -> x -> j -> y -> sub-end\nf -> w -> j', {
        s: { type: 'sub', ...loop('parallel', 'all', 2) },
        'sub-start': { type: 'start', scope: 's' },
        f: { ...gateway('parallel'), scope: 's' },
        j: { ...gateway('parallel'), scope: 's' },
        x: { scope: 's' },
        w: { scope: 's' },
        y: { scope: 's' },
        'sub-end': { type: 'end', scope: 's' },
      }),
    ).start()
    for (const each of ['x', 'w']) await world.complete(each)
    expect(world.waiting).toEqual(['w', 'x', 'y'])
    expect(await world.back('y', 'x')).toEqual(['w', 'x', 'x'])
    for (const each of ['x', 'x', 'w', 'y', 'y']) await world.complete(each)
    expect(world.waiting).toEqual(['z'])
  })

  it('out of one of several turns of a sub-process to a step before it ends all of them', async () => {
    const world = await new World(
      planOf('start -> o -> s -> b -> end\nsub-start -> x -> sub-end', {
        s: { type: 'sub', ...loop('parallel', 'all', 2) },
        'sub-start': { type: 'start', scope: 's' },
        x: { scope: 's' },
        'sub-end': { type: 'end', scope: 's' },
      }),
    ).start()
    await world.complete('o')
    expect(await world.back('x', 'o')).toEqual(['o'])
    expect(world.run.tokens.size).toBe(1)
    expect(await world.complete('o')).toEqual(['x', 'x'])
  })

  it('a signer who was added decides after whoever is asked, in one step', async () => {
    const world = await new World(planOf('start -> a -> b -> end')).start()
    const id = world.tokenAt('a')
    const token = world.run.tokens.get(id)!
    world.run.tokens.set(id, { ...token, data: { ...token.data, after: ['q1', 'q2'] } })
    expect(await world.complete('a')).toEqual(['a:q1'])
    expect(await world.complete('a:q1')).toEqual(['a:q2'])
    expect(await world.complete('a:q2')).toEqual(['b'])
  })
})
