import type { Bundle } from '../ui/words.ts'

/** Words of the table in which keys are given to what they do. */
export const keymapWords = {
  'keymap.title': { zh: '自定义快捷键', en: 'Your own shortcuts' },
  'keymap.text': {
    zh: '可以换成字母、数字、/ ? # . [ ]、Ctrl 或 Alt 组合键，或先后按两个字母。保存在本浏览器。',
    en: 'Choose a letter, a digit, one of / ? # . [ ], a chord with Ctrl or Alt, or two letters in turn. Kept in this browser.',
  },
  'keymap.what': { zh: '操作', en: 'What it does' },
  'keymap.keys': { zh: '按键', en: 'Keys' },
  'keymap.acts': { zh: '修改', en: 'Change' },
  'keymap.change': { zh: '更换', en: 'Change' },
  'keymap.changeOf': { zh: '更换“{name}”的快捷键', en: 'Change the shortcut of “{name}”' },
  'keymap.reset': { zh: '恢复', en: 'Reset' },
  'keymap.resetOf': { zh: '恢复“{name}”的默认快捷键', en: 'Reset the shortcut of “{name}”' },
  'keymap.resetAll': { zh: '全部恢复默认', en: 'Reset all' },
  'keymap.press': { zh: '请按新的快捷键', en: 'Press the new keys' },
  'keymap.pressOf': {
    zh: '“{name}”的新快捷键，请按键；Esc 取消',
    en: 'New shortcut of “{name}”: press the keys; Esc cancels',
  },
  'keymap.second': { zh: '{key}，再按一个，或稍等', en: '{key}, then another, or wait' },
  'keymap.kept': { zh: '“{name}”的快捷键：{keys}', en: 'Shortcut of “{name}”: {keys}' },
  'keymap.allReset': { zh: '快捷键已全部恢复默认', en: 'All shortcuts are as they were shipped' },
  'keymap.undo': { zh: '撤销', en: 'Undo' },
  'keymap.not': { zh: '这个键不能用作快捷键。', en: 'This key cannot be a shortcut.' },
  'keymap.browser': { zh: '{keys} 属于浏览器，不能使用。', en: '{keys} belongs to the browser.' },
  'keymap.taken': { zh: '{keys} 已用于“{name}”。', en: '{keys} is in use for “{name}”.' },
  'keymap.takenHere': { zh: '{keys} 已用于标签页。', en: '{keys} is in use for the tabs.' },
} as const satisfies Bundle
