import { type ComponentType, useMemo } from 'react'
import type { RecordTop } from '../entity/detail/index.ts'
import type { OffersAction } from '../entity/list/index.ts'
import type { Sheet } from '../entity/print/index.ts'
import type { ExtensionAction, ExtensionPages } from '../extension.ts'
import { extensions } from '../extensions.generated.ts'
import { importKinds } from '../pages/import/index.ts'
import { studentSheets } from '../pages/student/index.ts'
import { bringPageInputs } from '../pages/subject/index.ts'
import { loadIcons } from '../ui/icon.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { addWords } from '../ui/words.ts'
import type { PageLoader } from './page.ts'
import type { PageName } from './routes.ts'

// How each page is loaded. The names alone are in the shell: this comes with the first page that is not home.

/** What stands before the add button on an entity's list; it comes with the page, and is no part of the shell. */
const importButton = () => import('../pages/import/button.tsx')
const imported: ReadonlySet<string> = new Set(importKinds)
const bars: Readonly<Record<string, () => Promise<{ default: ComponentType<{ entity: string }> }>>> = {
  schoolclass: () => import('../pages/setup/classes-bar.tsx'),
  schoolcalendarday: () => import('../pages/calendar/bar.tsx'),
  substitution: () => import('../pages/substitution/bar.tsx'),
  teacherabsence: () => import('../pages/substitution/bar.tsx'),
  fixedform: () => import('../pages/form/marks-bar.tsx'),
}

/** What a record of an entity shows under its name; it comes with the first record. */
const recordTops: Readonly<Record<string, RecordTop>> = {
  student: lazyPart(() => import('../pages/student/top.tsx')),
}

/** Sheets that the list of an entity can be printed on beside its columns. */
const sheets: Readonly<Record<string, readonly Sheet[]>> = { student: studentSheets }

/** The entities whose rows go into forms. */
const fillable: readonly string[] = ['student', 'schoolclass', 'school']
/** What the list of an entity offers about forms. */
const formsOf = (entity: string) =>
  entity === 'fixedform'
    ? import('../pages/form/form-actions.tsx')
    : fillable.includes(entity)
      ? import('../pages/form/fill.tsx')
      : undefined
/** Where none do. */
const noFilling = () => undefined

bringPageInputs()
for (const { words } of extensions) if (words) addWords(words)
/** The pages of extensions, by code. */
const pagesOfExtensions: ExtensionPages['pages'] = Object.assign({}, ...extensions.map((each) => each.pages))

interface Actions {
  readonly rowActions: readonly ExtensionAction[]
  readonly offers: OffersAction
}

/** What extensions add to the rows of an entity, as one hook; undefined where none does. */
async function loadActions(entity: string): Promise<(() => Actions) | undefined> {
  const loaders = extensions.flatMap((each) => each.rowActions?.[entity] ?? [])
  if (loaders.length === 0) return undefined
  const hooks = await Promise.all(loaders.map(async (load) => (await load()).default))
  return () => {
    const lists = hooks.map((useActions) => useActions())
    return useMemo(() => {
      const rowActions = lists.flat()
      const offers: OffersAction = (record, key) =>
        rowActions.find((action) => action.key === key)?.offered?.(record) ?? true
      return { rowActions, offers }
      // biome-ignore lint/correctness/useExhaustiveDependencies: as many lists each time, and each keeps its identity
    }, lists)
  }
}

/**
 * The page that the engine makes of an entity's definition, or that an extension has for this code; Ant Design comes with
 * the first of them.
 */
export function entityRoute(entity: string): PageLoader {
  const own = pagesOfExtensions?.[entity]
  if (own) return inAntd(own)
  let made: ComponentType | undefined
  return async () => {
    const [{ AntdRoot }, { default: EntityPage }, useActions, before, filling] = await Promise.all([
      import('../ui/antd.tsx'),
      import('../entity/list/page.tsx'),
      loadActions(entity),
      Promise.all([imported.has(entity) ? importButton() : undefined, bars[entity]?.()]),
      formsOf(entity),
      loadIcons(),
    ])
    const useFilling = filling?.default ?? noFilling
    const [Import, Bar] = before.map((part) => part?.default)
    const toolbar = (Import || Bar) && (
      <>
        {Import && <Import entity={entity} />}
        {Bar && <Bar entity={entity} />}
      </>
    )
    made ??= () => {
      const added = useActions?.()
      const fill = useFilling(entity)
      return (
        <AntdRoot>
          <EntityPage
            entity={entity}
            {...added}
            {...(fill ? { bulk: fill.bulk, rowActions: [...fill.rowActions, ...(added?.rowActions ?? [])] } : {})}
            {...(fill?.parts ? { form: { parts: fill.parts } } : {})}
            slots={{ toolbar, recordTop: recordTops[entity], sheets: sheets[entity] }}
          />
          {fill?.dialog}
        </AntdRoot>
      )
    }
    return { default: made }
  }
}

/** A page whose controls are Ant Design's, which comes with it. */
function inAntd(load: PageLoader): PageLoader {
  let made: ComponentType | undefined
  return async () => {
    const [{ AntdRoot }, { default: Page }] = await Promise.all([import('../ui/antd.tsx'), load(), loadIcons()])
    made ??= () => (
      <AntdRoot>
        <Page />
      </AntdRoot>
    )
    return { default: made }
  }
}

/** The pages that are no list of an entity. */
export const pages: Readonly<Record<PageName, PageLoader>> = {
  notice: inAntd(() => import('../pages/notice/page.tsx')),
  import: inAntd(() => import('../pages/import/page.tsx')),
  oneroster: () => import('../pages/oneroster/page.tsx'),
  rosterclient: inAntd(() => import('../pages/rosterclient/page.tsx')),
  dept: inAntd(() => import('../pages/dept/page.tsx')),
  menu: inAntd(() => import('../pages/menu/page.tsx')),
  region: inAntd(() => import('../pages/region/page.tsx')),
  dict: inAntd(() => import('../pages/dict/vertical.tsx')),
  dictbiz: inAntd(() => import('../pages/dict/business.tsx')),
  tenant: inAntd(() => import('../pages/tenant/page.tsx')),
  client: inAntd(() => import('../pages/client/page.tsx')),
  param: inAntd(() => import('../pages/param/page.tsx')),
  session: () => import('../pages/session/page.tsx'),
  user: inAntd(() => import('../pages/user/page.tsx')),
  role: inAntd(() => import('../pages/role/page.tsx')),
  topmenu: inAntd(() => import('../pages/topmenu/page.tsx')),
  datascope: inAntd(() => import('../pages/datascope/page.tsx')),
  apiscope: inAntd(() => import('../pages/apiscope/page.tsx')),
  explain: inAntd(() => import('../pages/explain/page.tsx')),
  code: inAntd(() => import('../pages/code/page.tsx')),
  datasource: inAntd(() => import('../pages/datasource/page.tsx')),
  oss: inAntd(() => import('../pages/oss/page.tsx')),
  attach: inAntd(() => import('../pages/attach/page.tsx')),
  logusual: inAntd(() => import('../pages/log/usual.tsx')),
  logapi: inAntd(() => import('../pages/log/api.tsx')),
  logerror: inAntd(() => import('../pages/log/error.tsx')),
  history: inAntd(() => import('../pages/history/page.tsx')),
  sms: inAntd(() => import('../pages/sms/page.tsx')),
  mail: inAntd(() => import('../pages/mail/page.tsx')),
  guest: inAntd(() => import('../pages/guest/page.tsx')),
  socialprovider: inAntd(() => import('../pages/social/page.tsx')),
  readlog: inAntd(() => import('../pages/readlog/page.tsx')),
  job: inAntd(() => import('../pages/job/page.tsx')),
  teacherclass: inAntd(() => import('../pages/teaching/page.tsx')),
  timetableplan: inAntd(() => import('../pages/plan/list.tsx')),
  timetablerule: inAntd(() => import('../pages/timetable-rule/page.tsx')),
  schooltree: inAntd(() => import('../pages/school-tree/page.tsx')),
  assignmentmatrix: inAntd(() => import('../pages/teaching/matrix.tsx')),
  calendarYear: inAntd(() => import('../pages/calendar/year.tsx')),
  ownWeek: () => import('../pages/own-week/page.tsx'),
  quality: inAntd(() => import('../pages/quality/page.tsx')),
  coverdesk: inAntd(() => import('../pages/substitution/page.tsx')),
  planBoard: inAntd(() => import('../pages/plan/page.tsx')),
  flowmodel: inAntd(() => import('../pages/flow/model/page.tsx')),
  flowprocess: inAntd(() => import('../pages/flow/manager/page.tsx')),
  flowinstance: inAntd(() => import('../pages/flow/follow/page.tsx')),
  flowDesigner: inAntd(() => import('../pages/flow/designer/page.tsx')),
  report: inAntd(() => import('../pages/report/page.tsx')),
  reportsubscription: inAntd(() => import('../pages/report/subscriptions.tsx')),
  studentmessage: inAntd(() => import('../pages/message/page.tsx')),
  reportEditor: inAntd(() => import('../pages/report/edit.tsx')),
  reportResult: inAntd(() => import('../pages/report/run.tsx')),
  workstart: () => import('../pages/flow/start/page.tsx'),
  workclaim: inAntd(() => import('../pages/flow/lists/claim.tsx')),
  worktodo: inAntd(() => import('../pages/flow/todo/page.tsx')),
  worksend: inAntd(() => import('../pages/flow/lists/sent.tsx')),
  workdone: inAntd(() => import('../pages/flow/lists/done.tsx')),
  workcopy: inAntd(() => import('../pages/flow/lists/copy.tsx')),
  processStart: inAntd(() => import('../pages/flow/start/form.tsx')),
  processDetail: inAntd(() => import('../pages/flow/detail/page.tsx')),
  leaveForm: inAntd(() => import('../pages/flow/leave/form.tsx')),
  leave: inAntd(() => import('../pages/flow/leave/list.tsx')),
  leaveapprovalrule: inAntd(() => import('../pages/flow/leave/rules.tsx')),
  info: () => import('../pages/info/page.tsx'),
  gate: () => import('../pages/gate/page.tsx'),
  dashboard: inAntd(() => import('../pages/dashboard/page.tsx')),
  notices: () => import('../pages/inbox/page.tsx'),
  myJobs: () => import('../pages/job/mine.tsx'),
  dictHorizontal: inAntd(() => import('../pages/dict/horizontal.tsx')),
  entityImport: inAntd(() => import('../pages/import/entity.tsx')),
  frame: () => import('../pages/frame/page.tsx'),
  lock: () => import('../pages/lock/page.tsx'),
  firstPassword: () => import('../pages/lock/first.tsx'),
  work: () => import('../pages/work/page.tsx'),
  forbidden: () => import('../pages/error/forbidden.tsx'),
  missing: () => import('../pages/error/missing.tsx'),
  broken: () => import('../pages/error/broken.tsx'),
}
