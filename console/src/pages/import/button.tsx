import { importCode } from '@data-brain/contract/import/place'
import { importButtonWords } from '../../locales/import-button.ts'
import { useCan } from '../../session/session.ts'
import { Icon } from '../../ui/icon.tsx'
import { go } from '../../ui/place.ts'
import { addWords, useT } from '../../ui/words.ts'
import { importPathOf, type Kind } from './import-kinds.ts'

addWords(importButtonWords)

/** Leads from a list to the import of its rows, for those who may import. */
export default function ImportButton({ entity }: { entity: string }) {
  const t = useT()
  const can = useCan()
  const kind = entity as Kind
  const path = importPathOf(kind)
  if (!path || !can(importCode(kind))) return null
  return (
    <button type="button" className="button" onClick={() => go(path)}>
      <Icon name="import" size={16} />
      {t('import.commit')}
    </button>
  )
}
