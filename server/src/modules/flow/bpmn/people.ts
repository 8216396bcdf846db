import type { AssigneeRule } from '@data-brain/contract/flow/plan'
import { foreignAttributes, own } from './extension.ts'
import type { Faults } from './faults.ts'
import { type Element, isA, many, one, text } from './moddle.ts'

/** Names by which other engines' files mean whoever applied. */
const applicants: ReadonlySet<string> = new Set([
  ...['initiator', 'INITIATOR', 'startUser', 'startUserId', 'starter', 'starterId', 'startUserName'],
  ...['applyUser', 'applyUserId', 'applyUserName', 'applicant', 'applicantId', 'applier', 'creator', 'createUser'],
])

const words = (list: string | undefined): readonly string[] =>
  list === undefined ? [] : list.split(/[,，\s]+/).filter((each) => each !== '')

/** The parts of a list, where those of an expression belong together. */
const parts = (list: string): readonly string[] =>
  [...list.matchAll(/(?:[$#]\{[^}]*\}|[^,，])+/g)].map(([part]) => part.trim()).filter((each) => each !== '')

/** A rule of the product's own, or undefined where it says nothing. */
function ownRule(element: Element): AssigneeRule | undefined {
  const kind = text(element, 'kind')
  switch (kind) {
    case 'user':
    case 'role':
    case 'post':
    case 'dept': {
      const ids = words(text(element, 'ids'))
      return ids.length > 0 ? { kind, ids } : undefined
    }
    case 'account':
    case 'roleAlias':
    case 'postCode': {
      const names = words(text(element, 'names'))
      return names.length > 0 ? { kind, names } : undefined
    }
    case 'deptLeader': {
      const up = Number(element.get('up') ?? 0)
      return Number.isInteger(up) && up >= 0 && up <= 9 ? { kind, up } : undefined
    }
    case 'classTeacher':
    case 'gradeHead':
    case 'principal':
    case 'applicant':
    case 'chosen':
      return { kind }
    case 'field': {
      const field = text(element, 'field')
      return field === undefined ? undefined : { kind, field }
    }
    case 'doer': {
      const node = text(element, 'node')
      return node === undefined ? undefined : { kind, node }
    }
    default:
      return undefined
  }
}

/** The rules that a list of the product's own holds; `of` is the element that it belongs to. */
export function ownRules(of: Element, rules: readonly Element[], faults: Faults): AssigneeRule[] {
  return rules.flatMap((each) => {
    const rule = ownRule(each)
    if (!rule) {
      const kind = text(each, 'kind') ?? ''
      faults.strange(
        of,
        `的人员规则“${kind}”不完整或无法识别`,
        `has a rule for people, “${kind}”, that is not complete or not known`,
      )
    }
    return rule ? [rule] : []
  })
}

/** What a name of another engine's file means. */
function foreignRule(
  of: Element,
  said: string,
  plain: 'account' | 'roleAlias',
  initiator: string | undefined,
  faults: Faults,
): AssigneeRule | undefined {
  if (said === '$INITIATOR') return { kind: 'applicant' }
  const variable = /^[$#]\{\s*([\p{L}_][\p{L}\p{N}_]*)\s*\}$/u.exec(said)?.[1]
  if (variable !== undefined) {
    if (applicants.has(variable) || variable === initiator) return { kind: 'applicant' }
    if (plain === 'account') return { kind: 'field', field: variable }
  }
  if (/[$#{}()]/.test(said)) {
    faults.strange(
      of,
      `的审批人“${said.slice(0, 80)}”无法识别：只支持账号、角色别名或单个变量`,
      `names who decides by “${said.slice(0, 80)}”: accounts, role aliases and single variables are understood`,
    )
    return undefined
  }
  return plain === 'account' ? { kind: 'account', names: [said] } : { kind: 'roleAlias', names: [said] }
}

/** Accounts beside one another are one rule. */
function joined(rules: readonly AssigneeRule[]): AssigneeRule[] {
  const result: AssigneeRule[] = []
  for (const rule of rules) {
    const same = result.findIndex((each) => each.kind === rule.kind && 'names' in each)
    const known = result[same]
    if (known && 'names' in known && 'names' in rule)
      result[same] = { kind: known.kind, names: [...known.names, ...rule.names] }
    else if (!result.some((each) => JSON.stringify(each) === JSON.stringify(rule))) result.push(rule)
  }
  return result
}

/** Who is named by roles as BPMN itself has them: `user(a), group(b)`. */
function standardParts(task: Element): { said: string; plain: 'account' | 'roleAlias' }[] {
  return many(task, 'resources').flatMap((each) => {
    const assignment = one(each, 'resourceAssignmentExpression')
    const body = assignment && one(assignment, 'expression')
    const owner = isA(each, 'bpmn:PotentialOwner')
    return parts((body && text(body, 'body')) ?? '').map((said) => {
      const [, kind, name] = /^(user|group)\(([^()]*)\)$/.exec(said) ?? []
      const plain = (kind === undefined ? owner : kind === 'group') ? 'roleAlias' : 'account'
      return { said: (name ?? said).trim(), plain }
    })
  })
}

/** Who decides a user task. `initiator` is the variable under which the file keeps whoever started it. */
export function assigneesOf(task: Element, initiator: string | undefined, faults: Faults): AssigneeRule[] {
  const list = own(task, 'db:Assignees')
  if (list) return ownRules(task, many(list, 'rules'), faults)
  const attributes = foreignAttributes(task)
  const loop = one(task, 'loopCharacteristics')
  const over = loop && foreignAttributes(loop)
  const each = over?.get('elementVariable')
  const named: { said: string; plain: 'account' | 'roleAlias' }[] = standardParts(task)
  // Where a task is opened for each of a list, the list names the people.
  const collection = over?.get('collection') ?? (loop && text(loop, 'loopDataInputRef'))
  if (collection !== undefined)
    named.push({
      said: /^[\p{L}_][\p{L}\p{N}_]*$/u.test(collection) ? `\${${collection}}` : collection,
      plain: 'account',
    })
  for (const [name, plain] of [
    ['assignee', 'account'],
    ['candidateUsers', 'account'],
    ['candidateGroups', 'roleAlias'],
  ] as const)
    for (const said of parts(attributes.get(name) ?? ''))
      if (each === undefined || !new RegExp(`^[$#]\\{\\s*${each.replace(/\W/g, '\\$&')}\\s*\\}$`).test(said))
        named.push({ said, plain })
  return joined(
    named.flatMap(({ said, plain }) => {
      const rule = foreignRule(task, said, plain, initiator, faults)
      return rule ? [rule] : []
    }),
  )
}
