import { classschedule, student } from '@data-brain/contract'
import { describe, expect, it, vi } from 'vitest'
import { type EntityCalls, httpCalls } from '../src/entity/data/calls.ts'
import { HttpProblem } from '../src/http/client.ts'
import { DraftSteps } from '../src/pages/plan/steps.ts'

/** A server that numbers what it is asked for; what it is to refuse is named. */
function world() {
  const steps = new DraftSteps()
  const undone: string[] = []
  const refuses = new Map<string, HttpProblem>()
  const waits = new Map<string, Promise<unknown>>()
  const undo: EntityCalls['undo'] = async (requestId) => {
    if (refuses.has(requestId)) throw refuses.get(requestId)
    undone.push(requestId)
    return { rows: 1, requestId: `${requestId}'` }
  }
  const calls = steps.callsOver(
    {
      ...httpCalls,
      undo,
      change: async (_entity, draft) => {
        const requestId = String(draft.id)
        await waits.get(requestId)
        if (refuses.has(requestId)) throw refuses.get(requestId)
        return { row: { id: requestId, className: '一班', subjectName: requestId } as never, requestId }
      },
      remove: async (_entity, [requestId]) => ({ requestId: String(requestId) }),
    },
    (ids) => `remove ${ids}`,
  )
  const turn = (way: 'back' | 'forth') => steps.turn(way, (requestId) => undo(requestId, false))
  const move = (id: string) => calls.change(classschedule, { id })
  return { steps, calls, undone, refuses, waits, turn, move }
}

const refusal = new HttpProblem('之后已有改动', 400, 400, { own: true, blockers: [] })

describe('ISSUE-15-3 steps back and forth on a draft', () => {
  it('go back in turn and forth again, as often as there are steps; nothing beyond', async () => {
    const { steps, undone, turn, move } = world()
    await move('a')
    await move('b')
    expect(steps.counts.get()).toEqual({ back: 2, forth: 0 })
    expect((await turn('back'))?.name).toBe('一班 b')
    await turn('back')
    expect(undone).toEqual(['b', 'a'])
    expect(turn('back')).toBeUndefined()
    expect(steps.counts.get()).toEqual({ back: 0, forth: 2 })
    expect((await turn('forth'))?.name).toBe('一班 a')
    await turn('forth')
    // A step forth takes back what had taken back.
    expect(undone).toEqual(['b', 'a', "a'", "b'"])
    expect(turn('forth')).toBeUndefined()
    await turn('back')
    expect(undone.at(-1)).toBe("b''")
  })

  it('have no way forth once something new was done; what was refused is nothing new', async () => {
    const { steps, refuses, turn, move } = world()
    await move('a')
    await turn('back')
    refuses.set('b', refusal)
    await expect(move('b')).rejects.toThrow()
    await vi.waitFor(() => expect(steps.counts.get()).toEqual({ back: 0, forth: 1 }))
    await move('c')
    await vi.waitFor(() => expect(steps.counts.get()).toEqual({ back: 1, forth: 0 }))
  })

  it('mean the last begun, also where an earlier one is told later', async () => {
    const { calls, undone, waits, turn, move } = world()
    let tell = (): void => {}
    waits.set(
      'slow',
      new Promise<void>((resolve) => {
        tell = resolve
      }),
    )
    const slow = move('slow')
    await calls.remove(classschedule, ['quick'])
    tell()
    await slow
    expect((await turn('back'))?.name).toBe('remove quick')
    expect(undone).toEqual(['quick'])
  })

  it('wait for what is on its way, and mean no older step where that is refused', async () => {
    const { undone, refuses, turn, move } = world()
    await move('a')
    refuses.set('b', refusal)
    const failing = move('b').catch(() => {})
    const back = turn('back')
    await failing
    expect(await back).toBeUndefined()
    expect(undone).toEqual([])
    // Two presses at once are two steps.
    await move('c')
    await Promise.all([turn('back'), turn('back')])
    expect(undone).toEqual(['c', 'a'])
  })

  it('leave a step that somebody has built upon, and keep one that found no way to the server', async () => {
    const { steps, undone, refuses, turn, move } = world()
    await move('a')
    await move('b')
    refuses.set('b', new HttpProblem('', 0, 0, null))
    await expect(turn('back')).rejects.toThrow()
    expect(steps.counts.get()).toEqual({ back: 2, forth: 0 })
    refuses.set('b', refusal)
    await expect(turn('back')).rejects.toThrow()
    expect(steps.counts.get()).toEqual({ back: 1, forth: 0 })
    await turn('back')
    expect(undone).toEqual(['a'])
  })

  it('are taken by the offer of a message too, which asks nobody whether to go on over what others did', async () => {
    const { steps, calls, undone, refuses, turn, move } = world()
    await move('a')
    await move('b')
    await calls.undo('a', false)
    expect(undone).toEqual(['a'])
    expect(steps.counts.get()).toEqual({ back: 1, forth: 1 })
    await turn('forth')
    expect(undone).toEqual(['a', "a'"])
    refuses.set('b', refusal)
    await expect(calls.undo('b', false)).rejects.toMatchObject({ data: { own: false } })
  })

  it('are none of what else is changed', async () => {
    const { steps, calls } = world()
    await calls.change(student, { id: 'x' })
    await calls.remove(student, ['x'])
    expect(steps.counts.get()).toEqual({ back: 0, forth: 0 })
  })
})
