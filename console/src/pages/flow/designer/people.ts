import { entityOf } from '@data-brain/contract'
import type { Card, CardModel } from '@data-brain/contract/flow/cards'
import type { AssigneeRule } from '@data-brain/contract/flow/plan'
import { useMemo } from 'react'
import { useChoices } from '../../../entity/data/index.ts'
import { type Translate, useT } from '../../../ui/words.ts'
import { allCards } from './edit.ts'

/** Rules that name rows, by the entity of the rows. */
export const namedKinds = ['user', 'role', 'post', 'dept'] as const
export type NamedKind = (typeof namedKinds)[number]
export const isNamed = (rule: AssigneeRule): rule is Extract<AssigneeRule, { readonly ids: readonly string[] }> =>
  'ids' in rule

/** The kinds in the order in which they are offered; those by which files of other engines name people come last. */
export const ruleKinds = [
  'deptLeader',
  'classTeacher',
  'gradeHead',
  'principal',
  'role',
  'post',
  'dept',
  'user',
  'chosen',
  'field',
  'doer',
  'applicant',
  'account',
  'roleAlias',
  'postCode',
] as const satisfies readonly AssigneeRule['kind'][]

/** A rule of a kind, to be filled in. */
export function newRule(kind: AssigneeRule['kind'], fields: readonly string[], steps: readonly string[]): AssigneeRule {
  switch (kind) {
    case 'user':
    case 'role':
    case 'post':
    case 'dept':
      return { kind, ids: [] }
    case 'account':
    case 'roleAlias':
    case 'postCode':
      return { kind, names: [] }
    case 'deptLeader':
      return { kind, up: 0 }
    case 'field':
      return { kind, field: fields[0] ?? '' }
    case 'doer':
      return { kind, node: steps[0] ?? '' }
    default:
      return { kind }
  }
}

const rulesOf = (card: Card): readonly AssigneeRule[] =>
  card.kind === 'approval' ? card.task.assignees : card.kind === 'copy' ? card.to : []

/** Names of users, roles, posts and departments, by kind and id. */
export type Names = Readonly<Record<string, string>>

function useNamesOfKind(kind: NamedKind, ids: readonly string[]): readonly (readonly [string, string])[] {
  const { data } = useChoices(kind, entityOf(kind).path, { ids }, ids.length > 0)
  return useMemo(() => (data ?? []).map(({ id, name }) => [`${kind} ${id}`, name] as const), [kind, data])
}

/** The names of everybody and everything that the cards ask. */
export function useNames(model: CardModel): Names {
  const ids = useMemo(() => {
    const rules = allCards(model.cards).flatMap(rulesOf).filter(isNamed)
    const of = (kind: NamedKind) => [...new Set(rules.flatMap((rule) => (rule.kind === kind ? rule.ids : [])))].sort()
    return { user: of('user'), role: of('role'), post: of('post'), dept: of('dept') }
  }, [model])
  const users = useNamesOfKind('user', ids.user)
  const roles = useNamesOfKind('role', ids.role)
  const posts = useNamesOfKind('post', ids.post)
  const depts = useNamesOfKind('dept', ids.dept)
  return useMemo(() => Object.fromEntries([...users, ...roles, ...posts, ...depts]), [users, roles, posts, depts])
}

/** What a rule says, in words. */
export function ruleText(rule: AssigneeRule, t: Translate, model: CardModel, names: Names): string {
  const kind = t(`design.rule.${rule.kind}`)
  const join = (texts: readonly string[]) =>
    texts.length === 0 ? t('design.nobodyYet') : texts.join(t('entity.separator'))
  if ('ids' in rule)
    return t('design.said', { what: kind, who: join(rule.ids.map((id) => names[`${rule.kind} ${id}`] ?? '…')) })
  if ('names' in rule) return t('design.said', { what: kind, who: join(rule.names) })
  if (rule.kind === 'deptLeader') return rule.up === 0 ? kind : t('design.leaderUp', { count: rule.up })
  if (rule.kind === 'field')
    return t('design.said', {
      what: kind,
      who: model.form.find(({ name }) => name === rule.field)?.label ?? (rule.field || t('design.nobodyYet')),
    })
  if (rule.kind === 'doer')
    return t('design.said', {
      what: kind,
      who: allCards(model.cards).find(({ id }) => id === rule.node)?.name ?? t('design.nobodyYet'),
    })
  return kind
}

/** Whom a card asks or tells, in words. */
export function usePeopleText(model: CardModel, names: Names): (rules: readonly AssigneeRule[]) => string {
  const t = useT()
  return (rules) =>
    rules.length === 0
      ? t('design.nobodyYet')
      : rules.map((rule) => ruleText(rule, t, model, names)).join(t('design.or'))
}
