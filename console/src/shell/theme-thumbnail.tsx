import type { CSSProperties } from 'react'
import { type ColourScheme, type Theme, type ThemeName, tokenLines } from '../ui/theme.ts'

/** A small drawing of the console in a theme, made of its own colours and shapes; the words beside it say its name. */
export function Thumbnail({ theme, name, scheme }: { theme: Theme; name: ThemeName; scheme: ColourScheme }) {
  const style = { ...Object.fromEntries(tokenLines(theme[scheme])), '--radius': `${theme.radius}px` } as CSSProperties
  return (
    <span className="mini" data-mini={name} data-mini-nav={theme.nav} style={style} aria-hidden="true">
      <span className="mini-head">
        <i className="mini-brand" />
        <i className="mini-word on" />
        <i className="mini-word" />
        <i className="mini-word" />
        <i className="mini-face" />
      </span>
      <span className="mini-body">
        <span className="mini-side">
          <i />
          <i className="on" />
          <i />
          <i />
        </span>
        <span className="mini-view">
          <span className="mini-tabs" data-mini-tabs={theme.tabs}>
            <i />
            <i className="on" />
            <i />
          </span>
          <span className="mini-card">
            <i className="mini-title" />
            <i />
            <i />
            <i className="mini-button" />
          </span>
        </span>
      </span>
    </span>
  )
}
