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
export const slotValue = (name: string): RawBuilder<unknown> => sql.val(new Slot(name))

/** A statement compiled once; `with` fills its slots. */
export interface PreparedQuery {
  readonly text: string
  with(values: Record<string, unknown>): Statement
}

let prepared = 0

const fill = (template: readonly unknown[], values: Record<string, unknown>): unknown[] =>
  template.map((value) => (value instanceof Slot ? values[value.name] : value))

/** Compiles once, to be run many times under one name. */
export function prepareQuery(query: Query): PreparedQuery {
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

/** Shapes that carry a name stay, for the connections remember them; of the others the longest unused is forgotten. */
const named = new Map<string, Shape>()
const unnamed = new Map<string, Shape>()
const unnamedKept = 2_000
/** A connection never forgets a name, so names are given to a shape that comes again, and to so many shapes only. */
const usesBeforeName = 3
const namesMost = 500

/**
 * A statement of which there are many shapes (every set of filters or of changed fields is one): each is compiled once,
 * and those that come often are prepared under a name.
 */
export function statementByShape(key: string, values: Record<string, unknown>, make: () => Query): Statement {
  const shape = named.get(key) ?? unnamed.get(key) ?? newShape(make())
  shape.uses += 1
  if (!shape.name) {
    unnamed.delete(key)
    if (shape.uses > usesBeforeName && named.size < namesMost) {
      shape.name = `s${named.size + 1}`
      named.set(key, shape)
    } else {
      if (unnamed.size >= unnamedKept) unnamed.delete(unnamed.keys().next().value as string)
      unnamed.set(key, shape)
    }
  }
  return { text: shape.text, values: fill(shape.template, values), ...(shape.name ? { name: shape.name } : {}) }
}

function newShape(query: Query): Shape {
  const { text, values: template } = compile(query)
  return { text, template, uses: 0 }
}

/** A statement with slots that is run once as it stands: compiled, filled, and neither kept nor named. */
export function compileOnce(query: Query, values: Record<string, unknown>): Statement {
  const { text, values: template } = compile(query)
  return { text, values: fill(template, values) }
}

/** How many shapes are kept: those with a name on the connections, and those without. */
export const shapesKept = (): { named: number; unnamed: number } => ({ named: named.size, unnamed: unnamed.size })

export { sql }
