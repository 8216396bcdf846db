import type { attach } from '@data-brain/contract'
import { fileLinks } from '@data-brain/contract/calls/attach'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ShownRow } from '../../entity/data/index.ts'
import { call } from '../../http/call.ts'
import { Icon } from '../../ui/icon.tsx'
import { sizeText } from '../../ui/size.ts'
import { useT } from '../../ui/words.ts'
import { isPicture, LINKS_STALE } from './file.ts'

interface TilesProps {
  readonly rows: readonly ShownRow<typeof attach>[]
  readonly act: (what: string, record: ShownRow<typeof attach>) => void
  readonly mayDelete: boolean
}

/** The files of a list as small pictures. */
export function FileTiles({ rows, act, mayDelete }: TilesProps) {
  const t = useT()
  const ids = rows.map((row) => row.id)
  const links = useQuery({
    queryKey: ['attach', 'small', ids],
    // Of small copies: nobody is recorded as having read the files.
    queryFn: ({ signal }) => call(fileLinks, { ids, width: 320 }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: LINKS_STALE,
    retry: false,
  }).data
  return (
    <ul className="attach-tiles">
      {rows.map((row) => {
        const name = row.originalName
        const link = links?.[row.id]
        return (
          <li key={row.id} className="attach-tile">
            <button
              type="button"
              className="attach-face"
              aria-label={t('attach.previewOf', { name })}
              onClick={() => act('preview', row)}
            >
              {isPicture(row.extension) && link ? (
                <img src={link} alt="" loading="lazy" />
              ) : (
                <span className="attach-kind" aria-hidden="true">
                  <Icon name="file-text" size={32} />
                  {String(row.extension ?? '')}
                </span>
              )}
            </button>
            <span className="attach-under">
              <button type="button" className="attach-title" title={name} onClick={() => act('view', row)}>
                {name}
              </button>
              <span className="muted mono">{sizeText(Number(row.attachSize ?? 0))}</span>
              {mayDelete && (
                <button
                  type="button"
                  className="tool"
                  aria-label={t('entity.deleteOf', { name })}
                  title={t('entity.delete')}
                  onClick={() => act('delete', row)}
                >
                  <Icon name="trash-2" size={16} />
                </button>
              )}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
