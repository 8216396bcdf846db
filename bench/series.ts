import { createHash } from 'node:crypto'
import type { CallName, Row } from './calls.ts'
import type { Target } from './load.ts'
import type { Asked } from './record.ts'
import { benchPassword, type Filled } from './school.ts'
import type { Stage } from './stage.ts'

/** One line of the benchmark: a call, and what is asked of it. */
export interface Series {
  readonly name: CallName
  readonly title: string
  /** Requests that differ in every value that they give, for the record of what is sent. */
  readonly samples: () => Promise<Asked[]>
  /** What the load asks for. */
  readonly targets: () => Promise<readonly Target[]>
  /** The least share of the bare server's requests per processor second. */
  readonly goal?: number
  /** Fields of the answer that no two answers have alike. */
  readonly except?: readonly string[]
  /** Whether both servers must answer the same. */
  readonly compared: boolean
}

const student = '/api/blade-user/student'
const changed = 256

/** Two characters as they follow each other in the names of the students: what people type. */
export async function wordsOf(stage: Stage, tenantId: string): Promise<string[]> {
  const { rows } = await stage.owner.query<{ word: string }>(
    `select distinct left(name, 2) as word from (select name from student where tenant_id = $1 order by id limit 2000) s order by 1 limit 200`,
    [tenantId],
  )
  return rows.map(({ word }) => word)
}

/** Everything that is measured on both servers. `detail` asks the product for a student's whole row. */
export async function seriesOf(stage: Stage, filled: Filled, detail: (id: string) => Promise<Row>): Promise<Series[]> {
  const { tenantId, classIds } = filled
  const ids = async (limit: number, skip: number): Promise<{ id: string; version: number }[]> =>
    (
      await stage.owner.query<{ id: string; version: number }>(
        'select id, version from student where tenant_id = $1 order by id limit $2 offset $3',
        [tenantId, limit, skip],
      )
    ).rows
  const words = await wordsOf(stage, tenantId)
  const some = await ids(2_000, 1_000)
  const bodies = new Map<string, string>()
  for (const { id } of await ids(changed, 0)) {
    // The whole row is sent back, as a form does, with one thing changed.
    const { version: _version, remark: _remark, ...row } = await detail(id)
    bodies.set(id, JSON.stringify({ ...row, version: '{{version}}', remark: '备注 {{count}}' }))
  }
  const list = (classId: string, current: number): string =>
    `${student}/list?classId=${classId}&descs=birthDate&current=${current}&size=10`
  const name = (word: string, current = 1): string =>
    `${student}/list?keyword=${encodeURIComponent(word)}&current=${current}&size=10`
  const search = (word: string): string => `/api/blade-desk/search?keyword=${encodeURIComponent(word)}`
  const login = new URLSearchParams({
    ...{ grant_type: 'password', tenantId, username: 'admin', scope: 'all', type: 'account' },
    password: createHash('md5').update(benchPassword).digest('hex'),
  }).toString()
  const token = '/api/blade-auth/oauth/token'

  return [
    {
      name: 'list',
      title: 'list page: filter, sort, exact total',
      samples: async () => [1, 2, 3, 4].map((page) => ({ path: list(classIds[page]!, page) })),
      targets: async () => classIds.flatMap((id) => [1, 2, 3].map((page) => ({ path: list(id, page) }))),
      goal: 0.7,
      compared: true,
    },
    {
      name: 'detail',
      title: 'detail',
      samples: async () => some.slice(0, 4).map(({ id }) => ({ path: `${student}/detail?id=${id}` })),
      targets: async () => some.map(({ id }) => ({ path: `${student}/detail?id=${id}` })),
      goal: 0.6,
      compared: true,
    },
    {
      name: 'submit',
      title: 'submit: edit with history',
      samples: async () => {
        const rows = await ids(4, changed)
        // Of different versions, so that the record shows where the version goes.
        for (const [nth, row] of rows.entries()) {
          row.version += nth + 1
          await stage.owner.query('update student set version = $3 where tenant_id = $1 and id = $2', [
            tenantId,
            row.id,
            row.version,
          ])
        }
        return rows.map(({ id, version }, nth) => ({
          path: `${student}/submit`,
          body: { id, version, remark: `备注 ${nth}` },
        }))
      },
      targets: async () =>
        (await ids(changed, 0)).map(({ id, version }) => ({
          path: `${student}/submit`,
          body: bodies.get(id)!,
          version,
        })),
      goal: 0.4,
      except: ['version', 'updateTime', 'remark'],
      compared: false,
    },
    {
      name: 'login',
      title: 'log in',
      samples: async () => [1, 2, 3, 4].map(() => ({ path: token, form: login })),
      targets: async () => [{ path: token, body: login }],
      compared: false,
    },
    {
      name: 'name',
      title: 'name search: two characters',
      samples: async () => words.slice(0, 4).map((word, nth) => ({ path: name(word, nth + 1) })),
      targets: async () => words.map((word) => ({ path: name(word) })),
      compared: true,
    },
    {
      name: 'search',
      title: 'global search (Ctrl+K)',
      samples: async () => words.slice(0, 4).map((word) => ({ path: search(word) })),
      targets: async () => words.map((word) => ({ path: search(word) })),
      compared: true,
    },
  ]
}
