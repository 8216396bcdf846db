import { useState } from 'react'
import { aText, FilterLine, oneOf } from '../../entity/list/index.ts'
import { DateBox } from '../../ui/date/box.tsx'
import { tidyTyped } from '../../ui/date/read.ts'
import { setQuery, usePlace } from '../../ui/place.ts'
import { useT } from '../../ui/words.ts'
import { useCategoryOptions } from './categories.ts'
import { PeopleSelect } from './form/inputs.tsx'

const names = ['title', 'category', 'processDefinitionName', 'startUser', 'beginDate', 'endDate', 'overdue'] as const
type FilterName = (typeof names)[number]
export type WorkFilters = Partial<Record<Exclude<FilterName, 'overdue'>, string> & { overdue: number }>

const none = Object.fromEntries(names.map((name) => [name, null]))

/** What the address narrows a list of the workflow by. */
export function useWorkFilters(): WorkFilters {
  const { query } = usePlace()
  const given = names.flatMap((name) => (query.get(name) ? [[name, query.get(name)!] as const] : []))
  return Object.fromEntries(given.map(([name, text]) => [name, name === 'overdue' ? Number(text) : text]))
}

interface FiltersProps {
  /** Whether who has sent it is asked for: of one's own it is known. */
  readonly byPerson?: boolean
  /** Whether what is overdue is asked for: of what still waits. */
  readonly byTime?: boolean
}

/** The filter line of a list of the workflow. */
export function WorkFilterLine({ byPerson = true, byTime = false }: FiltersProps) {
  const t = useT()
  const { path } = usePlace()
  const filters = useWorkFilters()
  const categories = useCategoryOptions()
  const put = (patch: Record<string, string | null>) =>
    setQuery({ ...patch, current: null, id: null }, { path, replace: true })
  const value = (name: FilterName) => (filters[name] === undefined ? null : String(filters[name]))
  const day = (name: 'beginDate' | 'endDate', label: string) => ({
    name,
    label,
    told: value(name) ?? '',
    clear: () => put({ [name]: null }),
    editor: () => <Day label={label} value={value(name)} onDay={(next) => put({ [name]: next })} />,
  })
  const fields = [
    oneOf('category', t('flow.category'), categories, value('category'), (category) => put({ category })),
    aText('processDefinitionName', t('flow.process'), value('processDefinitionName'), (processDefinitionName) =>
      put({ processDefinitionName }),
    ),
    ...(byPerson
      ? [
          {
            name: 'startUser',
            label: t('flow.applicant'),
            told: value('startUser') ? '…' : '',
            clear: () => put({ startUser: null }),
            editor: (close: () => void) => (
              <PeopleSelect
                label={t('flow.applicant')}
                value={value('startUser')}
                onChange={(next) => {
                  put({ startUser: next as string | null })
                  close()
                }}
              />
            ),
          },
        ]
      : []),
    day('beginDate', t('flow.from')),
    day('endDate', t('flow.until')),
    ...(byTime
      ? [
          oneOf(
            'overdue',
            t('flow.deadline'),
            [{ value: '1', label: t('flow.overdue') }],
            value('overdue'),
            (overdue) => put({ overdue }),
          ),
        ]
      : []),
  ]
  return (
    <FilterLine
      quick={{ label: t('flow.title'), value: value('title') ?? '', onText: (title) => put({ title }) }}
      fields={fields}
      onReset={() => put(none)}
    />
  )
}

/** One day, read when it is left. */
function Day({ label, value, onDay }: { label: string; value: string | null; onDay: (day: string | null) => void }) {
  const [typed, setTyped] = useState(value)
  const read = (text: string | null) => {
    const day = text === null ? null : tidyTyped('date', text, {})
    if (day === null || /^\d{4}-\d\d-\d\d$/.test(String(day))) onDay(day === null ? null : String(day))
  }
  return (
    <DateBox
      kind="date"
      label={label}
      aria-label={label}
      value={typed}
      onChange={setTyped}
      onChoose={(day) => {
        setTyped(day)
        read(day)
      }}
      onBlur={() => read(typed)}
    />
  )
}
