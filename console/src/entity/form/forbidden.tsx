import { useEffect } from 'react'
import { noFormWords } from '../../locales/no-form.ts'
import { toast } from '../../ui/toast.ts'
import { addWords, useT } from '../../ui/words.ts'

addWords(noFormWords)

interface NoFormProps {
  /** What its rows are called within a sentence. */
  readonly label: string
  readonly isNew: boolean
  readonly onClose: () => void
}

/** In the place of a form that somebody may not open: says so, once, and leaves the list as it is. */
export default function NoForm({ label, isNew, onClose }: NoFormProps) {
  const t = useT()
  // biome-ignore lint/correctness/useExhaustiveDependencies: said once, in the language of that moment
  useEffect(() => {
    toast.warning(t(isNew ? 'noForm.add' : 'noForm.edit', { label }))
    onClose()
  }, [])
  return null
}
