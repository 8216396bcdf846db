import { code, entities, type Words } from '@data-brain/contract'
import type { AnswerOf } from '@data-brain/contract/call'
import { codeOfHeadings, codeOfTable, copyCode, genCode, previewCode } from '@data-brain/contract/calls/code'
import {
  type CodeField,
  type CodeSystem,
  codeAreas,
  faultOfFields,
  holdsPlaceholder,
  isFreeName,
} from '@data-brain/contract/code'
import { sql } from '../../database/statement.ts'
import { modelOf } from '../../entity/model.ts'
import { Repository } from '../../entity/repository.ts'
import { contextOf, rowsOf } from '../../entity/routes.ts'
import { addRules, refuseField, type Saving } from '../../entity/rules.ts'
import { on, onDetached } from '../../entity/serve-call.ts'
import { writeOver } from '../../entity/write.ts'
import { contentDisposition } from '../../kernel/disposition.ts'
import { Problem } from '../../kernel/problem.ts'
import { type Call, RawResponse, type Route } from '../../kernel/route.ts'
import type { ReceivedFile } from '../../kernel/upload.ts'
import { headingsOf } from '../import/index.ts'
import { reading } from './datasource.ts'
import { patchOf } from './generate/diff.ts'
import { UnknownForm } from './generate/edits.ts'
import { type Generated, type GenerationInput, generate, placeTaken } from './generate/files.ts'
import { fieldsOfColumns, fieldsOfHeadings } from './generate/guess.ts'
import { packGenerated } from './generate/pack.ts'
import { tableGone } from './source-error.ts'

const generateCode = 'code_generate'
/** Entities that a reference can point at. */
const known: ReadonlySet<string> = new Set(
  entities.filter((each) => each.ownership !== 'platform').map(({ name }) => name),
)

/** Judges a row as it is saved. Names may still be missing: they are asked for before anything is generated. */
async function check(saving: Saving<typeof code>): Promise<void> {
  const { values, whole: row } = saving
  if (values.serviceName !== undefined && !/^[a-z]{2,32}$/.test(row.serviceName))
    refuseField(saving, code, 'serviceName', '只能是2–32个小写字母', 'has to be 2–32 small letters')
  if (values.serviceName !== undefined && !isFreeName(row.serviceName))
    refuseField(saving, code, 'serviceName', '是保留字，请换一个', 'is a reserved word: choose another')
  if (row.packageName && !(codeAreas as readonly string[]).includes(row.packageName))
    refuseField(
      saving,
      code,
      'packageName',
      `须为 ${codeAreas.join('、')} 之一`,
      `has to be one of ${codeAreas.join(', ')}`,
    )
  for (const name of ['codeName', 'codeNameEn'] as const)
    if (values[name] !== undefined && holdsPlaceholder(row[name]))
      refuseField(saving, code, name, '不能含有 ${', 'must not hold ${')
  if (values.codeNameEn && /[\p{Cc}\p{Script=Han}]/u.test(values.codeNameEn))
    refuseField(saving, code, 'codeNameEn', '须为英文', 'has to be English')
}

interface Stored {
  readonly id: string
  readonly code_name: string
  readonly code_name_en: string | null
  readonly service_name: string
  readonly package_name: string | null
  readonly by_school: number | null
  readonly fields: readonly CodeField[] | null
  readonly generated: Record<string, string> | null
}

const refuse = (name: string, { zh, en }: Words): never => {
  throw new Problem('rule_broken', { reason: { zh: `“${name}”：${zh}`, en: `“${name}”: ${en}` } })
}

/** The rows that code is wanted of, in the order in which they were asked for; what lacks something is refused in words. */
async function wantedOf(call: Call, ids: readonly string[]): Promise<(GenerationInput & { id: string })[]> {
  const { tx, actor } = call
  const rows = rowsOf(code, call)
  for (const id of new Set(ids)) await rows.before(id, { codes: [generateCode] })
  const stored = await tx.run<Stored>(
    sql`select id, code_name, code_name_en, service_name, package_name, by_school, fields, generated from code_table where tenant_id = ${actor.tenantId} and id = any(${[...ids]}::bigint[])`,
  )
  const names = new Set([...known, ...stored.map((row) => row.service_name)])
  return [...new Set(ids)].map((id) => {
    const row = stored.find((each) => each.id === id)!
    const fields = row.fields ?? []
    const fault = faultOfFields(fields, names)
    if (fault) refuse(row.code_name, fault)
    if (!row.code_name_en) refuse(row.code_name, { zh: '缺少英文名称', en: 'lacks its English name' })
    if (!row.generated && entities.some(({ name }) => name === row.service_name))
      refuse(row.code_name, {
        zh: `已有名为 ${row.service_name} 的实体`,
        en: `there is an entity named ${row.service_name} already`,
      })
    const place = row.generated ? undefined : placeTaken(row.service_name)
    if (place)
      refuse(row.code_name, {
        zh: `源文件中已有 ${place}，请换一个服务名`,
        en: `the sources have ${place} already: choose another service name`,
      })
    const table = {
      name: row.service_name,
      zh: row.code_name,
      en: row.code_name_en!,
      area: row.package_name ?? 'school',
      bySchool: row.by_school === 1,
      fields,
    }
    return { id, table, before: row.generated }
  })
}

async function made(wanted: readonly GenerationInput[], system: CodeSystem): Promise<Generated> {
  try {
    return await generate(wanted, system)
  } catch (error) {
    if (!(error instanceof UnknownForm)) throw error
    throw new Problem('rule_broken', {
      reason: {
        zh: '源文件的格式与预期不同，无法生成',
        en: 'The sources have another form than expected: nothing can be generated',
      },
    })
  }
}

async function preview(call: Call, ids: readonly string[], system: CodeSystem): Promise<AnswerOf<typeof previewCode>> {
  const { files } = await made(await wantedOf(call, ids), system)
  return files.map(({ path, text, before }) => ({
    path,
    text,
    difference: patchOf(path, before, text),
    isNew: before === undefined ? (1 as const) : (0 as const),
  }))
}

async function generateZip(call: Call, ids: readonly string[], system: CodeSystem): Promise<RawResponse> {
  const wanted = await wantedOf(call, ids)
  const generated = await made(wanted, system)
  const rows = rowsOf(code, call)
  // What was generated is kept in the row, so that the next time shows what is different from it.
  for (const [at, { id, before }] of wanted.entries())
    await writeOver(
      modelOf(code),
      contextOf(call),
      id,
      await rows.before(id, { lock: true, codes: [generateCode] }),
      { generated: { ...before, ...generated.own[at] } },
      {},
    )
  const names = wanted.map(({ table }) => table.name)
  return new RawResponse(Buffer.from(await packGenerated(generated, names)), 200, {
    'Content-Type': 'application/zip',
    'Content-Disposition': contentDisposition('attachment', `${names.join('-').slice(0, 60)}.zip`),
    'X-Content-Type-Options': 'nosniff',
  })
}

async function copy(call: Call, id: string): Promise<{ id: string }> {
  const row = await rowsOf(code, call).before(id)
  const { codeNameEn, packageName, bySchool, datasourceId, tableName, fields, remark } = row
  const context = contextOf(call)
  for (let number = 1; ; number += 1) {
    const codeName = `${row.codeName.slice(0, 14)}-copy${number === 1 ? '' : number}`
    const serviceName = `${row.serviceName.slice(0, 26)}copy${'x'.repeat(number - 1)}`.slice(0, 32)
    const there = await call.tx.one(
      sql`select 1 from code_table where tenant_id = ${call.actor.tenantId} and (code_name = ${codeName} or service_name = ${serviceName})`,
    )
    if (there && number < 6) continue
    const draft = { codeName, serviceName, codeNameEn, packageName, bySchool, datasourceId, tableName, fields, remark }
    return { id: (await new Repository(code, context).add(draft)).id }
  }
}

export const addCodeRules = (): void => addRules(code, { beforeSave: check })

export const codeRoutes: readonly Route[] = [
  onDetached(codeOfTable, async ({ datasourceId, schema = '', table }, call) => {
    const columns = await reading(call, datasourceId, (reader) => reader.columns({ schema, name: table }))
    if (columns.length === 0) throw tableGone(table).problem()
    return fieldsOfColumns(columns)
  }),
  onDetached(codeOfHeadings, async (_, call) => fieldsOfHeadings(await headingsOf((call.body as ReceivedFile).path)), {
    uploadLimit: 10 * 1_048_576,
  }),
  on(copyCode, ({ id }, call) => copy(call, id)),
  on(previewCode, ({ ids, system = 'whole' }, call) => preview(call, ids, system)),
  on(genCode, ({ ids, system = 'whole' }, call) => generateZip(call, ids, system)),
]
