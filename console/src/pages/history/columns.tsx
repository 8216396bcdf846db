import type { Changed } from '@data-brain/contract/calls/history'
import { Icon } from '../../ui/icon.tsx'
import type { Column } from '../../ui/table/table.tsx'
import type { Translate } from '../../ui/words.ts'
import '../../entity/form/form-words.ts'

/** How each action looks: what takes away, or gives rights, stands out; the others are ordinary. */
const tones: Readonly<Record<Changed['action'], string | undefined>> = {
  add: undefined,
  edit: undefined,
  delete: 'tag tag-warn',
  import: undefined,
  undo: undefined,
  restore: undefined,
  grant: 'tag tag-warn',
}

export const historyActions = Object.keys(tones) as Changed['action'][]

/** The record of a change, by name where it is known. */
export const nameOf = (changed: Changed, t: Translate): string =>
  changed.rowName || t('changes.gone', { id: changed.rowId })

export function ActionTag({ action, t }: { action: Changed['action']; t: Translate }) {
  return <span className={tones[action]}>{t(`detail.${action}`)}</span>
}

/** The columns of the list: when, who, what, and the ways to look closer. */
export function planOf(t: Translate): Column<Changed>[] {
  return [
    {
      key: 'time',
      label: t('changes.time'),
      width: 170,
      pin: 'start',
      cell: ({ time }) => <time className="mono">{time}</time>,
    },
    {
      key: 'person',
      label: t('changes.person'),
      width: 130,
      cell: ({ userName }) => userName || t('detail.machine'),
    },
    {
      key: 'action',
      label: t('changes.action'),
      width: 90,
      cell: ({ action }) => <ActionTag action={action} t={t} />,
    },
    { key: 'entity', label: t('changes.entity'), width: 130, cell: ({ entityName }) => entityName },
    {
      key: 'row',
      label: t('changes.row'),
      width: 260,
      title: true,
      cell: (changed) => (
        <button
          type="button"
          className="row-open"
          data-act="view"
          aria-label={t('changes.viewOf', { name: nameOf(changed, t) })}
        >
          {nameOf(changed, t)}
        </button>
      ),
    },
    {
      key: 'actions',
      label: t('changes.actions'),
      width: 48,
      pin: 'end',
      cell: (changed) => (
        <span className="dt-acts">
          {changed.requestId !== null && (
            <button
              type="button"
              className="dt-act dt-quiet"
              data-act="same"
              title={t('changes.same')}
              aria-label={t('changes.sameOf', { name: nameOf(changed, t) })}
            >
              <Icon name="layers" size={16} />
            </button>
          )}
        </span>
      ),
    },
  ]
}
