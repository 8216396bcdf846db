import type { Bundle } from '../ui/words.ts'

export const calendarWords = {
  'calendar.prefill': { zh: '填入法定节假日', en: 'Put in public holidays' },
  'calendar.put': { zh: '填入', en: 'Put in' },
  'calendar.help': {
    zh: '填入国务院已公布的放假和调休日期；学校已填的日期不变。调休日按顺序对应被调的工作日，请核对。',
    en: 'Holidays and make-up days as announced; days that the school has given stay. Make-up days follow the working days that were taken, in order: check them.',
  },
  'calendar.prefilled': { zh: '已填入{count}天', en: '{count} days are put in', enOne: '{count} day is put in' },
  'calendar.known': {
    zh: '原有{kept}天未改；已公布到{day}',
    en: '{kept} days stood already; announced until {day}',
  },
  'calendar.asYear': { zh: '学年视图', en: 'The year' },
  'calendar.yearTitle': { zh: '学年校历', en: 'Year calendar' },
  'calendar.chooseYear': { zh: '请选择学年', en: 'Choose a school year' },
  'calendar.list': { zh: '全部日期', en: 'All days' },
  'calendar.week': { zh: '周', en: 'Wk' },
  'calendar.month': { zh: '{year}年{month}', en: '{month} {year}' },
  'calendar.usual': { zh: '正常上课', en: 'Taught as usual' },
  'calendar.free': { zh: '不上课', en: 'No lessons' },
  'calendar.outside': { zh: '不在学期内', en: 'Outside the semesters' },
  'calendar.as': { zh: '按{day}上课', en: 'taught as {day}' },
  'calendar.keys': {
    zh: '方向键移动，回车编辑这一天。没有标记的日期按星期上课。',
    en: 'Arrows move, Enter edits the day. Days without a mark are taught as their weekday says.',
  },
} as const satisfies Bundle
