import { tenant } from '@data-brain/contract'
import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useId, useState } from 'react'
import { useEntity } from '../../../entity/data/index.ts'
import { useCan, useSession } from '../../../session/session.ts'
import { useT } from '../../../ui/words.ts'

/** The tenant of those who run the installation. */
const platform = '000000'

/** Whether somebody may deploy to other tenants than the own one. */
export function useMayChooseTenants(): boolean {
  const session = useSession()
  const can = useCan()
  return session?.tenantId === platform && can('tenant_view')
}

interface TenantProps {
  readonly value: readonly string[]
  readonly onChange: (tenants: readonly string[]) => void
}

/** The tenants that something is deployed to; the own one where none is chosen. */
export function TenantSelect({ value, onChange }: TenantProps) {
  const t = useT()
  const id = useId()
  const { list } = useEntity(tenant)
  const [keyword, setKeyword] = useState('')
  const found = useQuery(list({ current: 1, size: 100, ...(keyword.trim() ? { keyword: keyword.trim() } : {}) }))
  return (
    <div className="field">
      <label htmlFor={id}>{t('flowManage.tenants')}</label>
      <Select
        id={id}
        className="ff-full"
        mode="multiple"
        filterOption={false}
        placeholder={t('flowManage.tenantsOwn')}
        loading={found.isFetching}
        value={[...value]}
        options={(found.data?.records ?? []).map((row) => ({
          value: row.tenantId,
          label: `${row.tenantName} (${row.tenantId})`,
        }))}
        onSearch={setKeyword}
        onChange={(next: string[]) => onChange(next)}
      />
      <p className="field-help">{t('flowManage.tenantsHelp')}</p>
    </div>
  )
}
