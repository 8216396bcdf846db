import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { codeOf, oss, type Words } from '@data-brain/contract'
import type { AnswerOf } from '@data-brain/contract/call'
import { enableOss, testOss } from '@data-brain/contract/calls/oss'
import { sql } from '../../database/statement.ts'
import { modelOf } from '../../entity/model.ts'
import { contextOf, rowsOf, submit } from '../../entity/routes.ts'
import { addRules, type Removing, type Saving } from '../../entity/rules.ts'
import { draftSchema, rowSchema } from '../../entity/schema.ts'
import { on, onDetached } from '../../entity/serve-call.ts'
import { writeOver } from '../../entity/write.ts'
import { OutboundError, outboundAddress } from '../../kernel/outbound.ts'
import { plainText } from '../../kernel/parameter.ts'
import { pluralize } from '../../kernel/pluralize.ts'
import { fieldProblem, Problem } from '../../kernel/problem.ts'
import { type Call, code, type DetachedCall, type Route, route } from '../../kernel/route.ts'
import { temporaryFolder } from '../../kernel/temporary.ts'
import { measureFile } from './picture.ts'
import { holdFiles } from './storage/loose.ts'
import { enabledStatus, newName, storeOf } from './storage/place.ts'
import { StoreError } from './storage/store.ts'

const switchCode = 'oss_enable'
const off = 1

/** Whether a place is enabled is switched, not saved: a row that comes back as it was read is no attempt to. */
async function refuseStatus(call: Call): Promise<void> {
  const { id, status } = (call.body ?? {}) as { id?: unknown; status?: unknown }
  if (status === undefined || status === null) return
  const stands = id ? (await rowsOf(oss, call).before(plainText(id))).status : off
  if (Number(plainText(status)) === stands) return
  throw fieldProblem(
    [
      {
        field: 'status',
        label: { zh: '启用状态', en: 'Enabled' },
        reason: { zh: '请用“启用”按钮切换', en: 'is switched by “Enable”' },
      },
    ],
    call.circumstance.language,
  )
}

/** Lets new files go to one place, or to the data folder, from now on: in one transaction, so that there is never none or two. */
async function enable(call: Call, id: string | undefined): Promise<void> {
  const { tx, actor } = call
  const rows = rowsOf(oss, call)
  await holdFiles(tx, actor.tenantId)
  const chosen = id ? await rows.before(id, { lock: true, codes: [switchCode] }) : undefined
  const on = await tx.run<{ id: string }>(
    sql`select id from oss where tenant_id = ${actor.tenantId} and status = ${enabledStatus} order by id`,
  )
  const turn = async (which: string, status: number): Promise<void> =>
    writeOver(modelOf(oss), contextOf(call), which, await rows.before(which, { lock: true }), {}, { status })
  for (const other of on) if (other.id !== id) await turn(other.id, off)
  if (id && chosen?.status !== enabledStatus) await turn(id, enabledStatus)
}

type Tried = AnswerOf<typeof testOss>

/** Puts a small object into a place, reads it and removes it again; says in words what is wrong. */
async function tryOut(call: DetachedCall, id: string): Promise<Tried> {
  const { services, circumstance } = call
  const tenantId = await call.as(async (opened) => {
    await rowsOf(oss, { ...call, ...opened }).before(id, { codes: [switchCode, codeOf(oss, 'edit')] })
    return opened.actor.tenantId
  })
  const began = Date.now()
  const folder = await temporaryFolder()
  let step: Words = { zh: '连接', en: 'connect' }
  const answer = (ok: 0 | 1, { zh, en }: Words): Tried => ({
    ok,
    message: circumstance.language === 'zh' ? zh : en,
    milliseconds: Date.now() - began,
  })
  try {
    const path = join(folder.path, 'try')
    const bytes = randomBytes(64)
    await writeFile(path, bytes)
    const name = newName(tenantId, 'txt')
    const store = await storeOf(services, tenantId, id)
    step = { zh: '写入', en: 'write' }
    await store.put(name, { path, ...(await measureFile(path)), mime: 'text/plain' })
    step = { zh: '读取', en: 'read' }
    const read = await store.get(name)
    if (!read || !(await buffer(read)).equals(bytes))
      return answer(0, { zh: '读回的内容与写入的不同', en: 'What was read is not what was written' })
    step = { zh: '删除', en: 'remove' }
    await store.remove(name)
    return answer(1, { zh: '写入、读取、删除均正常', en: 'Writing, reading and removing work' })
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    return answer(0, {
      zh: `${step.zh}失败：${error.words.zh}`,
      en: `Could not ${step.en}: ${error.words.en}`,
    })
  } finally {
    await folder.remove()
  }
}

const holdsFiles = async ({ context, id }: Pick<Removing, 'context' | 'id'>): Promise<number> =>
  (
    await context.tx.one<{ n: number }>(
      sql`select count(*)::int as n from attach where tenant_id = ${context.actor.tenantId} and oss_id = ${id}`,
    )
  )?.n ?? 0

/** An address that can be called at all; and not another bucket for files that lie in this one. */
async function checkPlace(saving: Saving<typeof oss>): Promise<void> {
  const { values, before, context } = saving
  const refuse = (field: 'endpoint' | 'bucketName', reason: Words): never => {
    throw fieldProblem([{ field, label: oss.fields[field].label, reason }], context.circumstance.language)
  }
  if (values.endpoint)
    try {
      outboundAddress(values.endpoint)
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error
      refuse('endpoint', error.words)
    }
  if (!before || !('bucketName' in values || 'appId' in values)) return
  const files = await holdsFiles(saving)
  if (files > 0)
    refuse('bucketName', {
      zh: `不能修改：其中还有${files}个文件，改后将无法读取。请新增一个存储并启用`,
      en: `cannot be changed: it holds ${pluralize(files, 'file')}, which could not be read any more. Add another place and enable it`,
    })
}

async function mayGo(removing: Removing<typeof oss>): Promise<void> {
  const { context, id, before } = removing
  const { tx, actor } = context
  const refuse = (zh: string, en: string): never => {
    throw new Problem('blocked', { reason: { zh, en } }, { id, blockers: [] })
  }
  if (before.status === enabledStatus) refuse('它正在启用，请先停用', 'it is enabled; disable it first')
  const files = await holdsFiles(removing)
  if (files > 0) refuse(`其中还有${files}个文件`, `it still holds ${files} files`)
  // What no row leads to any more stays in the bucket, which is the tenant's own.
  await tx.run(sql`delete from attach_loose where tenant_id = ${actor.tenantId} and oss_id = ${id} and until <= now()`)
  if (await tx.one(sql`select 1 from attach_loose where tenant_id = ${actor.tenantId} and oss_id = ${id} limit 1`))
    refuse('有文件正在上传到其中', 'a file is on its way into it')
}

export function addOssRules(): void {
  addRules(oss, { beforeSave: checkPlace, beforeRemove: mayGo })
}

export const ossRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: `/${oss.path}/submit`,
    tag: oss.name,
    access: code(codeOf(oss, 'add'), codeOf(oss, 'edit')),
    bodySchema: draftSchema(oss),
    dataSchema: rowSchema(oss),
    summary: { zh: `${oss.label.zh}：新增或修改`, en: `${oss.label.en}: add or change` },
    handler: async (call) => {
      await refuseStatus(call)
      return submit(oss, call)
    },
  }),
  on(enableOss, ({ id }, call) => enable(call, id)),
  onDetached(testOss, ({ id }, call) => tryOut(call, id)),
]
