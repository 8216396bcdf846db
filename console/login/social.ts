import type { AnswerOf } from '@data-brain/contract/call'
import type { linkIdentity } from '@data-brain/contract/calls/account'
import type { getToken, loginWays } from '@data-brain/contract/calls/auth'
import type { registerGuest } from '@data-brain/contract/calls/social'
import { clientHeader } from '../src/http/boot.ts'
import { socialWords } from '../src/locales/social.ts'
import { landing } from '../src/session/landing.ts'
import { md5 } from '../src/session/md5.ts'
import { keepLinkNote, leaveFor, takeErrand } from '../src/session/social.ts'
import { accessToken, dropTokens, type TokenAnswer } from '../src/session/tokens.ts'
import { dropStored, readStored, writeStored } from '../src/ui/stored.ts'
import './social.css'

/** A provider that the tenant offers. */
export type SocialWay = AnswerOf<typeof loginWays>['social'][number]

/** What the log-in page lends: it stays the one that knows the tenant, complains, and lets people in. */
export interface Door {
  readonly tenant: () => string
  readonly chooseTenant: (code: string) => void
  readonly language: () => 'zh' | 'en'
  readonly complain: (text: string, focus?: HTMLElement) => void
  readonly arrive: (answer: TokenAnswer, to?: string | null) => void
  /** Asks for the second factor that an answer demands. */
  readonly second: (answer: TokenAnswer, to?: string | null) => void
}

interface SocialAnswer extends TokenAnswer {
  readonly error?: string
}

/** The declared calls that are made here; their paths are written out, as on the page. */
type Asked = (typeof getToken | typeof linkIdentity | typeof registerGuest)['path']

type Word = keyof typeof socialWords
const pendingName = 'social-pending'
const lengthLeast = 10

/** Makes an element with its attributes; no text of anybody's is ever read as HTML. */
function make<N extends keyof HTMLElementTagNameMap>(
  name: N,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Node[]
): HTMLElementTagNameMap[N] {
  const made = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value)
  made.append(...children)
  return made
}

/** Says everything marked with a word in the page's language, now and whenever that is changed. */
function speaking(door: Door, root: HTMLElement): void {
  const speak = () => {
    const language = door.language()
    for (const part of root.querySelectorAll<HTMLElement>('[data-s]')) {
      const name = (language === 'en' && part.dataset.en) || part.dataset.zh || ''
      part.textContent = socialWords[part.dataset.s as Word][language].replace('{name}', name)
    }
  }
  speak()
  new MutationObserver(speak).observe(document.documentElement, { attributeFilter: ['lang'] })
}

const say = (door: Door, word: Word): string => socialWords[word][door.language()]

/** The buttons of the providers, below the form; none takes no room. */
export function showSocial(door: Door, ways: readonly SocialWay[], back: string | null): void {
  document.getElementById('social')?.remove()
  if (ways.length === 0) return
  const buttons = ways.map(({ source, name, nameEn }) => {
    const button = make('button', { type: 'button', class: 'way', 'data-s': 'by', 'data-zh': name })
    if (nameEn) button.dataset.en = nameEn
    button.addEventListener('click', () => leaveFor(source, door.tenant(), { link: false, back }))
    return button
  })
  const heading = make('h2', { 'data-s': 'ways', id: 'social-ways' })
  const box = make('section', { id: 'social', class: 'ways', 'aria-labelledby': 'social-ways' }, heading, ...buttons)
  speaking(door, box)
  document.getElementById('form')?.append(box)
}

async function post<T extends object>(path: Asked, fields: Record<string, string>, headers: Record<string, string>) {
  const response = await fetch(`/api/${path}`, {
    method: 'POST',
    headers: { Authorization: clientHeader(), ...headers },
    body: new URLSearchParams(fields),
    signal: AbortSignal.timeout(30_000),
  })
  const text = await response.text()
  try {
    return JSON.parse(text) as T
  } catch {
    // Not the product's answer: a gateway in between, say.
    return {} as Partial<T>
  }
}

interface Envelope {
  success: boolean
  msg: string
}

/** Links what somebody came back with, or was found unknown by, to who is logged in; answers what became of it. */
async function link(door: Pick<Door, 'language'>, fields: Record<string, string>, token: string) {
  const say = (word: Word) => socialWords[word][door.language()]
  try {
    const headers = { 'Blade-Auth': `bearer ${token}`, 'Accept-Language': door.language() }
    const { success, msg } = await post<Envelope>('blade-user/link-identity', fields, headers)
    return success ? { ok: true, text: say('linked') } : { ok: false, text: msg || say('unknown') }
  } catch {
    return { ok: false, text: say('offline') }
  }
}

/** A page in which nothing can be done for a moment: it says why. */
function waiting(door: Door, word: Word): () => void {
  const note = make('p', { class: 'social-note', role: 'status', 'data-s': word })
  const box = make('div', {}, note)
  speaking(door, box)
  document.querySelector('.head')?.after(box)
  return () => box.remove()
}

/** What a provider, or the way to it, brought back in place of somebody. */
function faultOf(door: Door, error: string): string {
  const known: readonly string[] = ['access_denied', 'unavailable', 'unreachable', 'address'] satisfies Word[]
  return say(door, known.includes(error) ? (error as Word) : 'refused')
}

/** Goes on where a provider sent the browser back: logs in, registers, or links. */
export async function comeBack(door: Door): Promise<void> {
  const query = new URLSearchParams(window.location.search)
  const given = (name: string) => query.get(name) ?? ''
  // A code is good for one: it must not stay in the address, nor be sent again by a reload.
  window.history.replaceState(null, '', '/login')
  const errand = takeErrand()
  const code = /^\w+?_(\d{6})_/.exec(given('state'))?.[1] ?? /^\d{6}$/.exec(given('tenant'))?.[0]
  if (code) door.chooseTenant(code)
  const error = given('error')
  const token = accessToken()
  const fields = Object.fromEntries(
    ['source', 'code', 'state', 'iss'].flatMap((name) => (query.has(name) ? [[name, given(name)]] : [])),
  )
  if (errand.link && token) {
    waiting(door, 'linking')
    keepLinkNote(error ? { ok: false, text: faultOf(door, error) } : await link(door, fields, token))
    return window.location.replace(landing(errand.back))
  }
  if (error) return door.complain(faultOf(door, error))
  const done = waiting(door, 'returning')
  try {
    const headers = { 'Accept-Language': door.language(), ...(code ? { 'Tenant-Id': code } : {}) }
    const wish = { grant_type: 'social', scope: 'all', ...(code ? { tenantId: code } : {}), ...fields }
    const answer = (await post<SocialAnswer>('blade-auth/oauth/token', wish, headers)) as SocialAnswer
    if (answer.access_token) return door.arrive(answer, errand.back)
    if (answer.error === 'second_factor_needed') return door.second(answer, errand.back)
    if (answer.oauth_id) return register(door, code ?? '', answer.oauth_id, answer.nick_name ?? '')
    door.complain(answer.error_description || say(door, 'unknown'))
  } catch {
    door.complain(say(door, 'offline'))
  } finally {
    done()
  }
}

/** After a log-in: links what the person came back with before. Answers where to go instead, if anywhere. */
export async function linkPending(answer: TokenAnswer): Promise<string | undefined> {
  const oauthId = readStored<string>(pendingName, sessionStorage)
  dropStored(pendingName, sessionStorage)
  if (!oauthId || !answer.access_token) return undefined
  const language = document.documentElement.lang === 'en' ? 'en' : 'zh'
  const note = await link({ language: () => language }, { oauthId }, answer.access_token)
  keepLinkNote(note)
  return note.ok ? undefined : '/info/index?tab=identities'
}

/** Opens a dialog; what it shows is gone when it is closed. */
function open(door: Door, title: Word, ...content: readonly HTMLElement[]): HTMLDialogElement {
  const heading = make('h2', { id: 'social-title', 'data-s': title })
  const dialog = make('dialog', { class: 'social-dialog', 'aria-labelledby': 'social-title' }, heading, ...content)
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  speaking(door, dialog)
  dialog.showModal()
  return dialog
}

const button = (word: Word, kind: string, type = 'button'): HTMLButtonElement =>
  make('button', { type, class: kind, 'data-s': word })

/** The registration dialog: who comes from elsewhere and is nobody here asks for an account, or says who they are. */
function register(door: Door, code: string, oauthId: string, name: string): void {
  const field = (id: string, word: Word, attributes: Record<string, string>, help?: Word) => {
    const input = make('input', { id: `reg-${id}`, name: id, autocomplete: 'off', ...attributes })
    const label = make('label', { for: `reg-${id}`, 'data-s': word })
    const note = help ? [make('p', { id: `reg-${id}-help`, class: 'help', 'data-s': help })] : []
    if (help) input.setAttribute('aria-describedby', `reg-${id}-help`)
    return { input, box: make('div', { class: 'field' }, label, input, ...note) }
  }
  const secret = { type: 'password', maxlength: '128', autocomplete: 'new-password' }
  const tenant = field('tenant', 'tenant', { maxlength: '12', inputmode: 'numeric', value: code })
  const person = field('name', 'name', { maxlength: '50', autocomplete: 'name', value: name })
  const account = field('account', 'account', { maxlength: '45', autocapitalize: 'none', spellcheck: 'false' })
  const first = field('password', 'password', secret, 'passwordHelp')
  const second = field('password2', 'password2', secret)
  const alert = make('div', { class: 'alert', role: 'alert', hidden: '' })
  const submit = button('submit', 'primary', 'submit')
  const cancel = button('cancel', 'plain')
  const have = button('have', 'plain')
  const form = make(
    'form',
    { class: 'social-form', novalidate: '' },
    make('p', { class: 'help', 'data-s': 'intro' }),
    alert,
    ...[tenant, person, account, first, second].map(({ box }) => box),
    submit,
    make('p', { class: 'foot' }, have, cancel),
  )
  const complain = (text: string, input: HTMLElement) => {
    alert.textContent = text
    alert.hidden = false
    input.focus()
  }
  const value = ({ input }: { input: HTMLInputElement }) => input.value.trim()
  /** In the order of the specification; the name, which it does not ask for, comes last but one. */
  const wrong = (): [Word, HTMLInputElement] | undefined => {
    if (!value(tenant)) return ['noTenant', tenant.input]
    if (!value(account)) return ['noAccount', account.input]
    if (!first.input.value || !second.input.value) return ['noPassword', first.input.value ? second.input : first.input]
    if (first.input.value !== second.input.value) return ['differ', second.input]
    if (!value(person)) return ['noName', person.input]
    if ([...first.input.value].length < lengthLeast) return ['short', first.input]
    return undefined
  }
  const dialog = open(door, 'title', form)
  let busy = false
  const send = async () => {
    const fault = wrong()
    if (fault) return complain(say(door, fault[0]), fault[1])
    busy = true
    submit.setAttribute('aria-disabled', 'true')
    submit.textContent = say(door, 'busy')
    try {
      const password = md5(first.input.value)
      const { success, msg } = await post<Envelope>(
        'blade-user/register-guest',
        { tenantId: value(tenant), name: value(person), account: value(account), password, oauthId },
        { 'Accept-Language': door.language() },
      )
      if (!success) return complain(msg || say(door, 'failed'), account.input)
      dialog.close()
      finish(door)
    } catch {
      complain(say(door, 'failed'), submit)
    } finally {
      busy = false
      submit.removeAttribute('aria-disabled')
      submit.textContent = say(door, 'submit')
    }
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (!busy) void send()
  })
  cancel.addEventListener('click', () => dialog.close())
  have.addEventListener('click', () => {
    writeStored(pendingName, oauthId, sessionStorage)
    dialog.close()
    waiting(door, 'haveNote')
    document.getElementById('account')?.focus()
  })
  const begin = [tenant, person, account].find((each) => !each.input.value) ?? first
  begin.input.focus()
}

/** Says that the registration waits; then whoever was logged in is no longer, and logs in anew. */
function finish(door: Door): void {
  const ok = button('ok', 'primary')
  const dialog = open(door, 'doneTitle', make('p', { 'data-s': 'done' }), ok)
  ok.addEventListener('click', () => dialog.close())
  dialog.addEventListener('close', () => {
    dropTokens()
    window.location.replace('/login')
  })
  ok.focus()
}
