import { type Entity, entityOf, flowmodel } from '@data-brain/contract'
import { useCallback, useMemo, useState } from 'react'
import type { ShownRow } from '../../../entity/data/index.ts'
import type { FormParts } from '../../../entity/form/index.ts'
import { type Cells, EntityPage, type RowAction } from '../../../entity/list/index.ts'
import { flowManageWords } from '../../../locales/flow-manage.ts'
import { useCan } from '../../../session/session.ts'
import { go, Link } from '../../../ui/place.ts'
import { addWords, useT } from '../../../ui/words.ts'
import { designPath } from '../designer/work.ts'
import { CopyDialog } from './copy-dialog.tsx'
import DeployDialog from './deploy-dialog.tsx'
import { KeyInput } from './key-input.tsx'
import { ShipButton, useShipping } from './ship.tsx'
import { VersionsDialog } from './versions-dialog.tsx'
import '../manage.css'

addWords(flowManageWords)

type Model = ShownRow<typeof flowmodel>

// The drawing is made in the designer. The key is that of the process in it, and stays once it is there.
const { xml: _, ...fields } = entityOf('flowmodel').fields
const made: Entity = { ...flowmodel, fields }
const changed: Entity = { ...made, fields: { ...fields, modelKey: { ...fields.modelKey!, fixed: true } } }
const parts: FormParts = { of: (isNew) => (isNew ? made : changed), inputs: { modelKey: KeyInput }, single: true }

const cells: Cells<typeof flowmodel> = {
  xml: (row, { t }) => <Link to={designPath(row.id)}>{t('flowManage.openDesigner')}</Link>,
}

type Opened = { readonly dialog: 'deploy' | 'copy' | 'versions'; readonly row: Model }

/** The processes of the school as they are designed; what runs is what was deployed of them. */
export default function ModelsPage() {
  const t = useT()
  const can = useCan()
  const shipping = useShipping()
  const [opened, setOpened] = useState<Opened | null>(null)
  const close = useCallback(() => setOpened(null), [])
  const actions: readonly RowAction<typeof flowmodel>[] = useMemo(() => {
    const opens = (dialog: Opened['dialog']) => (row: Model) => setOpened({ dialog, row })
    return [
      { key: 'design', label: t('flowManage.design'), icon: 'workflow', run: ({ id }) => go(designPath(id)) },
      { key: 'deploy', label: t('flowManage.deploy'), icon: 'upload', code: 'flowmodel_deploy', run: opens('deploy') },
      { key: 'copy', label: t('flowManage.copy'), icon: 'copy', code: 'flowmodel_add', run: opens('copy') },
      { key: 'versions', label: t('flowManage.versions'), icon: 'history', run: opens('versions') },
    ]
  }, [t])
  const copied = (id: string) => {
    close()
    go(designPath(id))
  }
  const form = useMemo(
    () => ({
      parts,
      onSaved: (row: Model, isNew: boolean) => {
        // Once the form is closed: this page is hidden then, and would be called unsaved.
        if (isNew) setTimeout(() => go(designPath(row.id)))
      },
    }),
    [],
  )
  return (
    <>
      <EntityPage
        entity={flowmodel}
        cells={cells}
        rowActions={actions}
        form={form}
        slots={{ toolbar: can('flowmodel_deploy') && <ShipButton {...shipping} /> }}
      />
      {opened?.dialog === 'deploy' && <DeployDialog row={opened.row} onClose={close} />}
      {opened?.dialog === 'copy' && <CopyDialog row={opened.row} onClose={close} onMade={copied} />}
      {opened?.dialog === 'versions' && <VersionsDialog row={opened.row} onClose={close} />}
    </>
  )
}
