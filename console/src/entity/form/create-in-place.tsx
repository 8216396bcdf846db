import { codeOf, type Entity, isMadeAnywhere } from '@data-brain/contract'
import { type ReactNode, Suspense, useMemo, useState } from 'react'
import { useCan } from '../../session/session.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import type { ShownRow } from '../data/calls.ts'
import { useEntityOf } from '../data/custom-fields.ts'
import { loadForm } from '../list/effects.ts'

const EntityForm = lazyPart(loadForm)

interface Making {
  /** Begins to make a row with this name; absent where that may not be done. */
  readonly start: ((typed: string) => void) | undefined
  /** The form, while it is open. */
  readonly form: ReactNode
}

/** Makes a row that a reference can then point at, in a form over the present one. */
export function useMaking(
  to: string,
  within: Readonly<Record<string, string>>,
  onMade: (id: string) => void,
  offered: boolean,
): Making {
  const can = useCan()
  const target = useEntityOf(to)
  const [typed, setTyped] = useState<string | null>(null)
  const may = offered && isMadeAnywhere(target) && can(codeOf(target, 'add'))
  return {
    start: may ? setTyped : undefined,
    form: typed !== null && (
      <MakeForm target={target} typed={typed} within={within} onMade={onMade} onClose={() => setTyped(null)} />
    ),
  }
}

interface MakeProps {
  readonly target: Entity
  readonly typed: string
  readonly within: Readonly<Record<string, string>>
  readonly onMade: (id: string) => void
  readonly onClose: () => void
}

const still = () => {}

function MakeForm({ target, typed, within, onMade, onClose }: MakeProps) {
  const [preset] = useState(within)
  // A draft of its own: what is half made on the list page is another row.
  const parts = useMemo(
    () => ({
      draft: 'made',
      single: true,
      begin: typed !== '' && target.fields[target.title]?.kind === 'text' ? { [target.title]: typed } : {},
    }),
    [target, typed],
  )
  return (
    <Suspense fallback={null}>
      <EntityForm
        entity={target}
        open
        id={null}
        preset={preset}
        parts={parts}
        onClose={onClose}
        onSaved={(made: ShownRow) => onMade(made.id)}
        onDirty={still}
      />
    </Suspense>
  )
}
