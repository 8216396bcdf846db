import { call, EntityPage, useT } from '@data-brain/console/extension'
import { useQuery } from '@tanstack/react-query'
import { libraryFigures } from '../contract/calls.ts'
import './desk.css'

const open = { state_equal: '1' }

/** The library at a glance: how much is lent and overdue, and the loans that are open. */
export default function DeskPage() {
  const t = useT()
  const figures = useQuery({ queryKey: ['library-figures'], queryFn: () => call(libraryFigures) })
  return (
    <div className="library-desk">
      <h1>{t('library.desk')}</h1>
      <dl>
        {(['lent', 'late'] as const).map((name) => (
          <div key={name}>
            <dt>{t(`library.${name}`)}</dt>
            <dd>{figures.data?.[name] ?? '–'}</dd>
          </div>
        ))}
      </dl>
      <EntityPage entity="library_loan" part={{ heading: t('library.open'), query: open }} />
    </div>
  )
}
