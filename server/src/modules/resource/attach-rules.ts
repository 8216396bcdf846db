import { attach, type Words } from '@data-brain/contract'
import { sql } from '../../database/statement.ts'
import { type ModelField, pointersAt } from '../../entity/model.ts'
import type { Context } from '../../entity/repository.ts'
import { addRules, type Saving } from '../../entity/rules.ts'
import { fieldProblem, Problem } from '../../kernel/problem.ts'
import { linkOf } from './sign.ts'
import { extensionOf } from './type.ts'

const pictureLimit = 500 * 1024
const pictures = ['jpg', 'png']
/** Fields that are pictures of somebody or something: the console shows them, so they must be such. */
const pictureFields = new Set(['photo', 'logo'])

const idsOf = (value: unknown): string[] => (Array.isArray(value) ? (value as string[]) : value ? [String(value)] : [])

async function count(context: Context, ids: readonly string[], by: 1 | -1): Promise<void> {
  if (ids.length === 0) return
  await context.tx.run(
    sql`update attach set ref_count = greatest(coalesce(ref_count, 0) + ${by}, 0) where tenant_id = ${context.actor.tenantId} and id = any(${[...ids]}::bigint[])`,
  )
}

async function mustBePicture(saving: Saving, field: ModelField): Promise<void> {
  const id = saving.values[field.name]
  if (!id) return
  const { tx, actor, circumstance } = saving.context
  const file = await tx.one<{ extension: string | null; attach_size: number | null }>(
    sql`select extension, attach_size from attach where tenant_id = ${actor.tenantId} and id = ${String(id)}`,
  )
  // A file that is not there is refused by the reference itself.
  if (!file || (pictures.includes(file.extension ?? '') && (file.attach_size ?? 0) <= pictureLimit)) return
  const reason: Words = { zh: '只能是jpg或png,且不超过500kB', en: 'must be a jpg or png of at most 500 kB' }
  throw fieldProblem([{ field: field.name, label: field.label, reason }], circumstance.language)
}

/** Counts who uses a file, wherever a definition points at one. */
function addCounting(): void {
  for (const { model, field } of pointersAt(attach.name))
    addRules(model.entity, {
      beforeSave: async (saving) => {
        if (pictureFields.has(field.name)) await mustBePicture(saving, field)
      },
      afterSave: async ({ before, values, context }) => {
        if (!(field.name in values)) return
        const was = new Set(idsOf(before?.[field.name]))
        const is = new Set(idsOf(values[field.name]))
        await count(
          context,
          [...is].filter((id) => !was.has(id)),
          1,
        )
        await count(
          context,
          [...was].filter((id) => !is.has(id)),
          -1,
        )
      },
      beforeRemove: ({ before, context }) => count(context, idsOf(before[field.name]), -1),
    })
}

async function mayChange({ before, values, context }: Saving): Promise<void> {
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

export function addAttachRules(): void {
  addCounting()
  addRules(attach, {
    beforeSave: mayChange,
    // An avatar is kept as an address, which no key of the database judges.
    beforeRemove: async ({ id, context }) => {
      const users = await context.tx.run<{ name: string }>(
        sql`select real_name as name from app_user where tenant_id = ${context.actor.tenantId} and avatar = ${linkOf(id)} limit 5`,
      )
      if (users.length > 0)
        throw new Problem(
          'blocked',
          { reason: { zh: `是${users[0]?.name}的头像`, en: `it is the avatar of ${users[0]?.name}` } },
          {
            id,
            blockers: [
              {
                entity: 'user',
                label: { zh: '用户', en: 'User' }[context.circumstance.language],
                count: users.length,
                sample: users.map((each) => each.name),
              },
            ],
          },
        )
    },
  })
}
