import { attach as entity } from '@data-brain/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useRef, useState } from 'react'
import { refresh, type ShownRow } from '../../entity/data/index.ts'
import { type Cells, EntityPage, type RowAction } from '../../entity/list/index.ts'
import { attachWords } from '../../locales/attach.ts'
import { useCan } from '../../session/session.ts'
import { Icon } from '../../ui/icon.tsx'
import { setQuery, usePlace } from '../../ui/place.ts'
import { sizeText } from '../../ui/size.ts'
import { addWords, useT } from '../../ui/words.ts'
import { PreviewDialog, UsesDialog } from './dialogs.tsx'
import { UploadZone } from './drop.tsx'
import { QuotaBar } from './quota.tsx'
import { FileTiles } from './tiles.tsx'
import { useUploads } from './uploads.ts'
import './page.css'

addWords(attachWords)

/** Files are uploaded, and not filled in. */
const NO_ADD = { noAdd: true }

const cells: Cells<typeof entity> = {
  attachSize: (row) =>
    typeof row.attachSize === 'number' ? <span className="mono">{sizeText(row.attachSize)}</span> : undefined,
}

type Opened = { readonly what: 'preview' | 'uses'; readonly row: ShownRow<typeof entity> }

/** The files of a tenant: as a list or as pictures, what uses them, and new ones. */
export default function AttachPage() {
  const t = useT()
  const can = useCan()
  const queries = useQueryClient()
  const { path, query } = usePlace()
  const input = useRef<HTMLInputElement>(null)
  const [opened, setOpened] = useState<Opened | null>(null)
  const arrived = useCallback(() => void refresh(queries, entity.name), [queries])
  const uploads = useUploads(arrived)
  const mayAdd = can('attach_add')
  const mayDelete = can('attach_delete')
  const tiled = query.get('view') === 'tiles'
  const actions: readonly RowAction<typeof entity>[] = useMemo(
    () => [
      {
        key: 'preview',
        label: t('attach.preview'),
        icon: 'file-text',
        run: (row) => setOpened({ what: 'preview', row }),
      },
      { key: 'uses', label: t('attach.uses'), icon: 'link', run: (row) => setOpened({ what: 'uses', row }) },
    ],
    [t],
  )
  const view = (key: 'list' | 'tiles', label: string, icon: string) => (
    <button
      type="button"
      className="button"
      aria-pressed={tiled === (key === 'tiles')}
      onClick={() => setQuery({ view: key === 'tiles' ? key : null }, { path, replace: true })}
    >
      <Icon name={icon} size={16} />
      {label}
    </button>
  )
  const close = useCallback(() => setOpened(null), [])
  return (
    <>
      <EntityPage
        entity={entity}
        form={NO_ADD}
        cells={cells}
        rowActions={actions}
        slots={{
          toolbar: (
            <>
              <fieldset className="attach-views" aria-label={t('attach.view')}>
                {view('list', t('attach.asList'), 'list-tree')}
                {view('tiles', t('attach.asTiles'), 'layout-grid')}
              </fieldset>
              {mayAdd && (
                <button type="button" className="button primary" onClick={() => input.current?.click()}>
                  <Icon name="upload" size={16} />
                  {t('attach.upload')}
                </button>
              )}
            </>
          ),
          above: (
            <div className="attach-above">
              <QuotaBar />
              {mayAdd && <UploadZone uploads={uploads} input={input} />}
            </div>
          ),
          body: tiled ? (rows, act) => <FileTiles rows={rows} act={act} mayDelete={mayDelete} /> : undefined,
        }}
      />
      {opened?.what === 'preview' && <PreviewDialog row={opened.row} onClose={close} />}
      {opened?.what === 'uses' && <UsesDialog row={opened.row} onClose={close} />}
    </>
  )
}
