import { type Entity, entityOf, mail, maillog } from '@data-brain/contract'
import { enableMail } from '@data-brain/contract/calls/mail'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { refresh, type ShownRow } from '../../entity/data/index.ts'
import { dictText } from '../../entity/display/index.ts'
import type { FormParts } from '../../entity/form/index.ts'
import { type Cells, EntityPage, NoRight, type RowAction } from '../../entity/list/index.ts'
import { call } from '../../http/call.ts'
import { HttpProblem } from '../../http/client.ts'
import { mailWords } from '../../locales/mail.ts'
import { useCan } from '../../session/session.ts'
import { askConfirmation } from '../../ui/confirm.tsx'
import { toast } from '../../ui/toast.ts'
import { addWords, useT } from '../../ui/words.ts'
import { SendingLinks, ServiceSwitch, useSendingViews } from '../sending/index.ts'
import { TestDialog } from './test-dialog.tsx'

addWords(mailWords)

type Service = ShownRow<typeof mail>
const nameOf = (row: Service): string => row.mailCode
const isOn = (row: Service): boolean => row.status === 2

// Whether one is enabled is said by the switch in the list, and by nothing else.
const { status: _, ...form } = entityOf('mail')
const formParts: FormParts = { of: () => form as Entity }

const tones: Readonly<Record<string, string>> = { '0': 'off', '1': 'good', '2': 'warn', '3': 'bad', '4': 'warn' }
const logCells: Cells<typeof maillog> = {
  state: ({ state }, words) => (
    <span className={`tag tag-${tones[state] ?? 'off'}`}>{dictText(words, 'mail_state', state)}</span>
  ),
}

const views = [
  { key: 'services', code: 'mail_view' },
  { key: 'log', code: 'maillog_view' },
] as const

/** The services that send mail, and what was sent. */
export default function MailPage() {
  const t = useT()
  const shown = useSendingViews(views)
  const { view } = shown
  const above = <SendingLinks label={t('mail.views')} views={shown} textOf={(key) => t(`mail.${key}`)} />
  if (!view) return <NoRight />
  if (view.key === 'log') return <EntityPage key="log" entity={maillog} cells={logCells} slots={{ above }} />
  return <Services above={above} />
}

function Services({ above }: { above: React.ReactNode }) {
  const t = useT()
  const can = useCan()
  const queries = useQueryClient()
  const [tested, setTested] = useState<Service | null>(null)
  const maySwitch = can('mail_enable')
  const turn = useCallback(
    async (row: Service) => {
      const name = nameOf(row)
      const sure = await askConfirmation(
        isOn(row)
          ? {
              title: t('mail.disableAsk', { name }),
              body: t('mail.disableBody'),
              danger: true,
              okText: t('mail.disable'),
            }
          : { title: t('mail.enableAsk', { name }), body: t('mail.enableBody', { name }), okText: t('mail.enable') },
      )
      if (!sure) return
      try {
        await call(enableMail, isOn(row) ? {} : { id: row.id })
        toast.success(t(isOn(row) ? 'mail.disabled' : 'mail.enabled', { name }))
      } catch (problem) {
        // The client has said what went wrong; anything else is a defect and goes up.
        if (!(problem instanceof HttpProblem)) throw problem
      }
      await refresh(queries, 'mail')
    },
    [t, queries],
  )
  const actions: readonly RowAction<typeof mail>[] = useMemo(
    () => [
      {
        key: 'switch',
        label: t('mail.switch'),
        icon: 'circle-check',
        code: 'mail_enable',
        run: (row) => void turn(row),
      },
      { key: 'test', label: t('mail.test'), icon: 'message-square', code: 'mail_send', run: (row) => setTested(row) },
    ],
    [t, turn],
  )
  const cells: Cells<typeof mail> = useMemo(
    () => ({
      status: (record, words) =>
        maySwitch ? (
          <ServiceSwitch
            isOn={isOn(record)}
            label={words.t('mail.switchOf', { name: nameOf(record) })}
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
        entity={mail}
        cells={cells}
        rowActions={actions}
        form={{ parts: formParts }}
        slots={{ above }}
      />
      {tested && (
        <TestDialog service={tested} onClose={() => setTested(null)} onSent={() => void refresh(queries, 'maillog')} />
      )}
    </>
  )
}
