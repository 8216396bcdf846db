import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { QueryStates } from '../../../entity/list/index.ts'
import { entityWords } from '../../../locales/entity.ts'
import { flowWords } from '../../../locales/flow.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { addWords, useT } from '../../../ui/words.ts'
import { drawingOf, historyOf, useFlowNews } from '../queries.ts'
import { Timeline } from './timeline.tsx'
import './history.css'

addWords({ ...entityWords, ...flowWords })

// The library that draws is fetched by whoever looks at a drawing, and by nobody else.
const Diagram = lazyPart(() => import('./diagram.tsx'))

export interface HistoryProps {
  readonly processInstanceId: string
  /** Who could take the step that waits, where that is known. */
  readonly candidates?: string | null
}

/** Where an instance stands and how it came there: as a drawing, and beside it in words. */
export default function HistoryView({ processInstanceId, candidates = null }: HistoryProps) {
  const t = useT()
  const steps = useQuery(historyOf(processInstanceId))
  const drawing = useQuery(drawingOf(processInstanceId))
  const [lit, setLit] = useState<string | null>(null)
  useFlowNews()
  return (
    <section className="fh" aria-label={t('flow.history')}>
      <QueryStates query={steps}>
        {(told) => (
          <>
            {drawing.data && (
              <Suspense fallback={<div className="fh-diagram fh-waits" aria-busy="true" />}>
                <Diagram xml={drawing.data.xml} steps={told} lit={lit} onLit={setLit} />
              </Suspense>
            )}
            <Timeline steps={told} candidates={candidates} lit={lit} onLit={drawing.data ? setLit : undefined} />
          </>
        )}
      </QueryStates>
    </section>
  )
}
