import { entities } from './entities/index.ts'
import { codeOf, type Entity, hasPersonal, personalCode, type Verb, verbsOf } from './entity.ts'
import { extensions } from './extensions.generated.ts'
import type { Words } from './field.ts'
import { isImported } from './import/all.ts'
import { importCode } from './import/place.ts'

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
  /** Shown to, and held by, the platform's administrators alone; so is everything below. */
  readonly platformOnly?: boolean
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

/** The buttons of a list that is no entity's. */
const recordButtons = (name: string) => [
  { code: `${name}_view`, label: { zh: '查看', en: 'View' } },
  { code: `${name}_export`, label: { zh: '导出', en: 'Export' } },
]

/** The menus of the core, by top menu and group. An entry appears here with its page, never before. */
const coreMenus: readonly TopMenuSeed[] = [
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
          { code: 'schooltree', label: { zh: '学校结构', en: 'School tree' }, path: '/school/tree', icon: 'list-tree' },
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
          page('schoolcalendarday', 'School calendar', 'school', 'calendar-days'),
          page('schoolperiod', 'Bell times', 'school', 'clock'),
          page('schoolgrade', 'Grades of a year', 'school', 'chart-column'),
          page('sysgrade', 'System grades', 'school', 'chart-no-axes-column-increasing'),
          page('syssubject', 'System subjects', 'school', 'library'),
          page('schoolsubject', 'Subjects', 'school', 'book-open'),
        ],
      },
      {
        code: 'reports',
        label: { zh: '报表', en: 'Reports' },
        children: [
          {
            code: 'report',
            label: { zh: '报表', en: 'Reports' },
            path: '/report/reportlist',
            icon: 'chart-column',
            buttons: [
              { code: 'report_take', label: { zh: '取出共享列表', en: 'Take out shared lists' } },
              { code: 'report_source', label: { zh: '读取数据源', en: 'Read data sources' } },
            ],
          },
          {
            code: 'fixedform',
            label: { zh: '表样', en: 'Forms' },
            path: '/report/fixedform',
            icon: 'file-spreadsheet',
            buttons: [{ code: 'fixedform_fill', label: { zh: '填表', en: 'Fill' } }],
          },
          {
            code: 'reportsubscription',
            label: { zh: '报表订阅', en: 'Subscriptions' },
            path: '/report/subscription',
            icon: 'bell',
          },
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
          {
            code: 'assignmentmatrix',
            label: { zh: '任课表', en: 'Assignment table' },
            path: '/teaching/matrix',
            icon: 'layout-grid',
          },
        ],
      },
      {
        code: 'timetables',
        label: { zh: '课表', en: 'Timetables' },
        children: [
          page('timetableplan', 'Timetable plans', 'teaching', 'table', {
            buttons: [{ code: 'timetableplan_publish', label: { zh: '发布', en: 'Publish' } }],
          }),
          page('timetablerule', 'Timetable rules', 'teaching', 'sliders-horizontal'),
          page('classschedule', 'Lessons', 'teaching', 'rows-3'),
          {
            code: 'coverdesk',
            label: { zh: '今日调代课', en: 'Cover desk' },
            path: '/school/cover',
            icon: 'calendar-days',
          },
          page('substitution', 'Substitutions', 'teaching', 'arrow-left-right', {
            buttons: [{ code: 'substitution_decide', label: { zh: '审定', en: 'Decide' } }],
          }),
          page('teacherabsence', 'Teacher absences', 'teaching', 'clock'),
        ],
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
          { code: 'quality', label: { zh: '数据质量', en: 'Data quality' }, path: '/wel/quality', icon: 'user-check' },
          page('rosterclient', 'OneRoster clients', 'student', 'key-round', {
            buttons: [{ code: 'rosterclient_secret', label: { zh: '生成密钥', en: 'Issue a secret' } }],
          }),
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
    code: 'top-flow',
    label: { zh: '流程', en: 'Workflow' },
    icon: 'workflow',
    groups: [
      {
        code: 'flow-mine',
        label: { zh: '我的流程', en: 'My work' },
        children: [
          { code: 'workstart', label: { zh: '发起流程', en: 'Start' }, path: '/work/start', icon: 'plus' },
          { code: 'workclaim', label: { zh: '待签', en: 'To claim' }, path: '/work/claim', icon: 'hand' },
          { code: 'worktodo', label: { zh: '待办', en: 'To do' }, path: '/work/todo', icon: 'inbox' },
          { code: 'worksend', label: { zh: '已发', en: 'Sent' }, path: '/work/send', icon: 'send' },
          { code: 'workdone', label: { zh: '已办', en: 'Done' }, path: '/work/done', icon: 'check' },
          { code: 'workcopy', label: { zh: '抄送我的', en: 'Copied to me' }, path: '/work/copy', icon: 'copy' },
        ],
      },
      {
        code: 'leaves',
        label: { zh: '请假', en: 'Leave' },
        children: [
          page('leave', 'Leave requests', 'flow', 'calendar-days', {
            buttons: [{ code: 'leave_pass', label: { zh: '核验出门条', en: 'Check gate passes' } }],
          }),
          page('leaveapprovalrule', 'Leave approval rules', 'flow', 'sliders-horizontal'),
        ],
      },
      {
        code: 'flow-manage',
        label: { zh: '流程管理', en: 'Manage' },
        children: [
          page('flowmodel', 'Process models', 'flow', 'workflow', {
            buttons: [{ code: 'flowmodel_deploy', label: { zh: '部署', en: 'Deploy' } }],
          }),
          page('flowprocess', 'Processes', 'flow', 'layers', {
            buttons: [
              { code: 'flowprocess_state', label: { zh: '挂起与激活', en: 'Suspend and activate' } },
              { code: 'flowprocess_delete', label: { zh: '删除部署', en: 'Delete deployments' } },
            ],
          }),
          page('flowinstance', 'Process instances', 'flow', 'scroll-text', {
            buttons: [
              { code: 'flowinstance_delete', label: { zh: '终止', en: 'Terminate' } },
              { code: 'flowinstance_retry', label: { zh: '重试', en: 'Retry' } },
            ],
          }),
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
        children: [
          page('user', 'Users', 'system', 'user-cog', {
            buttons: [
              { code: 'user_role', label: { zh: '角色配置', en: 'Assign roles' } },
              { code: 'user_reset', label: { zh: '密码重置', en: 'Reset passwords' } },
            ],
          }),
          page('dept', 'Departments', 'system', 'network'),
          page('post', 'Posts', 'system', 'briefcase'),
          page('role', 'Roles', 'authority', 'shield-user', {
            buttons: [
              { code: 'role_grant', label: { zh: '权限设置', en: 'Grant rights' } },
              { code: 'savedview_share', label: { zh: '共享列表视图', en: 'Share list views' } },
            ],
          }),
          page('guest', 'Registrations', 'system', 'user-check', {
            label: { zh: '注册审批', en: 'Registrations' },
            buttons: [
              { code: 'guest_approve', label: { zh: '通过', en: 'Approve' } },
              { code: 'guest_refuse', label: { zh: '拒绝', en: 'Refuse' } },
            ],
          }),
          {
            code: 'session',
            label: { zh: '在线会话', en: 'Online sessions' },
            path: '/system/session',
            icon: 'monitor-check',
            buttons: [...recordButtons('session'), { code: 'session_end', label: { zh: '强制下线', en: 'End' } }],
          },
        ],
      },
      {
        code: 'rights',
        label: { zh: '权限', en: 'Rights' },
        children: [
          page('menu', 'Menus', 'system', 'list-tree', { platformOnly: true }),
          page('topmenu', 'Top menus', 'system', 'panel-top', {
            buttons: [{ code: 'topmenu_setting', label: { zh: '菜单配置', en: 'Assign menus' } }],
          }),
          page('datascope', 'Data scopes', 'authority', 'table-rows-split'),
          page('apiscope', 'API scopes', 'authority', 'plug'),
          page('socialprovider', 'Social log-in', 'authority', 'globe'),
          {
            code: 'explain',
            label: { zh: '权限诊断', en: 'Explain rights' },
            path: '/authority/explain',
            icon: 'circle-help',
            buttons: [{ code: 'explain_view', label: { zh: '查看', en: 'View' } }],
          },
        ],
      },
      {
        code: 'platform',
        label: { zh: '平台', en: 'Platform' },
        children: [
          page('tenant', 'Tenants', 'system', 'building-2', {
            platformOnly: true,
            buttons: [
              { code: 'tenant_setting', label: { zh: '授权配置', en: 'Set quota and expiry' } },
              { code: 'tenant_purge', label: { zh: '彻底清除', en: 'Purge' } },
            ],
          }),
          page('client', 'Clients', 'system', 'app-window', { platformOnly: true }),
          {
            code: 'dict',
            label: { zh: '系统字典', en: 'System dictionary' },
            path: '/dict-vertical/index',
            icon: 'book-a',
            platformOnly: true,
          },
          page('dictbiz', 'Business dictionary', 'system', 'book-marked'),
          page('param', 'Parameters', 'system', 'sliders-horizontal'),
          page('customfield', 'Custom fields', 'system', 'tags'),
          page('datasource', 'Data sources', 'tool', 'database', {
            platformOnly: true,
            buttons: [{ code: 'datasource_browse', label: { zh: '浏览数据', en: 'Browse data' } }],
          }),
          page('code', 'Code generator', 'tool', 'code', {
            label: { zh: '代码生成', en: 'Code generator' },
            platformOnly: true,
            buttons: [{ code: 'code_generate', label: { zh: '生成代码', en: 'Generate code' } }],
          }),
          {
            code: 'region',
            label: { zh: '行政区划', en: 'Regions' },
            path: '/base/region',
            icon: 'map',
            platformOnly: true,
            buttons: [
              ...recordButtons('region'),
              { code: 'region_add', label: { zh: '新增', en: 'Add' } },
              { code: 'region_edit', label: { zh: '修改', en: 'Edit' } },
              { code: 'region_delete', label: { zh: '删除', en: 'Delete' } },
              { code: 'region_import', label: { zh: '导入到街道', en: 'Load streets' } },
            ],
          },
        ],
      },
    ],
  },
  {
    code: 'top-resource',
    label: { zh: '资源', en: 'Resources' },
    icon: 'hard-drive',
    groups: [
      {
        code: 'resources',
        label: { zh: '资源', en: 'Resources' },
        children: [
          page('oss', 'Object storage', 'resource', 'hard-drive', {
            buttons: [{ code: 'oss_enable', label: { zh: '启用', en: 'Enable' } }],
          }),
          page('sms', 'SMS', 'resource', 'message-square-text', {
            carries: ['smslog'],
            buttons: [
              { code: 'sms_enable', label: { zh: '启用', en: 'Enable' } },
              { code: 'sms_send', label: { zh: '发送', en: 'Send' } },
            ],
          }),
          page('mail', 'Mail', 'resource', 'mail', {
            carries: ['maillog'],
            buttons: [
              { code: 'mail_enable', label: { zh: '启用', en: 'Enable' } },
              { code: 'mail_send', label: { zh: '发送', en: 'Send' } },
            ],
          }),
          page('attach', 'Attachments', 'resource', 'paperclip'),
          page('notice', 'Notices', 'desk', 'megaphone', {
            buttons: [{ code: 'notice_publish', label: { zh: '发布与下线', en: 'Publish and withdraw' } }],
          }),
        ],
      },
    ],
  },
  {
    code: 'top-operations',
    label: { zh: '运维', en: 'Operations' },
    icon: 'activity',
    groups: [
      {
        code: 'logs',
        label: { zh: '日志', en: 'Logs' },
        children: [
          {
            code: 'logusual',
            label: { zh: '通用日志', en: 'Usual log' },
            path: '/monitor/log/usual',
            icon: 'file-text',
            buttons: recordButtons('logusual'),
          },
          {
            code: 'logapi',
            label: { zh: '接口日志', en: 'API log' },
            path: '/monitor/log/api',
            icon: 'code',
            buttons: recordButtons('logapi'),
          },
          {
            code: 'logerror',
            label: { zh: '错误日志', en: 'Error log' },
            path: '/monitor/log/error',
            icon: 'bug',
            buttons: recordButtons('logerror'),
          },
          {
            code: 'history',
            label: { zh: '变更记录', en: 'Changes' },
            path: '/monitor/history',
            icon: 'scroll-text',
            buttons: [
              ...recordButtons('history'),
              { code: 'history_undo', label: { zh: '撤销他人的操作', en: 'Undo others’ changes' } },
              { code: 'history_verify', label: { zh: '校验', en: 'Verify' } },
            ],
          },
          {
            code: 'readlog',
            label: { zh: '访问记录', en: 'Access records' },
            path: '/monitor/read',
            icon: 'eye',
            buttons: recordButtons('readlog'),
          },
          page('job', 'Jobs', 'monitor', 'clock', {
            buttons: [{ code: 'job_retry', label: { zh: '重试', en: 'Retry' } }],
          }),
        ],
      },
    ],
  },
]

const menusOfExtensions = extensions.flatMap((extension) => extension.menus ?? [])
const groupsUnder = (code: string): MenuSeed[] =>
  menusOfExtensions.flatMap((menus) => ('under' in menus && menus.under === code ? menus.groups : []))

/** Every menu, by top menu and group: those of extensions stand behind those of the core. */
export const topMenus: readonly TopMenuSeed[] = [
  ...coreMenus.map((top) => {
    const more = groupsUnder(top.code)
    return more.length > 0 ? { ...top, groups: [...top.groups, ...more] } : top
  }),
  ...menusOfExtensions.flatMap((menus) => ('under' in menus ? [] : [menus])),
]

const verbLabels: Record<Verb, Words> = {
  view: { zh: '查看', en: 'View' },
  add: { zh: '新增', en: 'Add' },
  edit: { zh: '修改', en: 'Edit' },
  delete: { zh: '删除', en: 'Delete' },
  export: { zh: '导出', en: 'Export' },
}

/** The buttons of a menu entry: those of its entity (and of those it carries), its own, and that of the import. */
export function buttonsOf(menu: MenuSeed): { code: string; label: Words }[] {
  const named = [menu.code, ...(menu.carries ?? [])].flatMap(
    (name) => entities.find((each) => each.name === name) ?? [],
  )
  const prefix = ({ name, label }: Entity, words: Words): Words =>
    name === menu.code ? words : { zh: `${label.zh}：${words.zh}`, en: `${label.en}: ${words.en}` }
  return [
    ...named.flatMap((entity) => [
      ...verbsOf(entity).map((verb) => ({ code: codeOf(entity, verb), label: prefix(entity, verbLabels[verb]) })),
      ...(hasPersonal(entity)
        ? [{ code: personalCode(entity), label: prefix(entity, { zh: '查看敏感信息', en: 'See personal values' }) }]
        : []),
    ]),
    ...(menu.buttons ?? []),
    ...named.flatMap((entity) =>
      isImported(entity.name)
        ? [{ code: importCode(entity.name), label: prefix(entity, { zh: '导入', en: 'Import' }) }]
        : [],
    ),
  ]
}

let named: ReadonlyMap<string, Words> | undefined
/** What a permission code lets somebody do, in the words of the menu and its button; undefined for what is none. */
export function wordsOfCode(code: string): Words | undefined {
  const under = (menu: MenuSeed): [string, Words][] => [
    ...buttonsOf(menu).map(({ code: button, label }): [string, Words] => [
      button,
      { zh: `${menu.label.zh} · ${label.zh}`, en: `${menu.label.en} · ${label.en}` },
    ]),
    ...(menu.children ?? []).flatMap(under),
  ]
  named ??= new Map(topMenus.flatMap(({ groups }) => groups.flatMap(under)))
  return named.get(code)
}
