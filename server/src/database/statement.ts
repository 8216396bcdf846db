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

/** Compiles once, to be run many times under one name. */
export function prepare(query: Query): Prepared {
  const { text, values: template } = compile(query)
  prepared += 1
  const name = `p${prepared}`
  return {
    text,
    with: (values) => ({
      text,
      name,
      values: template.map((value) => (value instanceof Slot ? values[value.name] : value)),
    }),
  }
}

export { sql }
