import type { getCaptcha, getToken, loginWays, sendPhoneCode } from '@data-brain/contract/calls/auth'
import { clientHeader } from '../src/http/boot.ts'
import { loginWords } from '../src/locales/login.ts'
import type { TokenAnswer } from '../src/session/tokens.ts'
import { readStored, writeStored } from '../src/ui/stored.ts'

type Word = keyof typeof loginWords

export const element = <T extends HTMLElement = HTMLElement>(id: string) => document.getElementById(id) as T
export const input = (id: string) => element<HTMLInputElement>(id)

/** The ways that the page shows: one of them, or the second step of either. */
export type Way = 'password' | 'phone' | 'second'

let language: 'zh' | 'en' = readStored<string>('language') === 'en' ? 'en' : 'zh'
export const languageNow = (): 'zh' | 'en' => language
export const word = (key: Word): string => loginWords[key][language]

/** Says a word in an element, now and when the language changes. */
export function say(where: HTMLElement, key: Word): void {
  where.dataset.t = key
  where.textContent = word(key)
}

/** Says everything in the page's language. */
export function speak(): void {
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en'
  document.title = word('title')
  for (const part of document.querySelectorAll<HTMLElement>('[data-t]')) part.textContent = word(part.dataset.t as Word)
  element<HTMLImageElement>('picture').alt = word('captchaAlt')
  const other = element('language')
  other.textContent = word('other')
  other.lang = language === 'zh' ? 'en' : 'zh-CN'
}

export function changeLanguage(): void {
  language = language === 'zh' ? 'en' : 'zh'
  writeStored('language', language)
  speak()
}

let fading: ReturnType<typeof setTimeout> | undefined

/** An error stands above the form until the next try, and passes by as a toast where it is an answer to what was done. */
export function complain(text: string, focus?: HTMLElement, isAnswer = true): void {
  const alert = element('alert')
  const toast = element('toast')
  alert.textContent = text
  toast.textContent = text
  alert.hidden = text === ''
  toast.hidden = text === '' || !isAnswer
  clearTimeout(fading)
  fading = setTimeout(() => {
    toast.hidden = true
  }, 8000)
  focus?.focus()
}

let shown: Way = 'password'
export const wayNow = (): Way => shown

/** Shows one way to log in. */
export function showWay(way: Way): void {
  shown = way
  for (const part of document.querySelectorAll<HTMLElement>('[data-way]'))
    part.hidden = !part.dataset.way?.split(' ').includes(way)
}

/** What was typed into a box, without what nobody sees; digits of full width, as a Chinese keyboard gives them, are digits. */
export const typedIn = (box: HTMLInputElement): string =>
  box.value
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .trim()

export const tenantCode = (): string => typedIn(input('tenant'))

/** What a failed call tells. */
export interface Failure {
  readonly error?: string
  readonly msg?: string
  readonly data?: { ticket?: string; captcha?: number; wait?: number; retryAfter?: number } | null
}

type Part<P> = P extends `blade-auth/oauth/${infer Rest}` ? Rest : never
/** The declared calls of logging in. The page writes their paths out: it has no room for the declarations. */
type Asked = Part<(typeof getCaptcha | typeof getToken | typeof loginWays | typeof sendPhoneCode)['path']>

/** Calls the server, with the names and values that are given; what is no answer of the product is an empty one. */
export async function call<T extends object>(
  path: Asked | `${Asked}?${string}`,
  fields: Record<string, string> | undefined,
  headers: Record<string, string> = {},
): Promise<Partial<T>> {
  const response = await fetch(`/api/blade-auth/oauth/${path}`, {
    ...(fields ? { method: 'POST', body: new URLSearchParams(fields) } : {}),
    headers: {
      Authorization: clientHeader(),
      // What is no code could not be sent as a header: the parameter tells it.
      ...(/^\d{6}$/.test(tenantCode()) ? { 'Tenant-Id': tenantCode() } : {}),
      'Accept-Language': language,
      ...headers,
    },
    signal: AbortSignal.timeout(10_000),
  })
  const text = await response.text()
  try {
    return JSON.parse(text) as T
  } catch {
    // Not the product's answer: a gateway in between, say.
    return {}
  }
}

export type TokenReply = TokenAnswer & Failure
