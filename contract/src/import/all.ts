import { entities } from '../entities/index.ts'
import type { Entity } from '../entity.ts'
import { extensions } from '../extensions.generated.ts'
import type { EntityForm } from './entity-form.ts'
import { entityForms } from './entity-forms.ts'
import type { FormColumn } from './form.ts'
import { guardianForm } from './guardian-form.ts'
import type { FormKind } from './place.ts'
import { studentForm } from './student-form.ts'
import { userForm } from './user-form.ts'

/*
 * What can be brought in out of a spreadsheet, each under the name of its entity: the button on its list, its permission
 * code, its calls, its jobs and their words follow from its being here.
 */

/** Entities whose files are understood by a list of their columns: of the product, and of extensions. */
export const importsByColumns: ReadonlyMap<FormKind, EntityForm> = new Map(
  [
    ...Object.entries<Omit<EntityForm, 'kind'>>(entityForms).map(([kind, form]) => ({ kind, ...form })),
    ...extensions.flatMap(({ imports = [] }) => imports),
  ].map((form) => [form.kind as FormKind, form] as const),
)

/** The columns of every form. */
export const forms: ReadonlyMap<FormKind, readonly FormColumn[]> = new Map([
  ['student', studentForm],
  ['user', userForm],
  ['studentparents', guardianForm],
  ...[...importsByColumns].map(([kind, { columns }]) => [kind, columns] as const),
])

/** The names of everything that can be brought in. */
export const importKinds: readonly FormKind[] = [...forms.keys()]

/** Whether rows of an entity can be brought in. */
export const isImported = (name: string): name is FormKind => (forms as ReadonlyMap<string, unknown>).has(name)

/** The entity that a form is about. It is looked up as late as it is asked for. */
export const entityOfForm = (kind: FormKind): Entity => entities.find(({ name }) => name === kind)!
