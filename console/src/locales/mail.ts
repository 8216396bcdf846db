import type { Bundle } from '../ui/words.ts'

export const mailWords = {
  'mail.views': { zh: '邮件', en: 'Mail' },
  'mail.services': { zh: '邮件配置', en: 'Services' },
  'mail.log': { zh: '发送记录', en: 'Log' },
  'mail.switch': { zh: '启用 / 停用', en: 'Turn on / off' },
  'mail.switchOf': { zh: '启用邮件配置“{name}”', en: 'Enable the mail service “{name}”' },
  'mail.enableAsk': { zh: '启用邮件配置“{name}”？', en: 'Enable the mail service “{name}”?' },
  'mail.enableBody': {
    zh: '已启用的其他配置将停用，之后的邮件都由“{name}”发送。',
    en: 'Any other service is turned off. From then on, mail is sent by “{name}”.',
  },
  'mail.enable': { zh: '启用', en: 'Enable' },
  'mail.enabled': { zh: '已启用“{name}”', en: '“{name}” is enabled' },
  'mail.disableAsk': { zh: '停用邮件配置“{name}”？', en: 'Turn the mail service “{name}” off?' },
  'mail.disableBody': {
    zh: '停用后，邮件会等待，直到启用其他配置。',
    en: 'Mail waits until another service is enabled.',
  },
  'mail.disable': { zh: '停用', en: 'Turn off' },
  'mail.disabled': { zh: '已停用“{name}”', en: '“{name}” is off' },
  'mail.test': { zh: '测试', en: 'Test' },
  'mail.testOf': { zh: '测试邮件配置“{name}”', en: 'Test the mail service “{name}”' },
  'mail.testNote': { zh: '会立即真实发送一封测试邮件。', en: 'This sends a real test mail at once.' },
  'mail.to': { zh: '收件地址', en: 'Recipient' },
  'mail.toEmpty': { zh: '请输入收件地址', en: 'Enter the address of the recipient' },
  'mail.send': { zh: '发送', en: 'Send' },
  'mail.sendAgain': { zh: '再发一封', en: 'Send another' },
  'mail.result': { zh: '发送结果', en: 'Result' },
} as const satisfies Bundle
