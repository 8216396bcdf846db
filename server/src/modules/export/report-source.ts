import { codeOf, report, type Words } from '@data-brain/contract'
import { hiddenMark, takeCode } from '@data-brain/contract/report'
import { isObject } from '@data-brain/contract/rules/value-parts'
import { sql } from '../../database/statement.ts'
import { mustExplain } from '../../entity/read-log.ts'
import type { Context } from '../../entity/repository.ts'
import { holdsCode } from '../../kernel/actor.ts'
import { readParameters } from '../../kernel/parameter.ts'
import { fieldProblem, Problem } from '../../kernel/problem.ts'
import {
  askedOf,
  countsGroups,
  headsOf,
  idsOf,
  pastOf,
  type Question,
  type Running,
  readQuestion,
  rowsOf,
  run,
  savedContent,
  sourceRowsOf,
} from '../report/index.ts'
import {
  type ExportActor,
  type ExportRequest,
  fileParameters,
  fileTypes,
  fileWish,
  refuseMany,
  reportFormats,
  rowsMost,
  type Source,
  writeFile,
} from './source.ts'

const own = {
  id: { kind: 'id', required: true, label: report.label },
  /** What is asked for, as JSON. */
  parameters: { kind: 'text', max: 4_000 },
  asOf: { kind: 'date', label: { zh: '截至日期', en: 'As of' } },
} as const

const asked: Words = { zh: '运行时询问', en: 'Asked when run' }

/** What is asked for out of its text: names with texts, and nothing else. */
function parametersIn(text: string | undefined, language: keyof Words): Record<string, string> {
  if (!text) return {}
  let read: unknown
  try {
    read = JSON.parse(text)
  } catch {
    read = undefined
  }
  if (isObject(read) && Object.values(read).every((value) => typeof value === 'string'))
    return read as Record<string, string>
  const reason: Words = { zh: '无法识别', en: 'cannot be read' }
  throw fieldProblem([{ field: 'parameters', label: asked, reason }], language)
}

/** A saved question, and by which right its rows are taken out. */
interface Taken {
  readonly name: string
  readonly question: Question
  readonly verb: 'view' | 'export'
}

/**
 * The saved question, for whoever may take out what it answers: rows, by the right to export them, or, where somebody else has
 * chosen which they are, by that to take out what is shared and to look at them; counts are no rows.
 */
async function questionOf(running: Context, id: string): Promise<Taken> {
  const { actor } = running
  const { name, content, author } = await savedContent(running, id)
  const question = await readQuestion(content, running)
  // Who may read a data source may take out what its reports answer: there is no right of its own to its rows.
  if (question.source) return { name, question, verb: 'view' }
  const code = codeOf(question.entity, 'export')
  if (holdsCode(actor, code)) return { name, question, verb: 'export' }
  const isShared = author !== null && author !== actor.userId
  const mayTake = isShared && holdsCode(actor, takeCode) && holdsCode(actor, codeOf(question.entity, 'view'))
  if (!countsGroups(question.content) && !mayTake) throw new Problem('forbidden', { code })
  return { name, question, verb: 'view' }
}

/** Refuses whoever may not take a saved report out, and values of what it does not ask for. */
export async function refuseReport(
  running: Context & Pick<Running, 'asOf'>,
  id: string,
  given: Readonly<Record<string, string>>,
): Promise<Pick<Question, 'entity'>> {
  const { question } = await questionOf(running, id)
  askedOf(question, given)
  await pastOf(running, question)
  if (!question.source && !countsGroups(question.content)) await mustExplain(running, question.entity)
  return question
}

const hiddenWords = (count: number, below: number): Words => ({
  zh: `${hiddenMark} 为保护个人信息，少于${below}条的${count}项未显示，也未计入合计`,
  en: `${hiddenMark} To protect personal data, ${count} groups of fewer than ${below} rows are neither shown nor in the totals`,
})

/** Whose rows are in a report: the tenant’s, and of which schools whoever takes it out is. */
async function ownerOf({ tx, actor }: Pick<Running, 'tx' | 'actor'>): Promise<string> {
  const { tenantId, deptIds } = actor
  const tenant = await tx.one<{ name: string }>(
    sql`select tenant_name as name from tenant where tenant_id = ${tenantId}`,
  )
  const schools = await tx.run<{ name: string }>(
    sql`select school_name as name from school where tenant_id = ${tenantId} and dept_id = any(${[...deptIds]}::bigint[])
        order by id limit 3`,
  )
  const names = [tenant?.name, ...schools.map(({ name }) => name)].filter((name) => name !== undefined)
  return [...new Set(names)].join(' · ')
}

/** What a workbook may call a sheet. */
const sheetName = (name: string): string => name.replace(/[\\/?*[\]:']/g, ' ').trim() || report.label.zh

/**
 * What a saved report answers, as a file: the table as it stands on the screen, or all rows of a list, read by bunches. Each
 * asks anew whether the taker may, and is over the rows within the taker’s own scope.
 */
export const reportSource: Source = {
  name: 'reportresult',
  path: 'blade-report/report/result',
  label: { zh: '报表结果', en: 'Report result' },
  tag: report.name,
  code: codeOf(report, 'export'),
  platform: false,
  parameters: { ...own, ...fileParameters },
  types: fileTypes(reportFormats),
  ask: (query, language): ExportRequest => {
    const { format } = fileWish(query, language, reportFormats)
    const { id, parameters, asOf } = readParameters(own, query)
    const given = parametersIn(parameters, language)
    return {
      refuse: () => {},
      probe: ({ tx, actor, services, circumstance }) =>
        refuseReport({ tx, actor, circumstance, cipher: services.cipher, asOf }, id, given),
      file: async (taker, heard) => {
        const as = runner(taker, asOf)
        const { name, question, actor, owner, cells, ids } = await as(async (running) => {
          const found = await questionOf(running, id)
          const { content, entity } = found.question
          const about = { ...found, actor: running.actor, owner: await ownerOf(running) }
          if (countsGroups(content)) {
            const { heads, rows, hidden } = await run(running, content, given)
            const head = heads.map(({ text, over }) => (over === null ? text : `${over} ${text}`))
            const numeric = heads.map((each) => each.numeric)
            const levels = content.groups.length
            const sums = new Set(rows.flatMap(({ level }, at) => (level < levels ? [String(at)] : [])))
            const lines = rows.map((row) => row.cells as (string | number | null)[])
            // A file is read without the page: it says itself that something is left out.
            if (hidden > 0)
              lines.push([hiddenWords(hidden, content.hideBelow)[language], ...head.slice(1).map(() => null)])
            const ids = lines.map((_, at) => String(at))
            return { ...about, cells: { head, rows: lines, numeric, sums }, ids }
          }
          if (found.question.source) {
            const wanted = askedOf(found.question, given)
            const { rows } = await sourceRowsOf(running, found.question, wanted, rowsMost + 1)
            const listed = headsOf(found.question, language)
            const cells = { head: listed.map(({ text }) => text), rows, numeric: listed.map((each) => each.numeric) }
            return { ...about, cells: { ...cells, sums: new Set<string>() }, ids: rows.map((_, at) => String(at)) }
          }
          await mustExplain(running, entity)
          const asOf = await pastOf(running, found.question)
          const ids = await idsOf(
            { ...running, asOf },
            found.question,
            askedOf(found.question, given),
            found.verb,
            rowsMost + 1,
          )
          return { ...about, cells: undefined, ids }
        })
        refuseMany(ids, format)
        const listed = headsOf(question, language)
        const heads = cells?.head ?? listed.map(({ text }) => text)
        return writeFile(
          {
            source: { name: 'reportresult', label: { zh: sheetName(name), en: sheetName(name) } },
            format,
            columns: heads.map((heading, at) => ({ name: String(at), heading, width: 16 })),
            ids,
            actor,
            owner,
            numeric: cells?.numeric ?? listed.map((each) => each.numeric),
            ...(cells ? { sums: cells.sums } : {}),
            read: async (some) =>
              cells
                ? some.map((at) => cells.rows[Number(at)]!)
                : as(async (running) => {
                    // The right to take it out may be gone since the last bunch.
                    const again = await questionOf(running, id)
                    const past = { ...running, asOf: await pastOf(running, again.question) }
                    return rowsOf(past, again.question, some, again.verb, 'export')
                  }),
            // Nobody knows whether rows of others are personal.
            signed: question.source !== undefined || question.columns.some(({ field }) => field.kind === 'personal'),
            ...(asOf === undefined ? {} : { about: [[own.asOf.label, asOf] as const] }),
            logged: { report: id, ...(asOf === undefined ? {} : { asOf }) },
          },
          taker,
          heard,
        )
      },
    }
  },
}

/** Works as whoever takes the file, in a transaction each time. */
const runner =
  ({ services, circumstance, as }: ExportActor, asOf: string | undefined) =>
  <T>(work: (running: Running) => Promise<T>): Promise<T> =>
    as(({ tx, actor }) => work({ tx, actor, circumstance, cipher: services.cipher, services, asOf }))
