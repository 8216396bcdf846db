import { entityOf, fixedform } from '@data-brain/contract'
import { fillUploadedForm, previewForm, previewUploadedForm } from '@data-brain/contract/calls/fixedform'
import type { ShownCell, ShownSheet } from '@data-brain/contract/fixed-form'
import { useQuery } from '@tanstack/react-query'
import { type CSSProperties, useId, useState } from 'react'
import { useEntity } from '../../entity/data/index.ts'
import { call, fetchFile } from '../../http/call.ts'
import { download, HttpProblem } from '../../http/client.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { useT, useWords } from '../../ui/words.ts'
import './form.css'

const SHOWN = 8

const sides = { l: 'borderLeft', r: 'borderRight', t: 'borderTop', b: 'borderBottom' } as const

/** A cell as paper shows it: on white, in every theme. */
function styleOf({ size, bold, color, fill, across, down, lines }: ShownCell): CSSProperties {
  const borders = Object.fromEntries([...lines].map((side) => [sides[side as keyof typeof sides], '1px solid #333']))
  return {
    ...borders,
    ...{ fontSize: `${size}pt`, fontWeight: bold ? 700 : 400, color, textAlign: across, verticalAlign: down },
    ...(fill ? { background: fill } : {}),
  }
}

/** A sheet as a table. */
function Sheet({ sheet }: { sheet: ShownSheet }) {
  const t = useT()
  const { name, widths, rows, hasMore } = sheet
  return (
    <>
      {hasMore && <p className="muted">{t('fixedForm.tryMore')}</p>}
      <section
        className="sheet-scroll"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a sheet that scrolls is scrolled by keys
        tabIndex={0}
        aria-label={t('fixedForm.trySheet', { name })}
      >
        <table className="sheet-paper" style={{ width: `${widths.reduce((sum, width) => sum + width, 0)}pt` }}>
          <colgroup>
            {widths.map((width, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns of one answer, which never move
              <col key={at} style={{ width: `${width}pt` }} />
            ))}
          </colgroup>
          <tbody>
            {rows.map(({ height, cells }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              <tr key={at} style={{ height: `${height}pt` }}>
                {cells.map((cell) => (
                  <td key={cell.column} colSpan={cell.columns} rowSpan={cell.rows} style={styleOf(cell)}>
                    {cell.text}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}

/** A form that is saved, or a workbook that is not. */
type TriedForm = ({ readonly id: string } | { readonly attachId: string }) & {
  readonly subject: string
  readonly name: string
}

interface PreviewProps {
  readonly form: TriedForm
  readonly onClose: () => void
}

/** How a form looks filled with a row that is looked for by its name. */
export function PreviewDialog({ form, onClose }: PreviewProps) {
  const t = useT()
  const pick = useWords()
  const id = useId()
  const { subject, name } = form
  const asked = 'id' in form ? form.id : form.attachId
  const silent = { silent: true } as const
  const entity = entityOf(subject)
  const title = entity.title!
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<string>()
  const { list } = useEntity(entity)
  const named = text.trim() === '' ? {} : { [title]: text.trim() }
  const found = useQuery(list({ current: 1, size: SHOWN, ...named }))
  const rows = (found.data?.records ?? []) as unknown as readonly Record<string, string>[]
  const shown = useQuery({
    queryKey: ['form-preview', asked, chosen],
    queryFn: ({ signal }) =>
      'id' in form
        ? call(previewForm, { id: form.id, rowId: chosen! }, { ...silent, signal })
        : call(previewUploadedForm, { attachId: form.attachId, subject, rowId: chosen! }, { ...silent, signal }),
    enabled: chosen !== undefined,
    // Each look is written down: none is taken again by itself.
    ...{ staleTime: Number.POSITIVE_INFINITY, gcTime: 0, retry: false },
  })
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState('')
  const problem = shown.error ?? found.error
  const take = async (into: 'book' | 'pdf') => {
    setBusy(true)
    setFailure('')
    try {
      saveFile(
        'id' in form
          ? await download(`${fixedform.path}/filled/export`, { id: form.id, ids: chosen!, into }, silent)
          : await fetchFile(fillUploadedForm, { attachId: form.attachId, subject, rowId: chosen!, into }, silent),
      )
    } catch (thrown) {
      if (!(thrown instanceof HttpProblem)) throw thrown
      setFailure(thrown.message)
    } finally {
      setBusy(false)
    }
  }
  const sheets = (shown.data?.sheets ?? []) as readonly ShownSheet[]
  return (
    <Dialog
      title={name ? `${t('fixedForm.try')} · ${name}` : t('fixedForm.try')}
      width={960}
      onClose={onClose}
      failure={problem instanceof HttpProblem ? problem.message : failure}
      {...(sheets.length > 0
        ? {
            more: (
              <span className="form-files">
                {(['book', 'pdf'] as const).map((into) => (
                  <button key={into} type="button" className="button" disabled={busy} onClick={() => void take(into)}>
                    <Icon name="download" size={16} /> {t(into === 'pdf' ? 'fixedForm.tryPdf' : 'fixedForm.one')}
                  </button>
                ))}
              </span>
            ),
          }
        : {})}
    >
      <p className="muted">{t('fixedForm.tryHelp')}</p>
      <div className="field">
        <label htmlFor={id}>{pick(entity.label)}</label>
        <input id={id} className="input" type="search" value={text} onChange={({ target }) => setText(target.value)} />
      </div>
      <fieldset className="form-choices form-rows">
        <legend>{t('fixedForm.tryRow')}</legend>
        {rows.map((row) => (
          <label key={row.id} className="pop-choice">
            <input type="radio" name="row" checked={row.id === chosen} onChange={() => setChosen(row.id)} />
            {[row[title], row.schoolName, row.className].filter(Boolean).join(' · ')}
          </label>
        ))}
      </fieldset>
      {found.isSuccess && rows.length === 0 && <p className="muted">{t('fixedForm.tryNone')}</p>}
      {sheets.map((sheet) => (
        <Sheet key={sheet.name} sheet={sheet} />
      ))}
    </Dialog>
  )
}
