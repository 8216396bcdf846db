import type { Bundle } from '@data-brain/console/extension'

export const words = {
  'library.return': { zh: '归还', en: 'Return' },
  'library.returned': { zh: '已归还', en: 'Returned' },
  'library.returnedLate': { zh: '已归还，已超过应还日期', en: 'Returned after its due day' },
  'library.desk': { zh: '图书馆概况', en: 'Library overview' },
  'library.lent': { zh: '借出', en: 'Lent' },
  'library.late': { zh: '逾期', en: 'Overdue' },
  'library.open': { zh: '未还图书', en: 'Books that are lent' },
} as const satisfies Bundle
