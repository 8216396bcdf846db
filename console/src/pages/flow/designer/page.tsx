import { flowmodel } from '@data-brain/contract'
import type { CardModel } from '@data-brain/contract/flow/cards'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type ShownRow, useRow } from '../../../entity/data/index.ts'
import { LoadFailed } from '../../../entity/list/index.ts'
import { entityWords } from '../../../locales/entity.ts'
import { flowDesignWords } from '../../../locales/flow-design.ts'
import { usePlace, useTab } from '../../../ui/place.ts'
import { addWords, useT } from '../../../ui/words.ts'
import { Designer } from './designer.tsx'
import { beginModel } from './edit.ts'
import { type Content, contentOf, readDraft } from './work.ts'
import './page.css'

addWords({ ...entityWords, ...flowDesignWords })

type Model = ShownRow<typeof flowmodel>

/** A process as it is designed: as cards, and behind them as BPMN. */
export default function DesignerPage() {
  const { params } = usePlace()
  const id = params.modelId ?? ''
  const t = useT()
  const { setName } = useTab()
  const row = useRow(flowmodel, id)
  const name = row.data?.name
  useEffect(() => {
    if (name) setName(name)
  }, [name, setName])
  if (row.isError && !row.data) return <LoadFailed problem={row.error} onRetry={() => void row.refetch()} />
  return (
    <div className="page design-page">
      {row.data && !row.isPlaceholderData ? (
        <Opened key={id} row={row.data} />
      ) : (
        <p className="muted" aria-busy>
          {t('entity.searching')}
        </p>
      )}
    </div>
  )
}

/** What the model is, as cards where they can say it; or what was left unsaved here. */
function Opened({ row }: { readonly row: Model }) {
  const t = useT()
  const [first] = useState(row)
  const [draft] = useState(() => readDraft(row.id))
  const stored = useQuery({
    queryKey: ['flow-design', first.id, first.version],
    queryFn: async (): Promise<Content> =>
      first.xml ? contentOf(String(first.xml)) : { mode: 'cards', cards: empty(first, t('design.new.approval')) },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  if (stored.isError) return <LoadFailed problem={stored.error} onRetry={() => void stored.refetch()} />
  if (!stored.data)
    return (
      <p className="muted" aria-busy>
        {t('entity.searching')}
      </p>
    )
  return (
    <Designer
      row={first}
      begun={
        draft
          ? { content: draft.content, version: draft.version, restored: true }
          : { content: stored.data, version: first.version, restored: false }
      }
      stored={stored.data}
      isNew={!first.xml}
    />
  )
}

const empty = (row: Model, approval: string): CardModel => beginModel(row.modelKey, row.name, approval)
