import { apiscope as entity } from '@data-brain/contract'
import { EntityPage } from '../../entity/list/index.ts'
import { scopeWords } from '../../locales/scope.ts'
import { addWords } from '../../ui/words.ts'
import { formParts } from './form.tsx'
import './page.css'

addWords(scopeWords)

/** Calls that only the roles granted them may make. */
export default function ApiScopePage() {
  return <EntityPage entity={entity.name} form={{ parts: formParts }} />
}
