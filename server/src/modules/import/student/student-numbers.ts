import { sql } from '../../../database/statement.ts'
import type { Context } from '../../../entity/repository.ts'
import type { ClassPlace, FileLookups } from '../batch/lookups.ts'
import type { StudentJudgeContext } from './student-judge.ts'

/** The beginning of a class's numbers: the year its pupils entered, and the class in two digits. */
const prefixOf = (place: ClassPlace): string => `${place.cohortYear}${String(place.classNo).padStart(2, '0')}`

/** Of pupils who have no class yet: the school year, and 00 for the class. */
const unplacedPrefix = ({ startYear }: FileLookups): string => `${startYear ?? new Date().getFullYear()}00`

/** Makes the numbers of students whose file gives none: year of entry, class, and the next free place of two digits. */
export class StudentNumbers {
  readonly #unplaced: string
  readonly #last: Map<string, number>
  readonly #given: ReadonlySet<string>

  private constructor(unplaced: string, last: Map<string, number>, given: ReadonlySet<string>) {
    this.#unplaced = unplaced
    this.#last = last
    this.#given = given
  }

  /** Reads the last number of each class, and the numbers that the file itself gives. */
  static async of(context: Context, { lookups, batch }: StudentJudgeContext): Promise<StudentNumbers> {
    const { tx, actor } = context
    const prefixes = [...new Set([...lookups.classes.map(prefixOf), unplacedPrefix(lookups)])]
    const rows = await tx.run<{ prefix: string; last: number }>(
      sql`select p.prefix, max(substring(s.student_no from length(p.prefix) + 1)::int) as last
          from unnest(${prefixes}::text[]) p(prefix) join student s on s.student_no like p.prefix || '__%'
          where s.tenant_id = ${actor.tenantId} and s.school_id = ${lookups.schoolId} and substring(s.student_no from length(p.prefix) + 1) ~ '^[0-9]{2,4}$'
          group by p.prefix`,
    )
    const given = await tx.run<{ key: string }>(
      sql`select k.key from import_row r, unnest(r.keys) k(key) where r.tenant_id = ${actor.tenantId} and r.batch_id = ${batch.id} and k.key like 'studentNo:%'`,
    )
    return new StudentNumbers(
      unplacedPrefix(lookups),
      new Map(rows.map((row) => [row.prefix, row.last])),
      new Set(given.map((row) => row.key)),
    )
  }

  /** The next number of a class. */
  next(place: ClassPlace | undefined): string {
    const prefix = place ? prefixOf(place) : this.#unplaced
    for (let last = (this.#last.get(prefix) ?? 0) + 1; ; last += 1) {
      const number = prefix + String(last).padStart(2, '0')
      if (this.#given.has(`studentNo:${number}`)) continue
      this.#last.set(prefix, last)
      return number
    }
  }
}
