import { addRules, changesField, refuseField, type Saving, sql } from '@data-brain/server/extension'
import { book } from '../contract/book.ts'
import { loan } from '../contract/loan.ts'
import { isIsbn } from './isbn.ts'

/** An ISBN is kept without its hyphens, and only with the check digit that belongs to it. */
async function checkIsbn(saving: Saving<typeof book>): Promise<void> {
  const { isbn } = saving.values
  if (!isbn) return
  const digits = isbn.replace(/[-\s]/g, '')
  if (!isIsbn(digits)) refuseField(saving, book, 'isbn', '校验码不符，请核对', 'does not fit its check digit')
  saving.values.isbn = digits
}

/** How many copies of a book are lent. Whoever asks next waits until this transaction has ended: none is lent twice. */
async function lent({ context: { tx, actor } }: Pick<Saving, 'context'>, bookId: string): Promise<number> {
  await tx.run(sql`select 1 from library_book where tenant_id = ${actor.tenantId} and id = ${bookId} for no key update`)
  const row = await tx.one<{ n: number }>(
    sql`select count(*)::int as n from library_loan where tenant_id = ${actor.tenantId} and book_id = ${bookId} and state = '1'`,
  )
  return row?.n ?? 0
}

/** As many copies stay as are lent. */
async function keepLentCopies(saving: Saving<typeof book>): Promise<void> {
  if (!saving.before || !changesField(saving, 'copies')) return
  const out = await lent(saving, saving.id)
  if (saving.whole.copies < out)
    refuseField(saving, book, 'copies', `不能少于已借出的${out}册`, `cannot be less than the ${out} that are lent`)
}

/** No more copies are lent than there are. */
async function lendWhatIsThere(saving: Saving<typeof loan>): Promise<void> {
  if (saving.before || !saving.whole.bookId) return
  const { tx, actor } = saving.context
  const out = await lent(saving, saving.whole.bookId)
  const row = await tx.one<{ copies: number }>(
    sql`select copies from library_book where tenant_id = ${actor.tenantId} and id = ${saving.whole.bookId}`,
  )
  if (row && out >= row.copies) refuseField(saving, loan, 'bookId', '已全部借出', 'has no copy left to lend')
}

export function addLibraryRules(): void {
  addRules(book, {
    beforeSave: async (saving) => {
      await checkIsbn(saving)
      await keepLentCopies(saving)
    },
  })
  addRules(loan, { beforeSave: lendWhatIsThere })
}
