import type { Bundle } from '../ui/words.ts'

/** Words of switch mode: as which department and role somebody works. */
export const workWords = {
  'work.title': { zh: '选择工作身份', en: 'Choose your role' },
  'work.text': {
    zh: '菜单、按钮和数据只按所选的部门与角色显示，随时可以切换。',
    en: 'Menus, buttons and data are those of the department and role you choose. You can switch at any time.',
  },
  'work.dept': { zh: '部门', en: 'Department' },
  'work.role': { zh: '角色', en: 'Role' },
  'work.start': { zh: '进入', en: 'Continue' },
  'work.switch': { zh: '切换', en: 'Switch' },
  'work.logout': { zh: '退出登录', en: 'Log out' },
  'work.dirty': { zh: '有未保存的修改，仍要切换？', en: 'There are unsaved changes. Switch anyway?' },
  'work.dirtyText': {
    zh: '仍能打开的页面会保持原样；新身份不能打开的页面会关闭，表单里输入的内容留作草稿。',
    en: 'Pages you can still open stay as they are. Others are closed, and what you typed into their forms is kept as drafts.',
  },
  'work.done': { zh: '现在的身份：{work}', en: 'You are now working as {work}' },
} as const satisfies Bundle
