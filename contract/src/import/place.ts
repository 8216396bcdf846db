import type { CallDefinition } from '../call.ts'
import type { FormKind } from './all.ts'

/** A call that every form of the import has: `path` is what stands behind the form's own. */
export type FormCall = Omit<CallDefinition, 'of' | 'access'>

/** Under which the calls of a form stand. */
const placeOf = (kind: FormKind): string => (kind === 'student' ? 'blade-user/import' : `blade-user/import-${kind}`)

/** The permission to import by a form. */
export const importCode = (kind: FormKind): string => `${kind}_import`

/** A call of the import, as one of the forms has it. */
export const ofForm = <const C extends FormCall>(call: C, kind: FormKind) => ({
  ...call,
  of: 'import',
  path: `${placeOf(kind)}/${call.path}`,
  access: { codes: [importCode(kind)] },
})

/** What stands for the class of pupils who are in none yet, as it is proposed for all rows. */
export const noClassYet = '暂不分班'
