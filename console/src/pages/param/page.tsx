import { param } from '@data-brain/contract'
import { knownParameters } from '@data-brain/contract/calls/param'
import { type ParameterGroup, parameterGroups, parameters } from '@data-brain/contract/parameters'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { FormParts } from '../../entity/form/index.ts'
import { EntityPage, filtersOf, NoRight } from '../../entity/list/index.ts'
import { call } from '../../http/call.ts'
import { paramWords } from '../../locales/param.ts'
import { specTexts } from '../../locales/spec-texts.ts'
import { useCan } from '../../session/session.ts'
import { AntdRoot } from '../../ui/antd.tsx'
import { usePlace } from '../../ui/place.ts'
import { addWords, useT, useWords } from '../../ui/words.ts'
import { Setting } from './setting.tsx'
import './page.css'

addWords(paramWords)

const formParts: FormParts = {
  asks: {
    paramName: specTexts['spec.paramName'],
    paramKey: specTexts['spec.paramKey'],
    paramValue: specTexts['spec.paramValue'],
  },
}
const NOT_KNOWN = { paramKey_notin: Object.keys(parameters).join() }

/** A tenant's settings, each with the control of its type; below them, folded, what it keeps that the server does not read. */
export default function ParamPage() {
  const t = useT()
  const can = useCan()
  if (!can('param_view')) return <NoRight />
  return (
    <AntdRoot>
      <div className="page settings">
        <header className="settings-head">
          <h1 tabIndex={-1}>{t(`menu.${param.name}`)}</h1>
          <p>{t('param.note')}</p>
        </header>
        <Settings />
        <Others />
      </div>
    </AntdRoot>
  )
}

function Settings() {
  const t = useT()
  const pick = useWords()
  const found = useQuery({
    queryKey: ['param', 'known'],
    queryFn: ({ signal }) => call(knownParameters, {}, { signal }),
    retry: false,
    meta: { reads: ['param'] },
  })
  if (found.isPending) return <div className="settings-wait" role="status" aria-label={t('common.loading')} />
  if (!found.data)
    return (
      <p className="alert" role="alert">
        {found.error?.message || t('param.failed')}{' '}
        <button type="button" className="link-button" onClick={() => void found.refetch()}>
          {t('common.retry')}
        </button>
      </p>
    )
  return (Object.keys(parameterGroups) as ParameterGroup[]).map((group) => {
    const settings = found.data.filter((known) => known.group === group)
    return (
      settings.length > 0 && (
        <section key={group} aria-labelledby={`settings-${group}`}>
          <h2 id={`settings-${group}`}>{pick(parameterGroups[group])}</h2>
          <ul>
            {settings.map((known) => (
              <Setting key={known.key} known={known} />
            ))}
          </ul>
        </section>
      )
    )
  })
}

/** The rows that nobody but the tenant reads; open where the address speaks of one of them. */
function Others() {
  const t = useT()
  const { query } = usePlace()
  const [open, setOpen] = useState(false)
  const meant =
    query.has('id') || query.has('edit') || query.has('view') || Object.keys(filtersOf(param, query)).length > 0
  return (
    <details className="settings-other" open={open || meant}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is a button */}
      <summary
        onClick={(event) => {
          event.preventDefault()
          setOpen(!open)
        }}
      >
        {t('param.other')} <span>{t('param.otherNote')}</span>
      </summary>
      {(open || meant) && (
        <EntityPage entity="param" form={{ parts: formParts }} part={{ heading: t('param.other'), query: NOT_KNOWN }} />
      )}
    </details>
  )
}
