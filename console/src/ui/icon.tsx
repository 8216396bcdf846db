import {
  Bell,
  CalendarRange,
  Check,
  ChevronDown,
  ChevronsLeft,
  ChevronsRight,
  Circle,
  CircleCheck,
  CircleX,
  Ellipsis,
  GraduationCap,
  History,
  House,
  Import,
  Layers,
  type LucideIcon,
  Menu,
  School,
  Search,
  TriangleAlert,
  UsersRound,
  X,
} from 'lucide-react'
import { useEffect } from 'react'
import type { moreIcons } from './icon-more.ts'
import { createStore, useStore } from './store.ts'

/** What the shell and the first page draw. Every other icon is in icon-more.ts; only these two tables are in the bundle. */
const icons = {
  bell: Bell,
  'calendar-range': CalendarRange,
  check: Check,
  'chevron-down': ChevronDown,
  'chevrons-left': ChevronsLeft,
  'chevrons-right': ChevronsRight,
  circle: Circle,
  'circle-check': CircleCheck,
  'circle-x': CircleX,
  ellipsis: Ellipsis,
  'graduation-cap': GraduationCap,
  history: History,
  house: House,
  import: Import,
  layers: Layers,
  menu: Menu,
  school: School,
  search: Search,
  'triangle-alert': TriangleAlert,
  'users-round': UsersRound,
  x: X,
} as const satisfies Record<string, LucideIcon>

export type IconName = keyof typeof icons | keyof typeof moreIcons

const core: Readonly<Record<string, LucideIcon>> = icons
/** The names of the icons that come with the shell. */
export const coreIconNames: readonly string[] = Object.keys(icons)
const more = createStore<Readonly<Record<string, LucideIcon>> | undefined>(undefined)
let asked = false

/** Fetches the icons of menus and pages, once; a page that draws many of them asks before it is drawn. */
export async function loadIcons(): Promise<void> {
  if (asked) return
  asked = true
  try {
    more.set((await import('./icon-more.ts')).moreIcons)
  } catch {
    // Icons are decoration: the words beside them say the same. The next one drawn asks again.
    asked = false
  }
}

export interface IconProps {
  /** A name of the tables; any other text gives the default icon. */
  name: IconName | (string & {})
  size?: number
  className?: string
}

/** A decorative icon: the words beside it, or the button's label, say what it means. */
export function Icon({ name, size = 18, className }: IconProps) {
  const others = useStore(more)
  const Drawn = core[name] ?? others?.[name]
  useEffect(() => {
    if (!Drawn && !others) void loadIcons()
  }, [Drawn, others])
  // Keeps the place while the other icons are on their way.
  if (!Drawn && !others) return <svg width={size} height={size} className={className} aria-hidden="true" />
  const Shown = Drawn ?? Circle
  return <Shown size={size} strokeWidth={1.75} className={className} aria-hidden="true" focusable="false" />
}
