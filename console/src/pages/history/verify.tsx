import { type Verdict, verifyHistory } from '@data-brain/contract/calls/history'
import { useState } from 'react'
import { call } from '../../http/call.ts'
import { HttpProblem } from '../../http/client.ts'
import { Icon } from '../../ui/icon.tsx'
import { type Translate, useLanguage, useT } from '../../ui/words.ts'

type State = { readonly sealed: number } | Verdict | null

/** Has it done piece by piece; `told` hears how many rows were found to be as they were. */
async function verifyAll(told: (sealed: number) => void): Promise<Verdict> {
  let whole: Verdict | undefined
  let from: number | null = 0
  while (from !== null) {
    const part: Verdict = await call(verifyHistory, { from }, { timeout: 60_000 })
    whole = whole
      ? {
          ...part,
          sealed: whole.sealed + part.sealed,
          broken: whole.broken + part.broken,
          first: whole.first ?? part.first,
        }
      : part
    told(whole.sealed)
    from = part.next
  }
  return whole!
}

/** Has the server compute the chain of hashes anew, and says what came of it. */
export function useVerify(): { state: State; busy: boolean; run: () => Promise<void>; close: () => void } {
  const [state, setState] = useState<State>(null)
  const [busy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    setState({ sealed: 0 })
    try {
      setState(await verifyAll((sealed) => setState({ sealed })))
    } catch (problem) {
      setState(null)
      if (!(problem instanceof HttpProblem)) throw problem
    } finally {
      setBusy(false)
    }
  }
  return { state, busy, run, close: () => setState(null) }
}

function rowText({ first }: Verdict, t: Translate): string {
  if (!first?.historyId) return t('changes.faultSeal')
  if (!first.entity) return t('changes.faultId', { id: first.historyId })
  return t('changes.faultRow', {
    entity: first.entity,
    id: first.rowId ?? '',
    time: first.at ?? '',
    who: first.userName ?? '',
  })
}

/** What the check of the chain has found, until it is closed. */
export function VerdictBanner({ state, onClose }: { state: NonNullable<State>; onClose: () => void }) {
  const t = useT()
  const number = new Intl.NumberFormat(useLanguage())
  if (!('broken' in state))
    return (
      <div className="banner" role="status">
        {t('changes.verifying', { count: number.format(state.sealed) })}
      </div>
    )
  const { sealed, unsealed, broken, first, head } = state
  const isWhole = broken === 0
  return (
    <div className={`banner ${isWhole ? '' : 'banner-wrong'}`} role={isWhole ? 'status' : 'alert'}>
      <Icon name={isWhole ? 'circle-check' : 'triangle-alert'} />
      <div className="verdict">
        <strong>
          {isWhole
            ? t('changes.whole', { sealed: number.format(sealed), unsealed: number.format(unsealed) })
            : t('changes.broken', {
                count: number.format(broken),
                sealed: number.format(sealed),
                seq: first?.seq ?? 0,
                fault: t(`changes.fault.${first?.fault ?? 'seal'}`),
                row: rowText(state, t),
              })}
        </strong>
        {head && <div className="mono">{t('changes.head', { head })}</div>}
      </div>
      <button type="button" className="tool" aria-label={t('entity.close')} onClick={onClose}>
        <Icon name="x" size={16} />
      </button>
    </div>
  )
}
