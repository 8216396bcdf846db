import { type AnswerOf, defineCall } from '../call.ts'
import { school } from '../entities/school/school.ts'
import { user } from '../entities/system/user.ts'
import { reasonMost } from '../quality.ts'
import {
  dateValue,
  emptyAnswer,
  flagValue,
  idOf,
  instantValue,
  integerValue,
  listOf,
  mapOf,
  objectOf,
  textValue,
  truthValue,
} from '../shape.ts'

const of = 'quality'
const schoolId = idOf(school.name, { label: school.label })
// One of `qualityKeys`, which the server looks up: in the description they would stand at each call.
const check = textValue({ required: true, max: 40, label: { zh: '检查项', en: 'Check' } })
const rowId = textValue({ required: true, max: 20, label: { zh: '记录', en: 'Record' } })

/** One check: `count` of its findings, without the `ignored`; where a list can show them, its total is both together. */
const counted = objectOf(
  {
    // One of `qualityKeys`, as `check` of a finding.
    key: textValue(),
    count: integerValue(),
    ignored: integerValue(),
    code: textValue(),
    // The filters of the list, where it can show the same rows.
    query: mapOf(textValue(), { nullable: true }),
    // Whether the caller may ignore and assign its findings.
    mayDecide: truthValue(),
  },
  { name: 'QualityCount' },
)

/** Of how many enrolled pupils nothing is missing. */
const share = objectOf(
  { id: textValue(), name: textValue(), total: integerValue(), complete: integerValue() },
  { name: 'QualityShare' },
)

export const qualitySummary = defineCall({
  method: 'GET',
  path: 'blade-desk/quality/summary',
  of,
  access: 'session',
  summary: {
    zh: '数据质量：本人数据范围内各检查项的问题数与完整率',
    en: 'Data quality: findings of each check and the share of complete records, within the caller’s data scope',
  },
  input: { schoolId },
  answer: objectOf({
    at: instantValue(),
    checks: listOf(counted),
    // All enrolled pupils within reach; beside them the schools and classes with most that is missing.
    pupils: objectOf({ total: integerValue(), complete: integerValue() }),
    schools: listOf(share),
    classes: listOf(share),
    // All findings on past days: only for whoever reaches all rows.
    trend: listOf(objectOf({ day: dateValue(), count: integerValue() })),
    // Open findings that are assigned to the caller.
    mine: integerValue(),
  }),
})
export type Quality = AnswerOf<typeof qualitySummary>
export type QualityCount = Quality['checks'][number]
export type QualityShare = Quality['schools'][number]

const finding = objectOf(
  {
    id: textValue(),
    code: textValue(),
    check: textValue(),
    title: textValue(),
    // What stands beside the title, such as the class of a pupil.
    beside: textValue({ nullable: true }),
    // Since then at least nobody has changed the record.
    since: instantValue(),
    // Other records that the finding is about, such as a twin.
    others: listOf(objectOf({ id: textValue(), title: textValue(), beside: textValue({ nullable: true }) })),
    ignored: truthValue(),
    reason: textValue({ nullable: true }),
    ownerId: textValue({ nullable: true }),
    owner: textValue({ nullable: true }),
    dueDay: dateValue({ nullable: true }),
  },
  { name: 'QualityFinding' },
)

export const qualityList = defineCall({
  method: 'GET',
  path: 'blade-desk/quality/list',
  of,
  access: 'session',
  summary: {
    zh: '数据质量：一个或全部检查项的问题、一条记录的问题，或分派给本人的问题',
    en: 'Data quality: findings of one check or of all, those of one record, or those assigned to the caller',
  },
  input: {
    schoolId,
    check: textValue({ max: 40, label: { zh: '检查项', en: 'Check' } }),
    ignored: integerValue({ min: 0, max: 1, label: { zh: '已忽略', en: 'Ignored' } }),
    mine: integerValue({ min: 0, max: 1, label: { zh: '分派给我', en: 'Assigned to me' } }),
    // Both together: the findings of one record.
    code: textValue({ max: 40, label: { zh: '数据对象', en: 'Entity' } }),
    id: textValue({ max: 20, label: { zh: '记录', en: 'Record' } }),
    current: integerValue({ min: 1, max: 100_000, label: { zh: '页码', en: 'Page' } }),
    size: integerValue({ min: 1, max: 50, label: { zh: '每页条数', en: 'Page size' } }),
  },
  answer: objectOf({
    total: integerValue(),
    records: listOf(finding),
  }),
})
export type QualityFinding = AnswerOf<typeof qualityList>['records'][number]

export const qualityIgnore = defineCall({
  method: 'POST',
  path: 'blade-desk/quality/ignore',
  of,
  access: 'session',
  summary: {
    zh: '数据质量：说明原因后忽略一个问题，或取消忽略',
    en: 'Data quality: ignore a finding with a reason, or count it again',
  },
  as: 'json',
  input: {
    check,
    id: rowId,
    ignored: flagValue({ required: true, label: { zh: '忽略', en: 'Ignore' } }),
    reason: textValue({ max: reasonMost, label: { zh: '原因', en: 'Reason' } }),
  },
  answer: emptyAnswer,
})

export const qualityAssign = defineCall({
  method: 'POST',
  path: 'blade-desk/quality/assign',
  of,
  access: 'session',
  summary: {
    zh: '数据质量：把一个问题分派给某人并定期限，或取消分派',
    en: 'Data quality: assign a finding to somebody with a due day, or to nobody',
  },
  as: 'json',
  input: {
    check,
    id: rowId,
    ownerId: idOf(user.name, { label: { zh: '负责人', en: 'Owner' } }),
    dueDay: dateValue({ label: { zh: '期限', en: 'Due day' } }),
  },
  answer: emptyAnswer,
})

const mergedRows = objectOf({ entity: textValue(), count: integerValue() }, { name: 'MergedRows' })

export const qualityMerge = defineCall({
  method: 'POST',
  path: 'blade-desk/quality/merge',
  of,
  access: 'session',
  summary: {
    zh: '数据质量：把两条重复的记录合并为一条，或只预览；可按请求号整体撤销',
    en: 'Data quality: make one of two records that are the same, or only show what that comes to; undone by its request',
  },
  as: 'json',
  input: {
    check,
    // The record that stays, and the other one of the same finding, which goes.
    id: rowId,
    otherId: textValue({ required: true, max: 20, label: { zh: '另一条记录', en: 'Other record' } }),
    // Fields in which the other record is right; what the one that stays leaves empty is filled in anyway.
    take: listOf(textValue({ max: 60 }), { label: { zh: '采用另一条的字段', en: 'Fields of the other record' } }),
    preview: flagValue({ label: { zh: '只预览', en: 'Preview' } }),
  },
  answer: objectOf({
    moved: listOf(mergedRows),
    // Rows that the one that stays had already.
    joined: listOf(mergedRows),
    filled: listOf(textValue()),
    // Fields of joined rows, as `entity.field`, of which another value is left behind.
    dropped: listOf(textValue()),
    requestId: textValue({ nullable: true }),
  }),
})
export type QualityMerge = AnswerOf<typeof qualityMerge>
