import type { Bundle } from '../ui/words.ts'

export const paramWords = {
  'param.note': {
    zh: '修改后立即生效，可撤销；未设置的项使用默认值。',
    en: 'Changes take effect at once and can be undone. Anything not set uses its default.',
  },
  'param.changed': { zh: '已修改', en: 'Changed' },
  'param.defaultIs': { zh: '默认：{value}', en: 'Default: {value}' },
  'param.range': { zh: '{min}–{max}', en: '{min}–{max}' },
  'param.on': { zh: '开', en: 'On' },
  'param.off': { zh: '关', en: 'Off' },
  'param.none': { zh: '不指定', en: 'Not set' },
  'param.saving': { zh: '正在保存', en: 'Saving' },
  'param.back': { zh: '恢复默认值', en: 'Restore default' },
  'param.backOf': { zh: '{label}：恢复默认值', en: '{label}: restore default' },
  'param.isBack': { zh: '已恢复默认值', en: 'Default restored' },
  'param.notWhole': { zh: '请输入 {min} 到 {max} 的整数', en: 'Enter a whole number from {min} to {max}' },
  'param.failed': { zh: '系统参数加载失败', en: 'The parameters could not be loaded' },
  'param.other': { zh: '其他参数', en: 'Other parameters' },
  'param.otherNote': {
    zh: '系统不读取，供本单位自行登记或外部程序使用',
    en: 'Not read by the system; for your own notes or for external programs',
  },
} as const satisfies Bundle
