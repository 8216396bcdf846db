import { flowmodel, flowprocess } from '@data-brain/contract'
import { deployModel } from '@data-brain/contract/calls/flow'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { refresh, type ShownRow, useTask } from '../../../entity/data/index.ts'
import { call } from '../../../http/call.ts'
import { entityWords } from '../../../locales/entity.ts'
import { flowManageWords } from '../../../locales/flow-manage.ts'
import { pathOf } from '../../../session/paths.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { Link } from '../../../ui/place.ts'
import { addWords, useT } from '../../../ui/words.ts'
import { type DeployTarget, DeployTargetFields, deployInput } from './deploy-target.tsx'
import { type Deployed, DeployedList } from './deployed.tsx'
import '../../../ui/later-words.ts'
import '../../../entity/form/form-words.ts'
import '../manage.css'

addWords({ ...entityWords, ...flowManageWords })

interface DeployProps {
  readonly row: Pick<ShownRow<typeof flowmodel>, 'id' | 'name' | 'category'>
  readonly onClose: () => void
}

/** Makes a model a version that can be started, of a category, for the own tenant or for others. */
export default function DeployDialog({ row, onClose }: DeployProps) {
  const t = useT()
  const queries = useQueryClient()
  const [target, setTarget] = useState<DeployTarget>({ category: row.category ?? '1', tenants: [] })
  const [results, setResults] = useState<readonly Deployed[] | null>(null)
  const { busy, failure, run } = useTask()
  const list = pathOf('flowprocess')
  const deploy = () =>
    void run(async () => {
      setResults(await call(deployModel, { modelId: row.id, ...deployInput(target) }, { silent: true }))
      await refresh(queries, flowprocess.name)
    })
  if (results)
    return (
      <Dialog title={t('flowManage.deployedTitle', { name: row.name })} onClose={onClose}>
        <DeployedList results={results} />
        {list && (
          <p>
            <Link to={list} onClick={onClose}>
              {t('flowManage.toProcesses')}
            </Link>
          </p>
        )}
      </Dialog>
    )
  return (
    <Dialog
      title={t('flowManage.deployTitle', { name: row.name })}
      okText={t('flowManage.deploy')}
      onOk={deploy}
      busy={busy}
      failure={failure}
      onClose={onClose}
    >
      <p>{t('flowManage.deployText')}</p>
      <DeployTargetFields entity={flowmodel} value={target} onChange={setTarget} />
    </Dialog>
  )
}
