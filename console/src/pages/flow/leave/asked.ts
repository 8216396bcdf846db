import type { InputOf } from '@data-brain/contract/call'
import type { LeaveDetail, LeavePeople, previewLeave } from '@data-brain/contract/calls/leave'
import { applicants, staffOnlyLeave } from '@data-brain/contract/rules/leave'
import type { Dictionaries } from '../../../entity/data/index.ts'
import { entryText } from '../../../entity/display/index.ts'
import type { Values } from '../../../ui/form/store.ts'
import type { Translate } from '../../../ui/words.ts'
import type { AskedField } from '../form/fields.ts'

/** Whom somebody asks for: themself, a pupil of the own class, anybody by a right to it, or whom a draft is about. */
export const whose = {
  ...{ self: 'self', ownPupil: 'pupil', anyPupil: 'anyPupil', anyStaff: 'anyStaff' },
  drafted: 'drafted',
} as const

interface Ground {
  readonly people: LeavePeople
  /** Whether anybody may be asked for. */
  readonly anybody: boolean
  /** What is filed with it, where it was begun before. */
  readonly draft: LeaveDetail | null
  readonly dictionaries: Dictionaries | undefined
  readonly language: 'zh' | 'en'
}

const plain = {
  writable: true,
  required: false,
  options: [],
  min: null,
  max: null,
  help: null,
  value: null,
  shown: null,
  files: [],
}

const isPupil = (people: LeavePeople): boolean => people.self?.applicantType === '1'

interface Choice {
  readonly key: string
  readonly label: string
  readonly isFor: string
}

/** For whom somebody can ask: those for whom the process is meant, and where there are none of these, whoever else it may be. */
function choicesOf(t: Translate, { people, anybody, draft }: Ground): Choice[] {
  const { self, pupils, meantFor } = people
  if (draft) {
    const isFor = draft.userId === null ? applicants.pupil : applicants.staff
    return [{ key: whose.drafted, label: draft.personName, isFor }]
  }
  const selfFor = isPupil(people) ? applicants.pupil : applicants.staff
  const choices = [
    ...(self ? [{ isFor: selfFor, key: whose.self, label: t('leave.self', { name: self.name }) }] : []),
    ...(pupils.length > 0 && !isPupil(people)
      ? [{ isFor: applicants.pupil, key: whose.ownPupil, label: t('leave.ownPupil') }]
      : []),
    ...(anybody
      ? [
          { isFor: applicants.pupil, key: whose.anyPupil, label: t('leave.anyPupil') },
          { isFor: applicants.staff, key: whose.anyStaff, label: t('leave.anyStaff') },
        ]
      : []),
  ]
  const meant = choices.filter(({ isFor }) => meantFor === null || isFor === meantFor)
  return meant.length > 0 ? meant : choices
}

const morning = (instant: string, until: string): 'am' | 'pm' => (instant.slice(11, 16) <= until ? 'am' : 'pm')

/** What a draft says, in the fields of the form. */
function draftedOf(draft: LeaveDetail): Readonly<Record<string, unknown>> {
  const { startTime, endTime, reason, leaveType, attachIds, leavesCampus, pickupParentId, substitutePlan } = draft
  return {
    ...{ leaveType, reason, attachIds, pickupParentId, substitutePlan, leavesCampus: leavesCampus === 1 },
    ...(startTime ? { startTime: startTime.slice(0, 10), startHalf: morning(startTime, '11:59') } : {}),
    ...(endTime ? { endTime: endTime.slice(0, 10), endHalf: morning(endTime, '12:30') } : {}),
  }
}

/** The fields of a request for leave. */
export function fieldsOfLeave(t: Translate, ground: Ground): AskedField[] {
  const { people, dictionaries, language, draft } = ground
  const choices = choicesOf(t, ground)
  const pupils = people.pupils
  const halves = [
    { key: 'am', label: t('leave.am') },
    { key: 'pm', label: t('leave.pm') },
  ]
  const parents = [
    ...new Map(pupils.flatMap((each) => each.parents.map((parent) => [parent.id, parent] as const))).values(),
  ]
  // Where they are asked for at all, whom it is about must be said: `only` means that.
  const ofPupils = [
    ...(choices.some(({ key }) => key === whose.ownPupil) ? [whose.ownPupil] : []),
    ...(isPupil(people) ? [whose.self] : []),
    whose.anyPupil,
    ...(draft && draft.userId === null ? [whose.drafted] : []),
  ]
  const ofStaff = [
    ...(isPupil(people) ? [] : [whose.self]),
    whose.anyStaff,
    ...(draft && draft.userId !== null ? [whose.drafted] : []),
  ]
  const anyStaff = choices.some(({ isFor }) => isFor === applicants.staff)
  const classes = new Set(pupils.map(({ className }) => className))
  const fields: AskedField[] = [
    {
      ...plain,
      ...{ name: 'whose', label: t('leave.whose'), kind: 'choice', required: true },
      ...{ options: choices.map(({ key, label: said }) => ({ key, label: said })), value: choices[0]?.key ?? null },
    },
    {
      ...plain,
      ...{ name: 'studentId', label: t('leave.pupil'), kind: 'choice' },
      only: { by: 'whose', is: [whose.ownPupil] },
      options: pupils.map(({ id, name, className }) => ({
        key: id,
        label: classes.size > 1 ? `${name} ${className}` : name,
      })),
    },
    {
      ...plain,
      ...{ name: 'anyPupil', label: t('leave.pupil'), kind: 'user' },
      only: { by: 'whose', is: [whose.anyPupil] },
    },
    {
      ...plain,
      ...{ name: 'userId', label: t('leave.staff'), kind: 'user' },
      only: { by: 'whose', is: [whose.anyStaff] },
    },
    {
      ...plain,
      ...{ name: 'leaveType', label: t('leave.type'), kind: 'choice', required: true },
      options: (dictionaries?.leave_type ?? [])
        .filter(({ isSealed, dictKey }) => !isSealed && (anyStaff || !staffOnlyLeave.includes(dictKey)))
        .map((entry) => ({ key: entry.dictKey, label: entryText(entry, language) })),
    },
    { ...plain, name: 'startTime', label: t('leave.from'), kind: 'date', required: true },
    {
      ...plain,
      name: 'startHalf',
      label: t('leave.fromHalf'),
      kind: 'choice',
      required: true,
      options: halves,
      value: 'am',
    },
    { ...plain, name: 'endTime', label: t('leave.until'), kind: 'date', required: true },
    {
      ...plain,
      name: 'endHalf',
      label: t('leave.untilHalf'),
      kind: 'choice',
      required: true,
      options: halves,
      value: 'pm',
    },
    {
      ...plain,
      ...{ name: 'reason', label: t('leave.reason'), kind: 'longText', required: true },
      ...{ max: 200, help: t('leave.reasonHelp') },
    },
    { ...plain, name: 'attachIds', label: t('leave.files'), kind: 'files' },
    {
      ...plain,
      ...{ name: 'leavesCampus', label: t('leave.leaves'), kind: 'flag', help: t('leave.leavesHelp') },
      only: { by: 'whose', is: ofPupils, optional: true },
    },
    ...(parents.length > 0
      ? [
          {
            ...plain,
            ...{ name: 'pickupParentId', label: t('leave.pickup'), kind: 'choice' },
            only: { by: 'leavesCampus', is: ['1'], optional: true },
            options: parents.map(({ id, name }) => ({ key: id, label: name })),
          } as const,
        ]
      : []),
    {
      ...plain,
      ...{ name: 'substitutePlan', label: t('leave.plan'), kind: 'text', max: 200, help: t('leave.planHelp') },
      only: { by: 'whose', is: ofStaff, optional: true },
    },
  ]
  if (!draft) return fields
  const said = draftedOf(draft)
  return fields.map((field) => ({
    ...field,
    ...(said[field.name] === undefined ? {} : { value: said[field.name] as AskedField['value'] }),
  }))
}

type Asked = InputOf<typeof previewLeave>

// A moment in the middle of each half-day: which it is, the bells of the school say.
const begins = { am: '06:00:00', pm: '15:00:00' } as const
const ends = { am: '10:00:00', pm: '20:00:00' } as const
const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
const half = (value: unknown): 'am' | 'pm' => (value === 'pm' ? 'pm' : 'am')

/** What is typed, as it travels. */
export function askedOf(values: Values, people: LeavePeople, draft: LeaveDetail | null = null): Asked {
  const from = text(values.startTime)
  const until = text(values.endTime) ?? from
  const isFor = values.whose
  const self = people.self
  const files = Array.isArray(values.attachIds) ? values.attachIds.map(String) : []
  const plan = text(values.substitutePlan)
  return {
    ...(isFor === whose.ownPupil ? { applicantType: '1', studentId: text(values.studentId) } : {}),
    ...(isFor === whose.anyPupil ? { applicantType: '1', studentId: text(values.anyPupil) } : {}),
    ...(isFor === whose.anyStaff ? { applicantType: '2', userId: text(values.userId) } : {}),
    // Whom a draft is about stays as it is.
    ...(isFor === whose.drafted && draft
      ? draft.userId === null
        ? { applicantType: applicants.pupil, studentId: draft.studentId ?? undefined }
        : { applicantType: applicants.staff, userId: draft.userId }
      : {}),
    ...(isFor === whose.self && self
      ? {
          applicantType: self.applicantType === '1' ? '1' : '2',
          [self.applicantType === '1' ? 'studentId' : 'userId']: self.id,
        }
      : {}),
    leaveType: text(values.leaveType),
    startTime: from && `${from} ${begins[half(values.startHalf)]}`,
    endTime: until && `${until} ${ends[half(values.endHalf ?? 'pm')]}`,
    reason: text(values.reason),
    ...(files.length > 0 ? { attachIds: files } : {}),
    ...(Number(values.leavesCampus) === 1 ? { leavesCampus: 1 } : {}),
    ...(Number(values.leavesCampus) === 1 && text(values.pickupParentId)
      ? { pickupParentId: text(values.pickupParentId) }
      : {}),
    // Whoever has swapped the lessons needs nobody to be found for them.
    ...(plan ? { substitutePlan: plan, needSubstitute: 0 } : {}),
  } as Asked
}

/** Whether enough is known to say what it would come to. */
export const canPreview = ({ startTime, endTime, studentId, userId }: Asked): boolean =>
  Boolean(startTime && endTime && (studentId ?? userId))
