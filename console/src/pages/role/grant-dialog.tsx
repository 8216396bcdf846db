import type { role } from '@data-brain/contract'
import type { AnswerOf } from '@data-brain/contract/call'
import { grantableTrees, grantedKeys } from '@data-brain/contract/calls/menu'
import { grantToRoles, previewGrant } from '@data-brain/contract/calls/role'
import type { MenuTreeNode } from '@data-brain/contract/calls/trees'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import { type ShownRow, useTask } from '../../entity/data/index.ts'
import { QueryStates } from '../../entity/list/index.ts'
import { call } from '../../http/call.ts'
import { useDialogDraft } from '../../session/dialog-draft.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { TabRow } from '../../ui/tab-row.tsx'
import { useT } from '../../ui/words.ts'
import {
  type GrantKeys,
  type GrantTrees,
  grantKinds,
  itemOf,
  type Kind,
  listedGrants,
  metGrants,
  sameTicks,
  tickedIn,
  tickedOf,
  wishOf,
} from './grant-selection.ts'
import { Pane } from './pane.tsx'
import { MenuPreview } from './preview.tsx'

interface GrantDialogProps {
  readonly roles: readonly ShownRow<typeof role>[]
  /** The tab that is open first. */
  readonly begin?: Kind | 'preview'
  /** Looked at, not changed. */
  readonly readOnly: boolean
  readonly onClose: () => void
  readonly onDone: () => void
}

type GrantPreview = AnswerOf<typeof previewGrant>

/** Time for a few more ticks before the server is asked what they would change. */
const PAUSE = 400

/** What roles are given: menus and buttons, data scopes, API scopes; and before it is saved, what that changes for whom. */
export function GrantDialog(props: GrantDialogProps) {
  const t = useT()
  const { roles, onClose } = props
  const ids = roles.map(({ id }) => id)
  const found = useQuery({
    queryKey: ['role-grant', ids],
    queryFn: async ({ signal }) => {
      const options = { signal, silent: true }
      const [trees, keys] = await Promise.all([
        call(grantableTrees, {}, options),
        call(grantedKeys, { roleIds: ids }, options),
      ])
      return { trees, keys }
    },
    // What is granted here begins with what is granted now.
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  const names = roles.map((role) => role.roleName)
  const title = t('role.grantOf', {
    names: names.slice(0, 3).join(t('entity.separator')) + (names.length > 3 ? ' …' : ''),
  })
  if (found.data) return <GrantForm {...props} title={title} {...found.data} />
  return (
    <Dialog title={title} width={880} onClose={onClose}>
      <div className="grant-wait">
        <QueryStates query={found}>{() => null}</QueryStates>
      </div>
    </Dialog>
  )
}

interface GrantFormProps extends GrantDialogProps {
  readonly title: string
  readonly trees: GrantTrees
  readonly keys: GrantKeys
}

/** The titles above every node, as they stand before its own. */
function waysIn(trees: GrantTrees): ReadonlyMap<string, string> {
  const ways = new Map<string, string>()
  const step = (nodes: readonly MenuTreeNode[], way: string) => {
    for (const { id, title, children } of nodes) {
      ways.set(id, way)
      step(children ?? [], `${way}${title} / `)
    }
  }
  for (const kind of grantKinds) step(trees[kind], '')
  return ways
}

function useLater<T>(value: T): T {
  const [later, setLater] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setLater(value), PAUSE)
    return () => clearTimeout(timer)
  }, [value])
  return later
}

function GrantForm({ title, roles, begin = 'menu', readOnly, trees, keys, onClose, onDone }: GrantFormProps) {
  const t = useT()
  const task = useTask()
  const first = useMemo(() => tickedOf(trees, keys), [trees, keys])
  const draft = useDialogDraft(
    `role-grant:${roles.map(({ id }) => id).join()}`,
    useMemo(() => listedGrants(first), [first]),
  )
  const ticked = useMemo(() => (draft.value ? tickedIn(draft.value) : first), [draft.value, first])
  const [tab, setTab] = useState<Kind | 'preview'>(begin)
  const ids = useMemo(() => roles.map(({ id }) => id), [roles])
  // Several roles become alike, so saving may change something although nothing was ticked here.
  const isSame = sameTicks(first, ticked) && roles.length === 1
  const ways = useMemo(() => waysIn(trees), [trees])
  const asked = useLater(useDeferredValue(ticked))
  const preview = useQuery({
    queryKey: ['role-grant-preview', wishOf(ids, asked)],
    queryFn: ({ signal }) => call(previewGrant, wishOf(ids, asked), { signal, silent: true }),
    enabled: !readOnly && !isSame,
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  const queries = useQueryClient()
  const [isMet, setMet] = useState(false)
  /** Somebody else has changed these grants: what was ticked here is looked at again over theirs. */
  const meet = async () => {
    const now = await call(grantedKeys, { roleIds: ids }, { silent: true })
    const theirs = tickedOf(trees, now)
    draft.meet(listedGrants(theirs), listedGrants(metGrants(first, ticked, theirs)))
    queries.setQueryData(['role-grant', ids], { trees, keys: now })
    setMet(true)
  }
  const save = async () => {
    if (isSame) return onClose()
    const wish = { ...wishOf(ids, ticked), stamp: keys.stamp }
    if (!(await task.run(() => call(grantToRoles, wish, { silent: true }).then(() => {}), meet))) return
    draft.done()
    onDone()
  }
  return (
    <Dialog
      title={title}
      width={880}
      busy={task.busy}
      failure={task.failure}
      okText={t('common.save')}
      onOk={readOnly ? undefined : () => void save()}
      onClose={onClose}
      {...(readOnly ? {} : { unsaved: draft.unsaved })}
    >
      {isMet && (
        <p className="banner banner-warn" role="alert">
          {t('dialog.met')}
        </p>
      )}
      {!readOnly && (
        <div className="grant-effect">
          {roles.length > 1 && <p className="dlg-note">{t('role.alike', { count: roles.length })}</p>}
          {isSame ? (
            <p className="muted">{t('role.unchanged')}</p>
          ) : preview.isError ? (
            <p className="field-error" role="alert">
              {preview.error.message}
            </p>
          ) : (
            <Effect preview={preview.data} busy={preview.isFetching || asked !== ticked} ways={ways} />
          )}
        </div>
      )}
      <TabRow
        label={title}
        value={tab}
        onChange={(key) => setTab(key as Kind | 'preview')}
        items={[...grantKinds, 'preview' as const].map((key) => ({
          key,
          label: key === 'preview' ? t('role.preview') : `${t(`role.${key}`)} ${ticked[key].size}`,
        }))}
      >
        {tab === 'preview' ? (
          <MenuPreview nodes={trees.menu} ticked={ticked.menu} />
        ) : trees[tab].length === 0 ? (
          <p className="ct-none">{t(`role.none.${tab}`)}</p>
        ) : (
          <Pane
            key={tab}
            label={t(`role.${tab}`)}
            nodes={trees[tab]}
            checked={ticked[tab]}
            isItem={itemOf[tab]}
            readOnly={readOnly}
            onChange={(next) => draft.put(listedGrants({ ...ticked, [tab]: next }))}
          />
        )}
      </TabRow>
    </Dialog>
  )
}

interface EffectProps {
  readonly preview: GrantPreview | undefined
  readonly busy: boolean
  /** What stands above each node: many buttons have the same name. */
  readonly ways: ReadonlyMap<string, string>
}

/** What saving would change, in one line and as a list. */
function Effect({ preview, busy, ways }: EffectProps) {
  const t = useT()
  if (!preview)
    return (
      <p className="muted" aria-busy="true">
        {t('role.counting')}
      </p>
    )
  const { added, removed, users } = preview
  const list = (changes: GrantPreview['added'], label: string) =>
    changes.length > 0 && (
      <div>
        <h2>{label}</h2>
        <ul>
          {changes.map(({ kind, id, title }) => (
            <li key={`${kind} ${id}`}>
              {ways.get(id)}
              {title} <small className="muted">{t(`role.${kind}`)}</small>
            </li>
          ))}
        </ul>
      </div>
    )
  if (added.length + removed.length === 0) return <p className="muted">{t('role.unchanged')}</p>
  return (
    <details aria-busy={busy}>
      <summary>
        <span role="status">{t('role.effect', { added: added.length, removed: removed.length, users })}</span>
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a pointer */}
      <section className="grant-changes" aria-label={t('role.changes')} tabIndex={0}>
        {list(added, t('role.added'))}
        {list(removed, t('role.removed'))}
      </section>
    </details>
  )
}
