import { type FormEvent, useId, useRef, useState } from 'react'
import { themeWords } from '../locales/theme.ts'
import { Modal } from '../ui/modal.tsx'
import { useStore } from '../ui/store.ts'
import {
  type Density,
  defaultWish,
  densitySizes,
  keepLook,
  type LookWish,
  lookStore,
  lookWish,
  showLook,
} from '../ui/theme.ts'
import { makeTheme } from '../ui/themes/make.ts'
import { type ThemeName, themeNames, themeSeeds } from '../ui/themes/seeds.ts'
import { addWords, useT } from '../ui/words.ts'
import { closeDialog } from './dialogs.tsx'
import { Thumbnail } from './theme-thumbnail.tsx'
import './theme-dialog.css'

addWords(themeWords)

/** Main colours at hand; any other may be chosen as well. */
const presets = [
  '#0e64f4',
  '#0b7a6c',
  '#17703c',
  '#5b7a00',
  '#8a5a00',
  '#b54708',
  '#c21b17',
  '#b0126b',
  '#7a2fd0',
  '#3554d1',
  '#0a6a94',
  '#4a5568',
]

const schemes = ['light', 'dark', 'system'] as const
const densities = Object.keys(densitySizes) as Density[]

function Choices<V extends string>({
  legend,
  name,
  values,
  value,
  onChange,
}: {
  legend: string
  name: string
  values: readonly V[]
  value: V
  onChange: (value: V) => void
}) {
  const t = useT()
  return (
    <fieldset className="look-choices">
      <legend>{legend}</legend>
      {values.map((each) => (
        <label key={each} className="check">
          <input type="radio" name={name} checked={each === value} onChange={() => onChange(each)} />
          {t(`theme.${each}`)}
        </label>
      ))}
    </fieldset>
  )
}

function Colours({
  theme,
  colour,
  onChange,
}: {
  theme: ThemeName
  colour: string | null
  onChange: (colour: string | null) => void
}) {
  const t = useT()
  const id = useId()
  const shown = useStore(lookStore, (now) => now.tokens.fill)
  const own = themeSeeds[theme].primary
  const now = colour ?? own
  return (
    <fieldset className="look-choices">
      <legend>{t('theme.colour')}</legend>
      {[own, ...presets.filter((preset) => preset !== own)].map((preset) => (
        <button
          key={preset}
          type="button"
          className="look-colour"
          style={{ background: preset }}
          aria-label={preset.toUpperCase()}
          title={preset.toUpperCase()}
          aria-pressed={preset === now}
          onClick={() => onChange(preset === own ? null : preset)}
        />
      ))}
      <label className="look-own" htmlFor={id}>
        <input id={id} type="color" value={now} onChange={(event) => onChange(event.target.value)} />
        {t('theme.own')} {now.toUpperCase()}
      </label>
      <p className="look-note" role="status">
        {colour &&
          shown !== colour &&
          t('theme.adjusted', { wished: colour.toUpperCase(), shown: shown.toUpperCase() })}
      </p>
    </fieldset>
  )
}

/** The look of the console: what is chosen is seen at once. Enter and the button keep it, Esc brings back what was. */
export default function ThemeDialog() {
  const t = useT()
  const before = useRef(lookWish.get())
  const wish = useStore(lookWish)
  const scheme = useStore(lookStore, (now) => now.scheme)
  // A theme that was made for one scheme brings it along, and leaves none behind.
  const [scheme0, setScheme0] = useState<LookWish['scheme']>(() =>
    themeSeeds[wish.theme].prefer === wish.scheme ? 'system' : wish.scheme,
  )
  const show = (part: Partial<LookWish>) => void showLook({ ...lookWish.get(), ...part })

  const keep = (event?: FormEvent) => {
    event?.preventDefault()
    void keepLook(lookWish.get())
    closeDialog()
  }
  const restore = () => {
    void showLook(before.current)
    closeDialog()
  }
  const reset = () => {
    setScheme0(defaultWish.scheme)
    show(defaultWish)
  }

  return (
    <Modal title={t('theme.title')} className="look" onClose={keep} onEscape={restore}>
      <form onSubmit={keep}>
        <fieldset className="look-themes">
          <legend className="sr-only">{t('theme.themes')}</legend>
          {themeNames.map((name) => (
            <label key={name} className="look-theme">
              <input
                type="radio"
                name="theme"
                value={name}
                checked={name === wish.theme}
                data-focus={name === before.current.theme}
                onChange={() => show({ theme: name, scheme: themeSeeds[name].prefer ?? scheme0 })}
              />
              <Thumbnail
                theme={makeTheme(name, wish.colour)}
                name={name}
                scheme={
                  scheme0 === 'system'
                    ? (themeSeeds[name].prefer ?? (themeSeeds[wish.theme].prefer ? 'light' : scheme))
                    : scheme
                }
              />
              <span>{t(`theme.${name}`)}</span>
            </label>
          ))}
        </fieldset>
        <p className="look-note">{t('theme.keys')}</p>
        <Choices
          legend={t('theme.scheme')}
          name="scheme"
          values={schemes}
          value={wish.scheme}
          onChange={(value) => {
            setScheme0(value)
            show({ scheme: value })
          }}
        />
        <Choices
          legend={t('theme.density')}
          name="density"
          values={densities}
          value={wish.density ?? themeSeeds[wish.theme].density}
          onChange={(value) => show({ density: value === themeSeeds[wish.theme].density ? null : value })}
        />
        <Colours theme={wish.theme} colour={wish.colour} onChange={(colour) => show({ colour })} />
        <div className="dialog-foot">
          <button type="button" className="button more" onClick={reset}>
            {t('theme.reset')}
          </button>
          <button type="button" className="button" onClick={restore}>
            {t('common.cancel')}
          </button>
          <button type="submit" className="button primary">
            {t('theme.keep')}
          </button>
        </div>
      </form>
    </Modal>
  )
}
