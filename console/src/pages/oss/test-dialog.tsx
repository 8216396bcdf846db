import { testOss } from '@data-brain/contract/calls/oss'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../http/call.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useT } from '../../ui/words.ts'

/** Longer than the server waits for a store that does not answer. */
const LONGEST = 90_000

/** Tries a place out while one looks, and says in words what is wrong with it. */
export function TestDialog({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const t = useT()
  const tried = useQuery({
    queryKey: ['oss', 'test', id],
    queryFn: ({ signal }) => call(testOss, { id }, { silent: true, signal, timeout: LONGEST }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  const works = tried.data?.ok === 1
  return (
    <Dialog
      title={t('oss.testTitle', { name })}
      onClose={onClose}
      more={
        <button type="button" className="button" disabled={tried.isFetching} onClick={() => void tried.refetch()}>
          {t('oss.again')}
        </button>
      }
    >
      <div className="oss-test" role="status" aria-busy={tried.isFetching}>
        {tried.isFetching ? (
          <p>{t('oss.testing')}</p>
        ) : (
          <>
            <p className={works ? 'oss-works' : 'oss-fails'}>
              <Icon name={works ? 'circle-check' : 'triangle-alert'} size={20} />
              <strong>{t(works ? 'oss.works' : 'oss.fails')}</strong>
            </p>
            <p>{tried.data?.message ?? tried.error?.message}</p>
            {tried.data && <p className="muted">{t('oss.took', { ms: tried.data.milliseconds })}</p>}
          </>
        )}
      </div>
    </Dialog>
  )
}
