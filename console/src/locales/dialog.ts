import type { Bundle } from '../ui/words.ts'

/** Words of the small dialogs that pages share. */
export const dialogWords = {
  'dialog.once': {
    zh: '只显示这一次。关闭后无法再次查看，请现在复制并妥善保存。',
    en: 'Shown this once. It cannot be seen again after closing: copy it now and keep it safe.',
  },
  'dialog.copy': { zh: '复制', en: 'Copy' },
  'dialog.copyOf': { zh: '复制{label}', en: 'Copy {label}' },
  'dialog.copyAll': { zh: '复制全部', en: 'Copy all' },
  'dialog.copied': { zh: '已复制', en: 'Copied' },
  'dialog.notCopied': { zh: '没有复制成功，请选中文字后复制', en: 'Not copied: select the text and copy it' },
  'dialog.done': { zh: '我已保存', en: 'I have saved it' },
  'dialog.met': {
    zh: '尚未保存：其他人刚刚修改了这里的配置。下面已在最新配置上保留您的改动，请核对后再次保存。',
    en: 'Not saved: somebody else has just changed this. Your changes are kept below on top of theirs. Look at them, and save again.',
  },
  'dialog.discard': { zh: '放弃未保存的修改？', en: 'Discard unsaved changes?' },
  'dialog.discardOk': { zh: '放弃', en: 'Discard' },
  'dialog.keepEditing': { zh: '继续编辑', en: 'Keep editing' },
  'dialog.restored': { zh: '已恢复未保存的修改。', en: 'Unsaved changes were restored.' },
  'dialog.drop': { zh: '丢弃', en: 'Discard them' },
  'dialog.typed': { zh: '请输入“{text}”以确认', en: 'Type “{text}” to confirm' },
  'dialog.notTyped': { zh: '与“{text}”不一致', en: 'This is not “{text}”' },
} as const satisfies Bundle
