import type { Bundle } from '../ui/words.ts'

/** What the gate reads when somebody wants to leave. */
export const gateWords = {
  'gate.title': { zh: '出门条核验', en: 'Gate pass' },
  'gate.code': { zh: '出门条号', en: 'Number of the pass' },
  'gate.hint': { zh: '8 位字母和数字，不分大小写', en: '8 letters and digits, in either case' },
  'gate.check': { zh: '核验', en: 'Check' },
  'gate.holds': { zh: '可以离校', en: 'May leave' },
  'gate.refused': { zh: '不能离校', en: 'Must not leave' },
  'gate.none': {
    zh: '没有这张出门条，或不属于本校。请核对号码，或联系班主任。',
    en: 'There is no such pass, or it is of another school. Look at the number again, or call the class teacher.',
  },
  'gate.student': { zh: '学生', en: 'Student' },
  'gate.class': { zh: '班级', en: 'Class' },
  'gate.time': { zh: '请假时间', en: 'Leave' },
  'gate.pickup': { zh: '接送人', en: 'Picked up by' },
  'gate.alone': { zh: '自行离校', en: 'Leaves alone' },
  'gate.until': { zh: '{from} 至 {until}', en: '{from} to {until}' },
} as const satisfies Bundle
