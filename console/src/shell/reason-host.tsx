import { Suspense } from 'react'
import { askingStore } from '../session/read-reason-store.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { useStore } from '../ui/store.ts'

const ReasonDialog = lazyPart(() => import('../entity/detail/read-reason.tsx'))

/** Where somebody is asked why they look at a child's record; not while the screen is locked. */
export function ReasonHost() {
  const asked = useStore(askingStore)
  return (
    <Suspense fallback={null}>
      {asked && (
        <ReasonDialog key={asked.children.join()} isOne={asked.children.length === 1} onAnswer={asked.answer} />
      )}
    </Suspense>
  )
}
