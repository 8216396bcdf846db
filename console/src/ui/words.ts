import type { Words } from '@data-brain/contract'
import { useCallback, useSyncExternalStore } from 'react'
import { readStored, writeStored } from './stored.ts'

export type Language = 'zh' | 'en'

/** A phrase in both languages. `{name}` is replaced by the value of that name. */
export interface Phrase extends Words {
  /** English for a `count` that takes the singular, where it differs. */
  readonly enOne?: string
}
export type Bundle = Readonly<Record<string, Phrase>>
type Values = Readonly<Record<string, string | number | undefined>>
export type Translate = (key: string, values?: Values) => string

const remembered = 'language'
const phrases = new Map<string, Phrase>()
/** Keys that were asked for and had no phrase. */
const missed = new Set<string>()
let shown: Language = readStored<string>(remembered) === 'en' ? 'en' : 'zh'
/** Counts what changes the words: another language, phrases added. */
let turn = 0
const heard = new Set<() => void>()
const switched = new Set<() => void>()

const tellPage = (): void => {
  document.documentElement.lang = shown === 'zh' ? 'zh-CN' : 'en'
}
tellPage()

function tell(): void {
  turn += 1
  for (const listener of [...heard]) listener()
}

/** Adds phrases under their keys; a key that is there already is replaced. */
export function addWords(bundle: Bundle): void {
  // Drawn again is only what these words change: those that come with a page have not been asked for before it.
  let seen = false
  for (const [key, phrase] of Object.entries(bundle)) {
    const known = phrases.get(key)
    if (known && known.zh === phrase.zh && known.en === phrase.en && known.enOne === phrase.enOne) continue
    phrases.set(key, phrase)
    seen ||= known !== undefined || missed.delete(key)
  }
  if (seen) tell()
}

/** The language that is shown now, for code outside components. */
export const language = (): Language => shown

function find(key: string): Phrase | undefined {
  const phrase = phrases.get(key)
  if (!phrase) missed.add(key)
  return phrase
}

const plural = new Intl.PluralRules('en')

/** Whether English counts so many in the singular; of a number that is set in groups it is never one. */
const isOne = (count: string | number | undefined): boolean =>
  count !== undefined && plural.select(Number(count)) === 'one'

function say(lng: Language, key: string, values: Values): string {
  const phrase = find(key)
  if (!phrase) return key
  const text = lng === 'en' && phrase.enOne !== undefined && isOne(values.count) ? phrase.enOne : phrase[lng]
  return text.includes('{')
    ? text.replace(/\{(\w+)\}/g, (hole, name) => {
        const value = Object.hasOwn(values, name) ? values[name] : undefined
        // Chinese counts with a measure word: the usual one, unless the caller names another, such as that of people.
        return value !== undefined ? String(value) : name === 'unit' ? say(lng, 'common.unit', {}) : hole
      })
    : text
}

/** The phrase of a key in the language shown now, for code outside components; a key without one stands for itself. */
export const translate: Translate = (key, values = {}) => say(shown, key, values)

/** The phrase of a key in a given language. */
export const translateIn = (lng: Language, key: string): string => say(lng, key, {})

/** Whether a key has a phrase. */
export const hasWords = (key: string): boolean => find(key) !== undefined

/** Shows everything in another language, without a reload, and remembers it. */
export async function setLanguage(next: Language): Promise<void> {
  writeStored(remembered, next)
  shown = next
  tellPage()
  tell()
  for (const listener of [...switched]) listener()
}

/** Hears of another language, once the words are those of it. */
export function onLanguage(listener: () => void): () => void {
  switched.add(listener)
  return () => switched.delete(listener)
}

function subscribe(listener: () => void): () => void {
  heard.add(listener)
  return () => heard.delete(listener)
}

/** Changes when the language does, and when phrases that were missed or shown are added. */
const useTurn = (): number => useSyncExternalStore(subscribe, () => turn)

/** Translates keys; the component is drawn again when the language or the phrases that may be shown change. */
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
