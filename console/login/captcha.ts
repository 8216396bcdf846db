import type { AnswerOf } from '@data-brain/contract/call'
import type { getCaptcha } from '@data-brain/contract/calls/auth'
import { call, complain, element, input, typedIn, wayNow, word } from './page.ts'

/** Whether the tenant asks for a picture beside the password, and whether its texts were asked for too often. */
let wanted = { password: false, phone: false }
let phoneOn = false
let key = ''
/** How many pictures were asked for: only the newest counts. */
let asked = 0

/** Whether the picture stands in the form now. */
export const captchaShown = (): boolean => !element('captcha-field').hidden

/** Shows the picture where it is asked for, and fetches one when there is none yet. */
export function showCaptcha(): void {
  const way = wayNow()
  const shown = way !== 'second' && wanted[way]
  element('captcha-field').hidden = !shown
  element('otherwise').hidden = !(phoneOn && way === 'password')
  if (shown && asked === 0) void another()
}

/** Says for which ways a picture is asked for. */
export function wantCaptcha(ways: Partial<typeof wanted>, phone = phoneOn): void {
  wanted = { ...wanted, ...ways }
  phoneOn = phone
  showCaptcha()
}

/** Fetches another picture: each is good for one try. */
export async function another(): Promise<void> {
  const picture = element<HTMLImageElement>('picture')
  const mine = ++asked
  key = ''
  input('captcha').value = ''
  let answer: Partial<AnswerOf<typeof getCaptcha>> = {}
  try {
    answer = await call<AnswerOf<typeof getCaptcha>>('captcha', undefined)
  } catch {
    // Said below: there is no picture.
  }
  if (mine !== asked) return
  key = answer.key ?? ''
  if (key && answer.image) picture.src = answer.image
  else picture.removeAttribute('src')
  if (!key && captchaShown()) complain(word('noPicture'), element('another'))
}

/** What was read, as headers; undefined, with a complaint, when nothing was though it is asked for. */
export function captchaHeaders(): Record<string, string> | undefined {
  if (!captchaShown()) return {}
  const code = typedIn(input('captcha'))
  if (code) return { 'Captcha-Key': key, 'Captcha-Code': encodeURIComponent(code) }
  complain(word('noCaptcha'), input('captcha'))
  return undefined
}
