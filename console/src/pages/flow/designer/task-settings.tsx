import type { ApprovalCard } from '@data-brain/contract/flow/cards'
import type { LoopPlan } from '@data-brain/contract/flow/plan'
import { useT } from '../../../ui/words.ts'
import { useDesign } from './context.ts'
import { Check, Choice, NumberField, Section } from './parts.tsx'
import { PeopleInput } from './people-input.tsx'
import { TimerInput } from './timer-input.tsx'

/** What is set of a step that somebody decides. */
export type TaskSetup = Pick<ApprovalCard, 'task' | 'loop'>

interface SettingsProps {
  readonly setup: TaskSetup
  /** `mark`: changes of one setting that follow one another are taken back as one. */
  readonly onChange: (setup: TaskSetup, mark?: string) => void
}

type Manner = 'one' | LoopPlan['order']
type Need = 'all' | 'any' | 'count' | 'share'

const mays = ['delegate', 'transfer', 'return', 'addSigner'] as const

/** Who decides a step, how many of them, and what follows from what. The same settings in both designers. */
export function TaskSettings({ setup, onChange }: SettingsProps) {
  const t = useT()
  const { before } = useDesign()
  const { task, loop } = setup
  const put = (change: Partial<TaskSetup['task']>, mark?: string) =>
    onChange({ ...setup, task: { ...task, ...change } }, mark)
  const manner: Manner = loop?.order ?? 'one'
  const turn = (next: Manner) => {
    const { loop: _, ...rest } = setup
    onChange(next === 'one' ? rest : { ...rest, loop: { ...(loop ?? { need: 'all' }), order: next } })
  }
  const back = typeof task.onRefuse === 'object' ? task.onRefuse.to : undefined
  return (
    <>
      <Section label={t('design.approvers')}>
        <PeopleInput rules={task.assignees} onChange={(assignees) => put({ assignees })} />
        <Choice
          label={t('design.manner')}
          value={manner}
          options={(['one', 'parallel', 'sequence'] as const).map((each) => ({
            value: each,
            label: t(`design.manner.${each}`),
          }))}
          onChange={turn}
        />
        {loop && <NeedInput loop={loop} onChange={(next) => onChange({ ...setup, loop: next })} />}
        <Choice
          label={t('design.ifNobody')}
          value={task.ifNobody}
          options={(['managers', 'skip', 'incident'] as const).map((each) => ({
            value: each,
            label: t(`design.ifNobody.${each}`),
          }))}
          onChange={(ifNobody) => put({ ifNobody })}
        />
        <Check label={t('design.skipSame')} checked={task.skipSame} onChange={(skipSame) => put({ skipSame })} />
      </Section>
      <Section label={t('design.decision')}>
        <Choice
          label={t('design.onRefuse')}
          value={back === undefined ? (task.onRefuse as string) : `to ${back}`}
          options={[
            ...(['end', 'continue'] as const).map((each) => ({
              value: each as string,
              label: t(`design.onRefuse.${each}`),
            })),
            ...before.map(({ id, name }) => ({
              value: `to ${id}`,
              label: t('design.onRefuse.to', { name: name || id }),
            })),
          ]}
          onChange={(next) =>
            put({ onRefuse: next.startsWith('to ') ? { to: next.slice(3) } : (next as 'end' | 'continue') })
          }
        />
        <fieldset className="design-checks">
          <legend>{t('design.may')}</legend>
          {mays.map((each) => (
            <Check
              key={each}
              label={t(`design.may.${each}`)}
              checked={task.may[each]}
              onChange={(checked) => put({ may: { ...task.may, [each]: checked } })}
            />
          ))}
        </fieldset>
      </Section>
      <Section label={t('design.due')}>
        <TimerInput
          optional
          label={t('design.dueWhen')}
          timer={task.due}
          onChange={(due) => {
            const { due: _, onDue, ...rest } = task
            onChange({ ...setup, task: due ? { ...rest, due, onDue: onDue ?? 'remind' } : rest }, 'due')
          }}
        />
        {task.due && (
          <Choice
            label={t('design.onDue')}
            value={task.onDue ?? 'remind'}
            options={(['remind', 'deptLeader', 'agree', 'refuse'] as const).map((each) => ({
              value: each,
              label: t(`design.onDue.${each}`),
            }))}
            onChange={(onDue) => put({ onDue })}
          />
        )}
      </Section>
      <AccessInput fields={task.fields} onChange={(fields) => put({ fields })} />
    </>
  )
}

const needOf = (need: LoopPlan['need']): Need => (typeof need === 'string' ? need : 'count' in need ? 'count' : 'share')

function NeedInput({ loop, onChange }: { readonly loop: LoopPlan; readonly onChange: (loop: LoopPlan) => void }) {
  const t = useT()
  const kind = needOf(loop.need)
  const begin: Readonly<Record<Need, LoopPlan['need']>> = {
    all: 'all',
    any: 'any',
    count: { count: 2 },
    share: { share: 0.5 },
  }
  return (
    <>
      <Choice
        label={t('design.need')}
        value={kind}
        options={(['all', 'any', 'count', 'share'] as const).map((each) => ({
          value: each,
          label: t(`design.need.${each}`),
        }))}
        onChange={(next) => onChange({ ...loop, need: begin[next] })}
      />
      {typeof loop.need === 'object' && (
        <NumberField
          label={t(kind === 'count' ? 'design.needCount' : 'design.needShare')}
          min={1}
          max={kind === 'count' ? 200 : 100}
          value={'count' in loop.need ? loop.need.count : Math.round(loop.need.share * 100)}
          onChange={(value) => {
            const whole = Math.max(1, Math.trunc(value ?? 1))
            onChange({ ...loop, need: kind === 'count' ? { count: whole } : { share: Math.min(100, whole) / 100 } })
          }}
        />
      )}
    </>
  )
}

type Access = TaskSetup['task']['fields']

/** What the form shows at this step. */
function AccessInput({ fields, onChange }: { readonly fields: Access; readonly onChange: (fields: Access) => void }) {
  const t = useT()
  const { form } = useDesign()
  if (form.length === 0) return null
  return (
    <Section label={t('design.access')}>
      {form.map(({ name, label }) => (
        <Choice
          key={name}
          label={label || name}
          value={fields[name] ?? 'read'}
          options={(['read', 'write', 'hidden'] as const).map((each) => ({
            value: each,
            label: t(`design.access.${each}`),
          }))}
          onChange={(access) => {
            const { [name]: _, ...rest } = fields
            onChange(access === 'read' ? rest : { ...rest, [name]: access })
          }}
        />
      ))}
    </Section>
  )
}
