import type { attach } from '@data-brain/contract'
import { fileLinks, fileUses } from '@data-brain/contract/calls/attach'
import { useQuery } from '@tanstack/react-query'
import type { ShownRow } from '../../entity/data/index.ts'
import { LoadFailed } from '../../entity/list/index.ts'
import { call } from '../../http/call.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { useT } from '../../ui/words.ts'
import { isPicture, LINKS_STALE } from './file.ts'

interface FileDialogProps {
  readonly row: ShownRow<typeof attach>
  readonly onClose: () => void
}

/** A picture as it is; every other kind is offered for saving. */
export function PreviewDialog({ row, onClose }: FileDialogProps) {
  const t = useT()
  const name = row.originalName
  const found = useQuery({
    queryKey: ['attach', 'links', [row.id]],
    queryFn: ({ signal }) => call(fileLinks, { ids: [row.id] }, { signal }),
    staleTime: LINKS_STALE,
    retry: false,
  })
  const link = found.data?.[row.id]
  return (
    <Dialog
      title={name}
      width={860}
      onClose={onClose}
      more={
        link && (
          <a className="button primary" href={link} download={name}>
            {t('attach.download')}
          </a>
        )
      }
    >
      {found.isError ? (
        <LoadFailed problem={found.error} onRetry={() => void found.refetch()} />
      ) : !found.data ? (
        <p className="muted">{t('table.loading')}</p>
      ) : link && isPicture(row.extension) ? (
        <img className="attach-picture" src={link} alt={t('attach.previewOf', { name })} />
      ) : (
        <p>{t('attach.noPreview')}</p>
      )}
    </Dialog>
  )
}

/** What points at a file: what has to let go of it before it can be deleted. */
export function UsesDialog({ row, onClose }: FileDialogProps) {
  const t = useT()
  const name = row.originalName
  const found = useQuery({
    queryKey: ['attach', 'uses', row.id],
    queryFn: ({ signal }) => call(fileUses, { id: row.id }, { signal }),
    staleTime: 0,
    retry: false,
  })
  return (
    <Dialog title={t('attach.usesOf', { name })} onClose={onClose}>
      {found.isError ? (
        <LoadFailed problem={found.error} onRetry={() => void found.refetch()} />
      ) : !found.data ? (
        <p className="muted">{t('table.loading')}</p>
      ) : found.data.length === 0 ? (
        <p>{t('attach.unused')}</p>
      ) : (
        <ul className="attach-uses">
          {found.data.map(({ entity, label, unit, count, sample }) => (
            <li key={`${entity}|${label}`}>
              <strong>{t('attach.use', { label, count, unit })}</strong>
              {sample.length > 0 && (
                <div>{`${sample.join(t('entity.separator'))}${count > sample.length ? ' …' : ''}`}</div>
              )}
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}
