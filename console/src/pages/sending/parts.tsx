import { useCan } from '../../session/session.ts'
import { Link, usePlace } from '../../ui/place.ts'
import './sending.css'

/** A part of a page about what is sent, such as its log. */
export interface SendingView<K extends string = string> {
  readonly key: K
  /** The code without which it is not shown. */
  readonly code: string
}

/** The parts that somebody may see, the one that is open, and where each of them is; the first is the page itself. */
export function useSendingViews<K extends string>(views: readonly SendingView<K>[]) {
  const can = useCan()
  const { path, query } = usePlace()
  const open = views.filter(({ code }) => can(code))
  const view = open.find(({ key }) => key === query.get('view')) ?? open[0]
  const addressOf = (key: K): string => (key === views[0]?.key ? path : `${path}?view=${key}`)
  return { open, view, addressOf }
}

interface ViewLinksProps<K extends string> {
  readonly label: string
  readonly views: ReturnType<typeof useSendingViews<K>>
  readonly textOf: (key: K) => string
}

/** Links to the parts of a page about what is sent. */
export function SendingLinks<K extends string>({ label, views, textOf }: ViewLinksProps<K>) {
  return (
    <nav className="sending-views" aria-label={label}>
      {views.open.map(({ key }) => (
        <Link key={key} to={views.addressOf(key)} aria-current={key === views.view?.key ? 'page' : undefined}>
          {textOf(key)}
        </Link>
      ))}
    </nav>
  )
}

interface SwitchProps {
  readonly isOn: boolean
  readonly label: string
  readonly text: string
}

/** Says whether a service is the enabled one, and is pressed to change that: the row action `switch`. */
export function ServiceSwitch({ isOn, label, text }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      className="sending-switch"
      data-act="switch"
      aria-checked={isOn}
      aria-label={label}
    >
      <i aria-hidden="true" />
      {text}
    </button>
  )
}
