import type { Entity, Page, ViewContent } from '@data-brain/contract'
import { entityOf } from '@data-brain/contract'
import type { QueryClient } from '@tanstack/react-query'
import { get } from '../../http/client.ts'
import { sessionStore } from '../../session/session.ts'
import { momentOf } from '../../ui/instant.ts'
import type { Shown } from '../data/calls.ts'

/** A view that a page brings with it. */
export interface SystemView {
  readonly key: string
  /** The key of the words that name it. */
  readonly label: string
  /** Its filters, as they are now. */
  readonly filters?: () => Readonly<Record<string, string>>
  /** The code that it takes beside those of the list. */
  readonly code?: string
  /** How many rows it has stands beside its name. */
  readonly counted?: boolean
  /** Filters by rows of another list: those of `of` that these filters find, in the parameter `as`. */
  readonly through?: {
    readonly of: string
    readonly by: () => Readonly<Record<string, string>>
    readonly as: string
  }
}

const dayMs = 86_400_000

/** The first moment of the day so many days ago. */
const daysAgo = (days: number): string => `${momentOf(Date.now() - days * dayMs).slice(0, 10)} 00:00:00`

const me = (): string => sessionStore.get()?.userId ?? ''
const fixed = (filters: Readonly<Record<string, string>>) => () => filters

/** Kinds of files that are pictures. */
const pictures = 'jpg,png,gif,webp'

const all: Readonly<Record<string, readonly SystemView[]>> = {
  student: [
    { key: 'enrolled', label: 'view.student.enrolled', filters: fixed({ status: '1' }) },
    {
      key: 'recent',
      label: 'view.student.recent',
      filters: () => ({ createTime_dategt: daysAgo(6) }),
    },
    {
      key: 'classless',
      label: 'view.student.classless',
      filters: fixed({ status: '1', classId_null: '1' }),
    },
    {
      key: 'guardianless',
      label: 'view.student.guardianless',
      filters: fixed({ status: '1', guardians_null: '1' }),
      code: 'studentparents_view',
      counted: true,
    },
    {
      key: 'national',
      label: 'view.student.national',
      filters: fixed({ status: '1', national_notnull: '1' }),
      code: 'studentparents_view',
      counted: true,
    },
    {
      key: 'mine',
      label: 'view.student.mine',
      through: { of: 'schoolclass', by: () => ({ headTeacherId: me(), status: '1' }), as: 'classId' },
    },
  ],
  schoolclass: [
    {
      key: 'year',
      label: 'view.schoolclass.year',
      through: { of: 'schoolyear', by: fixed({ isCurrent: '1' }), as: 'yearId' },
    },
    { key: 'headless', label: 'view.schoolclass.headless', filters: fixed({ headTeacherId_null: '1' }) },
    { key: 'large', label: 'view.schoolclass.large', filters: fixed({ studentCount_gt: '45' }) },
  ],
  user: [
    { key: 'enabled', label: 'view.user.enabled', filters: fixed({ status: '1' }) },
    { key: 'absent', label: 'view.user.absent', filters: fixed({ status: '1', logins_null: '1' }) },
    { key: 'roleless', label: 'view.user.roleless', filters: fixed({ status: '1', roleId_null: '1' }) },
  ],
  attach: [
    { key: 'pictures', label: 'view.attach.pictures', filters: fixed({ extension_in: pictures }) },
    { key: 'large', label: 'view.attach.large', filters: fixed({ attachSize_gt: '10485760' }) },
    { key: 'loose', label: 'view.attach.loose', filters: fixed({ refCount: '0' }) },
  ],
}

const none: readonly SystemView[] = []

/** The views that the list of an entity brings with it. */
export const systemViews = (entity: Entity): readonly SystemView[] => all[entity.name] ?? none

/** As many rows as a view looks through. */
const most = 200
/** The last of all ids, which no row has. */
const noRow = '9223372036854775807'

/** What a view of the page's own says now. Where it looks for rows and finds none, it lists none. */
export async function contentOf(
  view: SystemView,
  client: QueryClient,
): Promise<Pick<ViewContent, 'filters' | 'sort'> | null> {
  const { through } = view
  if (!through) return { filters: view.filters?.() ?? {}, sort: null }
  const target = entityOf(through.of)
  const query = { ...through.by(), current: 1, size: most }
  try {
    const { records } = await client.fetchQuery({
      queryKey: ['entity', target.name, 'list', query],
      queryFn: () => get<Page<Shown>>(`${target.path}/list`, query),
      staleTime: 60_000,
      meta: { reads: [target.name] },
    })
    return { filters: { [through.as]: records.map((row) => row.id).join(',') || noRow }, sort: null }
  } catch {
    // What went wrong has been said by the call.
    return null
  }
}

/** The code that somebody must hold to use a view. */
export const codeFor = (view: SystemView): string | null =>
  view.code ?? (view.through ? `${view.through.of}_view` : null)
