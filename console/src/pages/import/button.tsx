import { importButtonWords } from '../../locales/import-button.ts'
import { pathOf } from '../../session/paths.ts'
import { useCan } from '../../session/session.ts'
import { Icon } from '../../ui/icon.tsx'
import { go } from '../../ui/place.ts'
import { addWords, useT } from '../../ui/words.ts'

addWords(importButtonWords)

/** Leads from the list of students to the import centre, for those who may import. */
export default function ImportButton() {
  const t = useT()
  const can = useCan()
  const path = pathOf('import')
  if (!path || !can('student_import')) return null
  return (
    <button type="button" className="button" onClick={() => go(path)}>
      <Icon name="import" size={16} />
      {t('import.commit')}
    </button>
  )
}
