import {
  codeOf,
  type Entity,
  type Nature,
  nameOf,
  natureOf,
  ownerOf,
  type Related as Part,
  relatedOf,
  owner as rowOwner,
} from '@data-brain/contract'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { pathOf } from '../../session/paths.ts'
import { useCan } from '../../session/session.ts'
import { Icon } from '../../ui/icon.tsx'
import { Link, useTab } from '../../ui/place.ts'
import { useLanguage, useT, useWords } from '../../ui/words.ts'
import type { ShownRow } from '../data/calls.ts'
import { useEntity } from '../data/client.ts'
import { countedWithin } from '../data/next-number.ts'
import { inSentence, severalOf, textOf } from '../display/cell.tsx'
import { useCellWords } from '../display/use-cell-words.ts'
import { titleOf } from '../list/columns.tsx'
import { loadForm } from '../list/effects.ts'
import '../form/form-words.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'

const EntityForm = lazyPart(loadForm)

/** What says nothing without its label. */
const bare: ReadonlySet<Nature> = new Set(['flag', 'number'])

/** Rows shown of each part; the list has the others. */
const FEW = 5
/** Facts beside the name of a row. */
const FACTS = 3
/** How far below the window rows are asked for. */
const AHEAD = '120px'
const nothing = () => undefined

/**
 * What belongs to a record: the rows that refer to it, each kind only for those who may view it. Those by which the record
 * is found, as a child by its guardians' phones, are asked for before its own fields (`first`), all others after them.
 */
export function Related({ entity, id, first }: { entity: Entity; id: string; first: boolean }) {
  const can = useCan()
  const parts = relatedOf(entity).filter(({ of }) => can(codeOf(of, 'view')))
  return parts
    .filter(({ of, by }) => (of.finds === by) === first)
    .map((part) => <RelatedRows key={`${part.of.name}.${part.by}`} part={part} parts={parts} owner={entity} id={id} />)
}

/** Whether an element has been scrolled into view, or is about to be. What never can be is as good as seen. */
function useSeen() {
  const ref = useRef<HTMLElement>(null)
  const [seen, setSeen] = useState(!('IntersectionObserver' in window))
  useEffect(() => {
    const element = ref.current
    if (seen || !element) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setSeen(true)
      },
      { rootMargin: AHEAD },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [seen])
  return { ref, seen }
}

interface RowsProps {
  readonly part: Part
  readonly parts: readonly Part[]
  readonly owner: Entity
  readonly id: string
}

/** One kind of rows that belong to a record, with a wait and a failure of its own. */
function RelatedRows({ part: { of, by }, parts, owner, id }: RowsProps) {
  const t = useT()
  const pick = useWords()
  const language = useLanguage()
  const can = useCan()
  const { setDirty } = useTab()
  const client = useEntity(of)
  const words = useCellWords(of)
  const { ref, seen } = useSeen()
  // What is numbered within the record stands in that order, as guardians in the order in which they are called.
  const counted = countedWithin(of, by)
  // Never the rows of the record before: they would stand under another name for a moment.
  const found = useQuery({
    ...client.list({ [by]: id, ...(counted && { ascs: counted.field }), current: 1, size: FEW }),
    placeholderData: undefined,
    enabled: seen,
  })
  const [edit, setEdit] = useState<string | null>(null)
  const [opened, setOpened] = useState<string | null>(null)
  const preset = useMemo(() => ({ [by]: id }), [by, id])
  const close = useCallback(() => setEdit(null), [])
  const open = (what: string) => {
    setOpened(what)
    setEdit(what)
  }
  // Where the kind alone would name several things: two parts of it, the record’s own kind, or a field of the record.
  const several =
    parts.filter((part) => part.of === of).length > 1 ||
    of === owner ||
    Object.values(owner.fields).some(({ to }) => to === of.name)
  const label = pick(of.label)
  const many = severalOf(label, language)
  const heading = several ? t('related.by', { label: many, by: pick(of.fields[by]!.label) }) : many
  const path = pathOf(of.name)
  // What is no part of a school is made on pages of its own, which ask more than the form.
  const here = ownerOf(of) !== undefined
  const mayAdd = here && can(codeOf(of, 'add'))
  const mayEdit = here && can(codeOf(of, 'edit'))
  const total = found.data?.total ?? 0
  const add = t('entity.add', { label: inSentence(label, language) })
  const facts = (row: ShownRow): string[] =>
    of.list
      .filter(
        (name) =>
          !bare.has(natureOf(of.fields[name]!.kind)) &&
          name !== by &&
          name !== of.title &&
          name !== rowOwner.field &&
          of.fields[name]?.to !== owner.name,
      )
      .map((name) => textOf(of.fields[name]!, row[name], words, row[nameOf(name)]))
      .filter((text) => text !== '')
      .slice(0, FACTS)
  return (
    <section ref={ref} className="related" aria-label={heading} data-related={`${of.name}.${by}`}>
      <h3>
        <span>{heading}</span>
        {found.data && <span className="related-count">{total}</span>}
        {mayAdd && total > 0 && (
          <button type="button" className="tool small" aria-label={add} title={add} onClick={() => open('new')}>
            <Icon name="plus" size={16} />
          </button>
        )}
      </h3>
      {found.isError ? (
        <p className="related-failed" role="alert">
          {found.error.message || t('entity.failed')}
          <button type="button" className="link-button" onClick={() => void found.refetch()}>
            {t('entity.retry')}
          </button>
        </p>
      ) : !found.data ? (
        <p className="related-wait" aria-busy={seen || undefined}>
          {seen && <span className="sr-only">{t('table.loading')}</span>}
        </p>
      ) : total === 0 ? (
        // Where nothing can be added here, the heading’s 0 says all.
        mayAdd && (
          <p className="related-none">
            {t('entity.emptyNever', { label: inSentence(many, language) })}
            <button type="button" className="link-button" onClick={() => open('new')}>
              {add}
            </button>
          </p>
        )
      ) : (
        <ul>
          {found.data.records.map((row) => {
            const name = titleOf(of, row, words)
            return (
              <li key={row.id}>
                <span className="related-row">
                  {path ? <Link to={`${path}?id=${row.id}`}>{name}</Link> : name}
                  {facts(row).map((text) => (
                    <span key={text} className="muted">
                      <i className="between" aria-hidden="true" />
                      <span className="sr-only">{t('entity.separator')}</span>
                      {text}
                    </span>
                  ))}
                </span>
                {mayEdit && (
                  <button
                    type="button"
                    className="tool small"
                    aria-label={t('entity.editOf', { name })}
                    onClick={() => open(row.id)}
                  >
                    <Icon name="pencil" size={16} />
                  </button>
                )}
              </li>
            )
          })}
        </ul>
      )}
      {path && total > FEW && (
        <Link to={`${path}?${by}=${id}`}>{t('related.all', { count: total, unit: of.measure })}</Link>
      )}
      {opened !== null && (
        <Suspense fallback={null}>
          <EntityForm
            entity={of}
            open={edit !== null}
            id={opened === 'new' ? null : opened}
            preset={preset}
            onClose={close}
            onSaved={nothing}
            onDirty={setDirty}
          />
        </Suspense>
      )}
    </section>
  )
}
