import { Locked } from './locked.tsx'
import { Changes, Facts, Figures, Starts } from './parts.tsx'
import type { HomePart } from './summary.ts'

const starts = [
  ['user_add', 'user', 'edit=new', 'home.start.user'],
  ['role_edit', 'role', '', 'home.start.role'],
] as const

/** Accounts that somebody should look at; the other figures stand large. */
const doubtful: readonly string[] = ['neverUsed', 'noRole', 'disabled']

/** The first page of whoever keeps accounts and rights. */
export default function AdminHome({ summary, at, place }: HomePart) {
  const { admin } = summary
  if (!admin) return null
  if (place === 'start') return <Starts starts={starts} />
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
      {summary.changes && <Changes changes={summary.changes} today={summary.today} />}
    </>
  )
}
