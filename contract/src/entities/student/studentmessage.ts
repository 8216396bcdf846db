import { defineEntity } from '../../entity.ts'
import { area, choice, choices, flag, instant, json, reference, references, text } from '../../field.ts'
import { schoolId } from '../common.ts'

export const studentmessage = defineEntity({
  name: 'studentmessage',
  path: 'blade-user/studentmessage',
  label: { zh: '家校消息', en: 'Message' },
  ownership: 'school',
  title: 'title',
  fields: {
    schoolId,
    // Who writes is who sends: nobody signs with another's name.
    senderId: reference('发送人', 'Sender', 'user', { required: true, computed: true }),
    messageType: choice('消息类型', 'Message type', 'message_type', { required: true }),
    title: text('标题', 'Title', { required: true, max: 60 }),
    content: area('内容', 'Content', { required: true, max: 5000 }),
    attachIds: references('附件', 'Attachments', 'attach', { max: 9 }),
    targetType: choice('发送对象', 'Send to', 'message_target', { required: true }),
    /** Ids of what the target type names; none for the whole school. */
    targetIds: json('对象名单', 'Targets', {
      as: 'targets',
      of: { by: 'targetType', is: { '1': 'student', '2': 'schoolclass', '3': 'sysgrade', '4': 'studentgroup' } },
    }),
    audience: choices('接收人', 'Audience', 'message_audience', { required: true }),
    channels: choices('发送渠道', 'Channels', 'message_channel', {
      required: true,
      default: ['1'],
      help: {
        zh: '目前只有邮件可以发送；站内和短信先保存，不会发送',
        en: 'Only e-mail is sent so far; in the product and SMS are kept, and nothing is sent',
      },
    }),
    needReceipt: flag('需回执', 'Receipt needed', { default: 0 }),
    deadline: instant('回执截止', 'Reply by'),
    formSchema: json('收集表', 'Form', { as: 'questions' }),
    sendAt: instant('定时发送', 'Send at', {
      help: {
        zh: '到时间后才能发送；不会自动发送，须由发送人按“发送”',
        en: 'It cannot be sent before; nothing sends it by itself: its sender presses Send',
      },
    }),
    // Only sending moves it on.
    state: choice('消息状态', 'State', 'message_state', { required: true, default: '0', computed: true }),
  },
  list: ['title', 'schoolId', 'messageType', 'targetType', 'audience', 'senderId', 'sendAt', 'state'],
  search: ['title', 'schoolId', 'messageType', 'targetType', 'senderId', 'state'],
  keptBy: 'senderId',
  sort: '-sendAt',
  sorts: ['title'],
  groups: [
    {
      label: { zh: '消息', en: 'Message' },
      fields: ['schoolId', 'messageType', 'title', 'content', 'attachIds'],
    },
    {
      label: { zh: '发送', en: 'Sending' },
      fields: ['targetType', 'targetIds', 'audience', 'channels', 'sendAt'],
    },
    { label: { zh: '回执', en: 'Receipts' }, fields: ['needReceipt', 'deadline', 'formSchema'] },
  ],
})
