import type { Bundle } from '../ui/words.ts'

export const ossWords = {
  'oss.enable': { zh: '启用', en: 'Enable' },
  'oss.disable': { zh: '停用', en: 'Disable' },
  'oss.on': { zh: '已启用', en: 'On' },
  'oss.off': { zh: '未启用', en: 'Off' },
  'oss.enableAsk': { zh: '启用“{name}”？', en: 'Enable “{name}”?' },
  'oss.replaces': { zh: '将停用“{other}”。', en: '“{other}” is disabled with it. ' },
  'oss.filesStay': {
    zh: '新上传的文件存到新的位置；已有的文件留在原处，照常可读。',
    en: 'New files go to the new storage. Existing files stay where they are and can be read as before.',
  },
  'oss.enabled': { zh: '“{name}”已启用', en: '“{name}” is enabled' },
  'oss.disableAsk': {
    zh: '停用“{name}”，改用服务器的数据文件夹？',
    en: 'Disable “{name}” and use the server’s data folder?',
  },
  'oss.disabled': { zh: '“{name}”已停用', en: '“{name}” is disabled' },
  'oss.where': { zh: '新文件存放于', en: 'New files go to' },
  'oss.folder': { zh: '服务器的数据文件夹', en: 'the server’s data folder' },
  'oss.test': { zh: '测试', en: 'Test' },
  'oss.testTitle': { zh: '测试“{name}”', en: 'Test of “{name}”' },
  'oss.testing': {
    zh: '正在写入、读取并删除一个很小的文件…',
    en: 'Writing, reading and removing a small test file…',
  },
} as const satisfies Bundle
