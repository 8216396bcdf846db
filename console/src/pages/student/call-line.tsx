import { studentparents as guardian, personalCode } from '@data-brain/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { useDictionaries, useEntity } from '../../entity/data/index.ts'
import { dictText } from '../../entity/display/index.ts'
import { entityWords } from '../../locales/entity.ts'
import { studentWords } from '../../locales/student.ts'
import { useCan } from '../../session/session.ts'
import { Icon } from '../../ui/icon.tsx'
import { addWords, useLanguage, useT } from '../../ui/words.ts'
import './call-line.css'

addWords({ ...entityWords, ...studentWords })

interface CallLineProps {
  readonly childId: string
  /** Somebody has already asked for the number. */
  readonly asked?: boolean
}

/** The guardian who is called first; the number is shown on request alone, which is written down. */
export default function CallLine({ childId, asked = false }: CallLineProps) {
  const can = useCan()
  const t = useT()
  const language = useLanguage()
  const client = useEntity(guardian)
  const dictionaries = useDictionaries(guardian)
  const found = useQuery({
    // Nobody is led to ring someone who is kept away from the child.
    ...client.list({ studentId: childId, custodyRestricted: '0', ascs: 'contactPriority', current: 1, size: 1 }),
    placeholderData: undefined,
  })
  const [shown, setShown] = useState<{ readonly of: string; readonly number: string | null } | null>(null)
  const [busy, setBusy] = useState(false)
  const first = found.data?.records[0]
  const masked = first?.mobile ?? ''
  const mayShow = masked !== '' && can(personalCode(guardian))
  // Of this guardian as they stand now: not of who was called first before, nor the number before a change.
  const stand = first && `${first.id} ${first.version}`
  const number = shown !== null && shown.of === stand ? shown.number : null
  const show = async ({ id, version }: NonNullable<typeof first>) => {
    setBusy(true)
    try {
      setShown({ of: `${id} ${version}`, number: (await client.personal(id)).mobile ?? null })
    } finally {
      setBusy(false)
    }
  }
  const showAsked = useEffectEvent(() => {
    if (first && asked && mayShow) void show(first)
  })
  useEffect(() => {
    if (stand) showAsked()
  }, [stand])
  if (!first) return asked && found.data ? <p className="muted">{t('student.noGuardian')}</p> : null
  return (
    <div className="call-line">
      <Icon name="phone" size={18} />
      <span>
        {first.relation ? dictText({ t, language, dictionaries, regions: {} }, 'relation', first.relation) : ''}{' '}
        <strong>{first.parentName}</strong>
        <small className="mono">{number ? <a href={`tel:${number}`}>{number}</a> : masked}</small>
      </span>
      {number === null && mayShow && (
        <button type="button" className="link-button" disabled={busy} onClick={() => void show(first)}>
          {t('student.showNumber')}
        </button>
      )}
    </div>
  )
}
