import { schoolsemester, teacherclass, timetablerule } from '@data-brain/contract'
import {
  type Carried,
  type CarriedItem,
  carryAssignments,
  carryRules,
  previewAssignments,
  previewRules,
} from '@data-brain/contract/calls/timetable-carry'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { refresh, undoOffer, useEntity, useTask } from '../../entity/data/index.ts'
import { ReferenceSelect } from '../../entity/fields/index.ts'
import { QueryStates } from '../../entity/list/index.ts'
import { call } from '../../http/call.ts'
import { carryOverWords } from '../../locales/carry-over.ts'
import { entityWords } from '../../locales/entity.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { toast } from '../../ui/toast.ts'
import { addWords, useT, useWords } from '../../ui/words.ts'
import './dialog.css'

addWords({ ...entityWords, ...carryOverWords })

const kinds = {
  assignments: { entity: teacherclass, preview: previewAssignments, carry: carryAssignments },
  rules: { entity: timetablerule, preview: previewRules, carry: carryRules },
} as const

/** As many as somebody looks through before a term. */
const most = 60

interface Props {
  readonly of: keyof typeof kinds
  /** The semester that they are carried into; chosen in the dialog where it is not known. */
  readonly semesterId: string | null
  readonly onClose: () => void
}

/** Carries assignments or rules of a former semester into another one, after it has shown which, and which not and why. */
export default function CarryOverDialog({ of, semesterId, onClose }: Props) {
  const t = useT()
  const queries = useQueryClient()
  const { entity, preview, carry } = kinds[of]
  const { undo } = useEntity<typeof teacherclass | typeof timetablerule>(entity)
  const { busy, failure, run } = useTask()
  const [into, setInto] = useState(semesterId)
  const [from, setFrom] = useState<string | null>(null)
  const [intoField, fromField] = [useId(), useId()]
  const semesters = useEntity(schoolsemester)
  const known = useQuery({ ...semesters.list({ id: into ?? '', current: 1, size: 1 }), enabled: into !== null })
  const schoolId = into === null ? undefined : known.data?.records[0]?.schoolId
  const found = useQuery({
    queryKey: ['carryOver', of, into, from],
    queryFn: ({ signal }) => call(preview, { semesterId: into ?? '', from: from ?? '' }, { signal, silent: true }),
    enabled: into !== null && from !== null && into !== from,
    retry: false,
    meta: { reads: [entity.name] },
  })
  const count = found.data?.make.length ?? 0
  const save = () =>
    run(async () => {
      if (into === null || from === null || count === 0) return
      let number: string | undefined
      const made = await call(
        carry,
        { semesterId: into, from },
        { silent: true, numbered: (requestId: string) => (number = requestId) },
      )
      await refresh(queries, entity.name)
      toast.success(
        t('carryOver.done', { count: made.make.length }),
        undefined,
        number === undefined ? undefined : undoOffer(number, undo, t),
      )
      onClose()
    })
  return (
    <Dialog
      title={t(`carryOver.${of}`)}
      width={640}
      okText={count > 0 ? t('carryOver.ok', { count }) : t('carryOver.okNone')}
      onOk={() => void save()}
      busy={busy}
      failure={failure}
      onClose={onClose}
    >
      {semesterId === null && (
        <div className="field">
          <label htmlFor={intoField}>{t('carryOver.into')}</label>
          <ReferenceSelect
            id={intoField}
            className="carry-over-of"
            to={schoolsemester.name}
            label={t('carryOver.into')}
            placeholder={t('carryOver.choose')}
            value={into}
            onChange={(next) => setInto(typeof next === 'string' ? next : null)}
          />
        </div>
      )}
      <div className="field">
        <label htmlFor={fromField}>{t('carryOver.from')}</label>
        <ReferenceSelect
          key={schoolId}
          id={fromField}
          className="carry-over-of"
          to={schoolsemester.name}
          label={t('carryOver.from')}
          placeholder={t('carryOver.choose')}
          value={from}
          scope={{ ...(schoolId ? { within: { schoolId } } : {}), ...(into ? { without: into } : {}) }}
          onChange={(next) => setFrom(typeof next === 'string' ? next : null)}
        />
      </div>
      {from !== null && into !== null && (
        <QueryStates query={found}>{(carried) => <Preview carried={carried} />}</QueryStates>
      )}
    </Dialog>
  )
}

function Preview({ carried: { make, there, left } }: { readonly carried: Carried }) {
  const t = useT()
  return (
    <div className="carry-over" aria-live="polite">
      {make.length === 0 && <p className="muted">{t('carryOver.none')}</p>}
      {make.length > 0 && <Items title={t('carryOver.make', { count: make.length })} items={make} />}
      {there > 0 && <p>{t('carryOver.there', { count: there })}</p>}
      {left.length > 0 && <Items title={t('carryOver.left', { count: left.length })} items={left} />}
    </div>
  )
}

function Items({ title, items }: { readonly title: string; readonly items: readonly CarriedItem[] }) {
  const t = useT()
  const pick = useWords()
  return (
    <>
      <h3>{title}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by keys */}
      <ul tabIndex={0} aria-label={title}>
        {items.slice(0, most).map(({ text, reason }) => (
          <li key={text.zh}>
            {reason ? t('carryOver.reason', { text: pick(text), reason: pick(reason) }) : pick(text)}
          </li>
        ))}
      </ul>
      {items.length > most && <p className="muted">{t('carryOver.more', { count: items.length - most })}</p>}
    </>
  )
}
