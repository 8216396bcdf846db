import type { Words } from '@data-brain/contract'
import i18next from 'i18next'
import { useCallback, useSyncExternalStore } from 'react'
import { readStored, writeStored } from './stored.ts'

export type Language = 'zh' | 'en'

/** A phrase in both languages. `{name}` is replaced by the value of that name. */
export interface Phrase extends Words {
  /** English for a `count` of one, where it differs. */
  readonly enOne?: string
}
export type Bundle = Readonly<Record<string, Phrase>>
export type Translate = (key: string, values?: Record<string, string | number>) => string

const remembered = 'language'
const first: Language = readStored<string>(remembered) === 'en' ? 'en' : 'zh'

void i18next.init({
  lng: first,
  fallbackLng: false,
  resources: { zh: { translation: {} }, en: { translation: {} } },
  initAsync: false,
  keySeparator: false,
  nsSeparator: false,
  interpolation: { prefix: '{', suffix: '}', escapeValue: false },
})
document.documentElement.lang = first === 'zh' ? 'zh-CN' : 'en'

/** Adds phrases under their keys; a key that is there already is replaced. */
export function addWords(bundle: Bundle): void {
  const zh: Record<string, string> = {}
  const en: Record<string, string> = {}
  for (const [key, phrase] of Object.entries(bundle)) {
    zh[key] = phrase.zh
    en[key] = phrase.en
    if (phrase.enOne !== undefined) en[`${key}_one`] = phrase.enOne
  }
  i18next.addResourceBundle('zh', 'translation', zh, false, true)
  i18next.addResourceBundle('en', 'translation', en, false, true)
}

/** The language that is shown now, for code outside components. */
export const language = (): Language => (i18next.language === 'en' ? 'en' : 'zh')

/** The phrase of a key in the language shown now, for code outside components. */
export const translate: Translate = (key, values) => i18next.t(key, values ?? {})

/** The phrase of a key in a given language. */
export const translateIn = (lng: Language, key: string): string => i18next.t(key, { lng })

export const hasWords = (key: string): boolean => i18next.exists(key)

/** Shows everything in another language, without a reload, and remembers it. */
export async function setLanguage(next: Language): Promise<void> {
  writeStored(remembered, next)
  document.documentElement.lang = next === 'zh' ? 'zh-CN' : 'en'
  await i18next.changeLanguage(next)
}

export function onLanguage(listener: () => void): () => void {
  i18next.on('languageChanged', listener)
  return () => i18next.off('languageChanged', listener)
}

let turn = 0
const heard = new Set<() => void>()
function tell(): void {
  turn += 1
  for (const listener of [...heard]) listener()
}
i18next.on('languageChanged', tell)
i18next.store.on('added', tell)

function subscribe(listener: () => void): () => void {
  heard.add(listener)
  return () => heard.delete(listener)
}

/** Changes when the language does, and when phrases are added. */
const useTurn = (): number => useSyncExternalStore(subscribe, () => turn)

/** Translates keys; the component is drawn again when the language changes or phrases are added. */
export function useT(): Translate {
  const now = useTurn()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another function for other words, so that memos follow
  return useCallback((key, values) => translate(key, values), [now])
}

export const useLanguage = (): Language => useSyncExternalStore(subscribe, language)

/** Picks the language of a contract label. */
export function useWords(): (words: Words) => string {
  const now = useLanguage()
  return useCallback((words) => words[now], [now])
}
