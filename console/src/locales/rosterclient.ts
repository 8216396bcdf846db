import type { Bundle } from '../ui/words.ts'

export const rosterclientWords = {
  'rosterclient.issue': { zh: '生成密钥', en: 'Generate secret' },
  'rosterclient.issueAsk': { zh: '为“{name}”生成新密钥？', en: 'Generate a new secret for “{name}”?' },
  'rosterclient.issueNote': {
    zh: '原有的密钥和令牌立即失效。新密钥只显示一次。',
    en: 'The old secret and its tokens stop working at once. The new secret is shown only once.',
  },
  'rosterclient.issued': { zh: '“{name}”的密钥', en: 'The secret of “{name}”' },
  'rosterclient.id': { zh: '客户端ID', en: 'Client ID' },
  'rosterclient.secret': { zh: '客户端密钥', en: 'Client secret' },
  'rosterclient.token': { zh: '令牌地址', en: 'Token address' },
  'rosterclient.service': { zh: '服务地址', en: 'Service address' },
} as const satisfies Bundle
