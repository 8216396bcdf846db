import { attach, codeOf, type Entity, notice, user, type Words } from '@data-brain/contract'
import { sql } from '../../database/statement.ts'
import { type ModelField, pointersAt } from '../../entity/model.ts'
import { type Context, Repository } from '../../entity/repository.ts'
import { addRules, isPutBack, type Saving, type StoredRow } from '../../entity/rules.ts'
import { holdsCode } from '../../kernel/actor.ts'
import { fieldProblem, Problem } from '../../kernel/problem.ts'
import { idOfLink, picturesOf } from './sign.ts'
import { holdFiles, noteLoose } from './storage/loose.ts'
import { bytesOf } from './storage/small.ts'
import { extensionOf } from './type.ts'
import { countUses, usesOf } from './uses.ts'

const pictureLimit = 500 * 1024
const pictures = ['jpg', 'png']
/** Fields that are pictures of somebody or something: the console shows them, so they must be such. */
const pictureFields = new Set(['photo', 'logo'])

const idsOf = (value: unknown): string[] => (Array.isArray(value) ? (value as string[]) : value ? [String(value)] : [])

async function mustBePicture(saving: Saving, field: ModelField): Promise<void> {
  const id = saving.values[field.name]
  if (!id) return
  const { tx, actor, circumstance } = saving.context
  const file = await tx.one<{ extension: string | null; attach_size: number | null }>(
    sql`select extension, attach_size from attach where tenant_id = ${actor.tenantId} and id = ${String(id)}`,
  )
  // A file that is not there is refused by the reference itself.
  if (!file || (pictures.includes(file.extension ?? '') && (file.attach_size ?? 0) <= pictureLimit)) return
  const reason: Words = { zh: '只能是jpg或png，且不超过500kB', en: 'must be a jpg or png of at most 500 kB' }
  throw fieldProblem([{ field: field.name, label: field.label, reason }], circumstance.language)
}

/**
 * Notes that files are put to use, so that no sweep takes them; answers how many of them there are. The rows stay locked
 * until the use is committed: a removal waits, and then finds it.
 */
export async function putToUse({ tx, actor }: Pick<Context, 'tx' | 'actor'>, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0
  return tx.count(
    sql`update attach set used_at = coalesce(used_at, now()) where tenant_id = ${actor.tenantId} and id in (
          select id from attach where tenant_id = ${actor.tenantId} and id = any(${[...ids]}::bigint[]) order by id for update)`,
  )
}

const notTheirs: Words = { zh: '含有不是您上传的文件', en: 'contains a file that you may not share' }

/**
 * Whoever points at a file shows it to all who see the row, themself among them: so it must be an own upload, or one that
 * they may view as an attachment. What the row had already shows on, and what comes back out of the history.
 */
export async function mustBeTheirs<E extends Entity>(
  { context, before }: Saving<E>,
  field: { readonly name: string; readonly label: Words },
  ids: readonly string[],
  had: (before: StoredRow<E>) => readonly string[],
): Promise<void> {
  const { tx, actor, circumstance } = context
  if (isPutBack(context)) return
  const stood = new Set(before ? had(before) : [])
  const given = ids.filter((id) => !stood.has(id))
  if (given.length === 0) return
  // A file that is not there is refused by the reference itself.
  const foreign = await tx.run<{ id: string }>(
    sql`select id from attach where tenant_id = ${actor.tenantId} and id = any(${given}::bigint[]) and create_user is distinct from ${actor.userId}::bigint`,
  )
  if (foreign.length === 0) return
  const view = codeOf(attach, 'view')
  const others = foreign.map(({ id }) => id)
  const seen = holdsCode(actor, view) ? await new Repository(attach, context).rows(others, [], { codes: [view] }) : []
  if (seen.length < others.length)
    throw fieldProblem([{ field: field.name, label: field.label, reason: notTheirs }], circumstance.language)
}

/** Files are put to use wherever a definition points at one. */
function addPointing(): void {
  for (const { model, field } of pointersAt(attach.name))
    addRules(model.entity, {
      beforeSave: async (saving) => {
        // Before anything is told of the file itself.
        await mustBeTheirs(saving, field, idsOf(saving.values[field.name]), (row) => idsOf(row[field.name]))
        if (pictureFields.has(field.name)) await mustBePicture(saving, field)
      },
      afterSave: async ({ values, context }) => {
        if (field.name in values) await putToUse(context, idsOf(values[field.name]))
      },
    })
}

const filesOf = (link: unknown): string[] => {
  const id = typeof link === 'string' ? idOfLink(link) : undefined
  return id ? [id] : []
}

/** An avatar is kept as an address, which no key of the database judges. */
async function useAvatar({ values, context }: Saving<typeof user>): Promise<void> {
  const id = typeof values.avatar === 'string' ? idOfLink(values.avatar) : undefined
  if (id && (await putToUse(context, [id])) === 0)
    throw fieldProblem(
      [
        {
          field: 'avatar',
          label: user.fields.avatar.label,
          reason: { zh: '所选数据不存在', en: 'the chosen file does not exist' },
        },
      ],
      context.circumstance.language,
    )
}

/** The pictures that the text of a notice shows. */
async function useImages({ id, values, context }: Saving<typeof notice>): Promise<void> {
  if (!('content' in values)) return
  const { tx, actor } = context
  const shown = picturesOf(values.content ?? '')
  if ((await putToUse(context, shown)) < shown.length)
    throw fieldProblem(
      [
        {
          field: 'content',
          label: notice.fields.content.label,
          reason: {
            zh: '其中的图片已不存在，请重新插入',
            en: 'shows a picture that is no longer there: insert it again',
          },
        },
      ],
      context.circumstance.language,
    )
  await tx.run(
    sql`delete from notice_image where tenant_id = ${actor.tenantId} and notice_id = ${id} and attach_id <> all(${shown}::bigint[])`,
  )
  await tx.run(
    sql`insert into notice_image (tenant_id, notice_id, attach_id)
        select ${actor.tenantId}, ${id}::bigint, u.id from unnest(${shown}::bigint[]) as u(id) on conflict do nothing`,
  )
}

async function mayChange({ before, values, context }: Saving<typeof attach>): Promise<void> {
  const refuse = (zh: string, en: string): never => {
    throw fieldProblem(
      [{ field: 'originalName', label: attach.fields.originalName.label, reason: { zh, en } }],
      context.circumstance.language,
    )
  }
  if (!before)
    throw new Problem('rule_broken', { reason: { zh: '附件须通过上传添加', en: 'An attachment is made by an upload' } })
  const name = values.originalName
  if (typeof name === 'string' && extensionOf(name) !== before.extension)
    refuse(`文件名须以.${before.extension}结尾`, `must end with .${before.extension}`)
}

async function mustBeUnused(context: Context, id: string): Promise<void> {
  const blockers = await usesOf(context, id)
  if (blockers.length === 0) return
  const told = blockers.map(({ label, count }) => `${label} ${count}`)
  throw new Problem(
    'blocked',
    { reason: { zh: `正在被使用（${told.join('、')}）`, en: `it is in use (${told.join(', ')})` } },
    { id, blockers },
  )
}

interface Kept {
  readonly oss_id: string | null
  readonly name: string | null
  readonly extension: string | null
}

/** Bytes go with the last row that leads to them. */
async function looseBytes(context: Context, before: Kept): Promise<void> {
  const { tx, actor } = context
  const { name, extension } = before
  if (name === null) return
  await holdFiles(tx, actor.tenantId)
  if (await tx.one(sql`select 1 from attach where tenant_id = ${actor.tenantId} and name = ${name} limit 1`)) return
  for (const each of bytesOf(name, extension)) await noteLoose(tx, actor.tenantId, { ossId: before.oss_id, name: each })
}

export function addAttachRules(): void {
  countUses()
  addPointing()
  addRules(user, {
    beforeSave: (saving) =>
      mustBeTheirs(saving, { name: 'avatar', label: user.fields.avatar.label }, filesOf(saving.values.avatar), (row) =>
        filesOf(row.avatar),
      ),
    afterSave: useAvatar,
  })
  addRules(notice, { afterSave: useImages })
  const leaving = new WeakMap<object, Kept>()
  addRules(attach, {
    beforeSave: mayChange,
    beforeRemove: async ({ id, before, context }) => {
      await mustBeUnused(context, id)
      const { tx, actor } = context
      const row = await tx.one<Kept>(
        sql`select oss_id, name, extension from attach where tenant_id = ${actor.tenantId} and id = ${id}`,
      )
      if (row) leaving.set(before, row)
    },
    afterRemove: async ({ before, context }) => {
      const row = leaving.get(before)
      if (row) await looseBytes(context, row)
    },
  })
}
