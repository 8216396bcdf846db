import type { Bundle } from '../ui/words.ts'

/** Words of the theme dialog. */
export const themeWords = {
  'theme.title': { zh: '主题', en: 'Theme' },
  'theme.themes': { zh: '选择主题', en: 'Choose a theme' },
  'theme.theme-default': { zh: '默认', en: 'Default' },
  'theme.theme-white': { zh: '纯白', en: 'White' },
  'theme.theme-dark': { zh: '暗夜', en: 'Dark' },
  'theme.theme-colourful': { zh: '多彩', en: 'Colourful' },
  'theme.theme-smart': { zh: '智慧', en: 'Smart' },
  'theme.theme-iview': { zh: 'iView', en: 'iView' },
  'theme.theme-vip': { zh: '尊享', en: 'VIP' },
  'theme.theme-cool': { zh: '酷炫', en: 'Cool' },
  'theme.theme-d2': { zh: 'D2', en: 'D2' },
  'theme.theme-hey': { zh: 'Hey', en: 'Hey' },
  'theme.theme-lte': { zh: 'LTE', en: 'LTE' },
  'theme.scheme': { zh: '明暗', en: 'Scheme' },
  'theme.light': { zh: '浅色', en: 'Light' },
  'theme.dark': { zh: '深色', en: 'Dark' },
  'theme.system': { zh: '跟随系统', en: 'System' },
  'theme.density': { zh: '密度', en: 'Density' },
  'theme.loose': { zh: '宽松', en: 'Loose' },
  'theme.standard': { zh: '标准', en: 'Standard' },
  'theme.compact': { zh: '紧凑', en: 'Compact' },
  'theme.colour': { zh: '主色', en: 'Primary colour' },
  'theme.own': { zh: '自选颜色', en: 'Custom colour' },
  'theme.adjusted': {
    zh: '{wished} 在此难以辨认，已为可读性调整为 {shown}',
    en: '{wished} would be hard to read here, so it was adjusted to {shown}',
  },
  'theme.keys': {
    zh: '方向键预览，回车保留，Esc 还原',
    en: 'Arrow keys preview, Enter keeps, Esc restores',
  },
  'theme.reset': { zh: '恢复默认', en: 'Restore defaults' },
  'theme.keep': { zh: '保留', en: 'Keep' },
} as const satisfies Bundle
