import { sms, smslog } from '@data-brain/contract'
import { enableSms } from '@data-brain/contract/calls/sms'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { type EntityClient, refresh, type ShownRow, useEntity } from '../../entity/data/index.ts'
import { dictText } from '../../entity/display/index.ts'
import { type Cells, EntityPage, NoRight, type RowAction } from '../../entity/list/index.ts'
import { call } from '../../http/call.ts'
import { HttpProblem } from '../../http/client.ts'
import { smsWords } from '../../locales/sms.ts'
import { useCan } from '../../session/session.ts'
import { askConfirmation } from '../../ui/confirm.tsx'
import { go } from '../../ui/place.ts'
import { toast } from '../../ui/toast.ts'
import { addWords, useT } from '../../ui/words.ts'
import { SendingLinks, ServiceSwitch, useSendingViews } from '../sending/index.ts'
import { DebugDialog, StateTag } from './debug.tsx'
import { formParts } from './form.ts'
import { Outbox } from './outbox.tsx'
import './page.css'

addWords(smsWords)

const nameOf = (row: ShownRow<typeof sms>): string => row.smsCode
const isOn = (row: ShownRow<typeof sms>): boolean => row.status === 2

/** The enabled service, if there is one. */
const enabledOne = async (client: EntityClient<typeof sms>): Promise<ShownRow<typeof sms> | undefined> =>
  (await client.page({ status: 2, current: 1, size: 1 })).records[0]

const logCells: Cells<typeof smslog> = { state: (record, words) => <StateTag value={record.state} words={words} /> }

const views = [
  { key: 'services', code: 'sms_view' },
  { key: 'log', code: 'smslog_view' },
  { key: 'outbox', code: 'sms_send' },
] as const

/** The ways to send text messages, what was sent, and what lies in the development outbox. */
export default function SmsPage() {
  const t = useT()
  const shown = useSendingViews(views)
  const { view, addressOf } = shown
  const above = <SendingLinks label={t('sms.views')} views={shown} textOf={(key) => t(`sms.${key}`)} />
  if (!view) return <NoRight />
  if (view.key === 'log') return <EntityPage key="log" entity={smslog} cells={logCells} slots={{ above }} />
  if (view.key === 'outbox') return <Outbox above={above} />
  return <Services above={above} onOutbox={() => go(addressOf('outbox'))} />
}

function Services({ above, onOutbox }: { above: React.ReactNode; onOutbox: () => void }) {
  const t = useT()
  const can = useCan()
  const queries = useQueryClient()
  const [debugged, setDebugged] = useState<ShownRow<typeof sms> | null>(null)
  const client = useEntity(sms)
  const maySwitch = can('sms_enable')

  const turn = useCallback(
    async (row: ShownRow<typeof sms>) => {
      const name = nameOf(row)
      try {
        const other = isOn(row) ? undefined : await enabledOne(client)
        const sure = await askConfirmation(
          isOn(row)
            ? {
                title: t('sms.disableAsk', { name }),
                body: t('sms.disableBody'),
                danger: true,
                okText: t('sms.disable'),
              }
            : {
                title: t('sms.enableAsk', { name }),
                body: other ? t('sms.enableBody', { name, other: nameOf(other) }) : t('sms.enableFirst', { name }),
                okText: t('sms.enable'),
              },
        )
        if (!sure) return
        await call(enableSms, isOn(row) ? {} : { id: row.id })
        toast.success(t(isOn(row) ? 'sms.disabled' : 'sms.enabled', { name }))
      } catch (problem) {
        // The client has said what went wrong; anything else is a defect and goes up.
        if (!(problem instanceof HttpProblem)) throw problem
      }
      await refresh(queries, 'sms')
    },
    [t, client, queries],
  )
  const debug = useCallback(
    async (row: ShownRow<typeof sms>) => {
      try {
        setDebugged(await client.whole(row.id))
      } catch (problem) {
        if (!(problem instanceof HttpProblem)) throw problem
      }
    },
    [client],
  )
  const actions: readonly RowAction<typeof sms>[] = useMemo(
    () => [
      { key: 'switch', label: t('sms.switch'), icon: 'circle-check', code: 'sms_enable', run: (row) => void turn(row) },
      { key: 'debug', label: t('sms.debug'), icon: 'message-square', code: 'sms_send', run: (row) => void debug(row) },
    ],
    [t, turn, debug],
  )
  const cells: Cells<typeof sms> = useMemo(
    () => ({
      status: (record, words) =>
        maySwitch ? (
          <ServiceSwitch
            isOn={isOn(record)}
            label={words.t('sms.switchOf', { name: nameOf(record) })}
            text={dictText(words, 'enable_status', record.status)}
          />
        ) : undefined,
    }),
    [maySwitch],
  )
  return (
    <>
      <EntityPage
        key="services"
        entity={sms}
        cells={cells}
        rowActions={actions}
        form={{ parts: formParts }}
        slots={{ above }}
      />
      {debugged && (
        <DebugDialog
          service={debugged}
          onClose={() => setDebugged(null)}
          onSent={() => void refresh(queries, 'smslog')}
          onOutbox={() => {
            setDebugged(null)
            onOutbox()
          }}
        />
      )}
    </>
  )
}
