import { entities, datascope as entity } from '@data-brain/contract'
import { useCallback, useMemo } from 'react'
import { useDictionaries } from '../../entity/client.ts'
import type { Cells } from '../../entity/columns.tsx'
import EntityPage from '../../entity/page.tsx'
import { scopeWords } from '../../locales/scope.ts'
import { loadSession } from '../../session/load.ts'
import { addWords, useT, useWords } from '../../ui/words.ts'
import { formParts } from './form.tsx'
import { readRule } from './rule.ts'
import { Sentence } from './sentence.tsx'
import './page.css'

addWords(scopeWords)

const named = (name: unknown) => entities.find((each) => each.name === name)

/** A stored rule as a sentence. */
function Rule({ scopeClass, value }: { scopeClass: unknown; value: unknown }) {
  const of = named(scopeClass)
  const dictionaries = useDictionaries(of ?? entity)
  return of ? <Sentence entity={of} group={readRule(value)} dictionaries={dictionaries} /> : null
}

/** Which rows of what the roles may see and change. */
export default function DataScopePage() {
  const t = useT()
  const pick = useWords()
  const cells = useMemo<Cells>(
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
  return <EntityPage entity={entity.name} cells={cells} formParts={formParts} onSaved={changed} />
}
