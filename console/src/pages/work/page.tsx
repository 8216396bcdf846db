import { useEffect, useRef } from 'react'
import { logout } from '../../session/end.ts'
import { useSession } from '../../session/session.ts'
import { workAs } from '../../session/working-as.ts'
import { useT } from '../../ui/words.ts'
import { WorkForm } from './form.tsx'

/** What stands before the work in switch mode, until it is said as what it is done. */
export default function WorkPage() {
  const t = useT()
  const session = useSession()
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    ref.current?.querySelector<HTMLElement>('[data-focus=true]')?.focus()
  }, [])
  if (!session) return null
  return (
    <div className="page" ref={ref}>
      <div className="card work">
        <h1>{t('work.title')}</h1>
        <WorkForm session={session} okText={t('work.start')} onChoose={workAs}>
          <button type="button" className="button" onClick={() => void logout()}>
            {t('work.logout')}
          </button>
        </WorkForm>
      </div>
    </div>
  )
}
