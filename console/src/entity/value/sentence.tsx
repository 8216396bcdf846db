import { type Entity, entityOf, type Field } from '@data-brain/contract'
import {
  type Condition,
  type Group,
  isBare,
  isGroup,
  isWord,
  joinWords,
  lacksValue,
  membersOf,
  modeOf,
  opText,
  ownWords,
} from '@data-brain/contract/rules/condition'
import { Fragment, type ReactNode } from 'react'
import { useLanguage, useT, useWords } from '../../ui/words.ts'
import { type Dictionaries, useChoices, useRegionPaths } from '../data/client.ts'
import { type CellWords, dictText, textOf } from '../display/cell.tsx'

interface SentenceProps {
  readonly entity: Entity
  readonly group: Group
  readonly dictionaries: Dictionaries
  /** What stands before it. */
  readonly before?: string
}

/** A rule as a sentence of the language shown. */
export function RuleSentence({ entity, group, dictionaries, before }: SentenceProps) {
  const t = useT()
  if (membersOf(group).length === 0) return <span className="muted">{t('rule.noConditions')}</span>
  return (
    <span>
      {before}
      <Part entity={entity} group={group} dictionaries={dictionaries} />
    </span>
  )
}

function Part({ entity, group, dictionaries }: SentenceProps): ReactNode {
  const pick = useWords()
  return membersOf(group).map((member, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: members have no names, and hold no state
    <Fragment key={at}>
      {at > 0 && pick(joinWords[modeOf(group)])}
      {isGroup(member) ? (
        <>
          {pick(joinWords.open)}
          <Part entity={entity} group={member} dictionaries={dictionaries} />
          {pick(joinWords.shut)}
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
      <b>{field ? pick(field.label) : name}</b> {pick(opText(op, field?.kind))}
      {!isBare(op) && (
        <>
          {' '}
          {lacksValue(condition) ? (
            <i className="rule-hole">{t('rule.hole')}</i>
          ) : isWord(value) ? (
            <b>{pick(ownWords[value])}</b>
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
