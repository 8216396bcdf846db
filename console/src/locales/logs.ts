import type { Bundle } from '../ui/words.ts'

/** Words of the dialog with the errors that this browser keeps. */
export const logsWords = {
  'logs.title': { zh: '本地日志', en: 'Local logs' },
  'logs.count': { zh: '{count} 条', en: '{count} entries', enOne: '1 entry' },
  'logs.type': { zh: '类型', en: 'Type' },
  'logs.url': { zh: '地址', en: 'Address' },
  'logs.message': { zh: '内容', en: 'Message' },
  'logs.stack': { zh: '错误堆栈', en: 'Stack' },
  'logs.time': { zh: '时间', en: 'Time' },
  'logs.times': { zh: '×{count}', en: '×{count}' },
  'logs.more': { zh: '展开', en: 'Show all' },
  'logs.less': { zh: '收起', en: 'Show less' },
  'logs.none': { zh: '没有本地日志', en: 'No local logs' },
  'logs.noneText': {
    zh: '页面出错时，错误会记在这里，只存在本浏览器中',
    en: 'When a page fails, the error is recorded here, in this browser only',
  },
  'logs.upload': {
    zh: '将 {count} 条日志上传到服务器？',
    en: 'Send {count} entries to the server?',
    enOne: 'Send 1 entry to the server?',
  },
  'logs.uploadText': {
    zh: '令牌、手机号码和身份证号已遮盖',
    en: 'Tokens, phone numbers and identity numbers are masked',
  },
  'logs.clear': { zh: '清空 {count} 条本地日志？', en: 'Clear {count} local entries?', enOne: 'Clear 1 local entry?' },
} as const satisfies Bundle
