import { useId, useState } from 'react'
import { TouchedList } from '../../entity/data/index.ts'
import { HttpProblem } from '../../http/client.ts'
import { askConfirmation } from '../../ui/confirm.tsx'
import type { Translate } from '../../ui/words.ts'
import { type BatchLine, readUndoPlan, type Taken, type Undone, type UndoPlan, undoBatch } from './calls.ts'
import type { Kind } from './import-kinds.ts'

/** What becomes of rows that others have touched since: they stay, or go with the rest. */
type Choice = 'keep' | 'changed'

/** Whether everything can be taken back: what others have put beside it since would lose what it belongs to. */
const mayGoWhole = ({ touched }: UndoPlan): boolean => touched.every(({ own }) => own)

/**
 * Takes a batch back, once the person has read what goes, and chosen what becomes of rows that others have touched since.
 * False when the person thought better of it.
 */
export async function takeBack(kind: Kind, batch: BatchLine, t: Translate): Promise<boolean> {
  for (;;) {
    const plan = await readUndoPlan(kind, batch.id)
    const isTouched = plan.touched.length > 0
    let choice: Choice = 'keep'
    const sure = await askConfirmation({
      title: t('import.undoTitle'),
      body: (
        <Plan
          plan={plan}
          name={batch.fileName}
          t={t}
          onChoose={(next) => {
            choice = next
          }}
        />
      ),
      danger: true,
      okText: t('import.undoOk'),
    })
    if (!sure) return false
    try {
      await undoBatch(kind, batch.id, plan.seen, isTouched ? choice : undefined)
      return true
    } catch (problem) {
      // Touched while it was read: what stands now is shown, and asked about.
      const data = problem instanceof HttpProblem ? (problem.data as { own?: boolean } | null) : null
      if (data?.own === undefined) throw problem
    }
  }
}

interface PlanProps {
  plan: UndoPlan
  name: string
  t: Translate
  onChoose: (choice: Choice) => void
}

function Plan({ plan, name, t, onChoose }: PlanProps) {
  const [choice, setChoice] = useState<Choice>('keep')
  const group = useId()
  const taken = choice === 'keep' ? plan.keeping : plan.all
  const choose = (next: Choice) => {
    setChoice(next)
    onChoose(next)
  }
  return (
    <div className="import-undo">
      {plan.touched.length > 0 && (
        <>
          <p>{t('import.undoTouched')}</p>
          <TouchedList touched={plan.touched} t={t} />
          <fieldset className="import-undo-choice">
            <legend className="sr-only">{t('import.undoTouched')}</legend>
            {(['keep', 'changed'] as const).map((each) => (
              <label key={each} className="check">
                <input
                  type="radio"
                  name={group}
                  checked={choice === each}
                  disabled={each === 'changed' && !mayGoWhole(plan)}
                  onChange={() => choose(each)}
                />
                {t(each === 'keep' ? 'import.undoKeep' : 'import.undoAll', { ...plan.about, count: plan.staying })}
              </label>
            ))}
          </fieldset>
          {!mayGoWhole(plan) && <p className="muted">{t('import.undoUsed')}</p>}
        </>
      )}
      <TakenRows title={t('import.undoRemoves', { name })} taken={taken} of="removed" t={t} />
      <TakenRows title={t('import.undoRestores', { name })} taken={taken} of="restored" t={t} />
      <TakenRows title={t('import.undoHeld')} taken={taken} of="held" t={t} />
    </div>
  )
}

interface TakenProps {
  title: string
  taken: readonly (Taken & Partial<Pick<Undone['taken'][number], 'restoredSample'>>)[]
  of: 'removed' | 'restored' | 'held'
  t: Translate
}

/** What became of rows, by kind; those that are named by name. */
export function TakenRows({ title, taken, of, t }: TakenProps) {
  const rows = taken.filter((each) => each[of] > 0)
  if (rows.length === 0) return null
  return (
    <>
      <p>{title}</p>
      <ul className="import-undo-rows">
        {rows.map(({ entity, label, unit, sample, heldSample, restoredSample = [], ...counts }) => {
          const count = counts[of]
          const named = { removed: sample, held: heldSample, restored: restoredSample }[of]
          const names = named.join(t('entity.separator')) + (count > named.length ? '…' : '')
          return (
            <li key={entity}>
              {t(named.length > 0 ? 'entity.blocker' : 'entity.blockerCount', {
                ...{ label, count, unit, sample: names },
              })}
            </li>
          )
        })}
      </ul>
    </>
  )
}
