import { valueText } from '@data-brain/contract/rules/values'
import type { ControlProps } from '../../entity/fields/index.ts'
import { useValue } from '../../ui/form/store.ts'
import { useLanguage } from '../../ui/words.ts'

const unnamed = () => undefined

/** What a report asks, in a sentence: it is changed on a page of its own. */
export default function ReadOnlyReport({ field, form, name, ties }: ControlProps) {
  const language = useLanguage()
  const value = useValue(form, name)
  return (
    <p id={ties.id} className="ff-fixed">
      {valueText(field, value, { language, name: unnamed })}
    </p>
  )
}
