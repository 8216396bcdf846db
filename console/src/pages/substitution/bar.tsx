import { coverWords } from '../../locales/cover.ts'
import { coverPath } from '../../session/paths.ts'
import { useCan } from '../../session/session.ts'
import { Icon } from '../../ui/icon.tsx'
import { Link } from '../../ui/place.ts'
import { addWords, useT } from '../../ui/words.ts'

addWords(coverWords)

/** Before the add button of the list of substitutions and absences: the way to the desk where a day is arranged. */
export default function CoverBar() {
  const t = useT()
  const can = useCan()
  if (!can('substitution_view')) return null
  return (
    <Link className="button" to={coverPath}>
      <Icon name="arrow-left-right" size={16} />
      {t('cover.open')}
    </Link>
  )
}
