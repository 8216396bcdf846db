import type pg from 'pg'
import { rowLevelSecurity } from './ddl.ts'

/** The tables that are kept by months. */
export const monthlyTables = ['log_usual', 'log_api', 'log_error'] as const

/** Months that stand ready beyond the present one: a server that is away from its owner for so long still writes. */
const monthsAhead = 3
const dayMs = 86_400_000
/** Months are those of Shanghai, whatever the zone of the connection or of the machine. */
const offsetMs = 8 * 3_600_000

interface Month {
  readonly year: number
  /** 0 to 11. */
  readonly month: number
}

const monthOf = (at: Date): Month => {
  const there = new Date(at.getTime() + offsetMs)
  return { year: there.getUTCFullYear(), month: there.getUTCMonth() }
}
const plus = ({ year, month }: Month, months: number): Month => {
  const all = year * 12 + month + months
  return { year: Math.floor(all / 12), month: all % 12 }
}
const two = (value: number): string => String(value).padStart(2, '0')
const startOf = ({ year, month }: Month): string => `${year}-${two(month + 1)}-01 00:00:00+08`

/** The name of a table's partition for the month of an instant: `log_api_202611`. */
export const partitionOf = (table: string, at: Date): string => {
  const { year, month } = monthOf(at)
  return `${table}_${year}${two(month + 1)}`
}

/** The month that a partition holds, by its name; undefined of any other name. */
function monthIn(name: string): Month | undefined {
  const [, table, year, month] = /^(log_[a-z]+)_([0-9]{4})([0-9]{2})$/.exec(name) ?? []
  if (!(monthlyTables as readonly (string | undefined)[]).includes(table)) return undefined
  return { year: Number(year), month: Number(month) - 1 }
}

/** One owner at a time makes and drops partitions: two processes may start together. */
async function alone<T>(owner: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  await owner.query('select pg_advisory_lock(2024112107)')
  try {
    return await work()
  } finally {
    await owner.query('select pg_advisory_unlock(2024112107)')
  }
}

const partitionsOf = async (owner: pg.ClientBase): Promise<string[]> =>
  (
    await owner.query<{ name: string }>(
      `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
       join pg_namespace n on n.oid = p.relnamespace where n.nspname = 'public' and p.relname = any($1) order by 1`,
      [monthlyTables],
    )
  ).rows.map((row) => row.name)

/**
 * Makes what is missing of the partitions from the month before the present one to three months ahead; answers how many
 * it made. Each is walled by itself, and nobody but the owner is granted anything on it: rows are reached through their
 * table alone, whose grants and wall then hold.
 */
export async function ensurePartitions(owner: pg.ClientBase, now = new Date()): Promise<number> {
  return alone(owner, async () => {
    const standing = new Set(await partitionsOf(owner))
    const first = plus(monthOf(now), -1)
    let made = 0
    for (const table of monthlyTables)
      for (let ahead = 0; ahead <= monthsAhead + 1; ahead += 1) {
        const month = plus(first, ahead)
        const name = `${table}_${month.year}${two(month.month + 1)}`
        if (standing.has(name)) continue
        // Sent as one, these statements are one transaction: no partition is ever without its wall.
        await owner.query(
          [
            `create table ${name} partition of ${table} for values from ('${startOf(month)}') to ('${startOf(plus(month, 1))}');`,
            ...rowLevelSecurity(name),
          ].join(' '),
        )
        made += 1
      }
    return made
  })
}

/** Drops the partitions that hold nothing younger than so many days; answers their names. */
export async function dropPartitions(owner: pg.ClientBase, days: number, now = new Date()): Promise<string[]> {
  const limit = now.getTime() - days * dayMs
  return alone(owner, async () => {
    const old = (await partitionsOf(owner)).filter((name) => {
      const month = monthIn(name)
      return month && Date.parse(startOf(plus(month, 1)).replace(' ', 'T').replace('+08', '+08:00')) <= limit
    })
    // Whoever reads just now is not waited for long: the next day is early enough.
    await owner.query(`set lock_timeout = '3s'`)
    for (const name of old) await owner.query(`drop table ${name}`)
    return old
  })
}
