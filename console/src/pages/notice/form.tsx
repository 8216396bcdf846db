import { type Entity, entityOf } from '@data-brain/contract'
import { clientsOfTenant } from '@data-brain/contract/calls/client'
import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { Suspense, useRef, useState } from 'react'
import { useCalls } from '../../entity/data/index.ts'
import { type ControlProps, fieldKinds, useRecord } from '../../entity/fields/index.ts'
import type { FormParts } from '../../entity/form/index.ts'
import { call } from '../../http/call.ts'
import { HttpProblem } from '../../http/client.ts'
import { useSession } from '../../session/session.ts'
import { useClearing } from '../../ui/form/clearing.tsx'
import { useValue } from '../../ui/form/store.ts'
import { Icon } from '../../ui/icon.tsx'
import { minuteOf } from '../../ui/instant.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { useT } from '../../ui/words.ts'
import { Readers } from './reach.tsx'

const { status: _, ...rest } = entityOf('notice')
/** A notice as its form sees it: its state is changed by publishing and withdrawing alone. */
const written: Entity = rest

const Editor = lazyPart(() => import('./editor.tsx'))

/** The editor and its library are fetched when a form is opened, and by nobody else. */
function Content(props: ControlProps) {
  const t = useT()
  return (
    <Suspense fallback={<div className="editor-loading">{t('notice.loading')}</div>}>
      <Editor {...props} />
    </Suspense>
  )
}

const Text = fieldKinds.text.Control

/** The applications whose users see it; who may not list them writes their ids. */
function Clients(props: ControlProps) {
  const { form, name, label, ties, disabled, onChange, onBlur } = props
  const clearing = useClearing(label)
  const t = useT()
  const tenantId = useSession()?.tenantId ?? ''
  const value = String(useValue(form, name) ?? '')
  const found = useQuery({
    queryKey: ['notice', 'clients', tenantId],
    queryFn: ({ signal }) => call(clientsOfTenant, { tenantId }, { signal, silent: true }),
    staleTime: 300_000,
    retry: false,
  })
  if (found.isError) return <Text {...props} />
  return (
    <Select
      {...ties}
      className="notice-clients"
      mode="multiple"
      allowClear={clearing}
      disabled={disabled}
      loading={found.isPending}
      placeholder={t('notice.clientsAll')}
      value={value.split(',').filter(Boolean)}
      options={(found.data ?? []).map((client) => ({
        value: client.clientId,
        label: client.remark ? `${client.clientId} (${client.remark})` : client.clientId,
      }))}
      onChange={(next: string[]) => onChange(next.join(',') || null)}
      onBlur={onBlur}
    />
  )
}

const filesMost = 9

/** Files that go with a notice, uploaded here. */
function Files({ form, name, ties, disabled, onChange }: ControlProps) {
  const { names } = useRecord()
  const t = useT()
  const calls = useCalls()
  const value = useValue(form, name)
  const ids = Array.isArray(value) ? value.map(String) : []
  const picker = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const [known, setKnown] = useState<Readonly<Record<string, string>>>({})
  const take = async (files: readonly File[]) => {
    setBusy(true)
    try {
      const added: string[] = []
      for (const file of files.slice(0, filesMost - ids.length)) {
        const { id } = await calls.upload(file)
        added.push(id)
        setKnown((now) => ({ ...now, [id]: file.name }))
        onChange([...ids, ...added])
      }
    } catch (problem) {
      // The client has said what went wrong; anything else is a defect and goes up.
      if (!(problem instanceof HttpProblem)) throw problem
    } finally {
      setBusy(false)
      if (picker.current) picker.current.value = ''
    }
  }
  return (
    <div className="notice-uploads">
      {ids.length > 0 && (
        <ul>
          {ids.map((id) => {
            const text = known[id] ?? names[id] ?? id
            return (
              <li key={id}>
                <span>{text}</span>
                <button
                  type="button"
                  className="tool"
                  aria-label={t('notice.removeFile', { name: text })}
                  disabled={disabled}
                  onClick={() => onChange(ids.filter((each) => each !== id))}
                >
                  <Icon name="x" size={16} />
                </button>
              </li>
            )
          })}
        </ul>
      )}
      <input
        {...ties}
        ref={picker}
        type="file"
        multiple
        className="sr-only"
        disabled={disabled || busy}
        onChange={(event) => void take([...(event.target.files ?? [])])}
      />
      <button
        type="button"
        className="button"
        disabled={disabled || busy || ids.length >= filesMost}
        onClick={() => picker.current?.click()}
      >
        {busy ? t('notice.uploading') : t('notice.addFile')}
      </button>
    </div>
  )
}

export const formParts: FormParts = {
  of: () => written,
  begin: {
    /** A new notice is meant for now, until somebody says otherwise: to the minute, in the zone in which moments travel. */
    get releaseTime(): string {
      return `${minuteOf(Date.now())}:00`
    },
  },
  inputs: { content: Content, targetIds: Readers, clientIds: Clients, attachIds: Files },
  shown: {
    confirmBy: { by: 'needRead', is: (value) => Number(value) === 1 },
  },
}
