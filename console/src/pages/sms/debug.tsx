import { rules, type sms, smslog } from '@data-brain/contract'
import { sendSms } from '@data-brain/contract/calls/sms'
import { smsText, smsVariables } from '@data-brain/contract/sms'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type ShownRow, useDictionaries, useEntity } from '../../entity/data/index.ts'
import { dictText, type StatusTag } from '../../entity/display/index.ts'
import { call } from '../../http/call.ts'
import { HttpProblem } from '../../http/client.ts'
import { smsWords } from '../../locales/sms.ts'
import { useCan } from '../../session/session.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { useLanguage, useT, useWords } from '../../ui/words.ts'

interface DebugProps {
  /** The service in full: its text is previewed. */
  readonly service: ShownRow<typeof sms>
  readonly onClose: () => void
  readonly onSent: () => void
  readonly onOutbox: () => void
}

type Params = Readonly<Record<string, string>>
const outbox = '6'
/** A key nobody else has; also where the console is served without TLS, and so without `randomUUID`. */
const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
const asText = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Values out of a JSON text, or null when it is none. */
export function paramsOf(text: string): Params | null {
  if (text.trim() === '') return {}
  try {
    const read: unknown = JSON.parse(text)
    if (typeof read !== 'object' || read === null || Array.isArray(read)) return null
    const entries = Object.entries(read)
    return entries.every(([, value]) => typeof value === 'string' || typeof value === 'number')
      ? Object.fromEntries(entries.map(([name, value]) => [name, String(value)]))
      : null
  } catch {
    return null
  }
}

/** Sends one message by one service, enabled or not, and shows what becomes of it. */
export function DebugDialog({ service, onClose, onSent, onOutbox }: DebugProps) {
  const t = useT()
  const pick = useWords()
  const content = asText(service.content)
  const variables = smsVariables(content)
  const [phone, setPhone] = useState('')
  const [values, setValues] = useState<Params>({})
  const [json, setJson] = useState('')
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState('')
  const [sent, setSent] = useState<string | null>(null)
  // One key for one wish: a second click, or a try after a lost answer, sends nothing twice.
  const [requestKey, setRequestKey] = useState(newKey)
  const params = content ? values : paramsOf(json)
  const wrongPhone = phone === '' ? smsWords['sms.phoneEmpty'] : rules.mobile.check(phone)
  const wish = () => {
    setRequestKey(newKey())
    setFailure('')
    setSent(null)
  }
  const submit = async () => {
    setTried(true)
    if (wrongPhone || params === null) return
    setBusy(true)
    setFailure('')
    try {
      const message = { code: asText(service.smsCode), phones: [phone], params: JSON.stringify(params), requestKey }
      const { ids } = await call(sendSms, { ...message, purpose: 'test' }, { silent: true })
      setSent(ids[0] ?? null)
      onSent()
    } catch (problem) {
      if (!(problem instanceof HttpProblem)) throw problem
      setFailure(problem.message)
    } finally {
      setBusy(false)
    }
  }
  const preview = content
    ? smsText(asText(service.signName) || null, content, values)
    : t('sms.previewTemplate', { id: asText(service.templateId), params: JSON.stringify(params ?? {}) })
  return (
    <Dialog
      title={t('sms.debugOf', { name: asText(service.smsCode) })}
      busy={busy}
      failure={failure}
      okText={t(sent ? 'sms.sendAgain' : 'sms.send')}
      cancelText={sent ? t('common.close') : undefined}
      onClose={onClose}
      onOk={() => (sent ? wish() : void submit())}
    >
      {service.category !== outbox && <p className="dlg-note">{t('sms.billed')}</p>}
      <Field
        label={t('sms.phone')}
        inputMode="tel"
        autoComplete="off"
        maxLength={11}
        required
        disabled={sent !== null}
        value={phone}
        error={tried && wrongPhone ? pick(wrongPhone) : undefined}
        onChange={(event) => {
          setPhone(event.target.value.trim())
          wish()
        }}
      />
      {variables.map((name) => (
        <Field
          key={name}
          label={t('sms.variable', { name })}
          autoComplete="off"
          maxLength={200}
          disabled={sent !== null}
          value={values[name] ?? ''}
          onChange={(event) => {
            const { value } = event.target
            setValues((before) => ({ ...before, [name]: value }))
            wish()
          }}
        />
      ))}
      {!content && (
        <Field
          label={t('sms.params')}
          help={t('sms.paramsHelp')}
          autoComplete="off"
          spellCheck={false}
          disabled={sent !== null}
          value={json}
          error={tried && params === null ? t('sms.paramsWrong') : undefined}
          onChange={(event) => {
            setJson(event.target.value)
            wish()
          }}
        />
      )}
      <section className="sending-preview" aria-label={t('sms.preview')}>
        <h2>{t('sms.preview')}</h2>
        <p>{preview}</p>
      </section>
      {sent && <Result id={sent} inOutbox={service.category === outbox} onOutbox={onOutbox} />}
    </Dialog>
  )
}

const over = (row: ShownRow<typeof smslog> | undefined): boolean => row?.state === '1' || row?.state === '3'

/** What becomes of a message, asked for until it is sent or given up. */
function Result({ id, inOutbox, onOutbox }: { id: string; inOutbox: boolean; onOutbox: () => void }) {
  const t = useT()
  const language = useLanguage()
  const can = useCan()
  const dictionaries = useDictionaries(smslog)
  const client = useEntity(smslog)
  const mayRead = can('smslog_view')
  const { data: row } = useQuery({
    queryKey: ['smslog', 'result', id],
    queryFn: ({ signal }) => client.whole(id, signal),
    refetchInterval: ({ state }) => (over(state.data) ? false : 1_000),
    staleTime: 0,
    retry: false,
    enabled: mayRead,
  })
  const words = { t, language, dictionaries, regions: {} }
  const known = row && (row.state !== '0' || row.tries > 0)
  return (
    <section className="sending-result" aria-label={t('sms.result')} aria-live="polite">
      <h2>{t('sms.result')}</h2>
      {!known && <p>{t(mayRead ? 'sms.asked' : 'sms.noLog')}</p>}
      {known && (
        <>
          <p>
            <StateTag value={row.state} words={words} /> {t('sms.tries', { count: row.tries })}
            {row.messageId ? ` · ${t('sms.receipt', { id: row.messageId })}` : ''}
            {row.state === '2' && row.nextTry ? ` · ${t('sms.nextTry', { time: row.nextTry })}` : ''}
          </p>
          {row.failure ? <p>{t('sms.why', { why: row.failure })}</p> : null}
          {inOutbox && row.state === '1' && (
            <button type="button" className="button" onClick={onOutbox}>
              {t('sms.toOutbox')}
            </button>
          )}
        </>
      )}
    </section>
  )
}

const tones: Readonly<Record<string, string>> = { '0': 'off', '1': 'good', '2': 'warn', '3': 'bad' }

/** How far a message is. */
export const StateTag = ({ value, words }: { value: unknown; words: Parameters<typeof StatusTag>[0]['words'] }) => (
  <span className={`tag tag-${tones[String(value)] ?? 'off'}`}>{dictText(words, 'sms_state', value)}</span>
)
