import type { Entity, Field } from '@data-brain/contract'
import type { AnswerOf } from '@data-brain/contract/call'
import type { errorGroups } from '@data-brain/contract/calls/log'
import { type LogEvent, type LogKind, logEvents, logs } from '@data-brain/contract/entities/log/logs'
import type { Column } from '../../ui/table/table.tsx'
import type { Language, Translate } from '../../ui/words.ts'
import type { LogRow } from './calls.ts'

/** Errors that are alike. */
export type ErrorGroup = AnswerOf<typeof errorGroups>['groups'][number]

const widths: Readonly<Record<string, number>> = {
  title: 220,
  requestUri: 280,
  createBy: 110,
  remoteIp: 130,
  traceId: 190,
  method: 80,
  status: 80,
  time: 150,
  logId: 130,
  exceptionName: 140,
  serviceId: 120,
}

/** Width of the bar of a duration, of 60 px: each tenfold of time is as wide as the last. */
export const barWidth = (ms: number): number => Math.max(2, Math.min(60, Math.round(Math.log10(ms + 1) * 15)))

const paceOf = (ms: number): string => (ms >= 1_000 ? 'slow' : ms >= 300 ? 'middling' : 'quick')

/** How long a call took: the number, and a bar that is seen in passing. */
export function Duration({ ms, t }: { ms: number; t: Translate }) {
  return (
    <span className="log-time">
      <span className="log-bar" aria-hidden="true">
        <span className={`log-bar-${paceOf(ms)}`} style={{ inlineSize: `${barWidth(ms)}px` }} />
      </span>
      <span className="mono">{t('log.milliseconds', { count: ms })}</span>
    </span>
  )
}

/** What a field of a log is called. */
export function labelOf(kind: LogKind, name: string, language: Language): string {
  const fields: Readonly<Record<string, Field>> = logs[kind].fields
  return fields[name]?.label[language] ?? name
}

/** What an event is called; one of a newer server by its own name. */
export const eventName = (event: string, language: Language): string =>
  Object.hasOwn(logEvents, event) ? logEvents[event as LogEvent][language] : event

export function StatusOf({ status }: { status: number }) {
  // What went well is the ordinary, and has no colour of its own.
  if (status < 400) return <span className="state mono">{status}</span>
  return <span className={`tag ${status >= 500 ? 'tag-wrong' : 'tag-warn'}`}>{status}</span>
}

function cellOf(name: string, row: LogRow, t: Translate, language: Language) {
  const value = row[name]
  if (value === null || value === undefined || value === '') return <span className="none">—</span>
  if (name === 'time') return <Duration ms={Number(value)} t={t} />
  if (name === 'status') return <StatusOf status={Number(value)} />
  if (name === 'logId')
    return (
      <span className={row.logLevel === 'warn' ? 'tag tag-warn' : undefined}>{eventName(String(value), language)}</span>
    )
  const isCode = ['requestUri', 'remoteIp', 'traceId', 'method', 'exceptionName'].includes(name)
  return (
    <span className={isCode ? 'mono' : undefined} title={String(value)}>
      {String(value)}
    </span>
  )
}

/** The columns of a log: when, then those of its definition, then the way in. */
export function planOf(kind: LogKind, t: Translate, language: Language): Column<LogRow>[] {
  const { list }: Entity = logs[kind]
  return [
    {
      key: 'createTime',
      label: t('log.time'),
      width: 170,
      title: true,
      pin: 'start',
      cell: (row) => (
        <button
          type="button"
          className="row-open"
          data-act="open"
          aria-label={t('log.openOf', { name: row.createTime })}
        >
          {row.createTime}
        </button>
      ),
    },
    ...list.map(
      (name): Column<LogRow> => ({
        key: name,
        label: labelOf(kind, name, language),
        width: widths[name] ?? 140,
        cell: (row) => cellOf(name, row, t, language),
      }),
    ),
  ]
}

/** The columns of errors that are alike. */
export function groupPlan(t: Translate, language: Language): Column<ErrorGroup>[] {
  const { title, exceptionName } = logs.error.fields
  return [
    {
      key: 'title',
      label: title.label[language],
      width: 380,
      title: true,
      pin: 'start',
      cell: (group) => <span title={group.title}>{group.title}</span>,
    },
    {
      key: 'exceptionName',
      label: exceptionName.label[language],
      width: 150,
      cell: (group) => <span className="mono">{group.exceptionName}</span>,
    },
    { key: 'count', label: t('log.times'), width: 90, numeric: true, cell: ({ count }) => count },
    { key: 'people', label: t('log.people'), width: 90, numeric: true, cell: ({ people }) => people },
    {
      key: 'firstTime',
      label: t('log.firstTime'),
      width: 170,
      cell: ({ firstTime }) => <span className="mono">{firstTime}</span>,
    },
    {
      key: 'lastTime',
      label: t('log.lastTime'),
      width: 170,
      cell: ({ createTime }) => <span className="mono">{createTime}</span>,
    },
    {
      key: 'actions',
      label: t('log.show'),
      width: 130,
      pin: 'end',
      cell: (group) => (
        <span className="dt-acts">
          <button type="button" className="dt-act" data-act="show" aria-label={`${t('log.show')} ${group.title}`}>
            {t('log.show')}
          </button>
        </span>
      ),
    },
  ]
}
