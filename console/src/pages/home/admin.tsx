import { Changes, Figures, Starts } from './parts.tsx'
import type { HomePart } from './summary.ts'

const starts = [
  ['user_add', 'user', 'edit=new', 'home.start.user'],
  ['role_edit', 'role', '', 'home.start.role'],
] as const

/** The first page of whoever keeps accounts and rights. */
export default function AdminHome({ summary, at, place }: HomePart) {
  if (!summary.admin || place === 'side') return null
  if (place === 'start') return <Starts starts={starts} />
  return (
    <>
      <Figures figures={summary.admin.figures} at={at} />
      {summary.changes && <Changes changes={summary.changes} />}
    </>
  )
}
