import type { Entity } from '@data-brain/contract'
import { useId } from 'react'
import { useDictionaries } from '../../../entity/data/index.ts'
import { DictSelect } from '../../../entity/fields/index.ts'
import { useT } from '../../../ui/words.ts'
import { TenantSelect, useMayChooseTenants } from './tenant-select.tsx'

/** Under which category a process is deployed, and for which tenants; none is the caller's own. */
export interface DeployTarget {
  readonly category: string
  readonly tenants: readonly string[]
}

interface DeployTargetProps {
  /** The entity whose dictionaries hold the categories. */
  readonly entity: Entity
  readonly value: DeployTarget
  readonly onChange: (next: DeployTarget) => void
}

/** The inputs of a deployment's category and, for who may choose them, tenants. */
export function DeployTargetFields({ entity, value, onChange }: DeployTargetProps) {
  const t = useT()
  const id = useId()
  const dictionaries = useDictionaries(entity)
  const mayChoose = useMayChooseTenants()
  return (
    <>
      <div className="field">
        <label htmlFor={id}>{t('flowManage.category')}</label>
        <DictSelect
          id={id}
          className="ff-full"
          label={t('flowManage.category')}
          aria-required
          entries={dictionaries.flow}
          value={value.category}
          onChange={(next) => typeof next === 'string' && onChange({ ...value, category: next })}
        />
      </div>
      {mayChoose && <TenantSelect value={value.tenants} onChange={(tenants) => onChange({ ...value, tenants })} />}
    </>
  )
}

/** What a call to deploy takes of a target. */
export const deployInput = ({ category, tenants }: DeployTarget): { category: string; tenantIds?: string[] } => ({
  category,
  ...(tenants.length > 0 ? { tenantIds: [...tenants] } : {}),
})
