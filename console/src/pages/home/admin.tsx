import { adminHomeWords } from '../../locales/home-admin.ts'
import { pathOf } from '../../session/paths.ts'
import { useNumber } from '../../ui/number.ts'
import { Link } from '../../ui/place.ts'
import { addWords, useLanguage, useT } from '../../ui/words.ts'
import { Changes, Facts, Figures, QuickStarts } from './home-parts.tsx'
import { Locked } from './locked.tsx'
import type { HomePart, HomeSummary } from './summary.ts'
import './admin.css'

addWords(adminHomeWords)

const starts = [
  ['user_add', 'user', 'edit=new', 'home.start.user'],
  ['role_edit', 'role', '', 'home.start.role'],
] as const

/** Accounts that somebody should look at; the other figures stand large. */
const doubtful: readonly string[] = ['neverUsed', 'noRole', 'disabled']

/** Sign-ins of the last days, those that failed above those that went well; each day the way to its log. */
function SignIns({ days }: { days: NonNullable<NonNullable<HomeSummary['admin']>['signIns']> }) {
  const t = useT()
  const number = useNumber()
  const locale = useLanguage() === 'zh' ? 'zh-CN' : 'en-GB'
  const named = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'numeric', timeZone: 'UTC' })
  const to = pathOf('logusual')
  const most = Math.max(1, ...days.map(({ good, failed }) => good + failed))
  const height = (count: number) => ({ height: `${(count / most) * 100}%` })
  return (
    <section className="card" aria-labelledby="home-sign-ins">
      <div className="card-head">
        <h2 id="home-sign-ins">{t('home.signIns')}</h2>
        <span className="bar-legend muted">
          <span className="part0">{t('home.signIns.good')}</span>
          <span className="refused">{t('home.signIns.failed')}</span>
        </span>
        {to && (
          <Link to={`${to}?logId=login&from=${encodeURIComponent(`${days[0]?.day} 00:00:00`)}`}>{t('home.log')}</Link>
        )}
      </div>
      <ul className="days">
        {days.map(({ day, good, failed }) => (
          <li key={day}>
            <span className="day-count" aria-hidden="true">
              {good + failed > 0 && number(good + failed)}
            </span>
            <span className="day-bar" aria-hidden="true">
              <span className="refused" style={height(failed)} />
              <span className="part0" style={height(good)} />
            </span>
            <span className="muted">{named.format(Date.parse(`${day}T00:00:00Z`))}</span>
            <span className="sr-only">{t('home.signIns.day', { good, failed })}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The first page of whoever keeps accounts and rights. */
export default function AdminHome({ summary, at, place }: HomePart) {
  const { admin } = summary
  if (!admin) return null
  if (place === 'start') return <QuickStarts starts={starts} />
  const accounts = admin.figures.filter(({ key }) => doubtful.includes(key))
  if (place === 'side')
    return (
      <>
        {admin.locked && <Locked accounts={admin.locked} all={admin.figures.find(({ key }) => key === 'lockedNow')} />}
        {accounts.length > 0 && <Facts id="home-accounts" title="home.accounts" figures={accounts} />}
      </>
    )
  return (
    <>
      <Figures figures={admin.figures.filter(({ key }) => !doubtful.includes(key))} at={at} />
      {admin.signIns && <SignIns days={admin.signIns} />}
      {summary.changes && <Changes changes={summary.changes} today={summary.today} title="home.systemChanges" />}
    </>
  )
}
