import { entities, datascope as entity } from '@data-brain/contract'
import { useCallback, useMemo } from 'react'
import { useDictionaries } from '../../entity/data/index.ts'
import { inSentence } from '../../entity/display/index.ts'
import { type Cells, EntityPage } from '../../entity/list/index.ts'
import { RuleSentence, readRule } from '../../entity/value/index.ts'
import { scopeWords } from '../../locales/scope.ts'
import { loadSession } from '../../session/load.ts'
import { addWords, useLanguage, useT, useWords } from '../../ui/words.ts'
import { formParts } from './form.tsx'
import '../../entity/value/words.ts'

addWords(scopeWords)

const named = (name: unknown) => entities.find((each) => each.name === name)

/** A stored rule as a sentence. */
function Rule({ scopeClass, value }: { scopeClass: unknown; value: unknown }) {
  const of = named(scopeClass)
  const dictionaries = useDictionaries(of ?? entity)
  const t = useT()
  const pick = useWords()
  const language = useLanguage()
  if (!of) return null
  const before = t('scope.sentence', { entity: inSentence(pick(of.label), language) })
  return <RuleSentence entity={of} group={readRule(value)} dictionaries={dictionaries} before={before} />
}

/** Which rows of what the roles may see and change. */
export default function DataScopePage() {
  const t = useT()
  const pick = useWords()
  const cells = useMemo<Cells<typeof entity>>(
    () => ({
      scopeClass: ({ scopeClass }) => {
        const of = named(scopeClass)
        return of && pick(of.label)
      },
      scopeColumn: ({ scopeClass, scopeColumn }) => {
        if (scopeColumn === 'create_user') return t('scope.createUser')
        if (scopeColumn === 'create_dept') return t('scope.createDept')
        const field = named(scopeClass)?.fields[String(scopeColumn)]
        return field && pick(field.label)
      },
      scopeValue: ({ scopeClass, scopeValue, scopeType }) =>
        scopeType === '5' ? <Rule scopeClass={scopeClass} value={scopeValue} /> : null,
    }),
    [t, pick],
  )
  // What the caller may see may have changed with it.
  const changed = useCallback(() => void loadSession(), [])
  return <EntityPage entity={entity} cells={cells} form={{ parts: formParts, onSaved: changed }} />
}
