import { entities } from './entities/index.ts'
import { codeOf, hasPersonal, personalCode, verbs } from './entity.ts'
import type { Words } from './field.ts'

/** A menu entry as it is seeded. Its code names an entity, or a page of the console. */
export interface MenuSeed {
  readonly code: string
  readonly label: Words
  readonly path?: string
  /** Name of an icon; a default stands in. */
  readonly icon?: string
  readonly children?: readonly MenuSeed[]
  /** Buttons beside those of the entity that the code names. */
  readonly buttons?: readonly { readonly code: string; readonly label: Words }[]
  /** Entities without a page of their own, whose buttons hang here. */
  readonly carries?: readonly string[]
}

export interface TopMenuSeed {
  readonly code: string
  readonly label: Words
  readonly icon: string
  readonly groups: readonly MenuSeed[]
}

const labelOf = (name: string): Words => {
  const entity = entities.find((each) => each.name === name)
  if (!entity) throw new Error(`no entity named ${name}`)
  return entity.label
}
/** The page of an entity: its Chinese name as it is, its English one in the plural. */
const page = (code: string, en: string, area: string, icon: string, more: Partial<MenuSeed> = {}): MenuSeed => ({
  code,
  label: { zh: labelOf(code).zh, en },
  path: `/${area}/${code}`,
  icon,
  ...more,
})

/** The menus of the product, by top menu and group. An entry appears here with its page, never before. */
export const topMenus: readonly TopMenuSeed[] = [
  {
    code: 'top-school',
    label: { zh: '学校', en: 'School' },
    icon: 'school',
    groups: [
      {
        code: 'campus',
        label: { zh: '校园', en: 'Campus' },
        children: [
          page('school', 'Schools', 'school', 'school'),
          page('schoolcampus', 'Campuses', 'school', 'map-pin'),
          page('schoolfloor', 'Floors', 'school', 'layers'),
          page('schoolclassroom', 'Classrooms', 'school', 'door-open'),
        ],
      },
      {
        code: 'terms',
        label: { zh: '学制', en: 'Terms' },
        children: [
          page('schoolyear', 'School years', 'school', 'calendar-range'),
          page('schoolsemester', 'Semesters', 'school', 'calendar-days'),
          page('sysgrade', 'System grades', 'school', 'chart-no-axes-column-increasing'),
          page('syssubject', 'System subjects', 'school', 'library'),
          page('schoolsubject', 'Subjects', 'school', 'book-open'),
        ],
      },
    ],
  },
  {
    code: 'top-teaching',
    label: { zh: '教学', en: 'Teaching' },
    icon: 'presentation',
    groups: [
      {
        code: 'classes',
        label: { zh: '班级', en: 'Classes' },
        children: [
          page('schoolclass', 'Classes', 'teaching', 'users'),
          page('schoolteachclass', 'Teaching classes', 'teaching', 'users-round'),
          page('teacherclass', 'Teacher classes', 'teaching', 'user-check'),
        ],
      },
      {
        code: 'timetables',
        label: { zh: '课表', en: 'Timetables' },
        children: [page('classschedule', 'Timetable', 'teaching', 'table')],
      },
    ],
  },
  {
    code: 'top-student',
    label: { zh: '学生', en: 'Students' },
    icon: 'graduation-cap',
    groups: [
      {
        code: 'records',
        label: { zh: '档案', en: 'Records' },
        children: [
          page('student', 'Students', 'student', 'graduation-cap', {
            buttons: [{ code: 'student_import', label: { zh: '导入', en: 'Import' } }],
            carries: ['studentclass'],
          }),
          page('studentdetail', 'Student details', 'student', 'id-card'),
          page('studentresume', 'Resumes', 'student', 'file-text'),
          page('studentparents', 'Parents', 'student', 'contact'),
          { code: 'import', label: { zh: '导入中心', en: 'Import centre' }, path: '/student/import', icon: 'file-up' },
          {
            code: 'oneroster',
            label: { zh: 'OneRoster 交换', en: 'OneRoster' },
            path: '/student/oneroster',
            icon: 'arrow-left-right',
            buttons: [
              { code: 'oneroster_export', label: { zh: '导出', en: 'Export' } },
              { code: 'oneroster_import', label: { zh: '导入', en: 'Import' } },
            ],
          },
        ],
      },
      {
        code: 'groups',
        label: { zh: '分组与消息', en: 'Groups' },
        children: [
          page('studentgroup', 'Groups', 'student', 'group'),
          page('studentgrouprelevance', 'Group members', 'student', 'link'),
          page('studentmessage', 'Messages', 'student', 'message-square'),
        ],
      },
    ],
  },
  {
    code: 'top-system',
    label: { zh: '系统', en: 'System' },
    icon: 'settings',
    groups: [
      {
        code: 'people',
        label: { zh: '组织', en: 'People' },
        carries: ['user', 'dept', 'post', 'role', 'dictbiz', 'attach'],
      },
    ],
  },
]

const verbLabels: Record<(typeof verbs)[number], Words> = {
  view: { zh: '查看', en: 'View' },
  add: { zh: '新增', en: 'Add' },
  edit: { zh: '修改', en: 'Edit' },
  delete: { zh: '删除', en: 'Delete' },
}

/** The buttons of a menu entry: those of its entity (and of those it carries), and its own. */
export function buttonsOf(menu: MenuSeed): { code: string; label: Words }[] {
  const named = [menu.code, ...(menu.carries ?? [])]
  return [
    ...named.flatMap((name) => {
      const entity = entities.find((each) => each.name === name)
      if (!entity) return []
      const prefix = (words: Words): Words =>
        name === menu.code ? words : { zh: `${entity.label.zh}:${words.zh}`, en: `${entity.label.en}: ${words.en}` }
      return [
        ...verbs.map((verb) => ({ code: codeOf(entity, verb), label: prefix(verbLabels[verb]) })),
        ...(hasPersonal(entity)
          ? [{ code: personalCode(entity), label: prefix({ zh: '查看敏感信息', en: 'See personal values' }) }]
          : []),
      ]
    }),
    ...(menu.buttons ?? []),
  ]
}
