import type { Entity, ListedRow, Row, Taken } from './entity.ts'
import type { Field, Words } from './field.ts'
import type { Page } from './problem.ts'

/**
 * What travels in a call. A shape is data: a value of one of the kinds below, a list or an object of shapes, or a row of
 * an entity, whose own fields say what it holds. Types, checks and the description of the API come from it.
 */
export type Shape =
  | ScalarShape
  | ChoiceShape
  | ListShape
  | ObjectShape
  | MapShape
  | RowShape
  | DraftShape
  | FieldShape
  | PageShape
  | TreeShape
  | EitherShape
  | FileShape
  | { readonly kind: 'nothing' }

/** What a value is in TypeScript, by its kind. Ids and texts in the plural may also come as one comma-separated text. */
interface Scalars {
  text: string
  integer: number
  decimal: number
  /** 0 or 1. */
  flag: 0 | 1
  /** true or false. */
  truth: boolean
  /** yyyy-MM-dd */
  date: string
  /** yyyy-MM-dd HH:mm:ss */
  instant: string
  id: string
  ids: readonly string[]
  texts: readonly string[]
  /** A tenant code of six digits. */
  tenant: string
  /** The hash of a password, as 32 hex digits. */
  md5: string
  /** The two languages of one text. */
  words: Words
  /** Anything that JSON can say; whoever reads it says what it may be. */
  json: unknown
}
export type ScalarKind = keyof Scalars

interface Common {
  readonly label?: Words
  /** Of an input: it must be given. */
  readonly required?: boolean
  /** Of an input: it names what the call is about, so that without it, and with another kind of value, nothing is found. */
  readonly subject?: boolean
  /** Of an answer: the name may be missing. */
  readonly optional?: boolean
  /** null is a value, too. */
  readonly nullable?: boolean
  readonly help?: Words
  /** Under which the description keeps it, where several calls answer the same. */
  readonly name?: string
}

export interface ScalarShape extends Common {
  readonly kind: ScalarKind
  /** Longest text (255), largest number, or most ids or texts (200). */
  readonly max?: number
  readonly min?: number
  /** Of an input: an empty text, or no id at all, that was sent is told from one that was not: it takes something away. */
  readonly empty?: boolean
  /** Of ids: the entity whose rows they name. */
  readonly to?: string
}

export interface ChoiceShape extends Common {
  readonly kind: 'oneOf'
  readonly values: readonly (string | number)[]
}

export interface ListShape<S = unknown> extends Common {
  readonly kind: 'list'
  readonly of: S
  readonly max?: number
  readonly min?: number
}

export interface ObjectShape<F = unknown> extends Common {
  readonly kind: 'object'
  readonly fields: F
}

/** Values of one shape by names that are no fixed ones, such as ids. */
export interface MapShape<S = unknown> extends Common {
  readonly kind: 'map'
  readonly of: S
}

/** A row as it leaves the server, with what a call adds to it. */
export interface RowShape<F = unknown, E = unknown> extends Common {
  readonly kind: 'row'
  readonly entity: string
  readonly also?: F
  /** For the compiler alone: nothing is kept here. */
  readonly definition?: E
}

/** Of an input: a row as it is sent to be saved, whose fields its entity checks. */
export interface DraftShape extends Common {
  readonly kind: 'draft'
  readonly entity: string
}

/** Of an input: a value of one field of an entity, which that checks; null takes it away. */
export interface FieldShape<V = unknown> extends Common {
  readonly kind: 'field'
  readonly entity: string
  readonly field: string
  readonly empty: true
  /** For the compiler alone: nothing is kept here. */
  readonly value?: V
}

/** A page of a list. */
export interface PageShape<S = unknown> extends Common {
  readonly kind: 'page'
  readonly of: S
}

/** Objects with children of their own shape, nested at will. */
export interface TreeShape<F = unknown, E = unknown> extends Common {
  readonly kind: 'tree'
  readonly fields: F
  /** They are rows of this entity, with these fields beside their own. */
  readonly entity?: string
  /** For the compiler alone: nothing is kept here. */
  readonly definition?: E
}

/** Of an answer: one of several shapes, such as a page where one was asked for and all of it otherwise. */
export interface EitherShape<S = readonly unknown[]> extends Common {
  readonly kind: 'either'
  readonly of: S
}

/** Bytes of one of these media types. */
export interface FileShape {
  readonly kind: 'file'
  readonly types: readonly string[]
}

type Nullable<S, V> = S extends { readonly nullable: true } ? V | null : V

/** The value of a shape as it is answered: each field of an object is there unless it is optional. */
export type ValueOf<S> = Nullable<
  S,
  S extends { readonly kind: infer K extends ScalarKind }
    ? Scalars[K]
    : S extends { readonly kind: 'oneOf'; readonly values: readonly (infer V)[] }
      ? V
      : S extends ListShape<infer O>
        ? readonly ValueOf<O>[]
        : S extends MapShape<infer O>
          ? Readonly<Record<string, ValueOf<O>>>
          : S extends PageShape<infer O>
            ? Page<ValueOf<O>>
            : S extends TreeShape<infer F, infer E>
              ? E extends Entity
                ? RowNode<E, F>
                : Node<F>
              : S extends ObjectShape<infer F>
                ? FieldsOf<F>
                : S extends RowShape<infer F, infer E extends Entity>
                  ? Row<E> & FieldsOf<F>
                  : S extends EitherShape<readonly (infer O)[]>
                    ? ValueOf<O>
                    : S extends FileShape
                      ? unknown
                      : null
>
type FieldsOf<F> = {
  readonly [N in keyof F as F[N] extends { readonly optional: true } ? never : N]: ValueOf<F[N]>
} & {
  readonly [N in keyof F as F[N] extends { readonly optional: true } ? N : never]?: ValueOf<F[N]>
}
type Node<F> = FieldsOf<F> & { readonly children?: readonly Node<F>[] }
type RowNode<E extends Entity, F> = ListedRow<E> & FieldsOf<F> & { readonly children?: readonly RowNode<E, F>[] }

/** The value of a shape as it is sent: a field of an object may be left out unless it is required. */
export type GivenOf<S> = Nullable<
  S,
  S extends { readonly kind: infer K extends ScalarKind }
    ? Scalars[K]
    : S extends { readonly kind: 'oneOf'; readonly values: readonly (infer V)[] }
      ? V
      : S extends ListShape<infer O>
        ? readonly GivenOf<O>[]
        : S extends MapShape<infer O>
          ? Readonly<Record<string, GivenOf<O>>>
          : S extends ObjectShape<infer F>
            ? GivenFields<F>
            : S extends DraftShape
              ? Readonly<Record<string, unknown>>
              : S extends FieldShape<infer V>
                ? V
                : never
>
export type GivenFields<F> = {
  readonly [N in keyof F as F[N] extends { readonly required: true } ? N : never]: GivenOf<F[N]>
} & { readonly [N in keyof F as F[N] extends { readonly required: true } ? never : N]?: GivenOf<F[N]> | undefined }

type More<K extends keyof ScalarShape> = Pick<ScalarShape, K | keyof Common>

function scalar<const K extends ScalarKind, const O>(kind: K, options: O) {
  return { kind, ...options } as { readonly kind: K } & O
}

/** One line of at most `max` characters (255). */
export const textValue = <const O extends More<'max' | 'min' | 'empty'> = object>(options?: O) =>
  scalar('text', (options ?? {}) as O)
export const integerValue = <const O extends More<'max' | 'min'> = object>(options?: O) =>
  scalar('integer', (options ?? {}) as O)
export const decimalValue = <const O extends More<'max' | 'min'> = object>(options?: O) =>
  scalar('decimal', (options ?? {}) as O)
export const flagValue = <const O extends Common = object>(options?: O) => scalar('flag', (options ?? {}) as O)
export const truthValue = <const O extends Common = object>(options?: O) => scalar('truth', (options ?? {}) as O)
export const dateValue = <const O extends Common = object>(options?: O) => scalar('date', (options ?? {}) as O)
export const instantValue = <const O extends Common = object>(options?: O) => scalar('instant', (options ?? {}) as O)
export const tenantValue = <const O extends Common = object>(options?: O) => scalar('tenant', (options ?? {}) as O)
export const wordsValue = <const O extends Common = object>(options?: O) => scalar('words', (options ?? {}) as O)
export const jsonValue = <const O extends Common = object>(options?: O) => scalar('json', (options ?? {}) as O)
export const textValues = <const O extends More<'max'> = object>(options?: O) => scalar('texts', (options ?? {}) as O)
/** The id of a row of this entity. */
export const idOf = <const O extends Common = object>(to: string, options?: O) =>
  scalar('id', { to, ...options } as { readonly to: string } & O)
/** Ids of rows of this entity. */
export const idsOf = <const O extends More<'max' | 'empty'> = object>(to: string, options?: O) =>
  scalar('ids', { to, ...options } as { readonly to: string } & O)

export const oneOf = <const V extends readonly (string | number)[], const O extends Common = object>(
  values: V,
  options?: O,
) => ({ kind: 'oneOf', values, ...options }) as { readonly kind: 'oneOf'; readonly values: V } & O

export const listOf = <const S extends Shape, const O extends Common & { max?: number; min?: number } = object>(
  of: S,
  options?: O,
) => ({ kind: 'list', of, ...options }) as { readonly kind: 'list'; readonly of: S } & O
export const objectOf = <const F extends Readonly<Record<string, Shape>>, const O extends Common = object>(
  fields: F,
  options?: O,
) => ({ kind: 'object', fields, ...options }) as { readonly kind: 'object'; readonly fields: F } & O
export const mapOf = <const S extends Shape, const O extends Common = object>(of: S, options?: O) =>
  ({ kind: 'map', of, ...options }) as { readonly kind: 'map'; readonly of: S } & O
export const treeOf = <const F extends Readonly<Record<string, Shape>>>(fields: F) =>
  ({ kind: 'tree', fields }) as { readonly kind: 'tree'; readonly fields: F }
/** Rows of the entity that stand under one another, with what the call adds to each. */
export const rowTreeOf = <E extends Entity, const F extends Readonly<Record<string, Shape>> = Record<never, never>>(
  entity: E,
  also?: F,
) =>
  ({ kind: 'tree', entity: entity.name, fields: also ?? {} }) as {
    readonly kind: 'tree'
    readonly entity: string
    readonly fields: F
    readonly definition?: E
  }
/** Of an answer: a value of one of these shapes. */
export const eitherOf = <const S extends readonly Shape[]>(...of: S) =>
  ({ kind: 'either', of }) as { readonly kind: 'either'; readonly of: S }
export const pageOf = <const S extends Shape>(of: S) =>
  ({ kind: 'page', of }) as { readonly kind: 'page'; readonly of: S }
/** A row of the entity, with what the call adds to it. */
export const rowOf = <E extends Entity, const F extends Readonly<Record<string, Shape>> = Record<never, never>>(
  entity: E,
  also?: F,
) =>
  ({ kind: 'row', entity: entity.name, ...(also ? { also } : {}) }) as {
    readonly kind: 'row'
    readonly entity: string
    readonly also: F
    readonly definition?: E
  }
/** A row of the entity as it is sent to be saved. */
export const draftOf = <const O extends Common = object>(entity: Pick<Entity, 'name'>, options?: O) =>
  ({ kind: 'draft', entity: entity.name, ...options }) as { readonly kind: 'draft'; readonly entity: string } & O
/** A value of a field of the entity. */
export const fieldOf = <const F extends Readonly<Record<string, Field>>, N extends keyof F & string>(
  { name }: { readonly name: string; readonly fields: F },
  field: N,
): FieldShape<Taken<F[N]>> & { readonly nullable: true } => ({
  kind: 'field',
  entity: name,
  field,
  nullable: true,
  empty: true,
})
export const fileOf = (...types: readonly string[]): FileShape => ({ kind: 'file', types })
/** The answer of a call that has nothing to tell but that it is done. */
export const emptyAnswer = { kind: 'nothing' } as const
