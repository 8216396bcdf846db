export type Scheme = 'light' | 'dark'

/** The colours of one theme in one scheme. Each pair of text and ground in it passes WCAG AA; a test computes that. */
export interface TokenSet {
  fill: string
  fillHover: string
  fillActive: string
  onFill: string
  link: string
  linkHover: string
  page: string
  card: string
  raised: string
  ink: string
  ink2: string
  ink3: string
  inkOff: string
  edge: string
  split: string
  tint: string
  tintHover: string
  hover: string
  alt: string
  success: string
  successTint: string
  warning: string
  warningTint: string
  error: string
  errorHover: string
  errorTint: string
  header: string
  /** Where the header's colour runs to; the same where it does not run. */
  headerEnd: string
  headerInk: string
  headerInk2: string
  headerOn: string
  headerOnInk: string
  side: string
  sideInk: string
  sideInk2: string
  sideOn: string
  sideOnInk: string
  sideHover: string
  focus: string
  focusHeader: string
  focusSide: string
  tip: string
}

export type Density = 'loose' | 'standard' | 'compact'

/** How the row of open pages is drawn. */
export type TabShape = 'card' | 'underline' | 'pill' | 'tag' | 'chrome' | 'box'

/** How the sidebar stands: below the header, as high as the window, or as a rail of icons. */
export type Nav = 'mix' | 'side' | 'rail'

/** What of a theme is the same in both schemes. */
export interface Shape {
  radius: number
  tabs: TabShape
  nav: Nav
  density: Density
  /** The scheme that comes with choosing it, where it was made for one. */
  prefer?: Scheme
}

export interface Theme extends Shape {
  light: TokenSet
  dark: TokenSet
}
