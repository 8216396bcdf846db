import type { ComponentType } from 'react'
import type { ShownRow } from './entity/data/index.ts'
import type { RowAction } from './entity/list/index.ts'
import type { Bundle } from './ui/words.ts'

/*
 * All of the console that an extension may touch, beside React, Ant Design and TanStack Query. What is not here is the
 * core's own, and may change in any version.
 */

export { refresh, type ShownRow, useChoices, useDictionaries, useEntity } from './entity/data/index.ts'
export { type Cells, EntityPage, type OffersAction, type RowAction } from './entity/list/index.ts'
export { call, fetchFile, sendFile } from './http/call.ts'
export { HttpProblem } from './http/client.ts'
export { mayUse, useCan, useSession } from './session/session.ts'
export { todayDay } from './ui/date/read.ts'
export { Icon } from './ui/icon.tsx'
export { toast } from './ui/toast.ts'
export { addWords, type Bundle, type Translate, useLanguage, useT, useWords } from './ui/words.ts'

/** One more thing to do with a row, offered by every row or by some. */
export interface ExtensionAction extends RowAction {
  readonly offered?: (record: ShownRow) => boolean
}

/** What an extension shows: each part is loaded when it is asked for, but the words, which come with the first page. */
export interface ExtensionPages {
  /** Pages by the code of their menu entry; one with the code of an entity takes the place of its list. */
  readonly pages?: Readonly<Record<string, () => Promise<{ default: ComponentType }>>>
  /**
   * More to do with the rows of an entity whose page is the engine's, by its name: of the extension's own, or of the
   * core's. It is a hook, whose answer keeps its identity as long as nothing has changed.
   */
  readonly rowActions?: Readonly<Record<string, () => Promise<{ default: () => readonly ExtensionAction[] }>>>
  readonly words?: Bundle
}

/** Declares the console part of an extension. */
export const definePages = (pages: ExtensionPages): ExtensionPages => pages
