import { testOss } from '@data-brain/contract/calls/oss'
import { TryDialog } from '../../entity/display/index.ts'
import { call } from '../../http/call.ts'
import { useT } from '../../ui/words.ts'

/** Longer than the server waits for a store that does not answer. */
const LONGEST = 90_000

/** Tries a place out while one looks, and says in words what is wrong with it. */
export function TestDialog({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const t = useT()
  return (
    <TryDialog
      title={t('oss.testTitle', { name })}
      trying={t('oss.testing')}
      of={['oss', id]}
      attempt={(signal) => call(testOss, { id }, { silent: true, signal, timeout: LONGEST })}
      onClose={onClose}
    />
  )
}
