import type { Translate } from '../../ui/words.ts'

type Sign = readonly [name: string, sign: RegExp]

/** Browsers by what they say of themselves; each also names those further down, so the order matters. */
const browsers: readonly Sign[] = [
  ['session.wechat', /MicroMessenger\//],
  ['Edge', /\bEdgA?(?:iOS)?\//],
  ['Opera', /\bOPR\//],
  ['QQ Browser', /\bM?QQBrowser\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Headless)?(?:Chrome|CriOS)\//],
  ['Safari', /\bVersion\/[\d.]+.*Safari\//],
  ['curl', /^curl\//],
]

const systems: readonly Sign[] = [
  ['HarmonyOS', /HarmonyOS|OpenHarmony/],
  ['Android', /Android/],
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Windows', /Windows NT/],
  ['macOS', /Mac OS X|Macintosh/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /Linux|X11/],
]

/** A browser's account of itself as a person says it: Chrome · Windows. What is not known is called so. */
export function deviceOf(agent: string | null | undefined, t: Translate): string {
  const found = [browsers, systems].flatMap((signs) => {
    const name = signs.find(([, sign]) => sign.test(agent ?? ''))?.[0]
    return name === undefined ? [] : [name.startsWith('session.') ? t(name) : name]
  })
  return found.length === 0 ? t('session.unknownDevice') : found.join(' · ')
}
