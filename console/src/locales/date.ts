import type { Bundle } from '../ui/words.ts'

/** The words of dates and times, wherever they are typed or chosen. */
export const dateWords = {
  'date.open': { zh: '打开日历：{label}', en: 'Open the calendar: {label}' },
  'date.clear': { zh: '清除：{label}', en: 'Clear: {label}' },
  'date.day': { zh: '年-月-日', en: 'yyyy-mm-dd' },
  'date.instant': { zh: '年-月-日 时:分', en: 'yyyy-mm-dd hh:mm' },
  'date.time': { zh: '时:分', en: 'hh:mm' },
  'date.year': { zh: '年份', en: 'Year' },
  'date.month': { zh: '月份', en: 'Month' },
  'date.yearOf': { zh: '{year}年', en: '{year}' },
  'date.previousMonth': { zh: '上个月', en: 'Previous month' },
  'date.nextMonth': { zh: '下个月', en: 'Next month' },
  'date.today': { zh: '今天', en: 'Today' },
  'date.hour': { zh: '时', en: 'Hour' },
  'date.minute': { zh: '分', en: 'Minute' },
  'date.ok': { zh: '确定', en: 'OK' },
  'date.presets': { zh: '常用范围', en: 'Usual ranges' },
  'date.chooseEnd': { zh: '再选结束日期', en: 'Now choose the last day' },
  'date.endBefore': { zh: '结束日期不能早于开始日期', en: 'The last day is before the first' },
  'date.rangeHelp': {
    zh: '可填一天、一个月（2015-04）或一年（2015），按回车筛选这段时间；只填一格则从该日起，或到该日止',
    en: 'A day, a month (2015-04) or a year (2015): Enter filters by all of it. One box alone means from or until that day.',
  },
  'date.unclear': {
    zh: '有日期未能识别，请修改标红的日期',
    en: 'A date is not recognised. Correct the one marked in red',
  },
  'date.notApplied': { zh: '{fault}；尚未按此筛选', en: '{fault}. Not applied to the list' },
} as const satisfies Bundle
