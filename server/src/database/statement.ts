import {
  type Compilable,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
} from 'kysely'

/** Tables as the builder sees them: names are checked by the tests against the catalogue, values are bound. */
type Tables = Record<string, Record<string, unknown>>

/** Builds statements and never runs one: running is what a transaction does (transaction.ts). */
export const build = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

export interface Statement {
  readonly text: string
  readonly values: unknown[]
  /** Prepared under this name when given. */
  readonly name?: string
}

export type Query = RawBuilder<unknown> | Compilable<unknown>

/** SQL and its bound values, from the builder or the `sql` tag. */
export function compile(query: Query): Statement {
  const compiled =
    'toOperationNode' in query && !('execute' in query && 'where' in query)
      ? (query as RawBuilder<unknown>).compile(build)
      : (query as Compilable<unknown>).compile()
  return { text: compiled.sql, values: [...compiled.parameters] }
}

/** A place in a prepared statement that is filled at each run. */
class Slot {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}
export const slot = (name: string): RawBuilder<unknown> => sql.val(new Slot(name))

/** A statement compiled once; `with` fills its slots. */
export interface Prepared {
  readonly text: string
  with(values: Record<string, unknown>): Statement
}

let prepared = 0

const fill = (template: readonly unknown[], values: Record<string, unknown>): unknown[] =>
  template.map((value) => (value instanceof Slot ? values[value.name] : value))

/** Compiles once, to be run many times under one name. */
export function prepare(query: Query): Prepared {
  const { text, values: template } = compile(query)
  prepared += 1
  const name = `p${prepared}`
  return { text, with: (values) => ({ text, name, values: fill(template, values) }) }
}

interface Shape {
  readonly text: string
  readonly template: readonly unknown[]
  uses: number
  name?: string
}

const shapes = new Map<string, Shape>()
const shapesKept = 2_000
/** A connection never forgets a name, so names are given to a shape that comes again, and to so many shapes only. */
const usesBeforeName = 3
const namesMost = 200
let names = 0

/**
 * A statement of which there are many shapes (every set of changed fields is one): each is compiled once, and those
 * that come often are prepared under a name.
 */
export function shaped(key: string, values: Record<string, unknown>, make: () => Query): Statement {
  let shape = shapes.get(key)
  if (!shape) {
    if (shapes.size >= shapesKept) shapes.clear()
    const { text, values: template } = compile(make())
    shape = { text, template, uses: 0 }
    shapes.set(key, shape)
  }
  shape.uses += 1
  if (!shape.name && shape.uses > usesBeforeName && names < namesMost) {
    names += 1
    shape.name = `s${names}`
  }
  return { text: shape.text, values: fill(shape.template, values), ...(shape.name ? { name: shape.name } : {}) }
}

export { sql }
