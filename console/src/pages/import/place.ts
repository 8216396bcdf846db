import { importNames } from 'virtual:entities'
import type { FormKind } from '@data-brain/contract/import/place'
import { importTitle } from '@data-brain/contract/import/title'
import { addWords } from '../../ui/words.ts'

/** What is brought in out of a file. */
export type Kind = FormKind

/** Everything that can be brought in; that of pupils has the page that shows all others. */
export const importKinds = Object.keys(importNames) as Kind[]
export const centre: Kind = 'student'

/** Entities whose rows are brought in on a page of their own, which their list leads to. */
export const listKinds = importKinds.filter((kind) => kind !== centre)

/** Where rows of an entity are brought in: no entry of a menu leads there. */
export const importPath = (kind: Kind): string => (kind === 'user' ? '/system/user/import' : `/import/${kind}`)

/** The key of the words that name the page. */
export const importLabel = (kind: Kind): string => `import.${kind}.title`

addWords(Object.fromEntries(listKinds.map((kind) => [importLabel(kind), importTitle(importNames[kind]!)])))
