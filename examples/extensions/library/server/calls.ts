import { on, Problem, rowsOf, writeComputed } from '@data-brain/server/extension'
import { libraryFigures, returnBook } from '../contract/calls.ts'
import { loan } from '../contract/loan.ts'
import { today } from './overdue.ts'

export const callRoutes = [
  on(returnBook, async ({ id, returnedOn }, call) => {
    // Its own code suffices: the loan must be one that the actor works with by it, and nothing more is asked.
    const before = await rowsOf(loan, call).before(id, { lock: true, codes: ['library_loan_return'] })
    if (before.state !== '1')
      throw new Problem('rule_broken', { reason: { zh: '该书已归还', en: 'This book has been returned' } })
    if (returnedOn < before.lentOn)
      throw new Problem('rule_broken', {
        reason: { zh: '归还日期早于借出日期', en: 'It was returned before it was lent' },
      })
    await writeComputed(loan, call, id, before, { returnedOn, state: '2' })
    return { late: returnedOn > before.dueOn }
  }),
  on(libraryFigures, async (_, call) => {
    const loans = rowsOf(loan, call)
    return {
      lent: await loans.count({ state_equal: '1' }),
      late: await loans.count({ state_equal: '1', dueOn_datelt: today() }),
    }
  }),
]
