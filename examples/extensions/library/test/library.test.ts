import { entityOf } from '@data-brain/contract'
import { sample } from '@data-brain/server/test/sample'
import { makeWorld, type Person, type World } from '@data-brain/server/test/world'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { overdue, today } from '../server/overdue.ts'
import { isbn } from './sample.ts'

const loan = entityOf('library_loan')
const book = entityOf('library_book')

interface Loan {
  readonly id: string
  readonly bookId: string
  readonly state: string
  readonly returnedOn: string | null
}

let world: World
let admin: Person
beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
})
afterAll(() => world.close())

/** A loan of the only copy of a book. */
async function lend(more: Readonly<Record<string, unknown>> = {}) {
  const { draft } = await sample(admin, loan)
  await admin.post(`${book.path}/submit`, { id: draft.bookId, copies: 1 })
  const given = { ...draft, lentOn: '2026-09-01', dueOn: '2026-09-15', ...more }
  return { given, made: await admin.post<Loan>(`${loan.path}/submit`, given) }
}

describe('library', () => {
  it('takes an ISBN only with its check digit, and keeps it without hyphens', async () => {
    const { draft } = await sample(admin, book)
    const digits = isbn()
    const wrong = `${digits.slice(0, 12)}${(Number(digits.at(-1)) + 1) % 10}`
    const refused = await admin.post(`${book.path}/submit`, { ...draft, isbn: wrong })
    expect([refused.status, refused.msg]).toEqual([400, expect.stringContaining('校验码不符')])
    const hyphens = `${digits.slice(0, 3)}-${digits.slice(3)}`
    const made = await admin.post<{ isbn: string }>(`${book.path}/submit`, { ...draft, isbn: hyphens })
    expect(made.data.isbn).toBe(digits)
  })

  it('lends no more copies than there are, asked twice at once too', async () => {
    const { draft } = await sample(admin, loan)
    await admin.post(`${book.path}/submit`, { id: draft.bookId, copies: 1 })
    const answers = await Promise.all([0, 1, 2].map(() => admin.post(`${loan.path}/submit`, draft)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
    expect(answers.find(({ status }) => status === 400)?.msg).toContain('已全部借出')
  })

  it('keeps as many copies as are lent', async () => {
    const { draft } = await sample(admin, loan)
    await admin.post(`${book.path}/submit`, { id: draft.bookId, copies: 2 })
    for (let n = 0; n < 2; n += 1) expect((await admin.post(`${loan.path}/submit`, draft)).status).toBe(200)
    const refused = await admin.post(`${book.path}/submit`, { id: draft.bookId, copies: 1 })
    expect(refused.msg).toContain('不能少于已借出的2册')
  })

  it('takes a book back for whoever holds the code, once, and for nobody else', async () => {
    const { made, given } = await lend()
    const back = { id: made.data.id, returnedOn: '2026-09-16' }
    const path = `${loan.path}/return`
    expect((await (await world.colleague(admin, ['library_loan_view'])).post(path, back)).status).toBe(403)
    expect((await (await world.tenant()).post(path, back)).status).toBe(404)
    const librarian = await world.colleague(admin, ['library_loan_return'])
    expect((await librarian.post(path, { ...back, returnedOn: '2026-08-31' })).status).toBe(400)
    expect((await librarian.post<{ late: boolean }>(path, back)).data.late).toBe(true)
    expect((await librarian.post(path, back)).msg).toContain('该书已归还')
    const kept = await admin.get<Loan>(`${loan.path}/detail`, { id: made.data.id })
    expect([kept.data.state, kept.data.returnedOn]).toEqual(['2', '2026-09-16'])
    expect((await admin.post(`${loan.path}/submit`, given)).status).toBe(200)
  })

  it('counts what is lent and overdue', async () => {
    const other = await world.tenant()
    expect((await other.get('ext-library/figures')).data).toEqual({ lent: 0, late: 0 })
    const { draft } = await sample(other, loan)
    await other.post(`${loan.path}/submit`, { ...draft, lentOn: '2020-01-01', dueOn: '2020-01-02' })
    expect((await other.get('ext-library/figures')).data).toEqual({ lent: 1, late: 1 })
  })

  it('tells whoever lent a book the day after it was due', async () => {
    const yesterday = new Date(Date.parse(today()) - 86_400_000).toISOString().slice(0, 10)
    await lend({ lentOn: yesterday, dueOn: yesterday })
    const { signal } = new AbortController()
    expect(await overdue.run(world.services, { signal })).toEqual({ told: 1 })
    const inbox = await admin.get('blade-desk/inbox/list')
    expect(JSON.stringify(inbox.data)).toContain('有1册图书逾期未还')
  })
})
