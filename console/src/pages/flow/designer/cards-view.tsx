import type { CardModel } from '@data-brain/contract/flow/cards'
import { useMemo, useRef, useState } from 'react'
import { announce } from '../../../ui/announce.tsx'
import { useT } from '../../../ui/words.ts'
import { type CardActs, Cards } from './cards.tsx'
import { DesignContext } from './context.ts'
import { addWay, insertAfter, isRemovable, moveBy, newCard, removeAt, startKey, stops } from './edit.ts'
import { CardPanel } from './panel.tsx'
import { useNames } from './people.ts'

interface ViewProps {
  readonly model: CardModel
  readonly onChange: (model: CardModel, mark?: string) => void
  readonly faulty: ReadonlySet<string>
  readonly selected: string
  readonly onSelect: (key: string) => void
}

/** The process as cards, and beside them what is set of the chosen one. */
export function CardsView({ model, onChange, faulty, selected, onSelect }: ViewProps) {
  const t = useT()
  const names = useNames(model)
  const panel = useRef<HTMLElement>(null)
  /** Counts what asks for the settings. */
  const [, setEdits] = useState(0)
  const remove = (key: string) => {
    const all = stops(model)
    const at = all.findIndex((stop) => stop.key === key)
    const stop = all[at]
    if (!stop || !isRemovable(stop)) return
    onChange(removeAt(model, key))
    onSelect(all[at - 1]?.key ?? startKey)
    announce(
      t('design.removed', { name: stop.kind === 'card' ? stop.card.name : stop.kind === 'way' ? stop.way.name : '' }),
    )
  }
  const acts: CardActs = {
    select: onSelect,
    edit: () => {
      setEdits((count) => count + 1)
      // Once what is chosen is drawn.
      requestAnimationFrame(() => panel.current?.querySelector<HTMLElement>('input, select, textarea, button')?.focus())
    },
    add: (after, kind) => {
      const card = newCard(model, kind, {
        approval: t('design.new.approval'),
        copy: t('design.new.copy'),
        branch: t('design.new.branch'),
        way: t('design.way', { number: 1 }),
        otherwise: t('design.otherwise'),
      })
      onChange(insertAfter(model, after, card))
      onSelect(card.id)
      announce(t('design.added', { name: card.name }))
    },
    addWay: (branch) => {
      const card = stops(model).find((stop) => stop.key === branch)
      const count = card?.kind === 'card' && card.card.kind === 'branch' ? card.card.ways.length : 1
      const { model: next, key } = addWay(model, branch, t('design.way', { number: count }))
      onChange(next)
      onSelect(key)
    },
    remove,
    move: (key, by) => {
      const { model: next, key: now } = moveBy(model, key, by)
      onChange(next)
      onSelect(now)
    },
  }
  const context = useMemo(() => ({ form: model.form, formKey: model.formKey, before: [] }), [model.form, model.formKey])
  return (
    <div className="design-body">
      <DesignContext value={context}>
        <div className="design-canvas">
          <Cards model={model} names={names} selected={selected} faulty={faulty} acts={acts} />
        </div>
      </DesignContext>
      <aside
        ref={panel}
        className="design-panel"
        aria-label={t('design.settings')}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || event.defaultPrevented) return
          event.preventDefault()
          document.querySelector<HTMLElement>(`.cards [data-key="${CSS.escape(selected)}"]`)?.focus()
        }}
      >
        <CardPanel model={model} selected={selected} onChange={onChange} onRemove={remove} />
      </aside>
    </div>
  )
}
