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
function showTenant(code: string, changeable: boolean, name = ''): void {
  tenant.value = code
  element('tenant-code').textContent = name ? `${name} (${code})` : code
  element('tenant-field').hidden = true
  element('tenant-shown').hidden = false
  element('change').hidden = !changeable
}

interface TenantInfo {
  tenantId?: string
  tenantName?: string
  logo?: string | null
  backgroundUrl?: string | null
}

/** A picture's address, where the page may show it: the content-security policy lets none of another host in. */
function picture(address: string | null | undefined): string | undefined {
  if (!address) return undefined
  try {
    const url = new URL(address, window.location.href)
    return url.origin === window.location.origin ? url.href : undefined
  } catch {
    // Not an address: as good as none.
    return undefined
  }
}

/** The pictures that a tenant gave for its log-in page. */
function dress({ logo, backgroundUrl }: TenantInfo): void {
  const background = picture(backgroundUrl)
  if (background) {
    document.body.classList.add('pictured')
    document.body.style.backgroundImage = `url(${JSON.stringify(background)})`
  }
  const source = picture(logo)
  if (!source) return
  const image = new Image()
  image.alt = ''
  image.className = 'logo'
  // Only a picture that is there takes room.
  image.onload = () => document.querySelector('.head')?.prepend(image)
  image.src = source
}

/** Whether the person has begun to say which tenant it is. */
let choosing = false

/** Asks whose host this is: its pictures are shown, and its tenant is chosen unless another was. */
async function tenantOfDomain(known: boolean): Promise<void> {
  const { host, hostname } = window.location
  // An address without a name belongs to no tenant: nothing to ask.
  if (hostname === 'localhost' || /^[\d.]+$|:/.test(hostname)) return
  const headers = { Authorization: clientHeader() }
  const response = await fetch(`/api/blade-system/tenant/info?domain=${encodeURIComponent(host)}`, { headers })
  if (!response.ok) return
  const { data } = (await response.json()) as { data?: TenantInfo | null }
  if (!data?.tenantId) return
  dress(data)
  if (!choosing && (!known || tenant.value === data.tenantId)) showTenant(data.tenantId, true, data.tenantName)
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
  if (boot.tenantMode) {
    // An address that names the tenant, such as a new one's administrator is given, goes before what was used last.
    const named = /^\d{6}$/.exec(new URLSearchParams(window.location.search).get('tenant') ?? '')?.[0]
    const code = named ?? readStored<string>('tenant')
    if (code) showTenant(code, true)
    void tenantOfDomain(code !== undefined).catch(() => undefined)
  }
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
  tenant.addEventListener('input', () => {
    choosing = true
  })
  element('change').addEventListener('click', () => {
    choosing = true
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
