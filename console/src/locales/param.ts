import type { Bundle } from '../ui/words.ts'

export const paramWords = {
  'param.known': { zh: '系统使用的参数', en: 'Parameters that the system reads' },
  'param.knownNote': {
    zh: '没有设置时使用默认值；设置后立即生效。',
    en: 'The default holds until a value is set; what is set takes effect at once.',
  },
  'param.own': { zh: '已设置', en: 'Set here' },
  'param.default': { zh: '默认', en: 'Default' },
  'param.defaultIs': { zh: '默认值 {value}', en: 'Default: {value}' },
  'param.on': { zh: '开', en: 'On' },
  'param.off': { zh: '关', en: 'Off' },
  'param.set': { zh: '设置', en: 'Set' },
  'param.setOf': { zh: '设置{label}', en: 'Set: {label}' },
  'param.back': { zh: '恢复默认', en: 'Back to default' },
  'param.backOf': { zh: '{label}恢复默认', en: 'Back to default: {label}' },
  'param.isBack': { zh: '已恢复默认', en: 'Back to default' },
  'param.notWhole': { zh: '请输入 {min} 到 {max} 的整数', en: 'Enter a whole number from {min} to {max}' },
  'param.failed': { zh: '没有读到系统使用的参数', en: 'The parameters that the system reads could not be read' },
} as const satisfies Bundle
