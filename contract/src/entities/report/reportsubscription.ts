import { defineEntity } from '../../entity.ts'
import { choice, instant, integer, json, reference, text } from '../../field.ts'
import { calendarKeys, everyKeys, subscriptionStates, wayKeys } from '../../subscription.ts'

/** A report that comes to somebody by the clock, as a file, made with the rights that they have at that moment. */
export const reportsubscription = defineEntity({
  name: 'reportsubscription',
  path: 'blade-report/subscription',
  label: { zh: '报表订阅', en: 'Report subscription' },
  measure: '个',
  ownership: 'tenant',
  title: 'reportId',
  fields: {
    reportId: reference('报表', 'Report', 'report', { required: true, fixed: true }),
    /** The name of the entity whose rows the report is of: what the conditions speak of. */
    subject: text('数据对象', 'Rows of', { computed: true, max: 64 }),
    /** What the report asks for, as conditions on its rows. */
    asked: json('运行时询问', 'Asked when run', { as: 'condition', of: { by: 'subject' }, fixed: true }),
    every: choice('频率', 'How often', 'report_every', { required: true, default: everyKeys.week }),
    weekday: choice('星期', 'Weekday', 'weekday', { only: { by: 'every', is: [everyKeys.week] } }),
    calendarId: reference('按哪所学校的校历', 'By the calendar of', 'school', {
      only: { by: 'every', is: calendarKeys, optional: true },
      help: { zh: '只有一所学校时可不选', en: 'May be left out where there is one school only' },
    }),
    hour: integer('几点', 'Hour', {
      required: true,
      min: 0,
      max: 23,
      default: 7,
      help: { zh: '北京时间，0–23', en: 'China time, 0–23' },
    }),
    format: choice('格式', 'Format', 'report_format', { required: true, default: 'xlsx' }),
    way: choice('送达方式', 'Delivered by', 'report_way', {
      required: true,
      default: wayKeys.inbox,
      help: {
        zh: '邮件只通知文件已生成，文件登录后下载',
        en: 'The mail says that the file is ready: it is fetched after logging in',
      },
    }),
    fileLanguage: choice('文件语言', 'Language of the file', 'file_language', { required: true, default: 'zh' }),
    lastRun: instant('上次送达', 'Last run', { computed: true }),
    nextRun: instant('下次送达', 'Next run', { computed: true }),
    pauseReason: text('暂停原因', 'Why paused', { max: 500, computed: true }),
    /** Why its rows are read, where the tenant wants that said. */
    reason: text('查阅理由', 'Reason for reading', { max: 200, computed: true }),
  },
  list: ['reportId', 'every', 'weekday', 'hour', 'nextRun', 'pauseReason', 'lastRun', 'way', 'format'],
  search: ['reportId', 'every', 'way'],
  sort: '-createTime',
  ownRows: true,
  status: {
    dict: 'subscription_status',
    default: subscriptionStates.on,
    tones: { '2': 'warn' },
  },
})
