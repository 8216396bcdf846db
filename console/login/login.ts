import { boot, clientHeader } from '../src/http/boot.ts'
import { loginWords } from '../src/locales/login.ts'
import { landing } from '../src/session/back.ts'
import { md5 } from '../src/session/md5.ts'
import { accessToken, keepTokens, type TokenAnswer } from '../src/session/tokens.ts'
import { dropStored, readStored, writeStored } from '../src/ui/stored.ts'

type Word = keyof typeof loginWords

const element = <T extends HTMLElement = HTMLElement>(id: string) => document.getElementById(id) as T
const tenant = element<HTMLInputElement>('tenant')
const account = element<HTMLInputElement>('account')
const password = element<HTMLInputElement>('password')
const submit = element<HTMLButtonElement>('submit')
const show = element<HTMLButtonElement>('show')
const back = new URLSearchParams(window.location.search).get('back')

let language: 'zh' | 'en' = readStored<string>('language') === 'en' ? 'en' : 'zh'
const word = (key: Word) => loginWords[key][language]

function speak(): void {
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en'
  document.title = word('title')
  for (const part of document.querySelectorAll<HTMLElement>('[data-t]')) part.textContent = word(part.dataset.t as Word)
  const other = element('language')
  other.textContent = word('other')
  other.lang = language === 'zh' ? 'en' : 'zh-CN'
}

let fading: ReturnType<typeof setTimeout> | undefined

/** An error stands above the form until the next try, and passes by as a toast. */
function complain(text: string, focus: HTMLElement): void {
  const alert = element('alert')
  const toast = element('toast')
  alert.textContent = text
  toast.textContent = text
  alert.hidden = toast.hidden = text === ''
  clearTimeout(fading)
  fading = setTimeout(() => {
    toast.hidden = true
  }, 8000)
  focus.focus()
}

/** The tenant is asked for only where nothing tells it. */
function showTenant(code: string, changeable: boolean): void {
  tenant.value = code
  element('tenant-code').textContent = code
  element('tenant-field').hidden = true
  element('tenant-shown').hidden = false
  element('change').hidden = !changeable
}

async function tenantOfDomain(): Promise<void> {
  const { hostname } = window.location
  // An address without a name belongs to no tenant: nothing to ask.
  if (hostname === 'localhost' || /^[\d.]+$|:/.test(hostname)) return
  const headers = { Authorization: clientHeader() }
  const response = await fetch(`/api/blade-system/tenant/info?domain=${encodeURIComponent(hostname)}`, { headers })
  if (!response.ok) return
  const answer = (await response.json()) as { data?: { tenantId?: string } | null }
  if (answer.data?.tenantId) showTenant(answer.data.tenantId, true)
}

/** Fetches the console's code while the person is typing, by the names that its page gives. */
async function warm(): Promise<void> {
  const page = await (await fetch('/')).text()
  for (const [, url = ''] of page.matchAll(/(?:src|href)="(\/assets\/[^"]+\.(?:js|css))"/g)) {
    const link = document.createElement('link')
    link.rel = url.endsWith('.js') ? 'modulepreload' : 'prefetch'
    link.href = url
    document.head.append(link)
  }
}

async function ask(): Promise<TokenAnswer> {
  const response = await fetch('/api/blade-auth/oauth/token', {
    method: 'POST',
    headers: { Authorization: clientHeader(), 'Tenant-Id': tenant.value.trim(), 'Accept-Language': language },
    body: new URLSearchParams({
      grant_type: 'password',
      tenantId: tenant.value.trim(),
      username: account.value.trim(),
      password: md5(password.value),
      scope: 'all',
      type: 'account',
    }),
    signal: AbortSignal.timeout(10_000),
  })
  const text = await response.text()
  try {
    return JSON.parse(text) as TokenAnswer
  } catch {
    // Not the product's answer: a gateway in between, say.
    return {}
  }
}

function arrive(answer: TokenAnswer): void {
  keepTokens(answer)
  writeStored('tenant', tenant.value.trim())
  for (const name of ['tabs', 'lock', 'lock-password']) dropStored(name, sessionStorage)
  for (const name of ['user', 'buttons', 'menus']) dropStored(name)
  window.location.replace(answer.must_change ? '/info/index?tab=password' : landing(back))
}

let busy = false

async function logIn(): Promise<void> {
  if (busy) return
  if (!tenant.value.trim()) {
    element('tenant-field').hidden = false
    return complain(word('noTenant'), tenant)
  }
  if (!account.value.trim()) return complain(word('noAccount'), account)
  if (!password.value) return complain(word('noPassword'), password)
  busy = true
  submit.setAttribute('aria-disabled', 'true')
  submit.textContent = word('busy')
  try {
    const answer = await ask()
    if (answer.access_token) return arrive(answer)
    complain(answer.error_description || word('unknown'), password)
    password.select()
  } catch {
    complain(word('offline'), password)
  } finally {
    busy = false
    submit.removeAttribute('aria-disabled')
    submit.textContent = word('login')
  }
}

function start(): void {
  if (accessToken()) {
    window.location.replace(landing(back).replace('/wel/index', '/'))
    return
  }
  speak()
  element('tenant-field').hidden = !boot.tenantMode
  const remembered = readStored<string>('tenant')
  if (remembered && boot.tenantMode) showTenant(remembered, true)
  else if (boot.tenantMode) void tenantOfDomain().catch(() => undefined)
  const notice = readStored<string>('notice', sessionStorage)
  if (notice) {
    dropStored('notice', sessionStorage)
    complain(notice, account)
  }

  if (!notice) (tenant.offsetParent && !tenant.value ? tenant : account).focus()
  element('form').addEventListener('submit', (event) => {
    event.preventDefault()
    void logIn()
  })
  element('form').addEventListener('input', () => void warm().catch(() => undefined), { once: true })
  show.addEventListener('click', () => {
    const shown = password.type === 'password'
    password.type = shown ? 'text' : 'password'
    show.setAttribute('aria-pressed', String(shown))
    show.dataset.t = shown ? 'hide' : 'show'
    show.textContent = word(shown ? 'hide' : 'show')
  })
  element('change').addEventListener('click', () => {
    element('tenant-field').hidden = false
    element('tenant-shown').hidden = true
    element('change').hidden = true
    tenant.focus()
    tenant.select()
  })
  element('language').addEventListener('click', () => {
    language = language === 'zh' ? 'en' : 'zh'
    writeStored('language', language)
    speak()
  })
}

start()
