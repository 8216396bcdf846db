import type { Bundle } from '../ui/words.ts'

/** Words of the test page, which only development builds have. */
export const testWords = {
  'shell.test': { zh: '测试页', en: 'Test page' },
  'test.text': {
    zh: '只存在于开发构建中，用模拟数据看一眼各个部件。',
    en: 'Only in development builds: a look at the parts, with mock data.',
  },
  'test.toasts': { zh: '提示', en: 'Toasts' },
  'test.success': { zh: '成功', en: 'Success' },
  'test.warning': { zh: '警告', en: 'Warning' },
  'test.error': { zh: '错误', en: 'Error' },
  'test.buttons': { zh: '按钮', en: 'Buttons' },
  'test.ask': { zh: '确认框', en: 'Confirm' },
  'test.throw': { zh: '抛出错误', en: 'Throw an error' },
  'test.thrown': { zh: '测试页抛出的错误', en: 'An error thrown by the test page' },
} as const satisfies Bundle
