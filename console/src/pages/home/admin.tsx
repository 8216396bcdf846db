import { Changes, Figures } from './parts.tsx'
import type { HomePart } from './summary.ts'

/** The first page of whoever keeps accounts and rights. */
export default function AdminHome({ summary, at, side }: HomePart) {
  if (!summary.admin || side) return null
  return (
    <>
      <Figures figures={summary.admin.figures} at={at} />
      {summary.changes && <Changes changes={summary.changes} />}
    </>
  )
}
