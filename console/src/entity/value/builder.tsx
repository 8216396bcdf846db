import { type Entity, type Nature, natureOf } from '@data-brain/contract'
import {
  type Condition,
  type ConditionMember,
  type ConditionOperator,
  deepestGroup,
  type Group,
  groupOf,
  isGroup,
  membersOf,
  modeOf,
  opText,
} from '@data-brain/contract/rules/condition'
import { Select } from 'antd'
import { useId } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { useT, useWords } from '../../ui/words.ts'
import type { Dictionaries } from '../data/client.ts'
import type { RuleField } from './rule.ts'
import { ValueInput } from './value-input.tsx'

interface BuilderProps {
  readonly entity: Entity
  readonly fields: readonly RuleField[]
  readonly dictionaries: Dictionaries
  /** Whether conditions may speak of whoever asks: "my classes". */
  readonly own: boolean
  readonly group: Group
  readonly onChange: (group: Group) => void
  /** 1 for the outermost group. */
  readonly depth?: number
  /** Of a group inside another one. */
  readonly onRemove?: () => void
}

const begin = (field: RuleField): Condition => ({
  field: field.name,
  op: field.ops.includes('equal') ? 'equal' : field.ops[0]!,
  ...(field.kind === 'flag' ? { value: 1 } : {}),
})

/** A group of conditions: of all of them, or of any; with groups inside it. */
export function Builder({ entity, fields, dictionaries, own, group, onChange, depth = 1, onRemove }: BuilderProps) {
  const t = useT()
  const id = useId()
  const mode = modeOf(group)
  const members = membersOf(group)
  const put = (next: readonly ConditionMember[]) => onChange(groupOf(mode, next))
  const replace = (at: number, member: ConditionMember) => put(members.map((other, i) => (i === at ? member : other)))
  const drop = (at: number) => put(members.filter((_, i) => i !== at))
  const first = fields[0]
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset lays its legend out in ways that a row of controls cannot follow
    <div className="rule-group" role="group" aria-label={t(depth === 1 ? 'rule.title' : 'rule.group', { depth })}>
      <div className="rule-head">
        {(['all', 'any'] as const).map((each) => (
          <label key={each} className="check">
            <input type="radio" name={id} checked={mode === each} onChange={() => onChange(groupOf(each, members))} />
            {t(`rule.${each}`)}
          </label>
        ))}
        {onRemove && (
          <button type="button" className="tool" aria-label={t('rule.removeGroup')} onClick={onRemove}>
            <Icon name="trash-2" size={16} />
          </button>
        )}
      </div>
      {members.map((member, at) =>
        isGroup(member) ? (
          <Builder
            // biome-ignore lint/suspicious/noArrayIndexKey: members have no names, and hold no state of their own
            key={at}
            entity={entity}
            fields={fields}
            dictionaries={dictionaries}
            own={own}
            group={member}
            depth={depth + 1}
            onChange={(next) => replace(at, next)}
            onRemove={() => drop(at)}
          />
        ) : (
          <ConditionRow
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            key={at}
            number={at + 1}
            entity={entity}
            fields={fields}
            dictionaries={dictionaries}
            own={own}
            condition={member}
            onChange={(next) => replace(at, next)}
            onRemove={() => drop(at)}
          />
        ),
      )}
      <div className="rule-head">
        <button
          type="button"
          className="button"
          disabled={!first}
          onClick={() => first && put([...members, begin(first)])}
        >
          <Icon name="plus" size={16} />
          {t('rule.addCondition')}
        </button>
        {depth < deepestGroup && (
          <button
            type="button"
            className="button"
            disabled={!first}
            onClick={() => first && put([...members, groupOf(mode === 'all' ? 'any' : 'all', [begin(first)])])}
          >
            <Icon name="group" size={16} />
            {t('rule.addGroup')}
          </button>
        )}
      </div>
    </div>
  )
}

/** The comparisons that mean something to a person: of what is chosen by name, none is more than another. */
const ordered: ReadonlySet<Nature> = new Set(['number', 'day', 'moment'])
const order: ReadonlySet<ConditionOperator> = new Set(['ge', 'le', 'gt', 'lt'])
const opsOf = (field: RuleField | undefined, now: ConditionOperator): readonly ConditionOperator[] =>
  field?.ops.filter((op) => op === now || ordered.has(natureOf(field.kind)) || !order.has(op)) ?? [now]

interface RowProps extends Omit<BuilderProps, 'group' | 'onChange' | 'depth'> {
  readonly number: number
  readonly condition: Condition
  readonly onChange: (condition: Condition) => void
  readonly onRemove: () => void
}

/** One condition: the field, how it is compared, and with what. */
function ConditionRow({ number, entity, fields, dictionaries, own, condition, onChange, onRemove }: RowProps) {
  const t = useT()
  const pick = useWords()
  const id = useId()
  const field = fields.find(({ name }) => name === condition.field)
  const label = field ? pick(field.label) : condition.field
  const compare = (op: ConditionOperator) => {
    // Several values are no single one, and a part of a text is no id.
    const keeps = field && (op === 'in') === (condition.op === 'in') && (op === 'like') === (condition.op === 'like')
    onChange({ field: condition.field, op, ...(keeps && 'value' in condition ? { value: condition.value } : {}) })
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: see above
    <div className="rule-row" role="group" aria-label={t('rule.condition', { number })}>
      <Select
        aria-label={t('rule.field')}
        showSearch={{ optionFilterProp: 'label' }}
        value={condition.field}
        options={fields.map((each) => ({ value: each.name, label: pick(each.label) }))}
        onChange={(name: string) => onChange(begin(fields.find((each) => each.name === name)!))}
      />
      <Select
        aria-label={t('rule.op')}
        value={condition.op}
        options={opsOf(field, condition.op).map((op) => ({ value: op, label: pick(opText(op, field?.kind)) }))}
        onChange={compare}
      />
      <div className="rule-value">
        {field && (
          <ValueInput
            entity={entity}
            field={field}
            condition={condition}
            dictionaries={dictionaries}
            own={own}
            id={`${id}-value`}
            label={t('rule.value', { label })}
            onChange={(value) => onChange({ ...condition, value })}
          />
        )}
      </div>
      <button type="button" className="tool" aria-label={t('rule.removeCondition', { number })} onClick={onRemove}>
        <Icon name="trash-2" size={16} />
      </button>
    </div>
  )
}
