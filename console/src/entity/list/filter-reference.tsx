import { entityOf, titledWith } from '@data-brain/contract'
import { Suspense } from 'react'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { useLanguage, useT } from '../../ui/words.ts'
import { useChoices } from '../data/client.ts'
import { ReferenceSelect } from '../fields/select.tsx'
import type { LineField } from './filter-line.tsx'

const Range = lazyPart(() => import('./filter-range.tsx'))

/** A filter by a row of an entity, chosen by its name. */
export function useReferenceField(
  name: string,
  label: string,
  to: string,
  value: string | null,
  put: (value: string | null) => void,
): LineField {
  const language = useLanguage()
  const named = useChoices(to, entityOf(to).path, { ids: value ? [value] : [] }, value !== null)
  const chosen = named.data?.find(({ id }) => id === value)
  return {
    name,
    label,
    told: value ? (chosen ? titledWith(chosen.name, chosen.beside, language) : '…') : '',
    clear: () => put(null),
    editor: (close) => (
      <ReferenceSelect
        className="ff-full"
        label={label}
        placeholder={label}
        to={to}
        value={value}
        defaultOpen
        onChange={(next) => {
          put(next as string | null)
          close()
        }}
      />
    ),
  }
}

/** A filter by days: the address keeps `time_ge` and `time_le`, which both belong to the range. */
export function useTimeField(
  from: string | null,
  to: string | null,
  put: (patch: Record<string, string | null>) => void,
): LineField {
  const t = useT()
  const label = t('changes.range')
  const day = (moment: string | null) => moment?.slice(0, 10) ?? ''
  return {
    name: 'time',
    label,
    told:
      from && to
        ? `${day(from)} – ${day(to)}`
        : from
          ? t('entity.from', { label: day(from) })
          : to
            ? t('entity.to', { label: day(to) })
            : '',
    clear: () => put({ time_ge: null, time_le: null }),
    editor: () => (
      <Suspense fallback={<span className="filter-range" />}>
        <Range
          name="time"
          kind="instant"
          label={label}
          filters={{ ...(from ? { time_dategt: from } : {}), ...(to ? { time_datelt: to } : {}) }}
          opened
          patch={({ time_dategt, time_datelt }) => put({ time_ge: time_dategt ?? null, time_le: time_datelt ?? null })}
        />
      </Suspense>
    ),
  }
}
