import { flowprocess } from '@data-brain/contract'
import { processDefinition } from '@data-brain/contract/calls/flow'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import type { ShownRow } from '../../../entity/data/index.ts'
import { QueryStates } from '../../../entity/list/index.ts'
import { call } from '../../../http/call.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { useT } from '../../../ui/words.ts'
import { stepsOf } from '../model/steps.ts'

const Drawing = lazyPart(() => import('../drawing/drawing.tsx'))

interface DiagramProps {
  readonly row: ShownRow<typeof flowprocess>
  readonly onClose: () => void
}

/** What a version looks like: its drawing, and its steps in words for who does not see that. */
export function DiagramDialog({ row, onClose }: DiagramProps) {
  const t = useT()
  const drawn = useQuery({
    queryKey: ['flow-xml', row.id],
    queryFn: async ({ signal }) =>
      (await call(processDefinition, { processDefinitionId: row.id }, { signal, silent: true })).xml,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    meta: { reads: [flowprocess.name] },
  })
  return (
    <Dialog
      title={t('flowManage.diagramOf', { name: row.name, version: row.versionNo })}
      width={1040}
      onClose={onClose}
    >
      <QueryStates query={drawn}>
        {(xml) => {
          const names = stepsOf(xml).flatMap(({ name, type }) =>
            name && type !== 'process' && type !== 'sequenceFlow' ? [name] : [],
          )
          return (
            <Suspense fallback={<p className="muted">{t('entity.searching')}</p>}>
              <Drawing xml={xml} sentence={t('flowManage.stepsAre', { names: names.join(t('entity.separator')) })} />
            </Suspense>
          )
        }}
      </QueryStates>
    </Dialog>
  )
}
