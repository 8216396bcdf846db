/*
 * What every new tenant begins with and may change: grades of the nine-year compulsory course and high school, the
 * subjects of the national curriculum, and the usual posts of a school.
 */

export const defaultGrades = [
  ...['一', '二', '三', '四', '五', '六'].map((digit, index) => ({ code: `1${index + 1}`, name: `${digit}年级`, stage: '2', no: index + 1, minAge: 6 + index, next: index < 5 ? `1${index + 2}` : '21' })),
  ...['七', '八', '九'].map((digit, index) => ({ code: `2${index + 1}`, name: `${digit}年级`, stage: '3', no: index + 1, minAge: 12 + index, next: index < 2 ? `2${index + 2}` : null })),
  ...['一', '二', '三'].map((digit, index) => ({ code: `3${index + 1}`, name: `高${digit}`, stage: '4', no: index + 1, minAge: 15 + index, next: index < 2 ? `3${index + 2}` : null })),
] as const

const all = ['2', '3', '4']
const upper = ['3', '4']

export const defaultSubjects = [
  { code: 'YW', name: '语文', short: '语文', category: '1', main: true, elective: false, color: '#2f6fe4', stages: all },
  { code: 'SX', name: '数学', short: '数学', category: '1', main: true, elective: false, color: '#d9480f', stages: all },
  { code: 'YY', name: '英语', short: '英语', category: '1', main: true, elective: false, color: '#0b7a6c', stages: all },
  { code: 'WL', name: '物理', short: '物理', category: '1', main: false, elective: true, color: '#9c36b5', stages: upper },
  { code: 'HX', name: '化学', short: '化学', category: '1', main: false, elective: true, color: '#a86500', stages: upper },
  { code: 'SW', name: '生物学', short: '生物', category: '1', main: false, elective: true, color: '#3b7a1e', stages: upper },
  { code: 'DF', name: '道德与法治', short: '道法', category: '1', main: false, elective: false, color: '#c2255c', stages: ['2', '3'] },
  { code: 'ZZ', name: '思想政治', short: '政治', category: '1', main: false, elective: true, color: '#c2255c', stages: ['4'] },
  { code: 'LS', name: '历史', short: '历史', category: '1', main: false, elective: true, color: '#5f6b7a', stages: upper },
  { code: 'DL', name: '地理', short: '地理', category: '1', main: false, elective: true, color: '#0e64f4', stages: upper },
  { code: 'KX', name: '科学', short: '科学', category: '1', main: false, elective: false, color: '#3b7a1e', stages: ['2'] },
  { code: 'TY', name: '体育与健康', short: '体育', category: '1', main: false, elective: false, color: '#d9480f', stages: all },
  { code: 'YL', name: '音乐', short: '音乐', category: '1', main: false, elective: false, color: '#9c36b5', stages: all },
  { code: 'MS', name: '美术', short: '美术', category: '1', main: false, elective: false, color: '#a86500', stages: all },
  { code: 'XX', name: '信息科技', short: '信息', category: '1', main: false, elective: false, color: '#2f6fe4', stages: all },
  { code: 'LD', name: '劳动', short: '劳动', category: '1', main: false, elective: false, color: '#5f6b7a', stages: all },
] as const

export const defaultPosts = [
  { code: 'principal', name: '校长', category: '1' },
  { code: 'vice-principal', name: '副校长', category: '1' },
  { code: 'academic-dean', name: '教务主任', category: '2' },
  { code: 'moral-dean', name: '德育主任', category: '2' },
  { code: 'grade-head', name: '年级主任', category: '2' },
  { code: 'class-teacher', name: '班主任', category: '3' },
  { code: 'teacher', name: '任课教师', category: '3' },
  { code: 'subject-leader', name: '教研组长', category: '2' },
  { code: 'nurse', name: '校医', category: '4' },
  { code: 'guard', name: '门卫', category: '4' },
] as const
