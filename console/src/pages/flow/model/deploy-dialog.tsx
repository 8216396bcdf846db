import { flowmodel, flowprocess } from '@data-brain/contract'
import { deployModel } from '@data-brain/contract/calls/flow'
import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { refresh, type ShownRow, useDictionaries, useTask } from '../../../entity/data/index.ts'
import { DictSelect } from '../../../entity/fields/index.ts'
import { call } from '../../../http/call.ts'
import { entityWords } from '../../../locales/entity.ts'
import { flowManageWords } from '../../../locales/flow-manage.ts'
import { pathOf } from '../../../session/paths.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { Link } from '../../../ui/place.ts'
import { addWords, useT } from '../../../ui/words.ts'
import { type Deployed, DeployedList } from './deployed.tsx'
import { TenantSelect, useMayChooseTenants } from './tenant-select.tsx'
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
  const id = useId()
  const queries = useQueryClient()
  const dictionaries = useDictionaries(flowmodel)
  const mayChoose = useMayChooseTenants()
  const [category, setCategory] = useState<string>(String(row.category ?? '1'))
  const [tenants, setTenants] = useState<readonly string[]>([])
  const [results, setResults] = useState<readonly Deployed[] | null>(null)
  const { busy, failure, run } = useTask()
  const list = pathOf('flowprocess')
  const deploy = () =>
    void run(async () => {
      const tenantIds = tenants.length > 0 ? [...tenants] : undefined
      setResults(
        await call(deployModel, { modelId: row.id, category, ...(tenantIds ? { tenantIds } : {}) }, { silent: true }),
      )
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
      <div className="field">
        <label htmlFor={id}>{t('flowManage.category')}</label>
        <DictSelect
          id={id}
          className="ff-full"
          label={t('flowManage.category')}
          aria-required
          entries={dictionaries.flow}
          value={category}
          onChange={(next) => typeof next === 'string' && setCategory(next)}
        />
      </div>
      {mayChoose && <TenantSelect value={tenants} onChange={setTenants} />}
    </Dialog>
  )
}
