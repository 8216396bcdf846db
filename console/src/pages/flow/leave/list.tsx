import { leave } from '@data-brain/contract'
import { startList } from '@data-brain/contract/calls/flow'
import { leaveDetail } from '@data-brain/contract/calls/leave'
import { applicants, leaveStates } from '@data-brain/contract/rules/leave'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import type { ShownRow } from '../../../entity/data/index.ts'
import { EntityPage, type RowAction } from '../../../entity/list/index.ts'
import { call } from '../../../http/call.ts'
import { HttpProblem } from '../../../http/client.ts'
import { leaveWords } from '../../../locales/leave.ts'
import { Icon } from '../../../ui/icon.tsx'
import { MenuButton } from '../../../ui/menu-button.tsx'
import { go, Link } from '../../../ui/place.ts'
import { addWords, useT } from '../../../ui/words.ts'
import { detailAddress, startAddress, startPath } from '../places.ts'
import { flowKey } from '../queries.ts'

addWords(leaveWords)

type Leave = ShownRow<typeof leave>

/** As many processes as a school has, and more. */
const all = 200
const formKey = 'leave'
const form = { noAdd: true, noEdit: true }
/** The shipped processes, by who is away. */
const usualKeys: Readonly<Record<string, string>> = {
  [applicants.pupil]: 'leave-student',
  [applicants.staff]: 'leave-staff',
}
const isDraft = (row: Leave): boolean => Number(row.status) === leaveStates.draft

/** What was filed goes on by its process alone, and has one; a draft can still be filed or thrown away. */
const offers = (row: Leave, action: string): boolean =>
  action === 'process' ? !isDraft(row) : action === 'draft' || action === 'delete' ? isDraft(row) : action !== 'edit'

/** Opens the page of the process that a leave goes through. */
async function openProcess({ id }: Leave): Promise<void> {
  try {
    const { processInstanceId } = await call(leaveDetail, { businessId: id })
    if (processInstanceId) go(detailAddress({ processInstanceId, formKey, businessId: id }))
  } catch (problem) {
    // The client has said what went wrong; anything else is a defect and goes up.
    if (!(problem instanceof HttpProblem)) throw problem
  }
}

/** The way from a request that is read here to where it is decided, returned from and cancelled. */
function Top({ record }: { readonly record: Leave }) {
  const t = useT()
  if (isDraft(record)) return null
  return (
    <button type="button" className="button small" onClick={() => void openProcess(record)}>
      <Icon name="workflow" size={16} /> {t('leave.toProcess')}
    </button>
  )
}

/** Leave that was asked for. It is asked for in the form of a process, so that none is left that nobody decides. */
export default function LeavesPage() {
  const t = useT()
  const found = useQuery({
    queryKey: [...flowKey, 'start'],
    queryFn: ({ signal }) => call(startList, { current: 1, size: all }, { signal, silent: true }),
    retry: false,
  })
  const processes = useMemo(
    () => (found.data?.records ?? []).filter((process) => process.formKey === formKey),
    [found.data],
  )
  const openDraft = useCallback(
    ({ id, applicantType }: Leave) => {
      const meant = processes.find(({ key }) => key === usualKeys[String(applicantType)]) ?? processes[0]
      go(meant ? `${startAddress(formKey, meant.id)}?draft=${id}` : startPath)
    },
    [processes],
  )
  const actions: readonly RowAction<typeof leave>[] = useMemo(
    () => [
      { key: 'draft', label: t('leave.goOn'), icon: 'pencil', run: openDraft },
      { key: 'process', label: t('leave.toProcess'), icon: 'workflow', run: (row) => void openProcess(row) },
    ],
    [t, openDraft],
  )
  const [only] = processes
  const add = (
    <>
      <Icon name="plus" size={16} />
      {t('leave.ask')}
    </>
  )
  const toolbar =
    processes.length > 1 ? (
      <MenuButton
        label={t('leave.ask')}
        className="button primary"
        entries={processes.map(({ id, name }) => ({
          key: id,
          label: name,
          run: () => go(startAddress(formKey, id)),
        }))}
      >
        {add}
      </MenuButton>
    ) : (
      // Where nothing can be started it is said there whom to ask.
      <Link className="button primary" to={only ? startAddress(formKey, only.id) : startPath}>
        {add}
      </Link>
    )
  return (
    <EntityPage entity={leave} rowActions={actions} offers={offers} form={form} slots={{ toolbar, recordTop: Top }} />
  )
}
