import type { AssigneeRule } from '@data-brain/contract/flow/plan'
import { ReferenceSelect } from '../../../entity/fields/index.ts'
import { Icon } from '../../../ui/icon.tsx'
import { useT } from '../../../ui/words.ts'
import { useDesign } from './context.ts'
import { Choice, NumberField, TextField } from './parts.tsx'
import { newRule, ruleKinds } from './people.ts'
import '../../../entity/form/form-words.ts'

interface PeopleProps {
  readonly rules: readonly AssigneeRule[]
  readonly onChange: (rules: readonly AssigneeRule[]) => void
}

/** Who decides, or is told: rules that each name people. */
export function PeopleInput({ rules, onChange }: PeopleProps) {
  const t = useT()
  return (
    <div className="design-rules">
      {rules.map((rule, at) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset lays its legend out in ways that a row cannot follow
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: rules have no names, and hold no state of their own
          key={at}
          className="design-rule"
          role="group"
          aria-label={t('design.ruleOf', { number: at + 1 })}
        >
          <RuleInput rule={rule} onChange={(next) => onChange(rules.with(at, next))} />
          <button
            type="button"
            className="tool"
            aria-label={t('design.removeRule', { number: at + 1 })}
            onClick={() => onChange(rules.toSpliced(at, 1))}
          >
            <Icon name="trash-2" size={16} />
          </button>
        </div>
      ))}
      <button type="button" className="button small" onClick={() => onChange([...rules, { kind: 'role', ids: [] }])}>
        <Icon name="plus" size={16} />
        {t('design.addRule')}
      </button>
    </div>
  )
}

function RuleInput({
  rule,
  onChange,
}: {
  readonly rule: AssigneeRule
  readonly onChange: (rule: AssigneeRule) => void
}) {
  const t = useT()
  const { form, before } = useDesign()
  const fields = form.filter(({ kind }) => kind === 'user')
  return (
    <div className="design-rule-parts">
      <Choice
        label={t('design.who')}
        value={rule.kind}
        options={ruleKinds.map((kind) => ({ value: kind, label: t(`design.rule.${kind}`) }))}
        onChange={(kind) =>
          onChange(
            newRule(
              kind,
              fields.map(({ name }) => name),
              before.map(({ id }) => id),
            ),
          )
        }
      />
      {'ids' in rule && (
        <ReferenceSelect
          key={rule.kind}
          className="ff-full"
          to={rule.kind}
          label={t(`design.rule.${rule.kind}`)}
          placeholder={t('form.choose')}
          most={Number.POSITIVE_INFINITY}
          value={rule.ids}
          onChange={(ids) => onChange({ ...rule, ids: Array.isArray(ids) ? ids : ids ? [ids] : [] })}
        />
      )}
      {'names' in rule && (
        <TextField
          label={t('design.names')}
          help={t('design.namesHelp')}
          value={rule.names.join(',')}
          onChange={(text) =>
            onChange({
              ...rule,
              names: text.split(/[^\p{L}\p{N}_.@-]+/u).filter((name, at, all) => name || at === all.length - 1),
            })
          }
        />
      )}
      {rule.kind === 'deptLeader' && (
        <NumberField
          label={t('design.levelsUp')}
          min={0}
          max={9}
          value={rule.up}
          onChange={(up) => onChange({ ...rule, up: Math.min(9, Math.max(0, Math.trunc(up ?? 0))) })}
        />
      )}
      {rule.kind === 'field' && (
        <Choice
          label={t('design.field')}
          value={rule.field}
          options={fields.map(({ name, label }) => ({ value: name, label: label || name }))}
          {...(fields.length === 0 ? { help: t('design.noUserField') } : {})}
          onChange={(field) => onChange({ ...rule, field })}
        />
      )}
      {rule.kind === 'doer' && (
        <Choice
          label={t('design.step')}
          value={rule.node}
          options={before.map(({ id, name }) => ({ value: id, label: name || id }))}
          onChange={(node) => onChange({ ...rule, node })}
        />
      )}
    </div>
  )
}
