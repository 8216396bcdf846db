import { useQuery } from '@tanstack/react-query'
import { tryWords } from '../../locales/try.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { addWords, useT } from '../../ui/words.ts'
import './try-dialog.css'

addWords(tryWords)

/** What became of an attempt, in words. */
interface Tried {
  readonly ok: 0 | 1
  readonly message: string
  readonly milliseconds: number
}

interface TryDialogProps {
  readonly title: string
  /** What is said while it is tried. */
  readonly trying: string
  /** What is tried: an entity and an id. */
  readonly of: readonly [string, string]
  readonly attempt: (signal: AbortSignal) => Promise<Tried>
  readonly onClose: () => void
}

/** Tries something out while one looks, and says in words what is wrong with it. */
export function TryDialog({ title, trying, of, attempt, onClose }: TryDialogProps) {
  const t = useT()
  const tried = useQuery({
    queryKey: [of[0], 'try', of[1]],
    queryFn: ({ signal }) => attempt(signal),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  const works = tried.data?.ok === 1
  return (
    <Dialog
      title={title}
      onClose={onClose}
      more={
        <button type="button" className="button" disabled={tried.isFetching} onClick={() => void tried.refetch()}>
          {t('try.again')}
        </button>
      }
    >
      <div className="try" role="status" aria-busy={tried.isFetching}>
        {tried.isFetching ? (
          <p>{trying}</p>
        ) : (
          <>
            <p className={works ? 'try-works' : 'try-fails'}>
              <Icon name={works ? 'circle-check' : 'triangle-alert'} size={20} />
              <strong>{t(works ? 'try.works' : 'try.fails')}</strong>
            </p>
            <p>{tried.data?.message ?? tried.error?.message}</p>
            {tried.data && <p className="muted">{t('try.took', { ms: tried.data.milliseconds })}</p>}
          </>
        )}
      </div>
    </Dialog>
  )
}
