import { HttpProblem } from '../../http/client.ts'
import { type OwnJob, readJob } from '../../http/jobs.ts'
import { jobWords } from '../../locales/job.ts'
import { addWords, language, translate, useLanguage, useT } from '../../ui/words.ts'
import './job.css'

addWords(jobWords)

/** How far a job is, of which the caller knows what it results in. */
export type JobView<R = Readonly<Record<string, unknown>>> = Pick<
  OwnJob,
  'id' | 'state' | 'progress' | 'total' | 'failure'
> & { readonly result: R | null }

/** How often somebody who waits for a job asks how far it is. */
const every = 500
/** Answers that may be missing one after the other before nobody is asked any more. */
const missingMost = 60

/**
 * Follows a job that the caller has asked for until it has ended; `seen` hears of each step. Answers what became of it.
 * A job that fails is thrown as what it says; a server that is away for a while is waited for. `signal` ends the
 * following, not the job.
 */
export async function followJob<R>(id: string, seen: (job: JobView<R>) => void, signal?: AbortSignal): Promise<R> {
  for (let missing = 0; ; ) {
    try {
      const job = (await readJob(id, signal)) as JobView<R>
      missing = 0
      seen(job)
      if (job.state === 'done') return job.result as R
      if (job.state !== 'waiting' && job.state !== 'running')
        throw new HttpProblem(job.failure?.[language()] ?? translate('job.failed'), 400, 400, null)
    } catch (problem) {
      missing += 1
      const away = problem instanceof HttpProblem && (problem.status === 0 || problem.status >= 500)
      if (!away || missing > missingMost) throw problem
    }
    await new Promise((resolve) => setTimeout(resolve, every))
    signal?.throwIfAborted()
  }
}

interface ProgressProps {
  /** What is being done, in words. */
  readonly label: string
  readonly job: { readonly state: string; readonly progress: number; readonly total: number } | null
  /** Words instead of the figures. */
  readonly figures?: string | undefined
}

/** How far a job is: a bar with its figures. */
export function JobProgress({ label, job, figures }: ProgressProps) {
  const t = useT()
  const number = new Intl.NumberFormat(useLanguage())
  const total = job?.total ?? 0
  const done = Math.min(job?.progress ?? 0, total)
  const told =
    job?.state === 'waiting' || job === null
      ? t('job.waits')
      : (figures ??
        (total > 0 ? t('job.figures', { done: number.format(done), total: number.format(total) }) : t('job.unknown')))
  return (
    <span className="job-progress" role="status">
      <progress
        aria-label={t('job.progressOf', { name: label })}
        max={total > 0 ? total : undefined}
        value={total > 0 ? done : undefined}
      />
      <span className="mono">{told}</span>
    </span>
  )
}
