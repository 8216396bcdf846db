import type { Words } from '@data-brain/contract'
import type { InputOf } from '@data-brain/contract/call'
import { passwords } from '@data-brain/contract/calls/import'
import { sql } from '../../../database/statement.ts'
import type { Tx } from '../../../database/transaction.ts'
import { onDetached } from '../../../entity/serve-call.ts'
import type { Cipher } from '../../../kernel/cipher.ts'
import { contentDisposition } from '../../../kernel/disposition.ts'
import { guard } from '../../../kernel/formula.ts'
import { Problem } from '../../../kernel/problem.ts'
import { type Call, type DetachedCall, RawResponse, type Route } from '../../../kernel/route.ts'
import { reviveBatches } from '../../jobs/index.ts'
import { placeOf } from '../batch/batch.ts'
import type { Form } from '../batch/form.ts'
import { batchFor } from '../batch/import-access.ts'
import { passwordsFor } from '../batch/view.ts'
import { csvOf, writeBook, xlsxType } from '../file/output-workbook.ts'
import { formCall } from '../routes.ts'

/** Hours for which one-time passwords wait to be fetched. */
export const passwordHours = 24

/** An account that an import has made, as it is told once. */
export interface NewAccount {
  readonly account: string
  readonly realName: string
  readonly staffNo: string
  readonly dept: string
  readonly password: string
}

const piece = 500
/** Passwords stand behind the rows of the file, of which those that were left out are kept. */
const behind = 3_000_000

/** Keeps what is to be told once, sealed, in the place of the batch's rows. */
export async function keepPasswords(
  tx: Tx,
  cipher: Cipher,
  tenantId: string,
  batchId: string,
  accounts: readonly NewAccount[],
): Promise<void> {
  for (let at = 0; at * piece < accounts.length; at += 1) {
    const no = behind + at
    const text = JSON.stringify(accounts.slice(at * piece, (at + 1) * piece))
    await tx.run(
      sql`insert into import_row (tenant_id, batch_id, row_no, cells) values (${tenantId}, ${batchId}, ${no}, ${cipher.seal(text, placeOf(tenantId, batchId, no))})`,
    )
  }
}

/** What was kept. */
async function readPasswords(tx: Tx, cipher: Cipher, tenantId: string, batchId: string): Promise<NewAccount[]> {
  const rows = await tx.run<{ row_no: number; cells: Buffer }>(
    sql`select row_no, cells from import_row where tenant_id = ${tenantId} and batch_id = ${batchId} and row_no >= ${behind} order by row_no`,
  )
  return rows.flatMap(
    ({ row_no: no, cells }) => JSON.parse(cipher.open(cells, placeOf(tenantId, batchId, no))) as NewAccount[],
  )
}

/** Forgets what was kept: afterwards nobody has it. */
async function dropPasswords(tx: Tx, tenantId: string, batchId: string): Promise<void> {
  await tx.run(
    sql`delete from import_row where tenant_id = ${tenantId} and batch_id = ${batchId} and row_no >= ${behind}`,
  )
  await tx.run(
    sql`update import_batch set settings = settings - 'passwords' where tenant_id = ${tenantId} and id = ${batchId}`,
  )
}

const columns: readonly (readonly [keyof NewAccount, Words, number])[] = [
  ['account', { zh: '账号', en: 'Account' }, 18],
  ['realName', { zh: '姓名', en: 'Name' }, 14],
  ['staffNo', { zh: '工号', en: 'Staff no.' }, 14],
  ['dept', { zh: '部门', en: 'Departments' }, 36],
  ['password', { zh: '初始密码', en: 'One-time password' }, 24],
]
const sheetName: Words = { zh: '初始密码', en: 'One-time passwords' }

/**
 * The one-time passwords of the users that a batch has added, as a file: for whoever imported them, once, and within a
 * day. Whoever comes too late resets the passwords.
 */
async function fetched(
  form: Form,
  { id, format }: InputOf<typeof passwords>,
  call: DetachedCall,
): Promise<RawResponse> {
  const { services, circumstance } = call
  const { language } = circumstance
  const mine = (opened: Pick<Call, 'tx' | 'actor'>) => batchFor(opened, form, id, true)
  const refuse = (): never => {
    throw new Problem('rule_broken', {
      reason: {
        zh: `初始密码只能由导入的人在${passwordHours}小时内领取一次；如未领到，请在用户列表重置密码`,
        en: `One-time passwords can be fetched once, within ${passwordHours} hours, by whoever imported the users: otherwise reset them in the list of users`,
      },
    })
  }
  const { actor, accounts } = await call.as(async (opened) => {
    const { tx, actor } = opened
    await reviveBatches(tx, actor.tenantId)
    if (passwordsFor(await mine(opened), actor) === 0) refuse()
    return { actor, accounts: await readPasswords(tx, services.cipher, actor.tenantId, id) }
  })
  const { tenantId } = actor
  const rows = [
    columns.map(([, label]) => label[language]),
    ...accounts.map((account) => columns.map(([name]) => guard(account[name]))),
  ]
  const csv = format === 'csv'
  const bytes = csv
    ? Buffer.from(csvOf(rows))
    : await writeBook(actor, () => ({
        sheets: [{ name: sheetName[language], columns: columns.map(([, , width]) => ({ width })), rows, head: 1 }],
      }))
  // Taken once the file is there: one that could not be written leaves them to be fetched, and of two at once one gets it.
  await call.as(async (opened) => {
    if (passwordsFor(await mine(opened), opened.actor) === 0) refuse()
    await dropPasswords(opened.tx, tenantId, id)
  })
  services.log.info('one-time passwords fetched', {
    tenantId,
    userId: actor.userId,
    requestId: circumstance.requestId,
    batchId: id,
    count: accounts.length,
  })
  return new RawResponse(bytes, 200, {
    'Content-Type': csv ? 'text/csv; charset=utf-8' : xlsxType,
    'Content-Disposition': contentDisposition('attachment', `${sheetName[language]}.${csv ? 'csv' : 'xlsx'}`),
    'Cache-Control': 'no-store',
  })
}

/** The call that hands the passwords of a batch over. */
export const passwordsRoute = (form: Form): Route =>
  onDetached(formCall(passwords, form), (given, call) => fetched(form, given, call))
