import { flowmodel } from '@data-brain/contract'
import { useState } from 'react'
import { type ShownRow, useEntity, useTask } from '../../../entity/data/index.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { toast } from '../../../ui/toast.ts'
import { useT } from '../../../ui/words.ts'
import { keyOfName } from './key-input.tsx'
import { renamed } from './steps.ts'

interface CopyProps {
  readonly row: ShownRow<typeof flowmodel>
  readonly onClose: () => void
  readonly onMade: (id: string) => void
}

/** A model made after another one, under a name and a key of its own. */
export function CopyDialog({ row, onClose, onMade }: CopyProps) {
  const t = useT()
  const client = useEntity(flowmodel)
  const [name, setName] = useState(t('flowManage.copyName', { name: row.name }))
  const [key, setKey] = useState(`${row.modelKey}-2`)
  const [isTyped, setTyped] = useState(false)
  const { busy, failure, run } = useTask()
  const copy = () =>
    void run(async () => {
      const { category, description, xml } = await client.whole(row.id)
      const made = await client.save({
        ...{ name, modelKey: key, category, description },
        ...(xml ? { xml: renamed(xml, key, name) } : {}),
      })
      toast.success(t('flowManage.copied', { name }))
      onMade(made.id)
    })
  return (
    <Dialog
      title={t('flowManage.copyOf', { name: row.name })}
      okText={t('flowManage.copy')}
      onOk={copy}
      busy={busy}
      failure={failure}
      onClose={onClose}
    >
      <Field
        label={t('flowManage.name')}
        required
        maxLength={100}
        value={name}
        onChange={(event) => {
          setName(event.target.value)
          if (!isTyped && event.target.value !== row.name) setKey(keyOfName(event.target.value))
        }}
      />
      <Field
        label={t('flowManage.key')}
        help={t('flowManage.keyHelp')}
        required
        maxLength={64}
        value={key}
        onChange={(event) => {
          setTyped(true)
          setKey(event.target.value)
        }}
      />
    </Dialog>
  )
}
