import { importButtonWords } from '../../locales/import-button.ts'
import { useCan } from '../../session/session.ts'
import { Icon } from '../../ui/icon.tsx'
import { go } from '../../ui/place.ts'
import { addWords, useT } from '../../ui/words.ts'
import { userImportPath } from './place.ts'

addWords(importButtonWords)

/** Leads from the list of users to their import, for those who may import. */
export default function UserImportButton() {
  const t = useT()
  const can = useCan()
  if (!can('user_import')) return null
  return (
    <button type="button" className="button" onClick={() => go(userImportPath)}>
      <Icon name="import" size={16} />
      {t('import.commit')}
    </button>
  )
}
