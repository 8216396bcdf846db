import type { Bundle } from '../ui/words.ts'

/** Words of the page of providers of social log-in. */
export const providerWords = {
  'provider.check': { zh: '检查', en: 'Check' },
  'provider.checkOf': { zh: '检查 {name}', en: 'Check {name}' },
  'provider.there': {
    zh: '可以访问。请在提供方登记下面的回调地址；客户端编号和密钥是否正确，登录一次即知。',
    en: 'The provider can be reached. Register the redirect address below with it. Whether the client ID and secret are right shows at the first log-in.',
  },
  'provider.redirect': { zh: '回调地址', en: 'Redirect address' },
} as const satisfies Bundle
