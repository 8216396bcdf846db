import { checkMobile } from '@data-brain/contract/rules/mobile'
import { another, captchaHeaders, captchaShown, wantCaptcha } from './captcha.ts'
import { call, complain, element, type Failure, input, languageNow, say, tenantCode, typedIn, word } from './page.ts'

let until = 0
let ticking: ReturnType<typeof setInterval> | undefined
let sending = false

/** What is wrong with the number that was typed, in the page's words. */
export const wrongPhone = (): string | undefined => checkMobile(typedIn(input('phone')), true)?.[languageNow()]

/** The seconds until another code may be asked for, on the button. */
export function showCountdown(): void {
  const button = element('send')
  const left = Math.ceil((until - Date.now()) / 1000)
  button.setAttribute('aria-disabled', String(left > 0 || sending))
  if (left > 0) button.textContent = word('again').replace('{n}', String(left))
  else {
    button.textContent = word(sending ? 'sending' : 'send')
    clearInterval(ticking)
    ticking = undefined
  }
}

function wait(seconds: number): void {
  until = Date.now() + seconds * 1000
  clearInterval(ticking)
  ticking = setInterval(showCountdown, 500)
}

/** Asks for a code to be sent. */
export async function sendCode(): Promise<void> {
  if (sending || until > Date.now()) return
  const wrong = wrongPhone()
  if (!tenantCode()) return complain(word('noTenant'), input('tenant'))
  if (wrong) return complain(wrong, input('phone'))
  const headers = captchaHeaders()
  if (!headers) return
  sending = true
  showCountdown()
  try {
    const fields = { tenantId: tenantCode(), phone: typedIn(input('phone')) }
    const answer = await call<Failure & { success: boolean }>('sms-code', fields, headers)
    const seconds = answer.data?.wait ?? answer.data?.retryAfter ?? 0
    // A day's limit is told in words: nobody waits for it before a button.
    if (seconds > 0 && seconds <= 600) wait(seconds)
    if (answer.success) {
      complain('')
      say(element('sent'), 'sent')
      input('code').focus()
      return
    }
    const asked = answer.data?.captcha === 1
    if (asked && !captchaShown()) wantCaptcha({ phone: true })
    else if (captchaShown()) void another()
    complain(answer.msg || word('unknown'), input(asked ? 'captcha' : 'phone'))
  } catch {
    complain(word('offline'), input('phone'))
  } finally {
    sending = false
    showCountdown()
  }
}
