import { useState } from 'react'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { useT } from '../../ui/words.ts'
import { type Item, TwoLists } from '../user/index.ts'
import '../../ui/later-words.ts'

interface ChooseProps {
  readonly items: readonly Item[]
  readonly onChosen: (ids: readonly string[]) => void
  readonly onClose: () => void
}

/** Which roles are to be given the same rights at once. */
export function ChooseDialog({ items, onChosen, onClose }: ChooseProps) {
  const t = useT()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [tried, setTried] = useState(false)
  return (
    <Dialog
      title={t('role.many')}
      width={720}
      okText={t('role.next')}
      failure={tried && chosen.size === 0 ? t('spec.selectOne') : ''}
      onOk={() => (chosen.size > 0 ? onChosen([...chosen]) : setTried(true))}
      onClose={onClose}
    >
      <TwoLists items={items} chosen={chosen} onChange={setChosen} from={t('role.free')} to={t('role.chosen')} />
    </Dialog>
  )
}
