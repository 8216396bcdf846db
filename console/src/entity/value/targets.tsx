import { entities, entityOf, owner, titledWith } from '@data-brain/contract'
import { ofWhat } from '@data-brain/contract/rules/values'
import { Suspense, useState } from 'react'
import { useValue } from '../../ui/form/store.ts'
import { Icon } from '../../ui/icon.tsx'
import { useLanguage, useT } from '../../ui/words.ts'
import { useChoices } from '../data/client.ts'
import type { ControlProps } from '../fields/control.tsx'
import { useSeveral } from '../form/proposed-values.tsx'
import './words.ts'
import './value.css'
import { lazyPart } from '../../ui/lazy-part.tsx'

const Picker = lazyPart(() => import('./picker.tsx'))

/** How many people something reaches in all, and by each of what was chosen. */
export interface Reach {
  readonly people: number
  readonly each: Readonly<Record<string, number>>
}

interface TargetsProps extends Omit<ControlProps, 'onBlur'> {
  /** Counts the people whom rows of this kind of target reach, where a page can. */
  readonly useReach?: (kind: string, ids: readonly string[]) => Reach | undefined
}

export const useNumber = (): ((count: number) => string) => {
  const locale = useLanguage() === 'zh' ? 'zh-CN' : 'en-GB'
  return (count) => count.toLocaleString(locale)
}

/** The ids in a form's value. */
export const idsIn = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

/** Names that stand in the form before the rest is only counted. */
const shownNames = 8
const uncounted = (): undefined => undefined
const owners = [owner.field]

/** Whom something is for, by what another field of the form says. */
export function TargetsInput({ field, form, name, label: heading, ties, disabled, onChange, useReach }: TargetsProps) {
  const t = useT()
  const language = useLanguage()
  const number = useNumber()
  const ids = idsIn(useValue(form, name))
  const [open, setOpen] = useState(false)
  const by = typeof field.of === 'object' ? field.of.by : ''
  const kind = String(useValue(form, by) ?? '')
  const to = ofWhat(field, { [by]: kind })
  const target = to ? entityOf(to) : entities[0]!
  // Rows of a school are offered within the school of the form.
  const chosen = useSeveral(form, owners)
  const within = to && (target.fields[owner.field] || target.choiceWithin?.includes(owner.field)) ? chosen : {}
  const named = useChoices(target.name, target.path, { ids }, to !== undefined && ids.length > 0)
  if (!to) return null
  const names = ids.slice(0, shownNames).map((id) => {
    const choice = named.data?.find((each) => each.id === id)
    return choice ? titledWith(choice.name, choice.beside, language) : '…'
  })
  const rest = ids.length - names.length
  const label = t(`pick.${to}`)
  const text = ids.length === 0 ? label : t('pick.picked', { count: number(ids.length) })
  return (
    <div className="targets">
      <button
        {...ties}
        type="button"
        className="button"
        disabled={disabled}
        aria-haspopup="dialog"
        aria-label={`${heading} ${text}`}
        onClick={() => setOpen(true)}
      >
        <Icon name="users-round" size={16} />
        {text}
      </button>
      {ids.length > 0 && (
        <span className="target-names">
          {names.join(t('entity.separator'))}
          {rest > 0 && t('pick.andMore', { count: number(rest) })}
        </span>
      )}
      {open && (
        <Suspense fallback={null}>
          <Picker
            from={{ to, within }}
            kind={kind}
            useReach={useReach ?? uncounted}
            title={label}
            value={ids}
            known={named.data ?? []}
            onClose={() => setOpen(false)}
            onDone={(next) => {
              setOpen(false)
              onChange(next.length > 0 ? next : null)
            }}
          />
        </Suspense>
      )}
    </div>
  )
}
