import type { AnswerOf } from '@data-brain/contract/call'
import {
  beginSecondFactor,
  confirmSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  secondFactor,
} from '@data-brain/contract/calls/account'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { call } from '../../http/call.ts'
import { HttpProblem } from '../../http/client.ts'
import { loadSession } from '../../session/load.ts'
import { md5 } from '../../session/md5.ts'
import type { Session } from '../../session/session.ts'
import { copyText } from '../../ui/dialog/copy.ts'
import { Field } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.ts'
import { useT } from '../../ui/words.ts'
import { Codes } from './codes.tsx'
import { goBack } from './go-back.ts'
import { InfoQuery } from './query-states.tsx'

type Begun = AnswerOf<typeof beginSecondFactor>

/** What goes wrong is said where it was asked for. */
const silent = { silent: true }

/** What was asked for; empty where it was not. */
interface Given {
  readonly password: string
  readonly code: string
}

/** What somebody proves by that it is them. */
interface Asked {
  readonly password?: boolean
  readonly code?: boolean
  /** A recovery code opens as well. */
  readonly recovery?: boolean
}

interface ProofProps {
  readonly okText: string
  readonly danger?: boolean
  readonly asks: Asked
  readonly account: string
  readonly children?: ReactNode
  readonly onProof: (given: Given) => Promise<void>
  readonly onCancel: () => void
}

/** Asks for the account's password, or a code of the app, or both; what the server says of them stands above. */
function Proof({ okText, danger, asks, account, children, onProof, onCancel }: ProofProps) {
  const { password, code, recovery } = asks
  const t = useT()
  const [given, setGiven] = useState({ password: '', code: '' })
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState('')
  const form = useRef<HTMLFormElement>(null)
  // The button that led here is gone.
  useEffect(() => form.current?.querySelector<HTMLInputElement>('[name]')?.focus(), [])
  const digits = given.code.replace(/\s/g, '')
  const field = (name: string) => form.current?.querySelector<HTMLInputElement>(`[name="${name}"]`)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    setTried(true)
    const missing = password && !given.password ? 'password' : code && !digits ? 'code' : ''
    if (missing) {
      field(missing)?.focus()
      return
    }
    setBusy(true)
    setFailure('')
    try {
      await onProof({ password: password ? md5(given.password) : '', code: code ? digits : '' })
    } catch (problem) {
      if (!(problem instanceof HttpProblem)) throw problem
      setFailure(problem.message)
      field(code ? 'code' : 'password')?.select()
    } finally {
      setBusy(false)
    }
  }
  return (
    <form ref={form} className="form" noValidate onSubmit={(event) => void submit(event)}>
      {children}
      {failure && (
        <p className="alert" role="alert">
          {failure}
        </p>
      )}
      {password && (
        <>
          <input
            className="sr-only"
            type="text"
            autoComplete="username"
            value={account}
            readOnly
            tabIndex={-1}
            aria-hidden="true"
          />
          <Field
            label={t('security.password')}
            name="password"
            type="password"
            required
            autoComplete="current-password"
            maxLength={128}
            value={given.password}
            error={tried && !given.password ? t('security.passwordEmpty') : undefined}
            onChange={(event) => setGiven({ ...given, password: event.target.value })}
          />
        </>
      )}
      {code && (
        <Field
          label={t('security.code')}
          name="code"
          required
          inputMode={recovery ? 'text' : 'numeric'}
          autoComplete="one-time-code"
          maxLength={16}
          value={given.code}
          help={t(recovery ? 'security.codeOrRecovery' : 'security.codeHelp')}
          error={tried && !digits ? t('security.codeEmpty') : undefined}
          onChange={(event) => setGiven({ ...given, code: event.target.value })}
        />
      )}
      <div className="info-acts">
        <button type="submit" className={danger ? 'button danger' : 'button primary'} aria-busy={busy}>
          {okText}
        </button>
        <button type="button" className="button" onClick={onCancel}>
          {t('common.cancel')}
        </button>
      </div>
    </form>
  )
}

type Step = 'rest' | 'password' | 'confirm' | 'recovery' | 'remove'

/** Two-step log-in by an authenticator app: set up, new recovery codes, take away. */
export function SecondFactor({ session }: { session: Session }) {
  const t = useT()
  const [step, setStep] = useState<Step>('rest')
  const [begun, setBegun] = useState<Begun>()
  const [codes, setCodes] = useState<readonly string[]>()
  const found = useQuery({
    queryKey: ['info', 'second'],
    queryFn: ({ signal }) => call(secondFactor, {}, { signal, silent: true }),
  })
  const rest = () => {
    setStep('rest')
    setBegun(undefined)
  }
  const told = async (recoveryCodes: readonly string[]) => {
    rest()
    setCodes(recoveryCodes)
    await found.refetch()
  }
  const closeCodes = async () => {
    setCodes(undefined)
    if (!session.mustSecond) return
    // Everything else was shut until now.
    await loadSession()
    goBack()
  }
  const proof = { account: session.account, onCancel: rest }
  const { on = 0, since = null, recoveryLeft = 0, must = 0 } = found.data ?? {}

  return (
    <>
      <p className="info-text">{t('security.secondText')}</p>
      <InfoQuery query={found}>
        {step === 'rest' && (
          <>
            <p>
              {on === 1 ? <span className="tag tag-good">{t('security.on')}</span> : t('security.off')}{' '}
              {on === 1 && t('security.onNote', { since: since?.slice(0, 16) ?? '', count: recoveryLeft })}
            </p>
            <div className="info-acts">
              {on === 0 && (
                <button type="button" className="button primary" onClick={() => setStep('password')}>
                  {t('security.setUp')}
                </button>
              )}
              {on === 1 && (
                <button type="button" className="button" onClick={() => setStep('recovery')}>
                  {t('security.newCodes')}
                </button>
              )}
              {on === 1 && (
                <button type="button" className="button" onClick={() => setStep('remove')}>
                  {t(must === 1 ? 'security.another' : 'security.remove')}
                </button>
              )}
            </div>
            {on === 1 && must === 1 && <p className="field-help">{t('security.must')}</p>}
          </>
        )}
        {step === 'password' && (
          <Proof
            {...proof}
            asks={{ password: true }}
            okText={t('security.next')}
            onProof={async ({ password }) => {
              setBegun(await call(beginSecondFactor, { password }, silent))
              setStep('confirm')
            }}
          />
        )}
        {step === 'confirm' && begun && (
          <Proof
            {...proof}
            asks={{ code: true }}
            okText={t('security.confirm')}
            onProof={async ({ code }) => {
              const { recoveryCodes } = await call(confirmSecondFactor, { code }, silent)
              toast.success(t('security.setUpDone'))
              await told(recoveryCodes)
            }}
          >
            <div className="second-begin">
              <img src={begun.qr} alt={t('security.qr')} width={176} height={176} />
              <div>
                <p>{t('security.scan')}</p>
                <p className="field-help">{t('security.byHand')}</p>
                <p className="second-secret">{begun.secret.replace(/(.{4})(?=.)/g, '$1 ')}</p>
                <div className="info-acts">
                  <button type="button" className="button" onClick={() => void copyText(begun.secret, null)}>
                    {t('security.copy')}
                  </button>
                </div>
              </div>
            </div>
          </Proof>
        )}
        {step === 'recovery' && (
          <Proof
            {...proof}
            asks={{ password: true, code: true }}
            okText={t('security.newCodes')}
            onProof={async (given) => told((await call(renewRecoveryCodes, given, silent)).recoveryCodes)}
          >
            <p className="alert">{t('security.newCodesText')}</p>
          </Proof>
        )}
        {step === 'remove' && (
          <Proof
            {...proof}
            asks={{ password: true, code: true, recovery: true }}
            danger
            okText={t(must === 1 ? 'security.another' : 'security.remove')}
            onProof={async (given) => {
              await call(removeSecondFactor, given, silent)
              rest()
              toast.success(t('security.removed'))
              // Of whom it is asked, nothing but setting it up again is open now.
              if (must === 1) await loadSession()
              await found.refetch()
            }}
          >
            {must === 1 && <p className="alert">{t('security.anotherText')}</p>}
          </Proof>
        )}
      </InfoQuery>
      {codes && <Codes codes={codes} account={session.account} onClose={() => void closeCodes()} />}
    </>
  )
}
