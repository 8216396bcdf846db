import { flowmodel, flowprocess } from '@data-brain/contract'
import { processDefinition } from '@data-brain/contract/calls/flow'
import { useQuery } from '@tanstack/react-query'
import { useId, useMemo, useState } from 'react'
import { type ShownRow, useEntity } from '../../../entity/data/index.ts'
import { QueryStates } from '../../../entity/list/index.ts'
import { call } from '../../../http/call.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { hasWords, useT } from '../../../ui/words.ts'
import { changesOf, type StepChange, stepsOf } from './steps.ts'

interface VersionsProps {
  readonly row: ShownRow<typeof flowmodel>
  readonly onClose: () => void
}

/** The model as it is now, beside the versions that were deployed. */
const current = 'current'

/** What was deployed of a model, and how two of them differ step by step. */
export function VersionsDialog({ row, onClose }: VersionsProps) {
  const t = useT()
  const { list } = useEntity(flowprocess)
  const versions = useQuery(list({ current: 1, size: 100, key_equal: row.modelKey, descs: 'versionNo' }))
  const records = versions.data?.records ?? []
  const [chosen, setChosen] = useState<{ readonly from?: string; readonly to: string }>({ to: current })
  const from = chosen.from ?? records[0]?.id
  const options = [
    { value: current, label: t('flowManage.asDesigned') },
    ...records.map((each) => ({
      value: each.id,
      label: t('flowManage.versionAt', { version: each.versionNo, time: String(each.deploymentTime).slice(0, 16) }),
    })),
  ]
  return (
    <Dialog title={t('flowManage.versionsOf', { name: row.name })} width={640} onClose={onClose}>
      <QueryStates query={versions}>
        {() =>
          records.length === 0 ? (
            <p className="muted">{t('flowManage.noVersions')}</p>
          ) : (
            <>
              <div className="flow-compare">
                <Pick
                  label={t('flowManage.from')}
                  value={from ?? ''}
                  options={options}
                  onChange={(next) => setChosen({ ...chosen, from: next })}
                />
                <Pick
                  label={t('flowManage.to')}
                  value={chosen.to}
                  options={options}
                  onChange={(next) => setChosen({ ...chosen, to: next })}
                />
              </div>
              {from && <Difference model={row.id} from={from} to={chosen.to} />}
            </>
          )
        }
      </QueryStates>
    </Dialog>
  )
}

interface PickProps {
  readonly label: string
  readonly value: string
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly onChange: (value: string) => void
}

function Pick({ label, value, options, onChange }: PickProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} className="input" value={value} onChange={(event) => onChange(event.target.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  )
}

function useXml(model: string, version: string) {
  const { whole } = useEntity(flowmodel)
  return useQuery({
    queryKey: ['flow-xml', version === current ? model : version],
    queryFn: async ({ signal }) =>
      version === current
        ? String((await whole(model, signal)).xml ?? '')
        : (await call(processDefinition, { processDefinitionId: version }, { signal, silent: true })).xml,
    retry: false,
    meta: { reads: [flowmodel.name, flowprocess.name] },
  })
}

const said = { added: 'flowManage.added', removed: 'flowManage.gone', changed: 'flowManage.changed' } as const
const icons = { added: 'plus', removed: 'x', changed: 'pencil' } as const

function Difference({ model, from, to }: { readonly model: string; readonly from: string; readonly to: string }) {
  const t = useT()
  const [before, after] = [useXml(model, from), useXml(model, to)]
  const changes = useMemo(
    () =>
      before.data === undefined || after.data === undefined
        ? undefined
        : changesOf(stepsOf(before.data), stepsOf(after.data)),
    [before.data, after.data],
  )
  const failed = [before, after].find(({ isError }) => isError)
  if (failed) return <QueryStates query={failed}>{() => null}</QueryStates>
  if (!changes) return <p className="muted">{t('entity.searching')}</p>
  if (changes.length === 0) return <p>{t('flowManage.same')}</p>
  return (
    <ul className="flow-changes" aria-live="polite">
      {changes.map((change) => (
        <li key={`${change.change} ${change.id}`} data-change={change.change}>
          <Icon name={icons[change.change]} size={14} />
          <ChangeText change={change} />
        </li>
      ))}
    </ul>
  )
}

function ChangeText({ change }: { readonly change: StepChange }) {
  const t = useT()
  const parts = change.parts.map((part) => t(`flowManage.part.${part}`)).join(t('entity.separator'))
  return (
    <span>
      {t(said[change.change])}
      {t('flowManage.colon')}
      <b>{change.name || change.id || t('flowManage.step.process')}</b>{' '}
      <span className="muted">
        {hasWords(`flowManage.step.${change.type}`) ? t(`flowManage.step.${change.type}`) : t('flowManage.step.other')}
        {parts && ` · ${parts}`}
      </span>
    </span>
  )
}
