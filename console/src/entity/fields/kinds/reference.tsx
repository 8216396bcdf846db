import { entityOf } from '@data-brain/contract'
import { useContext } from 'react'
import { useValue } from '../../../ui/form/store.ts'
import { useT } from '../../../ui/words.ts'
import { useMaking } from '../../form/create-in-place.tsx'
import { nearList, parentList, useSeveral } from '../../form/proposed-values.tsx'
import { ChoicesContext, type ControlProps, useRecord } from '../control.tsx'
import { FileControl } from '../image.tsx'
import { parentsOf, ReferenceSelect } from '../select.tsx'
import { noteUnchosen, takeHeldText } from '../unchosen.ts'
import type { FieldKind } from './field-kind.ts'

export function ReferenceControl(props: ControlProps) {
  const { field, form, name, label, ties, disabled, onChange, onBlur } = props
  const { entity, names, mayMake } = useRecord()
  const choices = useContext(ChoicesContext)
  const t = useT()
  const value = useValue(form, name) as string | string[] | null
  const within = useSeveral(form, parentList(entity, field, name))
  const [near] = Object.values(useSeveral(form, nearList(entity, field, name)))
  const choose = (next: string | string[] | null) => {
    onChange(next)
    // What was chosen within the old row does not belong to the new one.
    for (const [other, child] of Object.entries(entity.fields)) {
      if (child.to && !child.computed && parentsOf(entity, child, other).includes(name)) form.set(other, null)
    }
  }
  const loose = Object.keys(within).filter((parent) => entity.fields[parent]?.decidedBy === name)
  const making = useMaking(field.to!, within, choose, mayMake && field.kind === 'reference')
  if (field.kind === 'reference' && entityOf(field.to!).isFile) return <FileControl {...props} />
  return (
    <>
      <ReferenceSelect
        {...ties}
        label={label}
        className="ff-full"
        placeholder={t('form.choose')}
        to={field.to!}
        most={field.kind === 'references' ? (field.max ?? Number.POSITIVE_INFINITY) : undefined}
        scope={{
          ...(choices ?? { within, loose, near }),
          // The server knows of which one it is.
          onWide: () => loose.map((parent) => form.set(parent, null)),
          onMissed: (text) => noteUnchosen(form, name, text),
          onBack: () => takeHeldText(form, name),
        }}
        names={names}
        disabled={disabled}
        value={value}
        onBlur={onBlur}
        onNew={making.start}
        onChange={choose}
      />
      {making.form}
    </>
  )
}

export const reference: FieldKind = { Control: ReferenceControl }
