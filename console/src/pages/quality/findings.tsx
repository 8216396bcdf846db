import { codeOf, entityOf } from '@data-brain/contract'
import { type QualityCount, type QualityFinding, qualityIgnore, qualityList } from '@data-brain/contract/calls/quality'
import { isQualityKey, qualityCheck } from '@data-brain/contract/quality'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Drawer } from 'antd'
import { Suspense, useState } from 'react'
import { LoadFailed } from '../../entity/list/index.ts'
import { call } from '../../http/call.ts'
import { listAddress } from '../../session/paths.ts'
import { useCan } from '../../session/session.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Link } from '../../ui/place.ts'
import { useScreenClass } from '../../ui/screen.ts'
import { TabRow } from '../../ui/tab-row.tsx'
import { PAGE_SIZES } from '../../ui/table/page-size.ts'
import { Pager } from '../../ui/table/pager.tsx'
import { useOwnPaging } from '../../ui/table/paging.ts'
import { toast } from '../../ui/toast.ts'
import { useT } from '../../ui/words.ts'
import { AssignDialog, IgnoreDialog } from './decide.tsx'
import { MergeDialog } from './merge.tsx'

const EntityForm = lazyPart(() => import('../../entity/form/form.tsx'))
const NONE: Readonly<Record<string, string>> = {}
const still = () => {}

interface FindingsProps {
  /** Whose findings; those that are assigned to the caller where none is given. */
  readonly check: QualityCount | undefined
  readonly schoolId: string | null
  readonly ignoredFirst: boolean
  readonly onClose: () => void
}

/** The findings of a check, each the way to its record, with what is decided about it. */
export function Findings({ check, schoolId, ignoredFirst, onClose }: FindingsProps) {
  const t = useT()
  const screen = useScreenClass()
  const queries = useQueryClient()
  const [which, setWhich] = useState(ignoredFirst ? 'ignored' : 'open')
  const [editing, setEditing] = useState<QualityFinding | null>(null)
  const { current, size, onPage, onSize } = useOwnPaging()
  const ignored = which === 'ignored' ? 1 : 0
  const found = useQuery({
    queryKey: ['quality', 'list', check?.key ?? 'mine', schoolId, ignored, current, size],
    queryFn: ({ signal }) =>
      call(
        qualityList,
        {
          ...(check ? { check: check.key, ignored } : { mine: 1 }),
          ...(schoolId ? { schoolId } : {}),
          current,
          size: Math.min(size, 50),
        },
        { signal, silent: true },
      ),
    placeholderData: (before) => before,
    staleTime: 0,
    retry: false,
  })
  const again = () => void queries.invalidateQueries({ queryKey: ['quality'] })
  const { records = [], total = 0 } = found.data ?? {}
  const name = check ? t(`quality.check.${check.key}`) : ''
  const address = check?.query ? listAddress(check.code, check.query) : undefined
  const rows = found.isError ? (
    <LoadFailed problem={found.error} onRetry={() => void found.refetch()} />
  ) : !found.data ? (
    <p role="status">{t('quality.loading')}</p>
  ) : records.length === 0 ? (
    <p className="muted">{t(ignored ? 'quality.noneIgnored' : 'quality.none')}</p>
  ) : (
    <>
      <ul className="quality-findings">
        {records.map((one) => (
          <Finding key={`${one.check} ${one.id}`} row={one} onEdit={setEditing} onDone={again} />
        ))}
      </ul>
      {total > PAGE_SIZES[0] && (
        <Pager
          total={total}
          current={current}
          size={size}
          onPage={onPage}
          onSize={onSize}
          label={t('quality.pager')}
          unit={entityOf(records[0]!.code).measure}
        />
      )}
    </>
  )
  return (
    <Drawer
      open
      closable={{ placement: 'end' }}
      size={screen <= 1 ? '100%' : 640}
      title={check ? t('quality.findings', { name, count: check.count }) : t('quality.mine', { count: total })}
      onClose={onClose}
    >
      {check && (
        <p className="quality-about">
          {t(`quality.how.${check.key}`)}
          <span className="muted">{t('quality.key', { key: check.key })}</span>
          {address && <Link to={address}>{t('quality.inList')}</Link>}
        </p>
      )}
      {check ? (
        <TabRow
          label={name}
          items={[
            { key: 'open', label: t('quality.stillOpen') },
            { key: 'ignored', label: t('quality.ignored') },
          ]}
          value={which}
          onChange={(key) => {
            setWhich(key)
            onPage(1)
          }}
        >
          {rows}
        </TabRow>
      ) : (
        rows
      )}
      {editing && (
        <Suspense fallback={null}>
          <EntityForm
            entity={entityOf(editing.code)}
            open
            id={editing.id}
            preset={NONE}
            onClose={() => setEditing(null)}
            onSaved={again}
            onDirty={still}
          />
        </Suspense>
      )}
    </Drawer>
  )
}

interface FindingProps {
  readonly row: QualityFinding
  readonly onEdit: (row: QualityFinding) => void
  readonly onDone: () => void
}

function Finding({ row, onEdit, onDone }: FindingProps) {
  const t = useT()
  const can = useCan()
  const [asked, setAsked] = useState<'ignore' | 'assign' | 'merge' | null>(null)
  const { title, beside, since, others, owner, dueDay, reason, code } = row
  const mayEdit = can(codeOf(entityOf(code), 'edit'))
  const merges = isQualityKey(row.check) && qualityCheck(row.check).merges
  const mayMerge = merges && others.length > 0 && can(codeOf(entityOf(code), 'delete'))
  const countAgain = async () => {
    await call(qualityIgnore, { check: row.check, id: row.id, ignored: 0 })
    toast.success(t('quality.isBack'))
    onDone()
  }
  return (
    <li>
      <div className="quality-finding">
        {mayEdit ? (
          <button
            type="button"
            className="link-button"
            aria-label={t('quality.edit', { name: title })}
            onClick={() => onEdit(row)}
          >
            {title}
          </button>
        ) : (
          <strong>{title}</strong>
        )}
        {beside && <span className="muted">{beside}</span>}
        <span className="muted quality-since">{t('quality.since', { day: since.slice(0, 10) })}</span>
      </div>
      {others.length > 0 && (
        <div className="quality-others">
          {t('quality.others')}
          <ul>
            {others.map((other) => (
              <li key={other.id}>{[other.title, other.beside].filter(Boolean).join(' ')}</li>
            ))}
          </ul>
        </div>
      )}
      {owner && (
        <p className="muted">
          {dueDay ? t('quality.ownedUntil', { name: owner, day: dueDay }) : t('quality.ownedBy', { name: owner })}
        </p>
      )}
      {reason && <p className="muted">{t('quality.ignoredBecause', { reason })}</p>}
      {mayEdit && (
        <div className="quality-decide">
          {row.ignored ? (
            <button
              type="button"
              className="button small"
              aria-label={t('quality.againOf', { name: title })}
              onClick={() => void countAgain().catch(still)}
            >
              {t('quality.again')}
            </button>
          ) : (
            <>
              {mayMerge && (
                <button
                  type="button"
                  className="button small"
                  aria-label={t('quality.mergeOf', { name: title })}
                  onClick={() => setAsked('merge')}
                >
                  {t('quality.merge')}
                </button>
              )}
              <button
                type="button"
                className="button small"
                aria-label={t('quality.ignoreOf', { name: title })}
                onClick={() => setAsked('ignore')}
              >
                {t('quality.ignore')}
              </button>
              <button
                type="button"
                className="button small"
                aria-label={t('quality.assignOf', { name: title })}
                onClick={() => setAsked('assign')}
              >
                {t('quality.assign')}
              </button>
            </>
          )}
        </div>
      )}
      {asked === 'ignore' && <IgnoreDialog row={row} onClose={() => setAsked(null)} onDone={onDone} />}
      {asked === 'merge' && <MergeDialog row={row} onClose={() => setAsked(null)} onDone={onDone} />}
      {asked === 'assign' && <AssignDialog row={row} onClose={() => setAsked(null)} onDone={onDone} />}
    </li>
  )
}
