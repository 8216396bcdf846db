import { defineCall } from '../call.ts'
import {
  emptyAnswer,
  fileOf,
  idOf,
  instantValue,
  integerValue,
  listOf,
  objectOf,
  oneOf,
  type Shape,
  textValue,
  truthValue,
  type ValueOf,
} from '../shape.ts'

const of = 'oneroster'
const byImporter = { codes: ['oneroster_import'] } as const
const id = idOf('import_batch', { required: true })
const count = integerValue()

export const whatIsCarried = defineCall({
  method: 'GET',
  path: 'blade-user/oneroster/carried',
  of,
  access: { codes: ['oneroster_export', 'oneroster_import'] },
  summary: { zh: 'OneRoster 交换的范围', en: 'What OneRoster carries' },
  answer: objectOf({
    carried: listOf(objectOf({ entity: textValue(), label: textValue(), file: textValue() })),
    // What receivers can be given; the first one loses nothing.
    profiles: listOf(objectOf({ key: textValue(), label: textValue() })),
    notCarried: listOf(textValue()),
    // Whose personal values leave masked, because the caller may not see them.
    masked: listOf(textValue()),
  }),
})

export const exportRoster = defineCall({
  method: 'GET',
  path: 'blade-user/oneroster/export',
  of,
  access: { codes: ['oneroster_export'] },
  summary: { zh: '导出 OneRoster 压缩包', en: 'Export a OneRoster archive' },
  input: { profile: textValue({ max: 20 }) },
  answer: fileOf('application/zip'),
})

/** An archive that was brought in, and how it stands; with a report once it is checked. */
const rosterBatch = objectOf(
  {
    id: textValue(),
    fileName: textValue(),
    state: oneOf(['checking', 'checked', 'committing', 'done', 'failed']),
    progress: count,
    total: count,
    retire: truthValue(),
    failure: textValue({ nullable: true }),
    userName: textValue({ nullable: true }),
    createTime: instantValue(),
    // What is wrong with the archive, or what it would do, or has done.
    report: objectOf(
      {
        faultCount: count,
        faults: listOf(
          objectOf({
            file: textValue(),
            // The first line; 0 where the file as a whole is meant.
            line: count,
            column: textValue(),
            message: textValue(),
            // In how many lines, and the first of them.
            count,
            lines: listOf(count),
          }),
        ),
        counts: listOf(
          objectOf({
            file: textValue(),
            entity: textValue(),
            label: textValue(),
            add: count,
            update: count,
            unchanged: count,
            // Rows of an earlier import that the archive no longer knows, and the names of some.
            missing: count,
            missingNames: listOf(textValue()),
          }),
        ),
        // Files that were not read, and records that have no place here.
        otherFiles: listOf(textValue()),
        passed: listOf(objectOf({ file: textValue(), count, message: textValue() })),
        // Of how many new pupils the archive does not tell when they enrolled, and whether their grades do.
        asks: objectOf({ enrolled: count, byGrade: truthValue() }, { nullable: true }),
      },
      { nullable: true },
    ),
  },
  { name: 'RosterBatch' },
)
export type RosterBatch = ValueOf<typeof rosterBatch>

export const uploadRoster = defineCall({
  method: 'POST',
  path: 'blade-user/oneroster/upload',
  of,
  access: byImporter,
  summary: { zh: 'OneRoster 导入：上传压缩包并检查', en: 'OneRoster import: upload an archive, to be checked' },
  upload: true,
  answer: rosterBatch,
})

export const rosterBatchOf = defineCall({
  method: 'GET',
  path: 'blade-user/oneroster/batch',
  of,
  access: byImporter,
  summary: {
    zh: 'OneRoster 导入：批次；不写 id 为正在处理或等待导入的批次，没有时为空',
    en: 'OneRoster import: a batch; without an id the one that is open, or null',
  },
  input: { id: idOf('import_batch') },
  answer: objectOf(rosterBatch.fields, { nullable: true }),
})

export const commitRoster = defineCall({
  method: 'POST',
  path: 'blade-user/oneroster/commit',
  of,
  access: byImporter,
  summary: { zh: 'OneRoster 导入：导入', en: 'OneRoster import: commit' },
  input: {
    id,
    // 1 also retires what came by an earlier import and is no longer in the archive.
    retire: integerValue({ min: 0, max: 1 }),
    // When pupils enrolled of whom the archive does not tell it: `grade`, by their grades, or a day.
    enrolled: textValue({ max: 10, label: { zh: '入学年月', en: 'Enrolled on' } }),
  },
  answer: rosterBatch,
})

export const removeRoster = defineCall({
  method: 'POST',
  path: 'blade-user/oneroster/remove',
  of,
  access: byImporter,
  summary: { zh: 'OneRoster 导入：放弃未导入的批次', en: 'OneRoster import: drop a batch that was not imported' },
  input: { id },
  answer: emptyAnswer,
})

export const issueRosterSecret = defineCall({
  method: 'POST',
  path: 'blade-user/rosterclient/secret',
  of: 'rosterclient',
  access: { codes: ['rosterclient_secret'] },
  summary: {
    zh: '生成 OneRoster 客户端的密钥（只显示一次），原密钥与令牌随即失效',
    en: 'Issue the secret of a OneRoster client, told once; the one before and its tokens end',
  },
  input: { id: idOf('rosterclient', { required: true }) },
  answer: objectOf({ clientId: textValue(), clientSecret: textValue() }),
})

/** OAuth 2 with client credentials (RFC 6749 §4.4). */
export const rosterToken = defineCall({
  method: 'POST',
  path: 'ims/oneroster/token',
  of,
  access: 'public',
  summary: { zh: 'OneRoster：取得访问令牌', en: 'OneRoster: get an access token' },
  as: 'form',
  input: {
    grant_type: textValue({ max: 64 }),
    client_id: textValue({ max: 64 }),
    client_secret: textValue({ max: 128 }),
    scope: textValue({ max: 500 }),
  },
  bare: true,
  answer: objectOf({ access_token: textValue(), token_type: textValue(), expires_in: count, scope: textValue() }),
})

/** Where the rostering service of OneRoster 1.2 stands. */
export const rosterService = 'ims/oneroster/rostering/v1p2'

const asked = <const M extends number>(max: M) => textValue({ max, empty: true })
const fields = asked(2_000)

/** Reads a collection of the service: pages, filters, orders and fields as the binding has them. */
export const rosterCollection = <const S extends Shape>(path: string, many: string, record: S) =>
  defineCall({
    method: 'GET',
    path: `${rosterService}/${path}`,
    of,
    access: 'public',
    summary: { zh: `OneRoster：${path}`, en: `OneRoster: ${path}` },
    input: { limit: asked(20), offset: asked(20), sort: asked(255), orderBy: asked(20), filter: asked(2_000), fields },
    bare: true,
    answer: objectOf({ [many]: listOf(record) }),
  })

/** Reads one record of a collection. */
export const rosterRecord = <const S extends Shape>(path: string, one: string, record: S) =>
  defineCall({
    method: 'GET',
    path: `${rosterService}/${path}/:sourcedId`,
    of,
    access: 'public',
    summary: { zh: `OneRoster：${path}中的一条`, en: `OneRoster: one of ${path}` },
    input: { sourcedId: textValue({ max: 300, required: true }), fields },
    bare: true,
    answer: objectOf({ [one]: record }),
  })
