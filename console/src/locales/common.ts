import type { Bundle } from '../ui/words.ts'

export const commonWords = {
  'common.product': { zh: '数据大脑', en: 'Data Brain' },
  'common.ok': { zh: '确定', en: 'OK' },
  'common.cancel': { zh: '取消', en: 'Cancel' },
  'common.close': { zh: '关闭', en: 'Close' },
  'common.save': { zh: '保存', en: 'Save' },
  'common.notLoaded': { zh: '加载失败', en: 'Failed to load' },
  'common.retry': { zh: '重试', en: 'Retry' },
  'common.reload': { zh: '重新加载', en: 'Reload' },
  'common.loading': { zh: '正在加载…', en: 'Loading…' },
  'common.more': { zh: '更多', en: 'More' },
  'common.newWindow': { zh: '在新窗口打开', en: 'Opens in a new window' },
  'common.unit': { zh: '条', en: '' },
  'common.times': { zh: '×{times}', en: '×{times}' },
  'common.chinese': { zh: '中文', en: '中文' },
  'common.english': { zh: 'English', en: 'English' },
  'http.offline': {
    zh: '连接不上服务器，请检查网络',
    en: 'The server cannot be reached. Check your network connection',
  },
  'http.timeout': {
    zh: '服务器 10 秒内没有响应，请重试',
    en: 'The server did not respond within 10 seconds. Try again',
  },
} as const satisfies Bundle
