import type { ReactNode } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { useScreenClass } from '../../ui/screen.ts'
import { LoadFailed } from './empty.tsx'
import type { FrameColumns } from './frame-columns.tsx'
import './page.css'
import './list-frame.css'

/** What a list asked for and was told so far. */
interface Found {
  readonly data: unknown
  readonly error: Error | null
  readonly isPlaceholderData: boolean
}

/** What the rows on the screen are: not there yet, of the question before, or those asked for. */
export const stateOf = ({ data, isPlaceholderData }: Found): 'first' | 'refresh' | 'ready' =>
  data ? (isPlaceholderData ? 'refresh' : 'ready') : 'first'

/** The line above a list. */
interface FrameHead {
  readonly title: string
  /** Beside the title: how many there are, how fresh they are. */
  readonly count?: ReactNode
  readonly buttons?: ReactNode
  /** What is done with all of it. */
  readonly menu?: ReactNode
}

/** What a list is narrowed and laid out by. */
interface FrameTools {
  /** The filters, in a `search` of their own. */
  readonly filters: ReactNode
  /** The words of the button that asks again. */
  readonly refresh: string
  /** Which columns are shown, and the way to choose them. */
  readonly columns: Pick<FrameColumns<never>, 'root' | 'menu'>
}

interface FrameProps {
  readonly head: FrameHead
  /** Between the head and the rows. */
  readonly banner?: ReactNode
  readonly tools?: FrameTools
  readonly onRefresh: () => void
  /** Between the filters and the rows. */
  readonly notes?: ReactNode
  readonly found: Found
  /** The rows, and what leads to more of them. */
  readonly children: ReactNode
  /** Drawers and dialogs over the list. */
  readonly over?: ReactNode
}

/** A list that is not an entity's: its head, its filters, and its rows or why there are none. */
export function ListFrame({ head, banner, tools, onRefresh, notes, found, children, over }: FrameProps) {
  const { title, count, buttons, menu } = head
  const screen = useScreenClass()
  return (
    <div className="page entity" ref={tools?.columns.root} data-screen={screen}>
      <header className="entity-head">
        <h1 tabIndex={-1}>{title}</h1>
        {count}
        {(buttons || menu) && (
          <span className="entity-buttons">
            {menu}
            {buttons}
          </span>
        )}
      </header>
      {banner}
      <div className="entity-body">
        <div className="entity-card">
          {tools && (
            <div className="entity-tools">
              {tools.filters}
              <span className="tools">
                {tools.columns.menu}
                <button
                  type="button"
                  className="tool"
                  aria-label={tools.refresh}
                  title={tools.refresh}
                  onClick={onRefresh}
                >
                  <Icon name="refresh-cw" size={16} />
                </button>
              </span>
            </div>
          )}
          {notes}
          {found.error && !found.data ? <LoadFailed problem={found.error} onRetry={onRefresh} /> : children}
        </div>
      </div>
      {over}
    </div>
  )
}
