import { maskOf } from '../contract/src/rules/mask.ts'
import type { Cipher } from '../server/src/kernel/cipher.ts'

export type Row = Record<string, unknown>
export type Inputs = Record<string, unknown>

/** What a call of the benchmark takes from its request and makes of the rows it gets. */
export interface Call {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** The values that go into its statements, by the names that the pattern knows them by. */
  inputs(query: URLSearchParams, body: Row): Inputs
  /** The envelope's data, from the rows of each statement between the opening and the commit; `total` where it was kept. */
  answer(rows: readonly Row[][], inputs: Inputs, total: number | undefined, cipher: Cipher): unknown
}

const page = (query: URLSearchParams): { size: number; current: number; offset: number } => {
  const size = Number(query.get('size') ?? 10)
  const current = Number(query.get('current') ?? 1)
  return { size, current, offset: (current - 1) * size }
}

const listed: Call['answer'] = (rows, { size, current }, total = Number(rows[1]?.[0]?.total)) => ({
  total,
  size,
  current,
  pages: Math.ceil(total / Number(size)),
  records: rows[0],
})

const personal = [
  ['idNo', 'id_no'],
  ['nationalCode', 'national_code'],
  ['phone', 'phone'],
] as const
const masks = new Map<string, string>()

/** A student's row as it leaves a server: encrypted values opened once and shown masked, no fields of a tenant's own. */
function masked(row: Row, cipher: Cipher): Row {
  delete row.custom
  for (const [name, column] of personal) {
    const sealed = row[name]
    if (!Buffer.isBuffer(sealed)) continue
    const key = sealed.toString('base64')
    let mask = masks.get(key)
    if (mask === undefined) {
      mask = maskOf(
        cipher.open(sealed, { table: 'student', column, tenantId: String(row.tenantId), id: String(row.id) }),
      )
      if (masks.size >= 50_000) masks.clear()
      masks.set(key, mask)
    }
    row[name] = mask
  }
  return row
}

const past = (keyword: string): string => `${keyword}\u{10ffff}`
const student = '/api/blade-user/student'

const groups = [
  { entity: 'student', label: '学生' },
  { entity: 'user', label: '用户' },
  { entity: 'schoolclass', label: '行政班' },
  { entity: 'school', label: '学校' },
]

/** The calls that the bare server answers, in the words of the product's. */
export const calls = {
  list: {
    method: 'GET',
    path: `${student}/list`,
    inputs: (query) => ({ classId: query.get('classId'), ...page(query) }),
    answer: listed,
  },
  name: {
    method: 'GET',
    path: `${student}/list`,
    inputs: (query) => {
      const keyword = query.get('keyword') ?? ''
      return { keyword, past: past(keyword), ...page(query) }
    },
    answer: listed,
  },
  search: {
    method: 'GET',
    path: '/api/blade-desk/search',
    inputs: (query) => ({ keyword: query.get('keyword'), past: past(query.get('keyword') ?? '') }),
    answer: (rows) => ({
      groups: rows.flatMap((items, nth) => (items.length > 0 ? [{ ...groups[nth], items }] : [])),
    }),
  },
  detail: {
    method: 'GET',
    path: `${student}/detail`,
    inputs: (query) => ({ id: query.get('id') }),
    answer: (rows, _inputs, _total, cipher) => masked(rows[0]![0]!, cipher),
  },
  submit: {
    method: 'POST',
    path: `${student}/submit`,
    inputs: (_query, body) => ({ id: body.id, remark: body.remark, next: Number(body.version) + 1 }),
    // The row as it was stored, before who was shown it is recorded.
    answer: (rows, _inputs, _total, cipher) => masked(rows.at(-2)![0]!, cipher),
  },
  login: {
    method: 'POST',
    path: '/api/blade-auth/oauth/token',
    inputs: () => ({}),
    // Whom the session was made for, then how it was narrowed.
    answer: (rows) => ({ ...rows.at(-2)![0], ...rows.at(-1)![0] }),
  },
} satisfies Record<string, Call>

export type CallName = keyof typeof calls
