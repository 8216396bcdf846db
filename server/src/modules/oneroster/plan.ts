import type { Words } from '@data-brain/contract'
import { newId } from '../../database/id.ts'
import type { Values } from '../../entity/check.ts'
import { type CarriedEntity, carriers, type Link } from './carried-entities.ts'
import type { CellNames, ReadCell } from './cell-code.ts'
import type { State, StateRow } from './current-state.ts'
import { isGone } from './delta.ts'
import type { Faults } from './fault.ts'
import { deriveId } from './gather.ts'
import { type PassProgress, portions, sizeOf } from './pass-progress.ts'
import { fill, type UnresolvedRecord } from './resolve-records.ts'
import type { Item, SortedRecords } from './sort-records.ts'

/** Where in the archive a value of a row came from. */
export interface Origin {
  readonly file: string
  readonly line: number
  readonly column: string
}

/** The columns of users.csv from which a field comes that no column of its own tells. */
const besides: Readonly<Record<string, string>> = {
  realName: 'givenName',
  name: 'givenName',
  parentName: 'givenName',
  schoolId: 'primaryOrgSourcedId',
}

/** Where a value of a row came from: found out for a value that is wrong, since hardly any is. */
export function originOf({ item, carrier }: WantedRow, field: string, { demographics }: SortedRecords): Origin {
  const own = { file: `${item.file}.csv`, line: item.line.line }
  if (field in item.facts) return { ...own, column: 'sourcedId' }
  const link = carrier.links.find((each) => each.field === field)
  const line = link && (link.file === item.file ? item.line : demographics.get(item.sourcedId))
  const cell = line?.cells[link!.column]
  const beside = item.file === 'users' && !cell ? besides[field] : undefined
  if (beside) return { ...own, column: beside }
  return cell === undefined
    ? { ...own, column: field }
    : { file: `${link!.file}.csv`, line: line!.line, column: link!.column }
}

/** A row that the archive wants: what it will be, and what it is now. */
export interface WantedRow {
  readonly item: Item
  readonly carrier: CarriedEntity
  readonly id: string
  readonly kept: StateRow | undefined
  /** Values by field; a field that the archive does not speak of is not there. */
  readonly draft: Values
  status: number | undefined
}

/** What no archive of another system says and nobody can make up: it is asked of whoever brings it, once. */
export interface ImportQuestions {
  /** Of how many new pupils nothing tells when they enrolled, and whether the grade of each is known. */
  enrolled: number
  byGrade: boolean
}

/** When pupils enrolled of whom nothing tells it: by their grades, or all on one day. */
export type Answer = 'grade' | string

export interface Plan {
  readonly asks: ImportQuestions
  readonly wanted: ReadonlyMap<string, WantedRow[]>
  readonly sorted: SortedRecords
  readonly state: State
}

/** Finds for every record the row that it is, and reads its values. */
export async function makePlan(
  state: State,
  sorted: SortedRecords,
  faults: Faults,
  pace: PassProgress,
  answer?: Answer,
): Promise<Plan> {
  const planner = new Planner(state, sorted, faults, answer)
  await planner.run(pace.begin('match', sizeOf(sorted.items.values())))
  return { wanted: planner.wanted, sorted, state, asks: planner.asks }
}

/** What the filling-in of values sees. */
export interface FillContext {
  readonly state: State
  readonly sorted: SortedRecords
  readonly wanted: ReadonlyMap<string, readonly WantedRow[]>
  readonly answer: Answer | undefined
  idOf(entity: string, sourcedId: string): string | undefined
  /** A row as it will be, wherever it comes from. */
  rowOf(entity: string, id: unknown): Values | undefined
}

class Planner implements FillContext {
  readonly state: State
  readonly sorted: SortedRecords
  readonly wanted = new Map<string, WantedRow[]>()
  readonly answer: Answer | undefined
  readonly asks: ImportQuestions = { enrolled: 0, byGrade: true }
  readonly #faults: Faults
  readonly #ids = new Map<string, string>()
  readonly #byId = new Map<string, WantedRow>()
  readonly #names: CellNames
  readonly #order = [...carriers.keys()]

  constructor(state: State, sorted: SortedRecords, faults: Faults, answer: Answer | undefined) {
    this.answer = answer
    this.state = state
    this.sorted = sorted
    this.#faults = faults
    const codes = new Map(
      Object.entries(state.codes).map(([entity, known]) => [
        entity,
        new Map([...known].map(([id, code]) => [code, id])),
      ]),
    )
    this.#names = {
      sourcedIdOf: () => undefined,
      idOf: (entity, sourcedId) => this.idOf(entity, sourcedId),
      codeOf: (entity, id) => state.codes[entity]?.get(id),
      idOfCode: (entity, code) => codes.get(entity)?.get(code),
      reveals: () => true,
    }
  }

  idOf(entity: string, sourcedId: string): string | undefined {
    return this.#ids.get(`${entity}|${sourcedId}`)
  }

  rowOf(entity: string, id: unknown): Values | undefined {
    const wanted = this.#byId.get(`${entity}|${id}`)
    const kept = this.state.rows.get(entity)?.get(String(id))
    return wanted || kept ? { ...kept?.values, ...wanted?.draft } : undefined
  }

  async run(step: (items: number) => Promise<void>): Promise<void> {
    for (const [entity, carrier] of carriers) {
      const match = this.#matcher(entity, carrier)
      for (const portion of portions(this.#itemsOf(entity))) {
        for (const item of portion) match(item)
        await step(portion.length)
      }
    }
    for (const list of this.wanted.values())
      for (const wanted of list)
        for (const link of wanted.carrier.links)
          if (this.#isLate(wanted.carrier, link)) this.#take(wanted.item, link, wanted)
    // Without enrollments an archive says nothing of who is in a class.
    if (!this.sorted.enrolled) return
    for (const wanted of this.wanted.get('schoolclass') ?? []) this.#headsOf(wanted)
    for (const wanted of this.wanted.get('schoolteachclass') ?? [])
      wanted.draft.studentIds = (this.sorted.members.get(wanted.item.sourcedId) ?? []).flatMap(
        (id) => this.idOf('student', id) ?? [],
      )
  }

  #headsOf(wanted: WantedRow): void {
    const [head, ...deputies] = (this.sorted.heads.get(wanted.item.sourcedId) ?? []).flatMap(
      (id) => this.idOf('user', id) ?? [],
    )
    wanted.draft.headTeacherId = head ?? null
    wanted.draft.deputyTeacherIds = [...new Set(deputies)].filter((id) => id !== head)
  }

  /** Values that name rows of an entity further down are read when all rows are known. */
  #isLate(carrier: CarriedEntity, link: Link): boolean {
    const to = carrier.model.byName.get(link.field)!.to
    return to !== undefined && this.#order.indexOf(to) > this.#order.indexOf(carrier.model.entity.name)
  }

  /** The records of an entity. A school without a campus gets one, because classes stand on one. */
  #itemsOf(entity: string): readonly Item[] {
    const items = this.sorted.items.get(entity) ?? []
    if (entity !== 'schoolcampus') return items
    const kept = [...this.state.rows.get('schoolcampus').values()]
    const made = (this.wanted.get('school') ?? []).flatMap(({ id, item }): Item[] => {
      const sourcedId = deriveId(item.sourcedId, 'campus')
      const told = items.some((each) => each.line.cells.parentSourcedId === item.sourcedId)
      const others = kept.some((row) => row.values.schoolId === id && row.extId !== sourcedId)
      const line = { line: item.line.line, cells: { sourcedId } }
      return told || others ? [] : [{ entity, file: 'orgs', line, sourcedId, facts: { schoolId: item.sourcedId } }]
    })
    return [...items, ...made]
  }

  /** Takes up the records of an entity, one after the other. */
  #matcher(entity: string, carrier: CarriedEntity): (item: Item) => void {
    const list: WantedRow[] = []
    this.wanted.set(entity, list)
    const rows = this.state.rows.get(entity)!
    const byExtId = new Map<string, StateRow>()
    for (const row of rows.values()) if (row.extId !== null) byExtId.set(row.extId, row)
    const byKey = carrier.keys.map((fields) => {
      const known = new Map<string, StateRow>()
      for (const row of rows.values()) {
        const key = keyOf(fields, row.values)
        if (key && row.extId === null) known.set(key, row)
      }
      return { fields, known }
    })
    const taken = new Set<string>()
    return (item) => {
      const draft: Values = {}
      const wanted = { item, carrier, draft, status: undefined as number | undefined }
      const half: UnresolvedRecord = { item, draft, filled: new Set() }
      for (const link of carrier.links) if (!this.#isLate(carrier, link)) this.#take(item, link, wanted)
      this.#takeFacts(wanted)
      this.#takeStatus(wanted)
      fill(entity, half, this)
      let kept = byExtId.get(item.sourcedId) ?? ownId(rows, item.sourcedId)
      if (!kept && entity === 'dept') kept = rows.get(this.state.rootDept ?? '')
      for (const { fields, known } of byKey) kept ??= known.get(keyOf(fields, draft) ?? '')
      if (kept) {
        // What was only made up gives way to what stands, and an empty cell empties nothing that must be there.
        for (const field of half.filled) delete draft[field]
        for (const { name, required } of carrier.model.fields) if (required && draft[name] === null) delete draft[name]
      }
      // What goes and never was here is nothing; a row that another Data Brain has kept as ended is one here, too.
      if (!kept && isGone(item.line.cells) && item.line.cells['metadata.status'] === undefined) return
      if (!kept && half.asked) {
        this.asks.enrolled += 1
        if (half.asked === 'day') this.asks.byGrade = false
      }
      if (kept && taken.has(kept.id)) {
        this.#faults.add(
          `${item.file}.csv`,
          item.line.line,
          'sourcedId',
          '与前面的记录是同一条数据',
          'is the same as an earlier record',
        )
        return
      }
      if (kept) taken.add(kept.id)
      const whole: WantedRow = Object.assign(wanted, { id: kept?.id ?? newId(), kept })
      list.push(whole)
      this.#ids.set(`${entity}|${item.sourcedId}`, whole.id)
      this.#byId.set(`${entity}|${whole.id}`, whole)
    }
  }

  #take(item: Item, link: Link, into: Pick<WantedRow, 'draft'>): void {
    const line = link.file === item.file ? item.line : this.sorted.demographics.get(item.sourcedId)
    const cell = line?.cells[link.column]
    if (cell === undefined || link.field in item.facts) return
    if (cell === '') {
      into.draft[link.field] = null
      return
    }
    const file = `${link.file}.csv`
    const taken: ReadCell = link.code.take(cell, this.#names)
    if ('fault' in taken) this.#faults.add(file, line!.line, link.column, taken.fault.zh, taken.fault.en)
    else {
      if (taken.value !== undefined) into.draft[link.field] = taken.value
      if (taken.left) this.#leave(file, taken.left)
    }
  }

  /** Tells of cells that say nothing here. */
  #leave(file: string, reason: Words): void {
    const { passed } = this.sorted
    const at = passed.findIndex((each) => each.file === file && each.reason.zh === reason.zh)
    if (at < 0) passed.push({ file, count: 1, reason })
    else passed[at] = { ...passed[at]!, count: passed[at]!.count + 1 }
  }

  /** References that other records have told: by sourcedId. */
  #takeFacts(wanted: Pick<WantedRow, 'item' | 'draft' | 'carrier'>): void {
    const { item, carrier } = wanted
    for (const [field, sourcedId] of Object.entries(item.facts)) {
      const id = this.idOf(carrier.model.byName.get(field)!.to!, sourcedId)
      if (id) wanted.draft[field] = id
      else
        this.#faults.add(
          `${item.file}.csv`,
          item.line.line,
          '',
          `没有sourcedId为“${sourcedId}”的记录`,
          `there is no record with the sourcedId "${sourcedId}"`,
          'nowhere',
        )
    }
  }

  #takeStatus(wanted: Pick<WantedRow, 'item' | 'carrier'> & { status: number | undefined }): void {
    const { item, carrier } = wanted
    const cell = item.line.cells['metadata.status']
    if (isGone(item.line.cells)) wanted.status = carrier.retired
    else if (cell && /^\d{1,4}$/.test(cell)) wanted.status = Number(cell)
    else if (cell)
      this.#faults.add(`${item.file}.csv`, item.line.line, 'metadata.status', '须为数字', 'must be a number')
    else if (item.line.cells.enabledUser === 'false' && carrier.model.entity.name === 'user') wanted.status = 0
  }
}

/** A row that this tenant itself has exported goes by its own id. */
function ownId(rows: ReadonlyMap<string, StateRow>, sourcedId: string): StateRow | undefined {
  const row = rows.get(sourcedId)
  return row && row.extId === null ? row : undefined
}

/** A key out of several fields; null where it is not whole. One of a pair that may be empty counts as empty. */
export function keyOf(fields: readonly string[], values: Values): string | null {
  const parts = fields.map((field) => values[field])
  const optional = (field: string): boolean => field === 'classId' || field === 'teachClassId'
  if (
    parts.some(
      (part, index) =>
        (part === null || part === undefined || part === '') && !(optional(fields[index]!) && fields.length > 4),
    )
  )
    return null
  return JSON.stringify(parts.map((part) => (part === null || part === undefined ? null : String(part))))
}
