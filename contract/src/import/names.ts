import type { Words } from '../field.ts'
import { type MenuSeed, topMenus } from '../menus.ts'
import { entityOfForm, importKinds, importsByColumns } from './all.ts'
import type { FormKind } from './place.ts'

const entryOf = (menus: readonly MenuSeed[], code: string): MenuSeed | undefined =>
  menus.flatMap((menu) => (menu.code === code ? menu : (entryOf(menu.children ?? [], code) ?? [])))[0]

/** What rows that are brought in are called, several of them: as the form says, else as the menu entry of their list. */
export function importName(kind: FormKind): Words {
  const { label } = entityOfForm(kind)
  return (
    importsByColumns.get(kind)?.called ??
    entryOf(
      topMenus.flatMap(({ groups }) => groups),
      kind,
    )?.label ??
    label
  )
}

/** The names of everything that can be brought in. */
export const importNames = (): Record<FormKind, Words> =>
  Object.fromEntries(importKinds.map((kind) => [kind, importName(kind)])) as Record<FormKind, Words>
