import { beforeEach, describe, expect, it, vi } from 'vitest'
import { importAnew } from './anew.ts'

type Statements = typeof import('../src/database/statement.ts')

let statements: Statements
beforeEach(async () => {
  statements = await importAnew<Statements>('database/statement.ts')
})

const run = (key: string, value = 1) => {
  const { statementByShape, slotValue, sql } = statements
  const make = vi.fn(() => sql`select ${slotValue('v')}::int as ${sql.raw(`"${key}"`)}`)
  return { ...statementByShape(key, { v: value }, make), made: make.mock.calls.length }
}

describe('statements of many shapes', () => {
  it('are compiled once each, filled anew, and named from the fourth use on', () => {
    const uses = [1, 2, 3, 4, 5].map((value) => run('a', value))
    expect(uses.map((use) => use.made)).toEqual([1, 0, 0, 0, 0])
    expect(uses.map((use) => use.values)).toEqual([[1], [2], [3], [4], [5]])
    expect(uses.map((use) => use.name)).toEqual([undefined, undefined, undefined, 's1', 's1'])
    expect(new Set(uses.map((use) => use.text))).toEqual(new Set(['select $1::int as "a"']))
  })

  it('never take more names than a connection should remember, nor more memory than is set aside', () => {
    const names = new Map<string, string>()
    for (let round = 0; round < 5; round += 1)
      for (let shape = 0; shape < 800; shape += 1) {
        const { name, text } = run(`shape ${shape}`)
        if (!name) continue
        // One name means one text for ever: a connection that has prepared it would answer another question.
        expect(names.get(name) ?? text).toBe(text)
        names.set(name, text)
      }
    expect(names.size).toBe(500)
    expect(statements.shapesKept()).toEqual({ named: 500, unnamed: 300 })
    for (let shape = 0; shape < 10_000; shape += 1) run(`once ${shape}`)
    expect(statements.shapesKept()).toEqual({ named: 500, unnamed: 2_000 })
    expect(run('shape 1')).toMatchObject({ made: 0, name: 's2' })
    expect(run('once 9999').made).toBe(0)
    expect(run('once 0').made).toBe(1)
  })

  it('that are run once are neither kept nor named', () => {
    const { compileOnce, slotValue, sql } = statements
    expect(compileOnce(sql`select ${slotValue('v')}`, { v: 7 })).toEqual({ text: 'select $1', values: [7] })
    expect(statements.shapesKept()).toEqual({ named: 0, unnamed: 0 })
  })
})
