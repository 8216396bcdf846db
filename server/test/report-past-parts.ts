import type { ReportContent, ReportResult } from '@data-brain/contract/report'
import { checked, committed, csv, line, makeSchool, type Place, table } from './import-parts.ts'
import type { Answer, Person, Row, World } from './world.ts'

/*
 * A tenant that is written to in every way, for some days. What a test writes happens now; what was written of a day is then
 * moved to that day’s noon, in the history and in the stamps of the rows.
 */

/** The middle of a day so many days before today, as the database writes it. */
export const noon = (days: number): string =>
  `((now() at time zone 'Asia/Shanghai')::date - ${days} + time '12:00') at time zone 'Asia/Shanghai'`

/** Moves what was written since a moment to a day in the past. */
export async function moveTo(world: World, tenantId: string, since: string, days: number): Promise<void> {
  const { owner } = world
  await owner.query(`set session_replication_role = replica`)
  await owner.query(`update history set at = ${noon(days)} where tenant_id = $1 and at >= $2::timestamptz`, [
    tenantId,
    since,
  ])
  // A row that comes back has its stamps out of what was kept of it.
  for (const stamp of ['create_time', 'update_time'])
    await owner.query(
      `update history set before = jsonb_set(before, '{${stamp}}', to_jsonb(${noon(days)}))
       where tenant_id = $1 and (before ->> '${stamp}')::timestamptz >= $2::timestamptz`,
      [tenantId, since],
    )
  const tables = (
    await owner.query<{ name: string }>(
      `select c.relname as name from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
         and (select count(*) from pg_attribute a where a.attrelid = c.oid and a.attname in ('tenant_id', 'create_time', 'update_time', 'version')) = 4`,
    )
  ).rows
  for (const { name } of tables)
    for (const stamp of ['create_time', 'update_time'])
      await owner.query(
        `update ${name} set ${stamp} = ${noon(days)} where tenant_id = $1 and ${stamp} >= $2::timestamptz`,
        [tenantId, since],
      )
  await owner.query(`set session_replication_role = origin`)
}

export const momentOf = async (world: World): Promise<string> =>
  (await world.owner.query<{ at: string }>(`select clock_timestamp()::text as at`)).rows[0]!.at

export const dayOf = async (world: World, days: number): Promise<string> =>
  (
    await world.owner.query<{ day: string }>(
      `select ((now() at time zone 'Asia/Shanghai')::date - $1::int)::text as day`,
      [days],
    )
  ).rows[0]!.day

/** Runs a saved report, or one that is not. */
export const run = (who: Person, report: string | ReportContent, asOf?: string): Promise<Answer<ReportResult>> =>
  who.post<ReportResult>('blade-report/report/rest/run', {
    ...(typeof report === 'string' ? { id: report } : { content: report }),
    ...(asOf ? { asOf } : {}),
  })

/** Saves reports, and shares them with everybody’s roles. */
export async function saved(
  world: World,
  who: Person,
  contents: Readonly<Record<string, ReportContent>>,
): Promise<Map<string, string>> {
  const { rows } = await world.owner.query<{ id: string }>(
    'select distinct target_id::text as id from app_user_role where tenant_id = $1',
    [who.tenantId],
  )
  const ids = new Map<string, string>()
  for (const [name, content] of Object.entries(contents)) {
    const roleIds = rows.map(({ id }) => id)
    const answer = await who.post<Row>('blade-report/report/rest/submit', { name: `往日 ${name}`, content, roleIds })
    if (answer.status !== 200) throw new Error(answer.msg)
    ids.set(name, answer.data.id)
  }
  return ids
}

/** Numbers that come in the same order each time. */
export function dice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * sides)
  }
}

const pupils = 'blade-user/student'
const added = '新来的'
const listed = async (who: Person, path: string, query: object = {}): Promise<Row[]> =>
  (await who.get<{ records: Row[] }>(`${path}/list`, { size: 100, ...query })).data.records

/** Writes at random to the pupils and classes of a tenant, in one of the ways there are; answers which, and whether it was taken. */
export class Writer {
  readonly #world: World
  readonly #who: Person
  readonly #roll: (sides: number) => number
  readonly #requests: string[] = []
  readonly #gone: { id: string; entry: string }[] = []
  readonly done = new Map<string, number>()
  #made = 0
  #place: Place | undefined

  constructor(world: World, who: Person, roll: (sides: number) => number) {
    this.#world = world
    this.#who = who
    this.#roll = roll
  }

  #one<T>(of: readonly T[]): T {
    return of[this.#roll(of.length)]!
  }

  #note(way: string, answer: Answer<unknown>): void {
    if (answer.status !== 200) return
    this.done.set(way, (this.done.get(way) ?? 0) + 1)
  }

  async write(): Promise<void> {
    const ways = [this.#save, this.#save, this.#add, this.#bulk, this.#remove, this.#restore, this.#undo, this.#rename]
    await this.#one(ways).call(this)
  }

  async #save(): Promise<void> {
    const row = this.#one(await listed(this.#who, pupils))
    const classes = await listed(this.#who, 'blade-user/schoolclass', { schoolId: row.schoolId, status: '1' })
    const draft = this.#one<object>([
      { sex: this.#one(['1', '2']) },
      { status: this.#one([1, 1, 2, 3, 5]) },
      { classId: this.#one(classes)?.id, seatNo: null },
      { seatNo: this.#one([null, 500 + this.#roll(400)]) },
      { name: `改名${'甲乙丙丁'[this.#roll(4)]}`, studyWay: this.#one(['1', '2']) },
    ])
    this.#note('save', await this.#who.post(`${pupils}/submit`, { id: row.id, version: row.version, ...draft }))
  }

  async #add(): Promise<void> {
    const row = this.#one(await listed(this.#who, 'blade-user/schoolclass', { status: '1' }))
    this.#made += 1
    const draft = {
      ...{
        schoolId: row.schoolId,
        classId: row.id,
        studentNo: `P${Date.now()}${this.#made}`,
        name: added,
        idType: 'Z',
      },
      ...{ sex: this.#one(['1', '2']), birthDate: '2014-02-03', enrollDate: '2026-09-01' },
    }
    this.#note('add', await this.#who.post(`${pupils}/submit`, draft))
  }

  async #bulk(): Promise<void> {
    const rows = await listed(this.#who, pupils)
    const ids = Array.from({ length: 5 }, () => this.#one(rows).id)
    const values = this.#one<object>([{ studyWay: '2' }, { nation: '02' }, { health: '20' }])
    const answer = await this.#who.post<{ requestId?: string }>(
      `${pupils}/bulk`,
      { values },
      { query: { ids: [...new Set(ids)].join() } },
    )
    if (answer.data?.requestId) this.#requests.push(answer.data.requestId)
    this.#note('bulk', answer)
  }

  async #remove(): Promise<void> {
    // Others have parents and leave, and stay.
    const there = await listed(this.#who, pupils, { name_equal: added })
    if (there.length === 0) return this.#add()
    const { id } = this.#one(there)
    const answer = await this.#who.remove<{ requestId: string }>(pupils, id)
    if (answer.status !== 200) return
    this.#requests.push(answer.data.requestId)
    const { rows } = await this.#world.owner.query<{ entry: string }>(
      'select id::text as entry from history where tenant_id = $1 and row_id = $2 order by id desc limit 1',
      [this.#who.tenantId, id],
    )
    this.#gone.push({ id, entry: rows[0]!.entry })
    this.#note('remove', answer)
  }

  async #restore(): Promise<void> {
    const found = this.#gone.splice(this.#roll(this.#gone.length), 1)[0]
    if (!found) return
    const query = { id: found.id, historyId: found.entry }
    this.#note('restore', await this.#who.post(`${pupils}/restore`, undefined, { query }))
  }

  async #undo(): Promise<void> {
    const requestId = this.#requests.splice(this.#roll(this.#requests.length), 1)[0]
    if (!requestId) return
    this.#note('undo', await this.#who.post('blade-log/history/undo', undefined, { query: { requestId } }))
  }

  async #rename(): Promise<void> {
    const row = this.#one(await listed(this.#who, 'blade-user/schoolclass'))
    const draft = { id: row.id, version: row.version, className: `${'东西南北'[this.#roll(4)]}${this.#roll(1000)}班` }
    this.#note('rename', await this.#who.post('blade-user/schoolclass/submit', draft))
  }

  /** Moves everybody of a class of that school to its other one. */
  async empty(): Promise<void> {
    const [from, to] = this.#place!.classIds
    const ids = (await listed(this.#who, pupils, { classId: from })).map(({ id }) => id)
    const body = { values: { classId: to, seatNo: null } }
    const answer = await this.#who.post(`${pupils}/bulk`, body, { query: { ids: ids.join() } })
    if (answer.status !== 200 || ids.length === 0) throw new Error(answer.msg)
  }

  /** A school of its own, once, and a file of pupils for it. */
  async import(): Promise<void> {
    this.#place ??= await makeSchool(this.#who, '后来的学校')
    this.#made += 1
    const lines = importLines(this.#place, this.#made)
    const batch = await checked(this.#world, this.#who, this.#place, csv(lines), `名单${this.#made}.csv`, 'update')
    const done = await committed(this.#who, batch.id)
    if (done.state !== 'done') throw new Error(`the import ended as ${done.state}`)
    this.done.set('import', (this.done.get('import') ?? 0) + 1)
  }
}

/** Pupils of whom some were in the list before. */
const importLines = (place: Place, times: number): string[][] =>
  table(Array.from({ length: 6 }, (_, at) => line(place, at + times * 2)))
