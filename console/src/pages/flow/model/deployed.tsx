import type { AnswerOf } from '@data-brain/contract/call'
import type { deployModel } from '@data-brain/contract/calls/flow'
import { Icon } from '../../../ui/icon.tsx'
import { useT } from '../../../ui/words.ts'

export type Deployed = AnswerOf<typeof deployModel>[number]

/** What became of each tenant and file. */
export function DeployedList({
  results,
  withFile,
}: {
  readonly results: readonly Deployed[]
  readonly withFile?: boolean
}) {
  const t = useT()
  return (
    <ul className="flow-results" aria-live="polite">
      {results.map((result) => (
        <li key={`${result.tenantId} ${result.resourceName}`} data-wrong={!result.success || undefined}>
          <Icon name={result.success ? 'circle-check' : 'circle-x'} size={16} />
          <span>
            <b>{withFile && result.resourceName ? `${result.resourceName} · ${result.tenantId}` : result.tenantId}</b>{' '}
            {result.success
              ? t('flowManage.deployedAs', { version: result.version ?? 1 })
              : (result.message ?? t('spec.unknownError'))}
          </span>
        </li>
      ))}
    </ul>
  )
}
