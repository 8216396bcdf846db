import { Suspense, useState } from 'react'
import { setUpDialogWords } from '../../locales/set-up-dialogs.ts'
import { useCan } from '../../session/session.ts'
import { Icon } from '../../ui/icon.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { addWords, useT } from '../../ui/words.ts'
import { useSetUp } from './set-up.ts'

addWords(setUpDialogWords)

const ClassesDialog = lazyPart(() => import('./classes-dialog.tsx'))

/** Before the add button of the classes: those of all grades at once, each year anew. */
export default function ClassesBar() {
  const t = useT()
  const can = useCan()
  const may = can('schoolclass_add') && can('school_view')
  const [isOpen, setOpen] = useState(false)
  const found = useSetUp(may && isOpen)
  return (
    <>
      {may && (
        <button
          type="button"
          className="button"
          aria-busy={isOpen && found.isLoading}
          disabled={isOpen && found.isLoading}
          onClick={() => setOpen(true)}
        >
          <Icon name="presentation" size={16} />
          {t('setUp.classesTitle')}
        </button>
      )}
      {isOpen && found.data && (
        <Suspense fallback={null}>
          <ClassesDialog schools={found.data.schools} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
