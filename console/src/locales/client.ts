import type { Bundle } from '../ui/words.ts'

export const clientWords = {
  'client.made': { zh: '客户端“{name}”已创建', en: 'The client “{name}” was created' },
  'client.reset': { zh: '重置密钥', en: 'Reset secret' },
  'client.resetAsk': { zh: '重置客户端“{name}”的密钥？', en: 'Reset the secret of the client “{name}”?' },
  'client.resetBody': {
    zh: '旧密钥立即失效，使用它的应用要换成新密钥后才能登录。',
    en: 'The old secret stops working at once: applications that use it need the new one to log in.',
  },
  'client.resetDone': { zh: '客户端“{name}”的新密钥', en: 'The new secret of the client “{name}”' },
  'client.id': { zh: '客户端编号', en: 'Client ID' },
  'client.secret': { zh: '客户端密钥', en: 'Client secret' },
  'client.seconds': { zh: '{count} 秒', en: '{count} seconds', enOne: '1 second' },
  'client.minutes': { zh: '{count} 分钟', en: '{count} minutes', enOne: '1 minute' },
  'client.hours': { zh: '{count} 小时', en: '{count} hours', enOne: '1 hour' },
  'client.days': { zh: '{count} 天', en: '{count} days', enOne: '1 day' },
  'client.lasts': { zh: '即 {text}', en: 'That is {text}' },
  'client.secretHelp': {
    zh: '留空则自动生成；保存后只显示一次',
    en: 'Leave empty to generate one; shown only once, after saving',
  },
} as const satisfies Bundle
