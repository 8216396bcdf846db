import { codeOfHeadings, codeOfTable } from '@data-brain/contract/calls/code'
import { datasourceTables } from '@data-brain/contract/calls/datasource'
import { type CodeField, codeFieldsMost } from '@data-brain/contract/code'
import { useQuery } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import type { ControlProps } from '../../entity/fields/index.ts'
import type { FormParts } from '../../entity/form/index.ts'
import { call, sendFile } from '../../http/call.ts'
import { HttpProblem } from '../../http/client.ts'
import { codeWords } from '../../locales/code.ts'
import { useValue } from '../../ui/form/store.ts'
import { addWords, useT } from '../../ui/words.ts'
import { FieldRow } from './field-row.tsx'

addWords(codeWords)

/** Longer than the server waits for a database that does not answer. */
const LONGEST = 40_000
const fresh: CodeField = { name: '', zh: '', en: '', kind: 'text', max: 100 }

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

function useTables(datasourceId: string) {
  return useQuery({
    queryKey: ['datasource', 'tables', datasourceId],
    queryFn: ({ signal }) => call(datasourceTables, { id: datasourceId }, { silent: true, signal, timeout: LONGEST }),
    enabled: datasourceId !== '',
    retry: false,
  })
}
const titleOf = ({ schema, name }: { schema: string; name: string }) => (schema ? `${schema}.${name}` : name)

/** The table, with those of the data source to choose from. */
function TableControl({ form, name, ties, disabled, onChange, onBlur }: ControlProps) {
  const id = useId()
  const tables = useTables(text(useValue(form, 'datasourceId')))
  return (
    <>
      <input
        {...ties}
        className="input"
        list={id}
        value={text(useValue(form, name))}
        maxLength={260}
        disabled={disabled}
        onChange={(event) => onChange(event.target.value)}
        onBlur={onBlur}
      />
      <datalist id={id}>
        {tables.data?.map((table) => (
          <option key={titleOf(table)} value={titleOf(table)} />
        ))}
      </datalist>
    </>
  )
}

/** The fields of a table: read from where they are, and put right one by one. */
export default function FieldsControl({ form, name, label, disabled, onChange }: ControlProps) {
  const t = useT()
  const datasourceId = text(useValue(form, 'datasourceId'))
  const tableName = text(useValue(form, 'tableName'))
  const value = useValue(form, name)
  const fields = Array.isArray(value) ? (value as CodeField[]) : []
  const tables = useTables(datasourceId)
  const picker = useRef<HTMLInputElement>(null)
  const [said, setSaid] = useState('')
  const [busy, setBusy] = useState(false)
  // Rows have no id of their own: each keeps the one it was drawn with.
  const keys = useRef<number[]>([])
  while (keys.current.length < fields.length) keys.current.push(Math.max(0, ...keys.current) + 1)

  const read = async (ask: () => Promise<readonly CodeField[]>) => {
    setBusy(true)
    try {
      const found = await ask()
      keys.current = []
      onChange([...found])
      setSaid(t('code.read', { count: found.length }))
    } catch (problem) {
      if (!(problem instanceof HttpProblem)) throw problem
      setSaid(problem.message)
    } finally {
      setBusy(false)
    }
  }
  const readTable = () => {
    if (!datasourceId || !tableName) return setSaid(t('code.needTable'))
    const known = tables.data?.find((table) => titleOf(table) === tableName)
    const dot = tableName.indexOf('.')
    const { schema, name: table } = known ?? {
      schema: dot < 0 ? '' : tableName.slice(0, dot),
      name: tableName.slice(dot + 1),
    }
    void read(() => call(codeOfTable, { datasourceId, schema, table }, { silent: true, timeout: LONGEST }))
  }
  return (
    <fieldset className="code-fields" aria-label={label}>
      <div className="code-read">
        <button type="button" className="button" disabled={disabled || busy} onClick={readTable}>
          {t('code.fromTable')}
        </button>
        <button type="button" className="button" disabled={disabled || busy} onClick={() => picker.current?.click()}>
          {t('code.fromSheet')}
        </button>
        <input
          ref={picker}
          type="file"
          hidden
          accept=".xlsx"
          aria-label={t('code.fromSheet')}
          onChange={(event) => {
            const file = event.target.files?.[0]
            event.target.value = ''
            if (file) void read(() => sendFile(codeOfHeadings, file, {}, { silent: true }))
          }}
        />
      </div>
      <p role="status" className="muted">
        {said || (fields.length === 0 ? t('code.noFields') : '')}
      </p>
      <ul>
        {fields.map((field, at) => (
          <FieldRow
            key={keys.current[at]}
            field={field}
            disabled={disabled || busy}
            onChange={(changed) => onChange(fields.with(at, changed))}
            onRemove={() => {
              keys.current.splice(at, 1)
              onChange(fields.toSpliced(at, 1))
            }}
          />
        ))}
      </ul>
      <button
        type="button"
        className="button small"
        disabled={disabled || busy || fields.length >= codeFieldsMost}
        onClick={() => onChange([...fields, fresh])}
      >
        {t('code.addField')}
      </button>
    </fieldset>
  )
}

export const formInputs: FormParts['inputs'] = { fields: FieldsControl, tableName: TableControl }
