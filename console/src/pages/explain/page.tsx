import { entities, isNarrowable } from '@data-brain/contract'
import type { InputOf } from '@data-brain/contract/call'
import { explainCall, explainRow } from '@data-brain/contract/calls/explain'
import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useId, useMemo } from 'react'
import { ReferenceSelect } from '../../entity/fields/index.ts'
import { LoadFailed, NoRight } from '../../entity/list/index.ts'
import { call } from '../../http/call.ts'
import { entityWords } from '../../locales/entity.ts'
import { explainWords } from '../../locales/explain.ts'
import { useCan } from '../../session/session.ts'
import { useClearing } from '../../ui/form/clearing.tsx'
import { setQuery, usePlace } from '../../ui/place.ts'
import { addWords, useLanguage, useT, useWords } from '../../ui/words.ts'
import { useKnownCalls } from '../apiscope/index.ts'
import { Answer } from './verdict.tsx'
import '../../entity/form/form-words.ts'
import '../../entity/form/form.css'
import '../../entity/list/page.css'
import './page.css'

addWords({ ...entityWords, ...explainWords })

/** What can be asked about row by row: whatever belongs to a tenant. */
const narrowed = entities.filter(isNarrowable)

const verbs = ['view', 'edit', 'delete'] as const

/** What is asked: about a call, or about a row. */
type Question = { readonly call: InputOf<typeof explainCall> } | { readonly row: InputOf<typeof explainRow> }

/** Whether the user may, and why; the failure is shown where the answer would be. */
const explain = (question: Question, signal: AbortSignal) =>
  'call' in question
    ? call(explainCall, question.call, { signal, silent: true })
    : call(explainRow, question.row, { signal, silent: true })

/** The question that an address holds, once it is whole. */
function questionIn(query: URLSearchParams): Question | null {
  const [userId, asked, entity, id] = ['userId', 'call', 'entity', 'row'].map((name) => query.get(name) ?? '')
  if (!userId) return null
  if (query.get('about') === 'row')
    return entity && id ? { row: { userId, entity, id, verb: query.get('verb') ?? 'view' } } : null
  const [method, path] = (asked ?? '').split(' ')
  return method && path ? { call: { userId, method, path } } : null
}

/** May somebody do something, and by which grant; or what they lack. The question is in the address. */
export default function ExplainPage() {
  const t = useT()
  const clearing = useClearing(t('explain.theCall'))
  const pick = useWords()
  const language = useLanguage()
  const can = useCan()
  const id = useId()
  const { path, query } = usePlace()
  const put = (patch: Record<string, string | null>) => setQuery(patch, { path, replace: true })
  const about = query.get('about') === 'row' ? 'row' : 'call'
  const calls = useKnownCalls(can('explain_view'))
  const callOptions = useMemo(
    () =>
      calls.data?.map(({ method, path: of, summary }) => ({
        value: `${method} ${of}`,
        label: `${pick(summary)} — ${method} ${of}`,
      })) ?? [],
    [calls.data, pick],
  )
  const entityOptions = useMemo(() => narrowed.map(({ name, label }) => ({ value: name, label: pick(label) })), [pick])
  const question = questionIn(query)
  const found = useQuery({
    queryKey: ['explain', question, language],
    queryFn: ({ signal }) => explain(question!, signal),
    enabled: question !== null && can('explain_view'),
    // Rights change: an answer is only ever about now.
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  const entity = narrowed.find(({ name }) => name === query.get('entity'))
  if (!can('explain_view')) return <NoRight />
  return (
    <div className="page explain">
      <div className="page-head">
        <h1 tabIndex={-1}>{t('explain.title')}</h1>
        <p className="muted">{t('explain.about')}</p>
      </div>
      <section className="card explain-form" aria-label={t('explain.question')}>
        <div className="explain-field">
          <label htmlFor={`${id}-user`}>{t('explain.user')}</label>
          <ReferenceSelect
            id={`${id}-user`}
            label={t('explain.user')}
            className="ff-full"
            placeholder={t('explain.findUser')}
            to="user"
            value={query.get('userId')}
            onChange={(value) => put({ userId: value as string | null })}
          />
        </div>
        <fieldset className="explain-kind">
          <legend>{t('explain.kind')}</legend>
          {(['call', 'row'] as const).map((kind) => (
            <label key={kind} className="check">
              <input type="radio" name={id} checked={about === kind} onChange={() => put({ about: kind })} />
              {t(`explain.${kind}`)}
            </label>
          ))}
        </fieldset>
        {about === 'call' ? (
          <div className="explain-field explain-wide">
            <label htmlFor={`${id}-call`}>{t('explain.theCall')}</label>
            <Select
              id={`${id}-call`}
              className="ff-full"
              placeholder={t('explain.findCall')}
              showSearch={{ optionFilterProp: 'label' }}
              allowClear={clearing}
              loading={calls.isPending}
              notFoundContent={t(calls.isError ? 'entity.notLoaded' : 'entity.noMatch')}
              options={callOptions}
              value={query.get('call') ?? undefined}
              onChange={(value: string | undefined) => put({ call: value ?? null })}
            />
          </div>
        ) : (
          <>
            <div className="explain-field">
              <label htmlFor={`${id}-entity`}>{t('explain.entity')}</label>
              <Select
                id={`${id}-entity`}
                className="ff-full"
                placeholder={t('form.choose')}
                showSearch={{ optionFilterProp: 'label' }}
                options={entityOptions}
                value={entity?.name}
                onChange={(value: string) => put({ entity: value, row: null })}
              />
            </div>
            <div className="explain-field">
              <label htmlFor={`${id}-row`}>{t('explain.theRow')}</label>
              {entity ? (
                <ReferenceSelect
                  key={entity.name}
                  id={`${id}-row`}
                  label={t('explain.theRow')}
                  className="ff-full"
                  placeholder={t('explain.findRow')}
                  to={entity.name}
                  value={query.get('row')}
                  onChange={(value) => put({ row: value as string | null })}
                />
              ) : (
                <Select id={`${id}-row`} className="ff-full" placeholder={t('explain.findRow')} disabled />
              )}
            </div>
            <div className="explain-field">
              <label htmlFor={`${id}-verb`}>{t('explain.verb')}</label>
              <Select
                id={`${id}-verb`}
                className="ff-full"
                options={verbs.map((verb) => ({ value: verb, label: t(`entity.${verb}`) }))}
                value={query.get('verb') ?? 'view'}
                onChange={(verb: string) => put({ verb })}
              />
            </div>
          </>
        )}
      </section>
      <section aria-label={t('explain.answer')} aria-live="polite" aria-busy={found.isFetching}>
        {question === null ? (
          <p className="page-none">{t('explain.ask')}</p>
        ) : found.isError ? (
          <LoadFailed problem={found.error} onRetry={() => void found.refetch()} />
        ) : found.data ? (
          <Answer verdict={found.data} onAgain={() => void found.refetch()} />
        ) : (
          <p className="page-none">{t('common.loading')}</p>
        )}
      </section>
    </div>
  )
}
