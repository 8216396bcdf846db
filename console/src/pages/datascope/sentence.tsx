import { type Entity, entityOf, type Field, type Kind } from '@data-brain/contract'
import { Fragment, type ReactNode } from 'react'
import { type CellWords, dictText, inSentence, textOf } from '../../entity/cell.tsx'
import { type Dictionaries, useChoices, useRegionPaths } from '../../entity/client.ts'
import { useLanguage, useT, useWords } from '../../ui/words.ts'
import { type Condition, type Group, isBare, isGroup, isWord, lacksValue, membersOf, modeOf, type Op } from './rule.ts'

const days: ReadonlySet<Kind> = new Set(['date', 'time', 'instant'])

/** The key of the words for a comparison: later and earlier for days, more and less for numbers. */
export const opWords = (op: Op, kind: Kind | undefined): string =>
  kind && days.has(kind) && ['ge', 'le', 'gt', 'lt'].includes(op) ? `scope.day.${op}` : `scope.op.${op}`

interface SentenceProps {
  readonly entity: Entity
  readonly group: Group
  readonly dictionaries: Dictionaries
}

/** A rule as a sentence of the language shown. */
export function Sentence({ entity, group, dictionaries }: SentenceProps) {
  const t = useT()
  const pick = useWords()
  const language = useLanguage()
  if (membersOf(group).length === 0) return <span className="muted">{t('scope.noConditions')}</span>
  return (
    <span>
      {t('scope.sentence', { entity: inSentence(pick(entity.label), language) })}
      <Part entity={entity} group={group} dictionaries={dictionaries} />
    </span>
  )
}

function Part({ entity, group, dictionaries }: SentenceProps): ReactNode {
  const t = useT()
  return membersOf(group).map((member, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: members have no names, and hold no state
    <Fragment key={at}>
      {at > 0 && t(modeOf(group) === 'all' ? 'scope.and' : 'scope.or')}
      {isGroup(member) ? (
        <>
          {t('scope.open')}
          <Part entity={entity} group={member} dictionaries={dictionaries} />
          {t('scope.shut')}
        </>
      ) : (
        <One entity={entity} condition={member} dictionaries={dictionaries} />
      )}
    </Fragment>
  ))
}

interface OneProps {
  readonly entity: Entity
  readonly condition: Condition
  readonly dictionaries: Dictionaries
}

function One({ entity, condition, dictionaries }: OneProps) {
  const t = useT()
  const pick = useWords()
  const { field: name, op, value } = condition
  const field = entity.fields[name]
  return (
    <>
      <b>{field ? pick(field.label) : name}</b> {t(opWords(op, field?.kind))}
      {!isBare(op) && (
        <>
          {' '}
          {lacksValue(condition) ? (
            <i className="rule-hole">{t('scope.hole')}</i>
          ) : isWord(value) ? (
            <b>{t(`scope.word.${value.slice(1)}`)}</b>
          ) : (
            <b>
              <Values field={field} value={value} dictionaries={dictionaries} />
            </b>
          )}
        </>
      )}
    </>
  )
}

const NONE: readonly string[] = []

/** The value of a condition in words: names for ids, entries for keys. */
function Values({
  field,
  value,
  dictionaries,
}: {
  field: Field | undefined
  value: unknown
  dictionaries: Dictionaries
}) {
  const t = useT()
  const language = useLanguage()
  const list = (Array.isArray(value) ? value : [value]).map(String)
  const target = field?.to ? entityOf(field.to) : undefined
  const ids = target ? list : NONE
  const named = useChoices(target?.name ?? '', target?.path ?? '', { ids }, ids.length > 0)
  const regions = useRegionPaths(field?.kind === 'region' ? list : NONE)
  const words: CellWords = { t, language, dictionaries, regions }
  const one = (each: string): string => {
    if (target) return named.data?.find(({ id }) => id === each)?.name ?? '…'
    if (field?.dict) return dictText(words, field.dict, each)
    return field ? textOf(field, each, words) : each
  }
  return list.map(one).join(t('entity.separator'))
}
