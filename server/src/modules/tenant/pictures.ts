import { type Row, tenant } from '@data-brain/contract'
import { sql } from '../../database/statement.ts'
import { inTenant } from '../../database/transaction.ts'
import { platformTenant } from '../../entity/model.ts'
import { addRules, type Saving } from '../../entity/rules.ts'
import { fieldProblem } from '../../kernel/problem.ts'
import type { Services } from '../../kernel/services.ts'
import { freshLink, idOfLink, linkOf } from '../resource/index.ts'

/*
 * The pictures of a tenant's log-in page are files of the platform's own tenant: the page shows none of another host. An
 * address of another host that an earlier version has stored stays, and the page shows its default instead.
 */

const most = { logo: 500 * 1024, backgroundUrl: 2 * 1024 * 1024 } as const
type Picture = keyof typeof most
const names = Object.keys(most) as Picture[]

async function judge(saving: Saving<typeof tenant>, name: Picture): Promise<void> {
  const { values, before, context } = saving
  const given = values[name]
  if (!given || given === before?.[name]) return
  const refuse = (zh: string, en: string) =>
    fieldProblem([{ field: name, label: tenant.fields[name].label, reason: { zh, en } }], context.circumstance.language)
  const id = idOfLink(given)
  if (!id)
    throw refuse(
      '请上传图片：登录页不显示其他网站的图片',
      'must be uploaded: the log-in page shows no picture of another site',
    )
  const file = await context.tx.one<{ extension: string; attach_size: number }>(
    sql`select extension, attach_size from attach where tenant_id = ${platformTenant} and id = ${id}`,
  )
  if (!file) throw refuse('所选数据不存在', 'the chosen file does not exist')
  if (!['jpg', 'png'].includes(file.extension) || file.attach_size > most[name])
    throw refuse(
      `只能是jpg或png，且不超过${most[name] / 1024}kB`,
      `must be a jpg or png of at most ${most[name] / 1024} kB`,
    )
  values[name] = linkOf(id)
}

/** Keeps a tenant's pictures to uploaded ones. */
export function addPictureRules(): void {
  addRules(tenant, {
    beforeSave: async (saving) => {
      for (const name of names) await judge(saving, name)
    },
  })
}

/** Notes that the pictures of a tenant are in use, so that no sweep takes them: files belong to the app's own role. */
export async function usePictures(
  { pool }: Pick<Services, 'pool'>,
  row: Pick<Row<typeof tenant>, Picture>,
): Promise<void> {
  const ids = names.flatMap((name) => idOfLink(row[name] ?? '') ?? [])
  if (ids.length === 0) return
  await inTenant(pool, platformTenant, (tx) =>
    tx.run(
      sql`update attach set used_at = coalesce(used_at, now()) where tenant_id = ${platformTenant} and id = any(${ids}::bigint[])`,
    ),
  )
}

/** A picture's address with leave to be shown to anybody; null of another host's. */
export const shownPicture = (services: Pick<Services, 'secrets'>, stored: string | null): string | null =>
  stored && idOfLink(stored) ? freshLink(services, { tenantId: platformTenant, sessionId: null }, stored) : null
