import { flowmodel } from '@data-brain/contract'
import type { AnswerOf } from '@data-brain/contract/call'
import { startList } from '@data-brain/contract/calls/flow'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { QueryStates } from '../../../entity/list/index.ts'
import { call } from '../../../http/call.ts'
import { entityWords } from '../../../locales/entity.ts'
import { flowWords } from '../../../locales/flow.ts'
import { pathOf } from '../../../session/paths.ts'
import { useCan } from '../../../session/session.ts'
import { Sheet } from '../../../ui/drawing.tsx'
import { TextInput } from '../../../ui/form/text-input.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Link } from '../../../ui/place.ts'
import { addWords, useT } from '../../../ui/words.ts'
import { useCategories } from '../categories.ts'
import { startAddress } from '../places.ts'
import { flowKey } from '../queries.ts'
import { usualText } from '../time.ts'
import '../none.css'
import './start.css'

addWords({ ...entityWords, ...flowWords })

type Process = AnswerOf<typeof startList>['records'][number]

/** As many processes as a school has, and more. */
const all = 200

/** What can be started, by category. */
export default function StartPage() {
  const t = useT()
  const categoryText = useCategories()
  const [typed, setTyped] = useState('')
  const found = useQuery({
    queryKey: [...flowKey, 'start'],
    queryFn: ({ signal }) => call(startList, { current: 1, size: all }, { signal, silent: true }),
    retry: false,
  })
  const groups = useMemo(() => {
    const wanted = typed.trim().toLowerCase()
    const shown = (found.data?.records ?? []).filter(({ name, description }) =>
      `${name}\n${description ?? ''}`.toLowerCase().includes(wanted),
    )
    const byCategory = new Map<string, Process[]>()
    for (const process of shown)
      byCategory.set(process.category, [...(byCategory.get(process.category) ?? []), process])
    return [...byCategory]
  }, [found.data, typed])
  return (
    <div className="page flow-start">
      <header className="page-head">
        <h1 tabIndex={-1}>{t('flow.start')}</h1>
        {(found.data?.records.length ?? 0) > 8 && (
          <TextInput
            className="flow-find"
            icon="search"
            aria-label={t('flow.findProcess')}
            placeholder={t('flow.findProcess')}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            onClear={() => setTyped('')}
          />
        )}
      </header>
      <QueryStates query={found}>
        {({ records }) =>
          groups.length === 0 ? (
            <div className="flow-none">
              <Sheet />
              {records.length > 0 ? <p>{t('entity.noMatch')}</p> : <Nothing />}
            </div>
          ) : (
            groups.map(([category, processes]) => (
              <section key={category} aria-label={categoryText(category)}>
                <h2>{categoryText(category)}</h2>
                <ul className="flow-cards">
                  {processes.map((process) => (
                    <li key={process.id}>
                      <Card process={process} />
                    </li>
                  ))}
                </ul>
              </section>
            ))
          )
        }
      </QueryStates>
    </div>
  )
}

/** Why there is nothing to start: whoever may bring processes is led there, all others read whom to ask. */
function Nothing() {
  const t = useT()
  const models = pathOf(flowmodel.name)
  if (!useCan()('flowmodel_deploy') || !models) return <p>{t('flow.noProcesses')}</p>
  return (
    <>
      <p>{t('flow.noProcessesYet')}</p>
      <Link className="button" to={models}>
        {t('flow.toModels')}
      </Link>
    </>
  )
}

function Card({ process: { id, name, formKey, description, averageHours } }: { process: Process }) {
  const t = useT()
  return (
    <Link className="card flow-card" to={startAddress(formKey, id)}>
      <span className="flow-tile" aria-hidden="true">
        <Icon name={formKey === 'leave' ? 'calendar-days' : 'file-text'} size={18} />
      </span>
      <span className="flow-card-words">
        <strong>{name}</strong>
        {description && <span className="flow-card-text">{description}</span>}
        {averageHours !== null && <span className="flow-card-usual">{usualText(t, averageHours)}</span>}
      </span>
    </Link>
  )
}
