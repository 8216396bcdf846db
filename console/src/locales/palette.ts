import type { Bundle } from '../ui/words.ts'

/** Words of the search overlay; they come with it. */
export const paletteWords = {
  'palette.placeholder': { zh: '页面、姓名、拼音首字母、学号…', en: 'Pages, names, pinyin initials, numbers…' },
  'palette.pages': { zh: '菜单', en: 'Pages' },
  'palette.also': { zh: '也许是', en: 'Also' },
  'palette.actions': { zh: '操作', en: 'Actions' },
  'palette.recent': { zh: '最近打开', en: 'Recent' },
  'palette.none': { zh: '没有找到“{text}”', en: 'Nothing found for “{text}”' },
  'palette.failed': { zh: '搜索失败', en: 'The search failed' },
  'palette.searching': { zh: '正在搜索…', en: 'Searching…' },
  'palette.count': { zh: '{count} 个结果', en: '{count} results', enOne: '{count} result' },
  'palette.keys': { zh: '↑↓ 选择 · Enter 打开 · Esc 关闭', en: '↑↓ choose · Enter open · Esc close' },
} as const satisfies Bundle
