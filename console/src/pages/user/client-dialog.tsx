import type { user } from '@data-brain/contract'
import type { AnswerOf } from '@data-brain/contract/call'
import { clientsOfTenant } from '@data-brain/contract/calls/client'
import { clientsOfUser, saveClientsOfUser } from '@data-brain/contract/calls/user'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type ShownRow, useTask } from '../../entity/data/index.ts'
import { QueryStates } from '../../entity/list/index.ts'
import { call } from '../../http/call.ts'
import { useDialogDraft } from '../../session/dialog-draft.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { useT } from '../../ui/words.ts'

interface ClientDialogProps {
  readonly user: ShownRow<typeof user>
  readonly mayEdit: boolean
  readonly onClose: () => void
  readonly onDone: () => void
}

interface Read {
  readonly offered: AnswerOf<typeof clientsOfTenant>
  readonly named: readonly string[]
}

/** What may be named for the user: where the tenant is bound to some clients, only those; and what is named already. */
async function read({ id, tenantId }: ShownRow<typeof user>, signal: AbortSignal): Promise<Read> {
  const options = { signal, silent: true }
  const [all, own] = await Promise.all([
    call(clientsOfTenant, { tenantId }, options),
    call(clientsOfUser, { userId: id }, options),
  ])
  const bound = all.some(({ granted }) => granted === 1)
  const ids = new Set(own.map(({ id }) => id))
  return { offered: all.filter(({ id, granted }) => !bound || granted === 1 || ids.has(id)), named: [...ids] }
}

/** From which applications a user may log in; none named means any. */
export function ClientDialog({ user, mayEdit, onClose, onDone }: ClientDialogProps) {
  const t = useT()
  const task = useTask()
  const found = useQuery({
    queryKey: ['user-clients', user.id],
    queryFn: ({ signal }) => read(user, signal),
    gcTime: 0,
    staleTime: 0,
    retry: false,
  })
  const named = found.data?.named
  const draft = useDialogDraft(
    `user-clients:${user.id}`,
    useMemo(() => named && [...named].sort(), [named]),
  )
  const chosen = new Set(draft.value)
  const turn = (id: string) => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    draft.put([...next].sort())
  }
  const save = async () => {
    if (
      !(await task.run(
        async () => void (await call(saveClientsOfUser, { userId: user.id, clientIds: [...chosen] }, { silent: true })),
      ))
    )
      return
    draft.done()
    onDone()
  }
  return (
    <Dialog
      title={t('user.clientsOf', { name: user.realName })}
      busy={task.busy}
      failure={task.failure}
      okText={t('common.save')}
      onOk={mayEdit && found.data ? () => void save() : undefined}
      onClose={onClose}
      unsaved={draft.unsaved}
    >
      <p className="dlg-note">{t('user.clientsHelp')}</p>
      <QueryStates query={found}>
        {({ offered }) => (
          <fieldset className="user-clients" disabled={!mayEdit}>
            <legend className="sr-only">{t('user.clients')}</legend>
            {offered.map(({ id, clientId, remark }) => (
              <label key={id} className="check">
                <input type="checkbox" checked={chosen.has(id)} onChange={() => turn(id)} />
                <span>
                  {clientId} {remark && <small className="muted">{remark}</small>}
                </span>
              </label>
            ))}
            {offered.length === 0 && <p className="muted">{t('user.noClients')}</p>}
          </fieldset>
        )}
      </QueryStates>
    </Dialog>
  )
}
