import { flowmodel, flowprocess } from '@data-brain/contract'
import { shipModels } from '@data-brain/contract/calls/flow'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { refresh } from '../../../entity/data/index.ts'
import { call } from '../../../http/call.ts'
import { HttpProblem } from '../../../http/client.ts'
import { entityWords } from '../../../locales/entity.ts'
import { flowManageWords } from '../../../locales/flow-manage.ts'
import { Icon } from '../../../ui/icon.tsx'
import { toast } from '../../../ui/toast.ts'
import { addWords, useT } from '../../../ui/words.ts'
import { flowKey } from '../queries.ts'

addWords({ ...entityWords, ...flowManageWords })

interface Shipping {
  readonly busy: boolean
  readonly ship: () => Promise<void>
}

/** Brings the processes of the product that a tenant has not got yet, and says which they were. */
export function useShipping(): Shipping {
  const t = useT()
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  const ship = async () => {
    if (busy) return
    setBusy(true)
    try {
      const names = await call(shipModels, {})
      if (names.length > 0)
        toast.success(t('flowManage.shipped', { count: names.length }), names.join(t('entity.separator')))
      else toast.success(t('flowManage.shippedNone'))
    } catch (problem) {
      // The client has said what went wrong; anything else is a defect and goes up.
      if (!(problem instanceof HttpProblem)) throw problem
    } finally {
      setBusy(false)
    }
    // They can be started from now on as well.
    await Promise.all([
      refresh(queries, flowmodel.name),
      refresh(queries, flowprocess.name),
      queries.invalidateQueries({ queryKey: flowKey }),
    ])
  }
  return { busy, ship }
}

/** Stands over the list and in it while it is empty: a new tenant begins with it. */
export function ShipButton({ busy, ship }: Shipping) {
  const t = useT()
  return (
    <button type="button" className="button" aria-busy={busy} disabled={busy} onClick={() => void ship()}>
      <Icon name="download" size={16} />
      {t(busy ? 'flowManage.shipping' : 'flowManage.ship')}
    </button>
  )
}
