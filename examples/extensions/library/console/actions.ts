import { call, type ExtensionAction, refresh, toast, todayDay, useT } from '@data-brain/console/extension'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { returnBook } from '../contract/calls.ts'

/** The button of a loan that takes its book back today. */
export default function useLoanActions(): readonly ExtensionAction[] {
  const t = useT()
  const queries = useQueryClient()
  return useMemo(
    () => [
      {
        key: 'return',
        label: t('library.return'),
        icon: 'circle-check',
        code: 'library_loan_return',
        offered: (loan) => loan.state === '1',
        run: async ({ id }) => {
          const { late } = await call(returnBook, { id, returnedOn: todayDay() })
          toast.success(t(late ? 'library.returnedLate' : 'library.returned'))
          await refresh(queries, 'library_loan')
        },
      },
    ],
    [t, queries],
  )
}
