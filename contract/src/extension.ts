import type { Dictionary } from './dictionaries/dictionary.ts'
import type { Entity } from './entity.ts'
import type { Words } from './field.ts'
import type { EntityForm } from './import/entity-form.ts'
import type { MenuSeed, TopMenuSeed } from './menus.ts'

/*
 * All that the contract part of an extension may import: how entities, fields, dictionaries, menus and calls are said.
 * Nothing here reads a registry, for the registries read the extensions.
 */

export * from './call.ts'
export {
  type Dictionary,
  platformDictionary as fixedDictionary,
  tenantDictionary as editableDictionary,
} from './dictionaries/dictionary.ts'
export { parentSchoolId, remark, schoolId, sort } from './entities/common.ts'
export * from './entity.ts'
export * from './field.ts'
export { type EntityForm, type ImportDeclaration, importOf } from './import/entity-form.ts'
export type { MenuSeed, TopMenuSeed } from './menus.ts'
export * from './shape.ts'

/** The top menus of the product, under which an extension may hang groups of its own. */
export type CoreTopMenu =
  | 'top-school'
  | 'top-teaching'
  | 'top-student'
  | 'top-system'
  | 'top-resource'
  | 'top-operations'

/** The usual roles of a school, which every tenant begins with. */
export type UsualRole = 'principal' | 'registrar' | 'classTeacher' | 'teacher' | 'bureau'

/** Groups of pages under a top menu of the product, or a top menu of the extension's own. */
export type ExtensionMenus = { readonly under: CoreTopMenu; readonly groups: readonly MenuSeed[] } | TopMenuSeed

/** What an extension brings that both server and console read. It is data. */
export interface Extension {
  /**
   * Small letters and digits. Names of its entities, dictionaries, menus, permission codes and kinds of job begin with it
   * and `_`; paths of its calls and pages with `ext-`, it and `/`.
   */
  readonly name: string
  readonly label: Words
  /** Each after those that it cannot be made without. Rows belong to a tenant, or to one of its schools. */
  readonly entities?: readonly Entity[]
  readonly dictionaries?: readonly Dictionary[]
  /** Entities of its own whose rows can be brought in out of spreadsheets (`importOf`). */
  readonly imports?: readonly EntityForm[]
  readonly menus?: readonly ExtensionMenus[]
  /** Kinds of job, as the list of jobs calls them: what is asked for, and what comes round. */
  readonly jobs?: Readonly<Record<string, Words>>
  /** Permission codes of its own that the usual roles of a new tenant hold; those of tenants that stand are granted there. */
  readonly roles?: Readonly<Partial<Record<UsualRole, readonly string[]>>>
}

/** Declares the contract part of an extension. */
export const defineExtension = <const E extends Extension>(extension: E): E => extension

/** The menu entry of an entity's list: its Chinese name as it is, its English one in the plural. */
export const pageOf = (
  { name, path, label }: Pick<Entity, 'name' | 'path' | 'label'>,
  en: string,
  icon: string,
  more: Partial<MenuSeed> = {},
): MenuSeed => ({ code: name, label: { zh: label.zh, en }, path: `/${path}`, icon, ...more })

/** Under which paths, of calls and pages alike, all of an extension stands. */
export const pathOfExtension = (name: string): string => `ext-${name}/`
