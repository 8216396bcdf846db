import type { Card, CardModel } from '@data-brain/contract/flow/cards'
import { type KeyboardEvent, memo, type ReactNode, useEffect, useRef } from 'react'
import { Icon } from '../../../ui/icon.tsx'
import { MenuButton } from '../../../ui/menu-button.tsx'
import { useT } from '../../../ui/words.ts'
import { ConditionSentence } from './condition-input.tsx'
import { type CardKind, endKey, startKey, stops, wayKey, wayOf } from './edit.ts'
import { type Names, usePeopleText } from './people.ts'

/** What is done with the cards. */
export interface CardActs {
  readonly select: (key: string) => void
  /** Brings the focus to the settings of what is chosen. */
  readonly edit: () => void
  readonly add: (after: string, kind: CardKind) => void
  readonly addWay: (branch: string) => void
  readonly remove: (key: string) => void
  readonly move: (key: string, by: 1 | -1) => void
}

interface CardsProps {
  readonly model: CardModel
  readonly names: Names
  readonly selected: string
  /** Cards of which the check has found something. */
  readonly faulty: ReadonlySet<string>
  readonly acts: CardActs
}

const icons: Readonly<Record<CardKind, string>> = { approval: 'user-check', copy: 'send', branch: 'git-branch' }

/** The process as cards, one below another; the ways of a branch beside one another. Arrows walk them. */
export function Cards({ model, names, selected, faulty, acts }: CardsProps) {
  const t = useT()
  const root = useRef<HTMLDivElement>(null)
  const buttonOf = (key: string) => root.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)
  // Whoever walks by keys goes along with what is chosen.
  useEffect(() => {
    const button = root.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(selected)}"]`)
    if (root.current?.contains(document.activeElement) || document.activeElement === document.body) button?.focus()
    button?.scrollIntoView?.({ block: 'nearest' })
  }, [selected])
  const hear = (event: KeyboardEvent) => {
    const key = (event.target as HTMLElement).closest<HTMLElement>('[data-key]')?.dataset.key
    if (key === undefined || event.ctrlKey || event.metaKey) return
    if (act(event, key)) {
      event.preventDefault()
      event.stopPropagation()
    }
  }
  const act = ({ key: pressed, altKey }: KeyboardEvent, key: string): boolean => {
    const isBack = pressed === 'ArrowUp' || pressed === 'ArrowLeft'
    const isOn = pressed === 'ArrowDown' || pressed === 'ArrowRight'
    if (altKey && (isBack || isOn)) acts.move(key, isBack ? -1 : 1)
    else if (altKey) return false
    else if (isBack || isOn) acts.select(neighbour(model, key, pressed))
    else if (pressed === 'Home') acts.select(startKey)
    else if (pressed === 'End') acts.select(endKey)
    else if (pressed === 'Enter') {
      acts.select(key)
      acts.edit()
    } else if (pressed === 'Insert' || pressed === '+' || pressed === '=') {
      root.current?.querySelector<HTMLElement>(`[data-after="${CSS.escape(key)}"] button`)?.click()
    } else if (pressed === 'Delete' || pressed === 'Backspace') acts.remove(key)
    else return false
    if (isBack || isOn) buttonOf(key)?.focus()
    return true
  }
  const shown = { selected, faulty, acts }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is no place for cards
    <div ref={root} className="cards" role="group" aria-label={t('design.cards')} onKeyDown={hear}>
      <p className="sr-only">{t('design.cardsHelp')}</p>
      <CardButton stop={startKey} icon="user" name={t('design.start')} kind="" {...shown}>
        {model.form.length > 0 ? t('design.formOf', { count: model.form.length }) : t('design.startHelp')}
      </CardButton>
      <Add after={startKey} acts={acts} />
      <CardList model={model} names={names} cards={model.cards} {...shown} />
      <CardButton stop={endKey} icon="circle-check" name={t('design.end')} kind="" {...shown} />
    </div>
  )
}

/** Where an arrow leads: up and down through all of them, left and right also between the ways of a branch. */
function neighbour(model: CardModel, key: string, pressed: string): string {
  const all = stops(model)
  const by = pressed === 'ArrowUp' || pressed === 'ArrowLeft' ? -1 : 1
  const way = pressed === 'ArrowLeft' || pressed === 'ArrowRight' ? wayOf(key) : undefined
  if (way) {
    const beside = wayKey(way.branch, way.at + by)
    if (all.some((stop) => stop.key === beside)) return beside
  }
  return all[all.findIndex((stop) => stop.key === key) + by]?.key ?? key
}

type Shown = Pick<CardsProps, 'selected' | 'faulty' | 'acts'>

interface ListProps extends Shown {
  readonly model: CardModel
  readonly names: Names
  readonly cards: readonly Card[]
}

function CardList({ model, names, cards, ...shown }: ListProps): ReactNode {
  const t = useT()
  const people = usePeopleText(model, names)
  return cards.map((card) => (
    <div key={card.id} className="cards-one">
      <CardButton
        stop={card.id}
        icon={icons[card.kind]}
        name={card.name || t(`design.new.${card.kind}`)}
        kind={t(`design.kindOf.${card.kind}`)}
        {...shown}
      >
        {card.kind === 'approval' && people(card.task.assignees)}
        {card.kind === 'copy' && people(card.to)}
        {card.kind === 'branch' && t('design.waysOf', { count: card.ways.length })}
      </CardButton>
      {card.kind === 'branch' && (
        <div className="cards-ways">
          {card.ways.map((way, at) => {
            const key = wayKey(card.id, at)
            const isLast = at === card.ways.length - 1
            return (
              <div key={key} className="cards-way">
                <CardButton
                  stop={key}
                  icon="filter"
                  name={way.name || (isLast ? t('design.otherwise') : t('design.way', { number: at + 1 }))}
                  kind={t('design.kindOf.way')}
                  {...shown}
                >
                  {isLast ? t('design.otherwiseHelp') : <ConditionSentence text={way.when} />}
                </CardButton>
                <Add after={key} acts={shown.acts} />
                <CardList model={model} names={names} cards={way.cards} {...shown} />
              </div>
            )
          })}
          <button type="button" className="button small cards-more" onClick={() => shown.acts.addWay(card.id)}>
            <Icon name="plus" size={14} />
            {t('design.addWay')}
          </button>
        </div>
      )}
      <Add after={card.id} acts={shown.acts} />
    </div>
  ))
}

interface ButtonProps extends Shown {
  /** Its key. */
  readonly stop: string
  readonly icon: string
  readonly name: string
  readonly kind: string
  readonly children?: ReactNode
}

const CardButton = memo(function CardButton({ stop, icon, name, kind, selected, faulty, acts, children }: ButtonProps) {
  const t = useT()
  const isFaulty = faulty.has(stop)
  return (
    <button
      type="button"
      className="flow-card"
      data-key={stop}
      data-kind={kind === '' ? 'edge' : undefined}
      aria-pressed={selected === stop}
      tabIndex={selected === stop ? 0 : -1}
      onClick={() => acts.select(stop)}
    >
      <Icon name={icon} size={18} />
      <span className="flow-card-text">
        <b>{name}</b>
        {kind && kind !== name && <span className="flow-card-kind">{kind}</span>}
        {children && <span className="flow-card-note">{children}</span>}
      </span>
      {isFaulty && (
        <span className="flow-card-wrong">
          <Icon name="triangle-alert" size={14} />
          {t('design.faulty')}
        </span>
      )}
    </button>
  )
})

/** The plus between two cards. */
function Add({ after, acts }: { readonly after: string; readonly acts: CardActs }) {
  const t = useT()
  return (
    <span className="cards-add" data-after={after}>
      <MenuButton
        label={t('design.add')}
        className="icon-button small"
        entries={(['approval', 'branch', 'copy'] as const).map((kind) => ({
          key: kind,
          label: t(`design.kindOf.${kind}`),
          icon: icons[kind],
          run: () => acts.add(after, kind),
        }))}
      >
        <Icon name="plus" size={16} />
      </MenuButton>
    </span>
  )
}
