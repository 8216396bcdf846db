import type { Entity } from './entity.ts'
import type { Field, WireOf } from './field.ts'

/*
 * What rows hold, from the definitions of their entities. Of `Entity` itself, whose fields the compiler does not know,
 * every type here has any field, of unknown value.
 */

/** Columns every entity has; never editable through submit. */
export type SystemColumns = {
  id: string
  tenantId: string
  status: number
  version: number
  createUser: string | null
  createUserName?: string | null
  createDept: string | null
  createTime: string
  updateUser: string | null
  updateUserName?: string | null
  updateTime: string
  extId: string | null
}

/** The name under which the shown name of a reference travels beside it: `classId` → `className`. */
export function nameOf(field: string): string {
  return field.endsWith('Ids')
    ? `${field.slice(0, -3)}Names`
    : field.endsWith('Id')
      ? `${field.slice(0, -2)}Name`
      : `${field}Name`
}

type NameOf<N extends string> = N extends `${infer S}Ids`
  ? `${S}Names`
  : N extends `${infer S}Id`
    ? `${S}Name`
    : `${N}Name`

export type FieldName<E extends Entity> = keyof E['fields'] & string

/** How a value travels: several may be one text with commas between. */
type Wire<F extends Field> = F extends { readonly comma: true } ? string : WireOf<F['kind']>

/** References that are named only to whoever could choose what they point at. */
type Guarded<E extends Entity> = NonNullable<E['guards']>[number]

/** The null that a field may be answered with: where it need not be given, or is withheld. A list of links has none. */
type NullOf<E extends Entity, N extends keyof E['fields']> = E['fields'][N] extends { readonly kind: 'references' }
  ? never
  : E['fields'][N] extends { readonly required: true }
    ? N extends Guarded<E>
      ? null
      : never
    : null

type Answered<E extends Entity, N extends keyof E['fields']> = Wire<E['fields'][N]> | NullOf<E, N>

/** The names that travel beside what names rows of others. */
export type ShownNames<E extends Entity> = {
  readonly [N in FieldName<E> as E['fields'][N] extends { readonly kind: 'reference' | 'region' } ? NameOf<N> : never]?:
    | string
    | null
} & {
  readonly [N in FieldName<E> as E['fields'][N] extends { readonly kind: 'references' }
    ? NameOf<N>
    : never]?: E['fields'][N] extends { readonly comma: true } ? string : readonly string[]
} & {
  /** By the ids that a json value mentions. */
  readonly [N in FieldName<E> as E['fields'][N] extends { readonly kind: 'json'; readonly of: unknown }
    ? NameOf<N>
    : never]?: Readonly<Record<string, string>>
}

/** A whole row as it is answered. */
export type Row<E extends Entity> = SystemColumns & {
  readonly [N in keyof E['fields']]: Answered<E, N>
} & ShownNames<E>

/** The fields that a list always answers. */
type Listed<E extends Entity> = E['list'][number] | E['title']
type AskedSystem = 'createDept' | 'updateUser' | 'extId'

/** A row of a list: its columns are there, the other fields where they are asked for. */
export type ListedRow<E extends Entity> = Omit<SystemColumns, AskedSystem> &
  Partial<Pick<SystemColumns, AskedSystem>> & {
    readonly [N in keyof E['fields'] as N extends Listed<E> ? N : never]: Answered<E, N>
  } & {
    readonly [N in keyof E['fields'] as N extends Listed<E> ? never : N]?: Answered<E, N>
  } & ShownNames<E>

/** A row with these of its fields alone. */
export type PickedRow<E extends Entity, N extends FieldName<E>> = Pick<
  SystemColumns,
  'id' | 'status' | 'createTime' | 'updateTime'
> & { readonly [P in N]: Answered<E, P> } & ShownNames<E>

/** The values of a row's fields as they are stored: what must be given is there, anything else may be null. */
export type ValuesOf<E extends Entity> = {
  -readonly [N in keyof E['fields']]: E['fields'][N] extends { readonly required: true }
    ? WireOf<E['fields'][N]['kind']>
    : WireOf<E['fields'][N]['kind']> | null
}

/** What a field takes: several also as one text with commas between. */
export type Taken<F extends Field> = F extends { readonly kind: 'references' | 'choices' }
  ? readonly string[] | string
  : WireOf<F['kind']>

/** What may be sent to `submit`: no id adds, an id updates; a field left out stays as it is. */
export type Draft<E extends Entity> = { id?: string; version?: number; status?: number; extId?: string | null } & {
  readonly [N in keyof E['fields'] as E['fields'][N] extends { readonly computed: true } ? never : N]?: Taken<
    E['fields'][N]
  > | null
}
