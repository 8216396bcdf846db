import { cancelJob, myJobs } from '@data-brain/contract/calls/job'
import { type GeneratedPlan, generatePlan } from '@data-brain/contract/calls/timetable'
import { useEffect, useId, useRef, useState } from 'react'
import { followJob, JobProgress, type JobView, useTask } from '../../entity/data/index.ts'
import { call } from '../../http/call.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { toast } from '../../ui/toast.ts'
import { useT, useWords } from '../../ui/words.ts'
import { Obstacles } from './obstacles.tsx'

/** Wishes that were not kept, of which a notice tells. */
const told = 2
const durations = [10, 30, 60, 180] as const

interface Props {
  readonly id: string
  readonly name: string
  /** Whether there are lessons that would be replaced. */
  readonly replaces: boolean
  readonly onDone: () => void
  readonly onClose: () => void
}

/** Has a timetable made: how long it may improve, how far it is, and the way to stop it. */
export function GenerateDialog({ id, name, replaces, onDone, onClose }: Props) {
  const t = useT()
  const pick = useWords()
  const fieldId = useId()
  const [seconds, setSeconds] = useState<number>(durations[1])
  const [keep, setKeep] = useState(false)
  const [job, setJob] = useState<JobView<GeneratedPlan> | null>(null)
  /** What was made, where lessons are missing: the dialog stays and says why. */
  const [part, setPart] = useState<GeneratedPlan | null>(null)
  const { busy, failure, run } = useTask()
  const jobId = useRef<string | null>(null)
  const following = useRef(new AbortController())
  // Whoever closes the dialog lets it work on: a message tells of its end.
  useEffect(() => () => following.current.abort(), [])
  const follow = (asked: () => Promise<string>) =>
    run(async () => {
      jobId.current = await asked()
      const { signal } = following.current
      const made = await followJob<GeneratedPlan>(jobId.current, setJob, signal).catch((problem: unknown) => {
        if (signal.aborted) return null
        throw problem
      })
      if (!made) return
      onDone()
      const { lessons, missing, moved, obstacles, unkept } = made
      if (missing > 0 || obstacles.length > 0) return setPart(made)
      // What a clerk wished and did not get is said, and the message has all of it.
      const wishes = unkept.slice(0, told).map(pick).join(t('entity.separator'))
      const detail = unkept.length > 0 ? t('plan.unkept', { wishes, count: unkept.length }) : undefined
      if (keep) toast.success(t('plan.repaired', { name, lessons, moved: moved ?? 0 }), detail)
      else toast.success(t('plan.made', { name, lessons }), detail)
      onClose()
    })
  const make = () =>
    follow(async () => {
      const seed = Math.floor(Math.random() * 1_000_000)
      return (await call(generatePlan, { id, seed, seconds, keep: keep ? 1 : 0 }, { silent: true })).jobId
    })
  const latest = useRef(follow)
  latest.current = follow
  // One that was asked for before the page was loaded again is followed, and not begun a second time.
  useEffect(() => {
    const { signal } = following.current
    call(myJobs, {}, { signal, silent: true }).then(
      (jobs) => {
        const going = jobs.find(
          ({ kind, subject, state }) =>
            kind === 'timetable' && subject === name && (state === 'waiting' || state === 'running'),
        )
        if (going && jobId.current === null && !signal.aborted) void latest.current(async () => going.id)
      },
      // Without an answer it is asked for as usual, and refused in words where one is going.
      () => {},
    )
  }, [name])
  const stop = () => {
    const asked = jobId.current
    if (asked === null) return onClose()
    void call(cancelJob, { id: asked }).finally(onClose)
  }
  if (part)
    return (
      <Dialog title={t('plan.generateOf', { name })} width={640} onClose={onClose}>
        <Obstacles made={part} name={name} onGo={onClose} />
      </Dialog>
    )
  return (
    <Dialog
      title={t('plan.generateOf', { name })}
      okText={t('plan.generate')}
      onOk={() => void make()}
      busy={busy}
      failure={failure}
      onClose={onClose}
      more={
        busy && (
          <button type="button" className="button" onClick={stop}>
            {t('plan.stop')}
          </button>
        )
      }
    >
      {busy ? (
        <JobProgress label={t('plan.generating')} job={job} />
      ) : (
        <>
          <div className="field">
            <label htmlFor={fieldId}>{t('plan.seconds')}</label>
            <select
              id={fieldId}
              className="input"
              value={seconds}
              onChange={(event) => setSeconds(Number(event.target.value))}
            >
              {durations.map((each) => (
                <option key={each} value={each}>
                  {t('plan.secondsOf', { count: each })}
                </option>
              ))}
            </select>
          </div>
          {replaces && (
            <label className="check">
              <input type="checkbox" checked={keep} onChange={(event) => setKeep(event.target.checked)} />
              {t('plan.keep')}
            </label>
          )}
          <p>{t(keep ? 'plan.keepHelp' : replaces ? 'plan.generateOver' : 'plan.generateHelp')}</p>
        </>
      )}
    </Dialog>
  )
}
