import { defineCall } from '../call.ts'
import {
  emptyAnswer,
  fileOf,
  idsOf,
  instantValue,
  integerValue,
  listOf,
  objectOf,
  pageOf,
  textValue,
} from '../shape.ts'
import { paging } from './paging.ts'

export const search = defineCall({
  method: 'GET',
  path: 'blade-desk/search',
  of: 'search',
  access: 'session',
  summary: {
    zh: '全局搜索：姓名、拼音、首字母、学号、家长手机',
    en: 'Search everywhere: names, pinyin, initials, numbers, guardians’ phones',
  },
  input: { keyword: textValue({ max: 64, required: true }) },
  // Kinds without a hit are left out.
  answer: objectOf({
    groups: listOf(
      objectOf({
        entity: textValue(),
        label: textValue(),
        items: listOf(objectOf({ id: textValue(), name: textValue(), note: textValue({ nullable: true }) })),
      }),
    ),
  }),
})

export const messages = defineCall({
  method: 'GET',
  path: 'blade-desk/inbox/list',
  of: 'inbox',
  access: 'session',
  summary: { zh: '我的消息', en: 'My messages' },
  input: { ...paging, unread: integerValue({ min: 0, max: 1 }) },
  answer: pageOf(
    objectOf({
      id: textValue(),
      // What it is about, such as `password-reset`.
      kind: textValue(),
      title: textValue(),
      body: textValue({ nullable: true }),
      // A path of the console that leads to what it is about.
      link: textValue({ nullable: true }),
      readAt: instantValue({ nullable: true }),
      createTime: instantValue(),
    }),
  ),
})

export const markMessages = defineCall({
  method: 'POST',
  path: 'blade-desk/inbox/read',
  of: 'inbox',
  access: 'session',
  summary: { zh: '我的消息：标为已读（不给编号则全部）', en: 'Mark my messages as read; all without ids' },
  input: { ids: idsOf('inbox') },
  answer: emptyAnswer,
})

export const liveNews = defineCall({
  method: 'GET',
  path: 'blade-desk/live',
  of: 'live',
  access: 'session',
  summary: {
    zh: '实时推送（事件流）：ready、notice、message 事件，收到后再查询未读数；timetable 事件，收到后再查询正在编排的课表；rights 事件，以及 ready 中的 rightsStamp 与当前用户的不同时，再查询菜单和按钮',
    en: 'Live push (event stream): events ready, notice and message, upon which the counts are asked for, timetable, upon which a timetable that is arranged is read again, and rights, upon which menus and buttons are, as they are where the rightsStamp of ready is not that of who is logged in',
  },
  // A channel that never ends outlives every change of what stands in between.
  input: { seconds: integerValue({ required: true, min: 1, max: 3600 }) },
  answer: fileOf('text/event-stream'),
})
