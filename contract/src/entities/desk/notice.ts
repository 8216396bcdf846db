import { defineEntity } from '../../entity.ts'
import { area, choice, flag, instant, json, references, text } from '../../field.ts'

/** Something that people are told. Its text is HTML that the server has cleaned. */
export const notice = defineEntity({
  name: 'notice',
  path: 'blade-desk/notice',
  label: { zh: '通知公告', en: 'Notice' },
  ownership: 'tenant',
  title: 'title',
  fields: {
    title: text('通知标题', 'Title', { required: true, max: 100 }),
    category: choice('通知类型', 'Type', 'notice', { required: true }),
    summary: text('摘要', 'Summary', { max: 200 }),
    releaseTime: instant('发布时间', 'Published', { required: true }),
    expireTime: instant('过期时间', 'Expires'),
    isTop: flag('置顶', 'On top', { default: 0 }),
    needRead: flag('需回执', 'Receipt wanted', { default: 0 }),
    /** Until when a receipt is asked for; one that comes later counts as well. */
    confirmBy: instant('回执截止', 'Receipt by'),
    targetType: choice('通知对象', 'For', 'notice_target', { required: true, default: '1' }),
    /** Ids of what the target names; none for everybody. */
    targetIds: json('对象名单', 'Targets', {
      as: 'targets',
      of: {
        by: 'targetType',
        is: { '2': 'dept', '3': 'role', '4': 'school', '5': 'sysgrade', '6': 'schoolclass', '7': 'user' },
      },
    }),
    /** Client ids, comma separated; empty for all. */
    clientIds: text('客户端', 'Clients', { max: 500 }),
    content: area('通知内容', 'Content', { required: true, max: 65_536 }),
    attachIds: references('附件', 'Attachments', 'attach', { max: 9 }),
  },
  ranges: [
    ['releaseTime', 'expireTime'],
    ['confirmBy', 'expireTime'],
  ],
  list: ['title', 'category', 'targetType', 'releaseTime', 'expireTime', 'isTop', 'needRead', 'summary'],
  search: ['title', 'category', 'releaseTime', 'targetType'],
  sort: '-releaseTime',
  sorts: ['title'],
  groups: [
    { label: { zh: '通知', en: 'Notice' }, fields: ['title', 'category', 'summary', 'content', 'attachIds'] },
    {
      label: { zh: '对象', en: 'For whom' },
      fields: ['targetType', 'targetIds', 'clientIds', 'needRead', 'confirmBy'],
    },
    { label: { zh: '时间', en: 'When' }, fields: ['releaseTime', 'expireTime', 'isTop'] },
  ],
  status: { dict: 'notice_status', default: 0, switchedBy: 'notice_publish', tones: { '1': 'warn', '2': 'good' } },
})
