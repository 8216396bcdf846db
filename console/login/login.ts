import type { AnswerOf } from '@data-brain/contract/call'
import type { loginWays } from '@data-brain/contract/calls/auth'
import { boot } from '../src/http/boot.ts'
import type { Notice } from '../src/session/end.ts'
import { changePasswordPath, leadingBack, secondFactorPath } from '../src/session/guard.ts'
import { chosenLanding, landing } from '../src/session/landing.ts'
import { accessToken, keepTokens, type TokenAnswer } from '../src/session/tokens.ts'
import { dropStored, readStored, writeStored } from '../src/ui/stored.ts'
import { another, captchaHeaders, captchaShown, showCaptcha, wantCaptcha } from './captcha.ts'
import {
  call,
  changeLanguage,
  complain,
  element,
  input,
  languageNow,
  say,
  showWay,
  speak,
  type TokenReply,
  tenantCode,
  typedIn,
  type Way,
  wayNow,
  word,
} from './page.ts'
import type { Door } from './social.ts'
import { tenantOfDomain } from './tenant.ts'

const tenant = input('tenant')
const account = input('account')
const password = input('password')
const submit = element<HTMLButtonElement>('submit')
const query = new URLSearchParams(window.location.search)

/** Where to go after log-in: as the address said, or as somebody meant before they went to a provider. */
let back = query.get('back')
/** What the first step answered, while the second is waited for. */
let ticket = ''

/** The tenant is asked for only where nothing tells it. */
function showTenant(code: string, changeable: boolean, name = ''): void {
  tenant.value = code
  element('tenant-code').textContent = name ? `${name} (${code})` : code
  element('tenant-field').hidden = true
  element('tenant-shown').hidden = false
  element('change').hidden = !changeable
  void askWays()
}

/** Whether the person has begun to say which tenant it is. */
let choosing = false

/** The way by a phone, which few tenants offer: it is fetched when it is shown first. */
let phone: typeof import('./phone.ts') | undefined
const fetchPhone = async (): Promise<typeof phone> => {
  try {
    phone = await import('./phone.ts')
    phone.showCountdown()
  } catch {
    complain(word('offline'))
  }
  return phone
}
const hashing = () => import('../src/session/md5.ts')

/** Fetches what logging in needs, and the console's code, while the person is typing. */
function warm(): void {
  void hashing()
  for (const url of boot.shell ?? []) {
    const link = document.createElement('link')
    link.rel = url.endsWith('.js') ? 'modulepreload' : 'prefetch'
    link.href = url
    document.head.append(link)
  }
}

type Ways = AnswerOf<typeof loginWays>

/** The tenant whose ways are shown. */
let waysOf = ''
let phoneOn = false

/** Shows a way, and how to come to the other. */
function turnTo(way: Way): void {
  showWay(way)
  const other = element('switch')
  other.hidden = way !== 'second' && !phoneOn
  say(other, way === 'second' ? 'goBack' : way === 'phone' ? 'byPassword' : 'byPhone')
  showCaptcha()
  if (way === 'phone') void fetchPhone()
}

/** Asks how one may log in to the tenant, as soon as it is known which. */
async function askWays(): Promise<void> {
  const code = tenantCode()
  if (!/^\d{6}$/.test(code) || code === waysOf) return
  waysOf = code
  let ways: Partial<Ways> | undefined
  try {
    ways = (await call<{ data: Ways }>(`ways?tenantId=${code}`, undefined)).data
  } catch {
    // The password is a way everywhere; who needs another one tries again with the tenant.
    if (waysOf === code) waysOf = ''
  }
  if (!ways || tenantCode() !== code) return
  phoneOn = ways.phone === 1
  wantCaptcha({ password: ways.captcha === 1 }, phoneOn)
  if (wayNow() !== 'second') turnTo(phoneOn ? wayNow() : 'password')
  if (ways.social?.length || document.getElementById('social'))
    (await import('./social.ts')).showSocial(door, ways.social ?? [], back)
}

/** What was typed for the way that is shown, the password as it is, and where to look when it is refused; undefined, with a complaint, when something is missing. */
function typed():
  | { fields: Record<string, string>; headers: Record<string, string>; focus: HTMLInputElement }
  | undefined {
  const missing = (text: string, focus: HTMLElement): undefined => {
    complain(text, focus)
  }
  const way = wayNow()
  if (way === 'second') {
    const second = input('second')
    if (!typedIn(second)) return missing(word('noSecond'), second)
    return { fields: { grant_type: 'second_factor', ticket, code: typedIn(second) }, headers: {}, focus: second }
  }
  if (!tenantCode()) {
    element('tenant-field').hidden = false
    return missing(word('noTenant'), tenant)
  }
  const common = { tenantId: tenantCode(), scope: 'all' }
  if (way === 'phone') {
    const wrong = phone?.wrongPhone()
    if (wrong) return missing(wrong, input('phone'))
    const code = input('code')
    if (!typedIn(code)) return missing(word('noCode'), code)
    const fields = { grant_type: 'sms_code', ...common, phone: typedIn(input('phone')), code: typedIn(code) }
    return { fields, headers: {}, focus: code }
  }
  if (!typedIn(account)) return missing(word('noAccount'), account)
  if (!password.value) return missing(word('noPassword'), password)
  const headers = captchaHeaders()
  if (!headers) return undefined
  const fields = {
    grant_type: captchaShown() ? 'captcha' : 'password',
    ...common,
    username: typedIn(account),
    password: password.value,
    type: 'account',
  }
  return { fields, headers, focus: password }
}

/** Lets somebody in. */
async function arrive(answer: TokenAnswer, to = back): Promise<void> {
  keepTokens(answer)
  writeStored('tenant', answer.tenant_id ?? tenantCode())
  for (const name of ['tabs', 'lock', 'lock-password']) dropStored(name, sessionStorage)
  for (const name of ['user', 'buttons', 'menus']) dropStored(name)
  const linked =
    readStored<string>('social-pending', sessionStorage) && (await (await import('./social.ts')).linkPending(answer))
  window.location.replace(
    answer.must_change
      ? leadingBack(changePasswordPath, to)
      : answer.must_second
        ? leadingBack(secondFactorPath, to)
        : linked || landing(to, undefined, chosenLanding(answer.user_id)),
  )
}

/** Asks for the second factor. */
function second(answer: TokenReply, to: string | null = back): void {
  ticket = answer.data?.ticket ?? ''
  back = to
  complain('')
  turnTo('second')
  input('second').value = ''
  input('second').focus()
}

/** Shows why somebody was not let in, and where to look. */
function refuse(answer: TokenReply, focus: HTMLInputElement): void {
  const text = answer.error_description || word('unknown')
  if (answer.error === 'second_factor_needed') {
    second(answer)
    return
  }
  if (answer.error === 'second_factor_over') {
    turnTo('password')
    complain(text, password)
    password.select()
    return
  }
  if (answer.error === 'captcha_needed') {
    wantCaptcha({ password: true })
    complain(text, input('captcha'))
    return
  }
  if (wayNow() === 'password' && captchaShown()) void another()
  complain(text, focus)
  focus.select()
}

let busy = false

async function logIn(): Promise<void> {
  if (busy) return
  // Whoever is quicker than the network types on, and is answered when it is here.
  if (wayNow() === 'phone' && !phone && !(await fetchPhone())) return
  const wish = typed()
  if (!wish) return
  busy = true
  submit.setAttribute('aria-disabled', 'true')
  submit.textContent = word('busy')
  try {
    if (wish.fields.password) wish.fields.password = (await hashing()).md5(wish.fields.password)
    const answer: TokenReply = await call<TokenReply>('token', wish.fields, wish.headers)
    if (answer.access_token) return await arrive(answer)
    refuse(answer, wish.focus)
  } catch {
    complain(word('offline'), wish.focus)
  } finally {
    busy = false
    submit.removeAttribute('aria-disabled')
    submit.textContent = word('login')
  }
}

/** What the way by a provider is lent. */
const door: Door = {
  tenant: tenantCode,
  chooseTenant: (code) => showTenant(code, true),
  language: languageNow,
  complain: (text, focus = account) => complain(text, focus),
  arrive: (answer, to) => void arrive(answer, to ?? back),
  second: (answer, to) => second(answer, to ?? back),
}

/** Says everything anew in the other language, also what stands for a while only. */
function turnLanguage(): void {
  changeLanguage()
  phone?.showCountdown()
}

function listen(): void {
  element('form').addEventListener('submit', (event) => {
    event.preventDefault()
    void logIn()
  })
  element('form').addEventListener('input', warm, { once: true })
  const show = element('show')
  show.addEventListener('click', () => {
    const shown = password.type === 'password'
    password.type = shown ? 'text' : 'password'
    show.setAttribute('aria-pressed', String(shown))
    say(show, shown ? 'hide' : 'show')
  })
  tenant.addEventListener('input', () => {
    choosing = true
    void askWays()
  })
  element('change').addEventListener('click', () => {
    choosing = true
    element('tenant-field').hidden = false
    element('tenant-shown').hidden = true
    element('change').hidden = true
    tenant.focus()
    tenant.select()
  })
  element('language').addEventListener('click', turnLanguage)
  element('another').addEventListener('click', () => void another().then(() => input('captcha').focus()))
  element('send').addEventListener(
    'click',
    () => void (phone ? phone.sendCode() : fetchPhone().then((way) => way?.sendCode())),
  )
  element('switch').addEventListener('click', () => {
    complain('')
    turnTo(wayNow() === 'password' ? 'phone' : 'password')
    input(wayNow() === 'phone' ? 'phone' : 'account').focus()
  })
}

function start(): void {
  const returning = query.has('source') && (query.has('code') || query.has('error'))
  if (accessToken() && !returning) {
    window.location.replace(landing(back).replace('/wel/index', '/'))
    return
  }
  speak()
  element('tenant-field').hidden = !boot.tenantMode
  if (boot.tenantMode) {
    // An address that names the tenant, such as a new one's administrator is given, goes before what was used last.
    const named = /^\d{6}$/.exec(query.get('tenant') ?? '')?.[0]
    const code = named ?? readStored<string>('tenant')
    if (code) showTenant(code, true)
    void tenantOfDomain().then((found) => {
      if (found && !choosing && (code === undefined || tenant.value === found.tenantId))
        showTenant(found.tenantId, true, found.tenantName)
    })
  }
  void askWays()
  const notice = readStored<Notice>('notice', sessionStorage)
  if (notice) {
    dropStored('notice', sessionStorage)
    account.value = notice.account
    complain(notice.text + (notice.isKept ? word('kept') : ''), notice.account ? input('password') : account, false)
  } else (tenant.offsetParent && !tenant.value ? tenant : account).focus()
  listen()
  if (returning) void import('./social.ts').then(({ comeBack }) => comeBack(door))
}

start()
