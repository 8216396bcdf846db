import { defineEntity } from '../../entity.ts'
import { choice, integer, json, reference, references } from '../../field.ts'
import { ruleFields } from '../../rules/timetable-rule.ts'
import { remark, schoolId } from '../common.ts'

const only = (name: keyof typeof ruleFields, optional = true) => ({
  only: { by: 'kind', is: ruleFields[name], ...(optional ? { optional: true as const } : {}) },
})

/** What the generator of timetables keeps in a semester: about whom, what, and whether it must be or is wished. */
export const timetablerule = defineEntity({
  name: 'timetablerule',
  path: 'blade-user/timetablerule',
  label: { zh: '排课规则', en: 'Timetable rule' },
  short: '规则',
  ownership: 'school',
  title: 'kind',
  beside: ['teacherIds', 'gradeIds', 'classIds', 'subjectIds', 'schoolId'],
  fields: {
    schoolId,
    semesterId: reference('学期', 'Semester', 'schoolsemester', { required: true, fixed: true }),
    kind: choice('规则', 'Rule', 'timetable_rule_kind', { required: true }),
    whose: choice('对象', 'Of whom', 'timetable_rule_whose', only('whose', false)),
    teacherIds: references('教师', 'Teachers', 'user', {
      ...only('teacherIds'),
      help: { zh: '留空则不限教师', en: 'Left empty: whichever teacher' },
    }),
    gradeIds: references('年级', 'Grades', 'sysgrade', {
      ...only('gradeIds'),
      help: { zh: '年级和班级都留空则不限班级', en: 'Grades and classes left empty: whichever class' },
    }),
    classIds: references('班级', 'Classes', 'schoolclass', only('classIds')),
    teachClassIds: references('教学班', 'Teaching classes', 'schoolteachclass', only('teachClassIds')),
    subjectIds: references('学科', 'Subjects', 'schoolsubject', {
      ...only('subjectIds'),
      help: { zh: '留空则不限学科', en: 'Left empty: whichever subject' },
    }),
    slots: json('节次', 'Periods', { as: 'slots', ...only('slots', false) }),
    half: choice('半天', 'Half-day', 'half_day', only('half', false)),
    max: integer('最多', 'At most', {
      min: 0,
      max: 40,
      ...only('max', false),
      help: { zh: '几节，每周上课天数则是几天', en: 'So many periods; days, where days of the week are counted' },
    }),
    gap: integer('间隔', 'Between', {
      min: 1,
      max: 6,
      ...only('gap', false),
      help: {
        zh: '间隔天数：1为不在同一天，2为中间隔一天；跨校区：两节课之间空几节',
        en: 'Days: 1 is another day, 2 leaves a day between. Campuses: free periods between two lessons',
      },
    }),
    strength: choice('要求', 'How firmly', 'timetable_rule_strength', { required: true, default: '1' }),
    remark,
  },
  list: [
    'schoolId',
    'semesterId',
    'kind',
    'strength',
    'whose',
    'teacherIds',
    'gradeIds',
    'classIds',
    'teachClassIds',
    'subjectIds',
    'slots',
    'half',
    'max',
    'gap',
  ],
  // What a rule is made of is told by its sentence.
  aside: ['whose', 'teacherIds', 'gradeIds', 'classIds', 'teachClassIds', 'subjectIds', 'slots', 'half', 'max', 'gap'],
  search: ['schoolId', 'semesterId', 'kind', 'teacherIds', 'classIds', 'subjectIds'],
  // Everybody who plans sees the rule; whom it is about only who may choose them.
  guards: ['teacherIds', 'classIds', 'teachClassIds'],
  sort: 'kind',
  groups: [
    {
      label: { zh: '内容', en: 'Content' },
      fields: [
        'kind',
        'whose',
        'teacherIds',
        'gradeIds',
        'classIds',
        'teachClassIds',
        'subjectIds',
        'slots',
        'half',
        'max',
        'gap',
        'strength',
      ],
    },
    { label: { zh: '其他', en: 'Other' }, fields: ['schoolId', 'semesterId', 'remark'], folded: true },
  ],
  status: { dict: 'common_status', default: 1, tones: { '0': 'off', '1': 'good' } },
})
