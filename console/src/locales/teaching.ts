import type { Bundle } from '../ui/words.ts'

export const teachingWords = {
  'teaching.matrix': { zh: '任课表', en: 'Assignment table' },
  'teaching.chooseSemester': { zh: '请选择学期', en: 'Choose a semester' },
  'teaching.list': { zh: '全部任课关系', en: 'All assignments' },
  'teaching.class': { zh: '班级', en: 'Class' },
  'teaching.hours': { zh: '周课时', en: 'Hours' },
  'teaching.loads': { zh: '教师课时', en: 'Loads' },
  'teaching.load': { zh: '{count}节', en: '{count} hours', enOne: '{count} hour' },
  'teaching.noLoads': { zh: '还没有任课关系', en: 'There are no assignments yet' },
  'teaching.nothing': {
    zh: '这个学期还没有班级或学科，请先新增',
    en: 'The semester has no classes or no subjects yet: add these first',
  },
  'teaching.handOver': { zh: '换教师', en: 'Hand over' },
  'teaching.handOverOf': { zh: '“{name}”的课换教师', en: 'Hand over what {name} teaches' },
  'teaching.to': { zh: '新教师', en: 'New teacher' },
  'teaching.week': { zh: '从第几周起', en: 'From week' },
  'teaching.help': {
    zh: '任课关系在该周前结束，新教师从该周起任课；已发布的课表从该周起一并更换。新教师有冲突时不作任何改动。',
    en: 'The assignment ends before that week and the new one begins with it; the published timetable changes from that week as well. Where the new teacher is taken then, nothing changes.',
  },
  'teaching.done': {
    zh: '已从第{week}周起换教师，课表中{lessons}节',
    en: 'Handed over from week {week}: {lessons} lessons',
  },
} as const satisfies Bundle
