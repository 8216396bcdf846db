import type { shellMenuWords } from '../locales/shell-menus.ts'
import { themeWords } from '../locales/theme.ts'
import { toggleFullScreen } from '../ui/full-screen.ts'
import { keepLook, lookWish, type ThemeName } from '../ui/theme.ts'
import { themeNames } from '../ui/themes/seeds.ts'
import { addWords, setLanguage } from '../ui/words.ts'
import { openDialog } from './dialogs.tsx'
import '../ui/later-words.ts'

addWords(themeWords)

/** Something that the search overlay does instead of leading somewhere; both names are keys of words. */
export interface Action {
  readonly key: string
  readonly label: string
  /** What kind of thing it is. */
  readonly note: string
  readonly icon: string
  readonly run: () => void
}

const words = (key: keyof typeof themeWords | keyof typeof shellMenuWords) => key

const theme = (name: ThemeName): Action => ({
  key: name,
  label: `theme.${name}`,
  note: words('theme.title'),
  icon: 'palette',
  run: () => void keepLook({ ...lookWish.get(), theme: name }),
})
const scheme = (value: 'light' | 'dark' | 'system'): Action => ({
  key: value,
  label: `theme.${value}`,
  note: words('theme.scheme'),
  icon: 'palette',
  run: () => void keepLook({ ...lookWish.get(), scheme: value }),
})

/** What can be done from anywhere. */
export const shellActions: readonly Action[] = [
  { key: 'lock', label: words('shell.lock'), note: '', icon: 'lock', run: () => openDialog('lock') },
  { key: 'themes', label: words('shell.theme'), note: '', icon: 'palette', run: () => openDialog('themes') },
  { key: 'full', label: words('shell.full'), note: '', icon: 'maximize', run: toggleFullScreen },
  { key: 'keys', label: words('shell.keys'), note: '', icon: 'menu', run: () => openDialog('keys') },
  ...(['zh', 'en'] as const).map((code) => ({
    key: code,
    label: code === 'zh' ? 'common.chinese' : 'common.english',
    note: words('shell.language'),
    icon: 'languages',
    run: () => void setLanguage(code),
  })),
  ...themeNames.map(theme),
  ...(['light', 'dark', 'system'] as const).map(scheme),
]
