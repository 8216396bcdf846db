import { useId, useState } from 'react'
import { preferenceWords } from '../../locales/preferences.ts'
import { themeWords } from '../../locales/theme.ts'
import { chosenLanding, keepLanding } from '../../session/landing.ts'
import { allNodes, forRoles, menuLabel, menuStore, type TopMenu, topLabel } from '../../session/menus.ts'
import { useSession } from '../../session/session.ts'
import { useStore } from '../../ui/store.ts'
import { readStored, writeStored } from '../../ui/stored.ts'
import { type Density, densitySizes, keepLook, type LookWish, lookWish } from '../../ui/theme.ts'
import { type ThemeName, themeNames, themeSeeds } from '../../ui/themes/seeds.ts'
import { toast } from '../../ui/toast.ts'
import { addWords, setLanguage, useLanguage, useT } from '../../ui/words.ts'
import { lazyTab } from './lazy-tab.tsx'
import '../../ui/later-words.ts'

addWords({ ...themeWords, ...preferenceWords })

const Shortcuts = lazyTab(() => import('./shortcuts.tsx'))

/** Where the browser keeps whether keys of one letter do anything (WCAG 2.1.4). */
const shortcutsName = 'shortcuts'

const schemes = ['light', 'dark', 'system'] as const
const densities = Object.keys(densitySizes) as Density[]
const languages = [
  ['zh', 'common.chinese'],
  ['en', 'common.english'],
] as const

interface RadiosProps<V extends string> {
  readonly legend: string
  readonly name: string
  readonly values: readonly (readonly [value: V, label: string])[]
  readonly value: V
  readonly onChange: (value: V) => void
}

function Radios<V extends string>({ legend, name, values, value, onChange }: RadiosProps<V>) {
  const t = useT()
  return (
    <fieldset className="choices">
      <legend>{legend}</legend>
      {values.map(([each, label]) => (
        <label key={each} className="check">
          <input type="radio" name={name} checked={each === value} onChange={() => onChange(each)} />
          {t(label)}
        </label>
      ))}
    </fieldset>
  )
}

/** The pages that one may begin with, below the top menu they belong to. */
function useLandings(roles: readonly string[]): { top: TopMenu; pages: { path: string; label: string }[] }[] {
  const tops = useStore(menuStore)
  return tops.flatMap((top) => {
    const pages = allNodes([top]).flatMap((node) =>
      node.path?.startsWith('/') && !node.children?.length && node.isOpen !== 2 && forRoles(node.meta, roles)
        ? [{ path: node.path, label: menuLabel(node.code) }]
        : [],
    )
    return pages.length > 0 ? [{ top, pages }] : []
  })
}

/** How one likes the console: what is chosen holds at once, in this browser. */
export default function PreferencesTab() {
  const t = useT()
  const session = useSession()
  const userId = session?.userId ?? ''
  const wish = useStore(lookWish)
  const language = useLanguage()
  const landings = useLandings(session?.roles ?? [])
  const [first, setFirst] = useState(() => chosenLanding(userId) ?? '')
  const [shortcuts, setShortcuts] = useState(() => readStored<boolean>(shortcutsName) !== false)
  const [themeId, landingId, noteId] = [useId(), useId(), useId()]
  const keep = (part: Partial<LookWish>) => void keepLook({ ...lookWish.get(), ...part })
  const known = landings.some(({ pages }) => pages.some(({ path }) => path === first))
  return (
    <>
      <div className="form">
        <p className="field-help">{t('preferences.text')}</p>
        <div className="field">
          <label htmlFor={themeId}>{t('theme.title')}</label>
          <select
            id={themeId}
            className="input"
            value={wish.theme}
            onChange={(event) => {
              const theme = event.target.value as ThemeName
              // A theme that was made for one scheme brings it along.
              keep({ theme, ...(themeSeeds[theme].prefer ? { scheme: themeSeeds[theme].prefer } : {}) })
            }}
          >
            {themeNames.map((name) => (
              <option key={name} value={name}>
                {t(`theme.${name}`)}
              </option>
            ))}
          </select>
        </div>
        <Radios
          legend={t('theme.scheme')}
          name="scheme"
          values={schemes.map((each) => [each, `theme.${each}`] as const)}
          value={wish.scheme}
          onChange={(scheme) => keep({ scheme })}
        />
        <Radios
          legend={t('theme.density')}
          name="density"
          values={densities.map((each) => [each, `theme.${each}`] as const)}
          value={wish.density ?? themeSeeds[wish.theme].density}
          onChange={(density) => keep({ density: density === themeSeeds[wish.theme].density ? null : density })}
        />
        <Radios
          legend={t('shell.language')}
          name="language"
          values={languages}
          value={language}
          onChange={(code) => void setLanguage(code)}
        />
        <div className="field">
          <label htmlFor={landingId}>{t('preferences.landing')}</label>
          <select
            id={landingId}
            className="input"
            value={known ? first : ''}
            onChange={(event) => {
              setFirst(event.target.value)
              keepLanding(userId, event.target.value)
              toast.success(t('preferences.kept'))
            }}
          >
            <option value="">{t('shell.home')}</option>
            {landings.map(({ top, pages }) => (
              <optgroup key={top.code} label={t(topLabel(top.code))}>
                {pages.map(({ path, label }) => (
                  <option key={path} value={path}>
                    {t(label)}
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
        </div>
        <label className="check">
          <input
            type="checkbox"
            checked={shortcuts}
            aria-describedby={noteId}
            onChange={(event) => {
              setShortcuts(event.target.checked)
              writeStored(shortcutsName, event.target.checked)
            }}
          />
          {t('preferences.shortcuts')}
        </label>
        <p id={noteId} className="field-help">
          {t('preferences.shortcutsText')}
        </p>
      </div>
      <Shortcuts part="" />
    </>
  )
}
