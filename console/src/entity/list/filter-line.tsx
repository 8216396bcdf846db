import { type ReactNode, useState } from 'react'
import { TextInput } from '../../ui/form/text-input.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Popover } from '../../ui/popover.tsx'
import { useScreenClass } from '../../ui/screen.ts'
import { useLanguage, useT } from '../../ui/words.ts'
import { inSentence } from '../display/cell.tsx'
import { walkByArrows } from '../fields/arrow-keys.ts'
import { SearchText } from './search-text.tsx'
import './filter-bar.css'

/** One field that a list without a definition can be filtered by. */
export interface LineField {
  readonly name: string
  readonly label: string
  /** What it is filtered by, in words; empty where it is not. */
  readonly told: string
  readonly clear: () => void
  /** Chooses its value; `close` closes the panel once nothing is left to choose. */
  readonly editor: (close: () => void) => ReactNode
}

interface LineProps {
  readonly quick?: {
    readonly label: string
    /** What stands in it while it is empty; without it, that the field named by the label is searched. */
    readonly hint?: string
    readonly value: string
    readonly onText: (text: string | null) => void
  }
  readonly fields: readonly LineField[]
  readonly onReset: () => void
  /** Filters that are one press away, behind the quick text. */
  readonly children?: ReactNode
}

interface Open {
  readonly name: string | null
  readonly by: string
  readonly anchor: HTMLElement
}

/** The filter line of a list that is not an entity's: quick text, a chip per filter in force, and the way to the others. */
export function FilterLine({ quick, fields, onReset, children }: LineProps) {
  const t = useT()
  const language = useLanguage()
  const sheet = useScreenClass() === 0
  const [open, setOpen] = useState<Open | null>(null)
  const shut = () => setOpen(null)
  const turn = (by: string, name: string | null, anchor: HTMLElement) =>
    setOpen(open?.by === by ? null : { by, name, anchor })
  const inForce = fields.filter(({ told }) => told !== '')
  const shown = fields.find(({ name }) => name === open?.name)
  const chips = inForce.length > 0 && (
    <ul className="chips" aria-label={t('entity.filtersInForce')}>
      {inForce.map(({ name, label, told, clear }) => (
        <li key={name} className="chip" data-filter={name} data-told={t('entity.chip', { label, value: told })}>
          <button
            type="button"
            className="chip-open"
            aria-label={t('entity.chip', { label, value: told })}
            aria-expanded={open?.name === name}
            onClick={(event) => (sheet && open ? setOpen({ ...open, name }) : turn(name, name, event.currentTarget))}
          >
            <span>{label}</span> {told}
          </button>
          <button
            type="button"
            className="chip-off"
            aria-label={t('entity.removeFilter', { label })}
            onClick={() => {
              clear()
              if (!sheet) shut()
            }}
          >
            <Icon name="x" size={14} />
          </button>
        </li>
      ))}
    </ul>
  )
  const clear = inForce.length > 1 && (
    <button type="button" className="filter-clear" onClick={onReset}>
      {t('entity.clear')}
    </button>
  )
  return (
    <search className="filters" aria-label={t('entity.filters')}>
      {quick && (
        <SearchText
          className="filter-quick"
          quick
          hint={t('entity.quick', { fields: inSentence(quick.label, language) })}
          {...quick}
        />
      )}
      {!sheet && children}
      {!sheet && chips}
      {fields.length > 0 && (
        <button
          type="button"
          className="filter-add"
          aria-expanded={open?.by === 'add'}
          aria-haspopup="dialog"
          onClick={(event) => turn('add', null, event.currentTarget)}
        >
          <Icon name="plus" size={14} />
          {t('entity.filters')}
          {sheet && inForce.length > 0 && <span className="filter-count">{inForce.length}</span>}
        </button>
      )}
      {!sheet && clear}
      {open && (
        <Popover label={t('entity.filters')} anchor={open.anchor} sheet={sheet} onClose={shut}>
          {sheet && !shown && chips}
          {sheet && !shown && clear}
          {sheet && !shown && children}
          {shown ? (
            <>
              <div className="pick-head">
                <button
                  type="button"
                  className="tool small"
                  aria-label={t('entity.filterBack')}
                  onClick={() => setOpen({ ...open, name: null })}
                >
                  <Icon name="chevron-left" size={16} />
                </button>
                <h2>{shown.label}</h2>
              </div>
              <div className="pick">{shown.editor(shut)}</div>
            </>
          ) : (
            // biome-ignore lint/a11y/noStaticElementInteractions: arrows walk over the list
            <div className="pick" onKeyDown={walkByArrows}>
              <ul>
                {fields.map(({ name, label }) => (
                  <li key={name}>
                    <button
                      type="button"
                      className="pick-one"
                      data-option={name}
                      onClick={() => setOpen({ ...open, name })}
                    >
                      {label}
                    </button>
                  </li>
                ))}
              </ul>
            </div>
          )}
          {sheet && (
            <div className="pop-foot">
              <button type="button" className="button primary" onClick={shut}>
                {t('entity.filterDone')}
              </button>
            </div>
          )}
        </Popover>
      )}
    </search>
  )
}

interface Option {
  readonly value: string
  readonly label: string
}

/** A field with one of some values. */
export function oneOf(
  name: string,
  label: string,
  options: readonly Option[],
  value: string | null,
  put: (value: string | null) => void,
): LineField {
  return {
    name,
    label,
    told: value ? (options.find((option) => option.value === value)?.label ?? value) : '',
    clear: () => put(null),
    editor: (close) => (
      <OneOf
        label={label}
        options={options}
        value={value}
        onChoose={(chosen) => {
          put(chosen)
          close()
        }}
      />
    ),
  }
}

/** As many values as are read at a glance; more of them are searched. */
const GLANCE = 12

interface OneOfProps {
  readonly label: string
  readonly options: readonly Option[]
  readonly value: string | null
  readonly onChoose: (value: string) => void
}

function OneOf({ label, options, value, onChoose }: OneOfProps) {
  const t = useT()
  const [text, setText] = useState('')
  const wanted = text.trim().toLowerCase()
  const shown = options.filter((option) => option.label.toLowerCase().includes(wanted))
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrows walk over the list
    <div onKeyDown={walkByArrows}>
      {options.length > GLANCE && (
        <TextInput
          className="pick-search"
          icon="search"
          aria-label={t('entity.filterSearch', { label })}
          placeholder={t('entity.filterSearch', { label })}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onClear={() => setText('')}
        />
      )}
      {shown.length === 0 && <p className="muted">{t('entity.noMatch')}</p>}
      <ul>
        {shown.map((option) => (
          <li key={option.value}>
            <button
              type="button"
              className="pick-one"
              data-option={option.value}
              aria-pressed={option.value === value}
              onClick={() => onChoose(option.value)}
            >
              {option.label}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** A field with a text to be found in it. */
export function aText(
  name: string,
  label: string,
  value: string | null,
  put: (value: string | null) => void,
): LineField {
  return {
    name,
    label,
    told: value ?? '',
    clear: () => put(null),
    editor: () => <SearchText className="pick-search" label={label} value={value ?? ''} onText={put} />,
  }
}
