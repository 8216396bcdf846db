import type { Bundle } from '../ui/words.ts'

export const messageWords = {
  'message.send': { zh: '发送', en: 'Send' },
  'message.sendAsk': { zh: '用邮件发送“{title}”？', en: 'Send “{title}” by mail?' },
  'message.sendBody': {
    zh: '发给有电子邮箱的接收人；家长须已开启“邮件通知”。发出后不能撤回，消息也不能再修改。',
    en: 'It goes to recipients who have an e-mail address; of parents to those with “Notify by email”. It cannot be taken back, nor changed afterwards.',
  },
  'message.sent': {
    zh: '已交给邮件服务：{mails} 封；没有邮箱的接收人：{without} 名',
    en: 'Handed to the mail service: {mails}. Recipients without an address: {without}',
  },
} as const satisfies Bundle
