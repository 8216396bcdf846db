import { studentmessage } from '@data-brain/contract'
import { sendStudentMessage } from '@data-brain/contract/calls/studentmessage'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { refresh, type ShownRow } from '../../entity/data/index.ts'
import { EntityPage, type OffersAction, type RowAction } from '../../entity/list/index.ts'
import { call } from '../../http/call.ts'
import { HttpProblem } from '../../http/client.ts'
import { messageWords } from '../../locales/message.ts'
import { useSession } from '../../session/session.ts'
import { askConfirmation } from '../../ui/confirm.tsx'
import { toast } from '../../ui/toast.ts'
import { addWords, useT } from '../../ui/words.ts'

addWords(messageWords)

type Message = ShownRow<typeof studentmessage>
/** Of dictionary message_state: it waits for its sender. */
const isOpen = ({ state }: Message): boolean => state === '0'

/** The messages: the engine's list, with a button by which its sender sends one. */
export default function MessagePage() {
  const t = useT()
  const session = useSession()
  const queries = useQueryClient()
  const actions = useMemo<readonly RowAction<typeof studentmessage>[]>(() => {
    const send = async ({ id, title }: Message): Promise<void> => {
      const sure = await askConfirmation({
        title: t('message.sendAsk', { title }),
        body: t('message.sendBody'),
        okText: t('message.send'),
      })
      if (!sure) return
      try {
        const { mails, without } = await call(sendStudentMessage, { id })
        toast.success(t('message.sent', { mails, without }))
      } catch (problem) {
        // The client has said what went wrong; anything else is a defect and goes up.
        if (!(problem instanceof HttpProblem)) throw problem
      }
      await refresh(queries, studentmessage.name)
    }
    return [
      {
        key: 'send',
        label: t('message.send'),
        icon: 'mail',
        code: 'studentmessage_edit',
        run: (row) => void send(row),
      },
    ]
  }, [t, queries])
  const offers = useMemo<OffersAction<typeof studentmessage>>(
    () => (row, action) =>
      action === 'send' ? isOpen(row) && row.senderId === session?.userId : action !== 'edit' || isOpen(row),
    [session],
  )
  return <EntityPage entity={studentmessage} rowActions={actions} offers={offers} />
}
