import { user } from '@data-brain/contract'
import { roleTree } from '@data-brain/contract/calls/role'
import type { ChoiceNode } from '@data-brain/contract/calls/trees'
import { grantRoles } from '@data-brain/contract/calls/user'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { type ShownRow, useEntity, useTask } from '../../entity/data/index.ts'
import { QueryStates } from '../../entity/list/index.ts'
import { call } from '../../http/call.ts'
import { metTicks, useDialogDraft } from '../../session/dialog-draft.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { useT } from '../../ui/words.ts'
import { type Item, TwoLists } from './two-lists.tsx'

interface RoleDialogProps {
  readonly users: readonly ShownRow<typeof user>[]
  readonly onClose: () => void
  readonly onDone: (userIds: readonly string[]) => void
}

/** Roles one after the other, each with those it stands under. */
const flat = (nodes: readonly ChoiceNode[], path: readonly string[] = []): Item[] =>
  nodes.flatMap(({ id, title, children }) => [
    { id, name: title, ...(path.length > 0 ? { note: path.join(' / ') } : {}) },
    ...flat(children ?? [], [...path, title]),
  ])

/** The roles that all of them have. */
function heldByAll(users: readonly Pick<ShownRow<typeof user>, 'roleId'>[]): string[] {
  const [first = [], ...others] = users.map(({ roleId }) => roleId.split(',').filter(Boolean))
  return first.filter((id) => others.every((ids) => ids.includes(id))).sort()
}

/** Which roles users have. For several at once it begins with what all of them have, and all get the same. */
export function RoleDialog({ users, onClose, onDone }: RoleDialogProps) {
  const t = useT()
  const task = useTask()
  const found = useQuery({
    queryKey: ['role-tree'],
    queryFn: ({ signal }) => call(roleTree, {}, { signal, silent: true }),
    meta: { reads: ['role'] },
    retry: false,
  })
  const items = useMemo(() => flat(found.data ?? []), [found.data])
  const client = useEntity(user)
  /** The users as they were last read. */
  const [seen, setSeen] = useState(users)
  const before = useMemo(() => heldByAll(seen), [seen])
  const [isMet, setMet] = useState(false)
  const draft = useDialogDraft(`user-roles:${users.map(({ id }) => id).join()}`, before)
  const chosen = useMemo(() => new Set(draft.value), [draft.value])
  const names = users.map((user) => user.realName)
  const title = t('user.rolesOf', {
    names: names.slice(0, 3).join(t('entity.separator')) + (names.length > 3 ? ' …' : ''),
  })
  /** Somebody else has changed one of them: what was chosen here is looked at again over theirs. */
  const meet = async () => {
    const now = await Promise.all(seen.map(({ id }) => client.whole(id)))
    const theirs = heldByAll(now)
    draft.meet(theirs, [...metTicks(new Set(before), chosen, new Set(theirs))].sort())
    setSeen(now)
    setMet(true)
  }
  const save = async () => {
    const ids = seen.map(({ id }) => id)
    const versions = seen.map(({ version }) => String(version))
    if (
      !(await task.run(
        () => call(grantRoles, { userIds: ids, roleIds: [...chosen], versions }, { silent: true }).then(() => {}),
        meet,
      ))
    )
      return
    draft.done()
    onDone(ids)
  }
  return (
    <Dialog
      title={title}
      width={720}
      busy={task.busy}
      failure={task.failure}
      okText={t('common.save')}
      onOk={found.data ? () => void save() : undefined}
      onClose={onClose}
      unsaved={draft.unsaved}
    >
      {isMet && (
        <p className="banner banner-warn" role="alert">
          {t('dialog.met')}
        </p>
      )}
      {users.length > 1 && <p className="dlg-note">{t('user.rolesReplaced', { count: users.length })}</p>}
      <QueryStates query={found}>
        {() => (
          <TwoLists
            items={items}
            chosen={chosen}
            onChange={(next) => draft.put([...next].sort())}
            from={t('user.rolesFree')}
            to={t('user.rolesHeld')}
          />
        )}
      </QueryStates>
    </Dialog>
  )
}
