import { defineCall } from '../call.ts'
import { notice } from '../entities/desk/notice.ts'
import { codeOf } from '../entity.ts'
import {
  emptyAnswer,
  flagValue,
  idOf,
  idsOf,
  instantValue,
  integerValue,
  listOf,
  mapOf,
  objectOf,
  oneOf,
  pageOf,
  textValue,
} from '../shape.ts'
import { paging } from './paging.ts'

const of = notice.name
const publishing = { codes: ['notice_publish'] } as const
const id = { id: idOf(of, { required: true }) } as const
const ids = { ids: idsOf(of, { required: true }) } as const
/** Only those of which this is so, or not so. */
const only = integerValue({ min: 0, max: 1 })

export const publishNotices = defineCall({
  method: 'POST',
  path: 'blade-desk/notice/publish',
  of,
  access: publishing,
  summary: { zh: '通知公告：发布（发布时间未到则为待发布）', en: 'Publish notices, at once or at their time' },
  input: ids,
  // Waiting for its time (1) or out (2), as the dictionary notice_status has it.
  answer: listOf(objectOf({ id: idOf(of), status: oneOf([1, 2]) })),
})

export const withdrawNotices = defineCall({
  method: 'POST',
  path: 'blade-desk/notice/withdraw',
  of,
  access: publishing,
  summary: { zh: '通知公告：下线', en: 'Withdraw notices' },
  input: ids,
  answer: emptyAnswer,
})

const people = integerValue({ help: { zh: '人数', en: 'how many people' } })

export const noticeReceipts = defineCall({
  method: 'GET',
  path: 'blade-desk/notice/receipts',
  of,
  access: { codes: [codeOf(notice, 'view')] },
  summary: {
    zh: '通知公告：回执（已读、已确认与未确认）',
    en: 'Who has read a notice, who has confirmed that, and who has not',
  },
  input: { ...id, read: only, confirmed: only, ...paging },
  // A page of people, with what all of them come to.
  answer: objectOf({
    read: integerValue(),
    unread: integerValue(),
    confirmed: integerValue(),
    unconfirmed: integerValue(),
    // The last reminder; `wait`: seconds until there may be another one.
    reminded: objectOf(
      { people, userName: textValue(), time: instantValue(), wait: integerValue() },
      { nullable: true },
    ),
    total: integerValue(),
    size: integerValue(),
    current: integerValue(),
    pages: integerValue(),
    records: listOf(
      objectOf({
        userId: idOf('user'),
        realName: textValue(),
        deptName: textValue({ nullable: true }),
        // Classes that the person heads.
        className: textValue({ nullable: true }),
        readAt: instantValue({ nullable: true }),
        confirmedAt: instantValue({ nullable: true }),
      }),
    ),
  }),
})

export const remindOfNotice = defineCall({
  method: 'POST',
  path: 'blade-desk/notice/remind',
  of,
  access: publishing,
  summary: {
    zh: '通知公告：提醒未确认（或未读）的人',
    en: 'Remind those who have not confirmed a notice, or not read it',
  },
  input: id,
  answer: objectOf({ people }),
})

export const noticeAudience = defineCall({
  method: 'GET',
  path: 'blade-desk/notice/audience',
  of,
  access: { codes: [codeOf(notice, 'add'), codeOf(notice, 'edit'), 'notice_publish'] },
  summary: {
    zh: '通知公告：这些公告（ids），或发布给这些对象时，能收到的人数',
    en: 'How many people these notices (ids), or one with these targets, would reach',
  },
  input: { ids: idsOf(of), targetType: textValue({ max: 8 }), targetIds: idsOf('what targetType says') },
  // Of targets also how many people each of them would reach alone, by its id.
  answer: objectOf({ people, each: mapOf(integerValue(), { optional: true }) }),
})

/** A notice as it stands in its reader's list. */
const head = {
  id: idOf(of),
  title: textValue(),
  category: textValue(),
  categoryName: textValue({ nullable: true }),
  releaseTime: instantValue(),
  expireTime: instantValue({ nullable: true }),
  isTop: flagValue({ nullable: true }),
  needRead: flagValue({ nullable: true }),
  summary: textValue({ nullable: true }),
  createUserName: textValue({ nullable: true }),
  readAt: instantValue({ nullable: true }),
  // Until when the receipt is asked for, and when the reader gave it.
  confirmBy: instantValue({ nullable: true }),
  confirmedAt: instantValue({ nullable: true }),
} as const

export const ownNotices = defineCall({
  method: 'GET',
  path: 'blade-desk/notice/noticeListByTenantIdAndClient',
  of,
  access: 'session',
  summary: { zh: '我的通知公告：置顶在前，新的在前', en: 'My notices: those on top first, then the newest' },
  input: { ...paging, unread: only, unconfirmed: only },
  answer: pageOf(objectOf(head)),
})

export const readNotice = defineCall({
  method: 'GET',
  path: 'blade-desk/notice/read',
  of,
  access: 'session',
  summary: { zh: '我的通知公告：阅读一条并记为已读', en: 'Read one of my notices; that I have is recorded' },
  input: id,
  answer: objectOf({
    ...head,
    // HTML that the server has cleaned.
    content: textValue(),
    attachments: listOf(
      objectOf({
        id: idOf('attach'),
        name: textValue(),
        size: integerValue({ nullable: true }),
        // An address that holds for some minutes.
        link: textValue(),
      }),
    ),
  }),
})

export const confirmNotice = defineCall({
  method: 'POST',
  path: 'blade-desk/notice/confirm',
  of,
  access: 'session',
  summary: { zh: '我的通知公告：确认已阅', en: 'Confirm that I have read a notice that asks for a receipt' },
  input: id,
  answer: objectOf({ confirmedAt: instantValue() }),
})

export const readAllNotices = defineCall({
  method: 'POST',
  path: 'blade-desk/notice/read-all',
  of,
  access: 'session',
  summary: { zh: '我的通知公告：全部已读', en: 'Mark all my notices as read' },
  answer: emptyAnswer,
})

export const unreadCounts = defineCall({
  method: 'GET',
  path: 'blade-desk/notice/unread',
  of,
  access: 'session',
  summary: { zh: '未读的通知与消息数', en: 'How many notices and messages are unread' },
  answer: objectOf({ notices: integerValue(), messages: integerValue() }),
})
