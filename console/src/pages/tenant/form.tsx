import { type Entity, entityOf, text } from '@data-brain/contract'
import { useMemo } from 'react'
import { type ControlProps, fieldKinds, RecordContext, useRecord } from '../../entity/fields/index.ts'
import type { FormParts } from '../../entity/form/index.ts'
import { tenantWords } from '../../locales/tenant.ts'
import { TenantPicture } from './picture.tsx'
import { tenantStates } from './state.ts'

const stored = entityOf('tenant')
const label = tenantWords['tenant.account']
const help = tenantWords['tenant.accountHelp']

/** A new tenant's form also asks for its first administrator. */
const fresh: Entity = {
  ...stored,
  fields: {
    ...stored.fields,
    account: { ...text(label.zh, label.en, { max: 32, rule: 'account', default: 'admin' }), help },
  },
  // Beside what the tenant is called, which is typed first.
  groups: stored.groups!.map((group, at) => (at === 0 ? { ...group, fields: [...group.fields, 'account'] } : group)),
}

/** States that a person chooses; the others come of time, and of deleting. */
const chosen: readonly string[] = [tenantStates.normal, tenantStates.trial, tenantStates.disabled].map(String)
const ChoiceControl = fieldKinds.choice.Control

function StateControl(props: ControlProps) {
  const record = useRecord()
  const first = String(props.form.initial(props.name))
  const kept = useMemo(() => {
    const { tenant_state: all = [] } = record.dictionaries
    const states = all.filter(({ dictKey }) => chosen.includes(dictKey) || dictKey === first)
    return { ...record, dictionaries: { ...record.dictionaries, tenant_state: states } }
  }, [record, first])
  return (
    <RecordContext value={kept}>
      <ChoiceControl {...props} />
    </RecordContext>
  )
}

export const formParts: FormParts = {
  of: (isNew) => (isNew ? fresh : stored),
  inputs: { status: StateControl, logo: TenantPicture, backgroundUrl: TenantPicture },
}
