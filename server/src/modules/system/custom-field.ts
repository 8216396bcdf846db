import { randomInt } from 'node:crypto'
import { customfield, entityOf } from '@data-brain/contract'
import { isCustomOwner } from '@data-brain/contract/custom'
import { customFieldsMost } from '@data-brain/contract/entities/system/customfield'
import type { FieldOptionDraft } from '@data-brain/contract/rules/field-options'
import { sql } from '../../database/statement.ts'
import { modelOf } from '../../entity/model.ts'
import type { Context } from '../../entity/repository.ts'
import { addRules, changesField, isPutBack, type Removing, refuseField, type Saving } from '../../entity/rules.ts'
import { nameRef } from '../../entity/select.ts'
import { raiseGrants } from '../../kernel/authenticate.ts'
import { Problem } from '../../kernel/problem.ts'

/*
 * The definitions of a tenant's own fields. Who works in the tenant carries them (kernel/load-actor.ts), so a change of
 * them raises the grants: every process loads its people anew, and open pages ask anew who they are.
 */

type Field = typeof customfield

const optionsIn = (value: unknown): readonly FieldOptionDraft[] => (value ?? []) as readonly FieldOptionDraft[]

const tableOf = (owner: string) => nameRef(modelOf(entityOf(owner)).table)

/** Rows that hold a value of the field. The definition is locked, so nobody gives it a value meanwhile. */
async function holders({ tx, actor }: Context, owner: string, id: string): Promise<number> {
  const found = await tx.one<{ count: number }>(
    sql`select count(*)::int as count from ${tableOf(owner)} t where t.tenant_id = ${actor.tenantId} and jsonb_exists(t.custom, ${id})`,
  )
  return found?.count ?? 0
}

/** Which of these options some row holds. */
async function usedOptions(
  { tx, actor }: Context,
  owner: string,
  id: string,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.run<{ key: string }>(
    sql`select distinct t.custom->>${id}::text as key from ${tableOf(owner)} t
        where t.tenant_id = ${actor.tenantId} and t.custom->>${id}::text = any(${[...keys]}::text[])`,
  )
  return new Set(rows.map(({ key }) => key))
}

/** Another field of the entity is called so: in a form or a spreadsheet nobody could tell them apart. */
async function judgeName(saving: Saving<Field>): Promise<void> {
  if (!changesField(saving, 'label', 'labelEn', 'owner')) return
  const { owner, label, labelEn } = saving.whole
  const said = [label, labelEn].flatMap((name) => (name ? [name.toLowerCase()] : []))
  const taken = Object.values(entityOf(owner).fields).some(
    ({ label: known, inner }) => !inner && [known.zh, known.en].some((name) => said.includes(name.toLowerCase())),
  )
  if (taken)
    refuseField(saving, customfield, 'label', '与系统已有的字段重名', 'is the name of a field that is there already')
}

/** Counted one after the other, so that two at once do not both add the last one. */
async function judgeCount(saving: Saving<Field>): Promise<void> {
  if (saving.before) return
  const { tx, actor } = saving.context
  const { owner } = saving.whole
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`customfield|${actor.tenantId}|${owner}`}, 0))`)
  const found = await tx.one<{ count: number }>(
    sql`select count(*)::int as count from customfield where tenant_id = ${actor.tenantId} and owner = ${owner}`,
  )
  if ((found?.count ?? 0) >= customFieldsMost)
    throw new Problem('rule_broken', {
      reason: {
        zh: `每类对象最多${customFieldsMost}个自定义字段`,
        en: `At most ${customFieldsMost} custom fields of one kind of record`,
      },
    })
}

/** What a field of another kind says means nothing, and is refused rather than kept unseen. */
function judgeLimits(saving: Saving<Field>): void {
  const { kind, options, maxLength, digits, minimum, maximum } = saving.whole
  const strange = (field: keyof Field['fields'] & string, value: unknown, of: string): void => {
    if (kind !== of && value !== null && value !== undefined)
      refuseField(saving, customfield, field, '不适用于这种类型的字段', 'does not fit a field of this kind')
  }
  strange('options', options, 'choice')
  strange('maxLength', maxLength, 'text')
  strange('digits', digits, 'number')
  strange('minimum', minimum, 'number')
  strange('maximum', maximum, 'number')
  if (minimum !== null && maximum !== null && (minimum ?? 0) > (maximum ?? minimum ?? 0))
    refuseField(saving, customfield, 'maximum', '不能小于最小值', 'must not be less than the smallest')
}

const keySigns = 'abcdefghijklmnopqrstuvwxyz0123456789'
const newKey = (): string => Array.from({ length: 8 }, () => keySigns[randomInt(keySigns.length)]).join('')

/** Gives new options their keys, and refuses to take one away that some row holds. */
async function judgeOptions(saving: Saving<Field>): Promise<void> {
  const { before, values, whole, context, id } = saving
  if (whole.kind === 'choice' && optionsIn(whole.options).every(({ retired }) => retired))
    refuseField(saving, customfield, 'options', '至少要有一个可选的选项', 'needs an option that can be chosen')
  if (!('options' in values)) return
  const stood = optionsIn(before?.options)
  const known = new Set(stood.map(({ key }) => key))
  const given = optionsIn(values.options)
  // What is put back has the keys that it had; nobody else makes keys of their own.
  if (before && !isPutBack(context))
    for (const [at, { key }] of given.entries())
      if (key !== '' && !known.has(key))
        refuseField(saving, customfield, 'options', `不认识第${at + 1}个选项`, `does not know option ${at + 1}`)
  if (values.options)
    values.options = given.map((option) => (option.key === '' ? { ...option, key: newKey() } : option))
  const left = new Set(given.map(({ key }) => key))
  const gone = stood.filter(({ key }) => !left.has(key))
  if (gone.length === 0) return
  const used = await usedOptions(
    context,
    whole.owner,
    id,
    gone.map(({ key }) => key),
  )
  const [first] = gone.filter(({ key }) => used.has(key))
  if (first)
    refuseField(
      saving,
      customfield,
      'options',
      `“${first.label}”已被使用，不能删除，可以停用`,
      `"${first.labelEn || first.label}" is in use: it cannot be removed, but it can be retired`,
    )
}

/** What rows hold would be lost with their field. */
async function judgeRemoval({ context, id, before }: Removing<Field>): Promise<void> {
  const { label, labelEn, owner } = before
  const count = await holders(context, owner, id)
  if (count === 0) return
  const { label: of, measure = '条' } = entityOf(owner)
  throw new Problem('rule_broken', {
    reason: {
      zh: `“${label}”已有${count}${measure}${of.zh}填写，不能删除，可以停用`,
      en: `${count} rows of ${of.en.toLowerCase()} have "${labelEn || label}" filled in: it cannot be removed, but it can be disabled`,
    },
  })
}

export function addCustomFieldRules(): void {
  const renew = ({ context: { tx, actor } }: { readonly context: Context }): Promise<void> =>
    raiseGrants(tx, actor.tenantId)
  addRules(customfield, {
    beforeSave: async (saving) => {
      if (!isCustomOwner(saving.whole.owner)) return
      await judgeCount(saving)
      await judgeName(saving)
      judgeLimits(saving)
      await judgeOptions(saving)
    },
    afterSave: renew,
    beforeRemove: judgeRemoval,
    afterRemove: renew,
  })
}
