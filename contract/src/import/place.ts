import type { CallDefinition } from '../call.ts'
import type { entityForms } from './entity-forms.ts'

/** What can be brought in out of a spreadsheet: an entity of the product, or one of an extension, by its name. */
export type FormKind = 'student' | 'studentparents' | 'user' | keyof typeof entityForms | `${string}_${string}`

/** A call that every form of the import has: `path` is what stands behind the form's own. */
export type FormCall = Omit<CallDefinition, 'of' | 'access'>

/** Under which the calls of a form stand: those of an extension (its name, `_`, a name of its own) under its own paths. */
export function importCalls(kind: FormKind): string {
  if (kind === 'student') return 'blade-user/import'
  const [, extension, own] = /^([^_]+)_(.+)$/.exec(kind) ?? []
  return extension ? `ext-${extension}/import-${own}` : `blade-user/import-${kind}`
}

/** The permission to import by a form. */
export const importCode = (kind: FormKind): string => `${kind}_import`

/** A call of the import, as one of the forms has it. */
export const ofForm = <const C extends FormCall>(call: C, kind: FormKind) => ({
  ...call,
  of: 'import',
  path: `${importCalls(kind)}/${call.path}`,
  access: { codes: [importCode(kind)] },
})

/** What stands for the class of pupils who are in none yet, as it is proposed for all rows. */
export const noClassYet = '暂不分班'
