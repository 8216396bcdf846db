export type ColourScheme = 'light' | 'dark'

/** The colours of one theme in one scheme. Each pair of text and ground in it passes WCAG AA; a test computes that. */
export interface TokenSet {
  fill: string
  fillHover: string
  fillActive: string
  onFill: string
  link: string
  linkHover: string
  /** The ground of header, sidebar and row of tabs, where a theme does not colour these. */
  frame: string
  frameInk: string
  frameInk2: string
  frameHover: string
  /** The sheet of homes, inside the frame. */
  page: string
  /** The sheet of lists, and cards. */
  card: string
  raised: string
  ink: string
  ink2: string
  ink3: string
  inkOff: string
  /** The boundary that a control is known by: 3 : 1. */
  edge: string
  /** The boundary of what a word or an icon already says: buttons, chips, menus. */
  line: string
  /** Hairlines between rows, the edge of cards. */
  split: string
  tint: string
  tintHover: string
  hover: string
  /** Quick search, tiles, what can only be read. */
  field: string
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
  headerHover: string
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
export type TabShape = 'dot' | 'underline' | 'pill' | 'tag' | 'chrome' | 'box'

/** How the sidebar stands: below the header, as high as the window, or as a rail of icons. */
export type Nav = 'mix' | 'side' | 'rail'

/** How the sheet lies in the frame: with a border of the frame around it, or from edge to edge. */
export type Sheet = 'inset' | 'flush'

/** What of a theme is the same in both schemes. */
export interface Shape {
  /** Of a control; a card's is 1.6 times that. */
  radius: number
  tabs: TabShape
  nav: Nav
  sheet: Sheet
  density: Density
  /** The scheme that comes with choosing it, where it was made for one. */
  prefer?: ColourScheme
}

export interface Theme extends Shape {
  light: TokenSet
  dark: TokenSet
}
