import { codeOf, type Entity } from '@data-brain/contract'
import {
  charts,
  emptyReport,
  fieldAt,
  fieldsWithin,
  type Grain,
  grains,
  grainWords,
  groupFault,
  isAsked,
  isDay,
  isNumber,
  isOfField,
  isSince,
  measureKinds,
  measureLabel,
  measureWords,
  type ReportContent,
  type ReportField,
  type ReportGroup,
  type ReportMeasure,
  reportedEntities,
  reportLimits,
  sinceKinds,
} from '@data-brain/contract/report'
import { isSourceName, sourceEntity } from '@data-brain/contract/report-source'
import { membersOf } from '@data-brain/contract/rules/condition'
import { Select } from 'antd'
import { type ReactNode, useId, useMemo } from 'react'
import { useDictionaries } from '../../entity/data/index.ts'
import { Builder, readRule, ruleFields } from '../../entity/value/index.ts'
import { useCan } from '../../session/session.ts'
import { Segments } from '../../ui/segments.tsx'
import { useT, useWords } from '../../ui/words.ts'
import { ColumnNames } from './column-names.tsx'
import { type Option, Picked } from './picked.tsx'
import { Change } from './since.tsx'
import { useReportEntity, useReportSources } from './sources.ts'

/** References that the fields which are offered lie away. */
const STEPS = 2

interface QuestionProps {
  readonly content: ReportContent
  readonly onChange: (content: ReportContent) => void
}

/** The fields that a report may name, for somebody who sees what they lie in: the nearest first. */
function useFields(entity: Entity): readonly ReportField[] {
  const can = useCan()
  return useMemo(
    () =>
      fieldsWithin(entity, STEPS)
        .filter(({ along }) => along.every((each) => isSourceName(each.name) || can(codeOf(each, 'view'))))
        .toSorted((a, b) => a.along.length - b.along.length),
    [entity, can],
  )
}

function useOptions(fields: readonly ReportField[], fits: (field: ReportField) => boolean): readonly Option[] {
  const pick = useWords()
  return useMemo(
    () => fields.filter(fits).map((field) => ({ value: field.path, label: pick(field.label) })),
    [fields, fits, pick],
  )
}

const canGroup = (field: ReportField): boolean => groupFault(field) === undefined
const anything = (): boolean => true

/** What a report asks, part by part. Whatever is changed is a whole report again. */
export function Question({ content, onChange }: QuestionProps) {
  const t = useT()
  const pick = useWords()
  const can = useCan()
  const entity = useReportEntity(content)
  const usual = useReportEntity({ entity: content.entity })
  const sources = useReportSources()
  const isCounting = content.measures.length > 0
  const put = (part: Partial<ReportContent>) => onChange({ ...content, ...part })
  const own = reportedEntities().filter((each) => can(codeOf(each, 'view')))
  const others = (sources ?? []).map((each) => sourceEntity(each))
  const optionsOf = (some: readonly Entity[]) => some.map((each) => ({ value: each.name, label: pick(each.label) }))
  // A report over a table that is not open any more says so, and is made one of something else.
  const isGone = sources !== undefined && entity === undefined
  const subjects = [
    ...(isGone ? [{ value: content.entity, label: t('report.sourceGone') }] : []),
    ...(others.length === 0
      ? optionsOf(own)
      : [
          { label: t('report.ownRows'), options: optionsOf(own) },
          { label: t('report.sourceRows'), options: optionsOf(others) },
        ]),
  ]
  return (
    <div className="report-question">
      <Labelled label={t('report.entity')} help={isSourceName(content.entity) ? t('report.sourceHelp') : undefined}>
        {(id) => (
          <Select
            id={id}
            className="report-wide"
            showSearch={{ optionFilterProp: 'label' }}
            value={content.entity}
            options={subjects}
            onChange={(name: string) => {
              const next = [...own, ...others].find((each) => each.name === name)
              if (next) onChange({ ...emptyReport(next), measures: isCounting ? [{ of: 'count', field: null }] : [] })
            }}
          />
        )}
      </Labelled>
      <Segments
        label={t('report.way')}
        value={isCounting ? 'groups' : 'rows'}
        options={[
          { key: 'groups', label: t('report.way.groups') },
          { key: 'rows', label: t('report.way.rows') },
        ]}
        onChange={(way) =>
          put(
            way === 'groups'
              ? { columns: [], measures: [{ of: 'count', field: null }], sort: null }
              : { groups: [], cross: null, measures: [], sort: null, chart: 'none', hideBelow: 0 },
          )
        }
      />
      {entity && (
        <>
          {isCounting ? (
            <Counting entity={entity} content={content} put={put} />
          ) : (
            <Listing entity={entity} content={content} put={put} />
          )}
          {usual && isSourceName(entity.name) && (
            <ColumnNames entity={entity} usual={usual} content={content} put={put} />
          )}
          <Filters entity={entity} content={content} put={put} />
          <Sorting entity={entity} content={content} put={put} />
        </>
      )}
    </div>
  )
}

interface PartProps {
  readonly entity: Entity
  readonly content: ReportContent
  readonly put: (part: Partial<ReportContent>) => void
}

function Labelled({
  label,
  help,
  children,
}: {
  readonly label: string
  readonly help?: string | undefined
  readonly children: (id: string) => ReactNode
}) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children(id)}
      {help && <p className="field-help">{help}</p>}
    </div>
  )
}

function Listing({ entity, content, put }: PartProps) {
  const t = useT()
  const pick = useWords()
  const options = useOptions(useFields(entity), anything)
  return (
    <Picked
      label={t('report.columns')}
      add={t('report.addColumn')}
      items={content.columns}
      options={options.filter(({ value }) => !content.columns.includes(value))}
      most={reportLimits.columns}
      nameOf={(path) => pick(fieldAt(entity, path)?.label ?? { zh: path, en: path })}
      onChange={(columns) => put({ columns, sort: null })}
      parts={{ make: (path) => path }}
    />
  )
}

/** How days fall into groups; nothing of what are no days. */
function GrainSelect({
  entity,
  group,
  onChange,
}: {
  readonly entity: Entity
  readonly group: ReportGroup
  readonly onChange: (group: ReportGroup) => void
}) {
  const t = useT()
  const pick = useWords()
  const known = fieldAt(entity, group.field)
  if (!known || !isDay(known)) return null
  return (
    <Select
      aria-label={t('report.by', { name: pick(known.label) })}
      value={group.by ?? 'day'}
      options={grains.map((grain) => ({ value: grain, label: pick(grainWords[grain]) }))}
      onChange={(by: Grain) => onChange({ ...group, by })}
    />
  )
}

function Counting({ entity, content, put }: PartProps) {
  const t = useT()
  const pick = useWords()
  const fields = useFields(entity)
  const groups = useOptions(fields, canGroup)
  const numbers = useOptions(fields, isNumber)
  const used = [...content.groups, ...(content.cross ? [content.cross] : [])].map(({ field }) => field)
  const free = groups.filter(({ value }) => !used.includes(value))
  const label = (path: string): string => pick(fieldAt(entity, path)?.label ?? { zh: path, en: path })
  const groupOf = (field: string): ReportGroup => {
    const known = fieldAt(entity, field)
    return { field, by: known && isDay(known) ? 'month' : null }
  }
  const { cross } = content
  return (
    <>
      <Picked
        label={t('report.groups')}
        add={t('report.addGroup')}
        items={content.groups}
        options={free}
        most={reportLimits.groups}
        nameOf={({ field }) => label(field)}
        onChange={(next) => put({ groups: next })}
        parts={{
          make: groupOf,
          beside: (group, change) => <GrainSelect entity={entity} group={group} onChange={change} />,
        }}
      />
      <Labelled label={t('report.cross')}>
        {(id) => (
          <div className="report-line">
            <Select
              id={id}
              className="report-wide"
              showSearch={{ optionFilterProp: 'label' }}
              value={cross?.field ?? ''}
              options={[
                { value: '', label: t('report.noCross') },
                ...(cross ? [{ value: cross.field, label: label(cross.field) }] : []),
                ...free,
              ]}
              onChange={(field: string) => put({ cross: field ? groupOf(field) : null })}
            />
            {cross && <GrainSelect entity={entity} group={cross} onChange={(next) => put({ cross: next })} />}
          </div>
        )}
      </Labelled>
      <Picked<ReportMeasure>
        label={t('report.measures')}
        add={t('report.addMeasure')}
        items={content.measures}
        options={measureKinds
          .filter((of) => (!isOfField(of) || numbers.length > 0) && !(isSince(of) && isSourceName(entity.name)))
          .map((of) => ({ value: of, label: pick(measureWords[of]) }))}
        most={reportLimits.measures}
        nameOf={(measure) => pick(measureLabel(entity, measure))}
        onChange={(measures) => put({ measures: measures.length > 0 ? measures : content.measures, sort: null })}
        parts={{
          make: (value) => {
            const of = measureKinds.find((each) => each === value)!
            return {
              ...{ of, field: isOfField(of) ? numbers[0]!.value : null },
              ...(isSince(of) ? { since: sinceKinds[0] } : {}),
            }
          },
          beside: (measure, change) =>
            isSince(measure.of) ? (
              <Change measure={measure} numbers={numbers} onChange={change} />
            ) : isOfField(measure.of) ? (
              <Select
                className="report-number"
                aria-label={t('report.measureOf')}
                showSearch={{ optionFilterProp: 'label' }}
                value={measure.field}
                options={[...numbers]}
                onChange={(field: string) => change({ ...measure, field })}
              />
            ) : null,
        }}
      />
      <Labelled label={t('report.chart')}>
        {(id) => (
          <Select
            id={id}
            className="report-wide"
            value={content.chart}
            options={charts.map((chart) => ({ value: chart, label: t(`report.chart.${chart}`) }))}
            onChange={(chart: ReportContent['chart']) => put({ chart })}
          />
        )}
      </Labelled>
      <Labelled label={t('report.hideBelow')} help={t('report.hideBelowHelp')}>
        {(id) => (
          <input
            id={id}
            className="input report-short"
            type="number"
            min={0}
            max={100}
            value={content.hideBelow}
            onChange={(event) =>
              put({ hideBelow: Math.min(100, Math.max(0, Math.trunc(Number(event.target.value)) || 0)) })
            }
          />
        )}
      </Labelled>
    </>
  )
}

function Filters({ entity, content, put }: PartProps) {
  const t = useT()
  const pick = useWords()
  const dictionaries = useDictionaries(entity)
  const fields = useMemo(() => ruleFields(entity), [entity])
  const asked = useMemo(() => fieldsWithin(entity, 0).filter(isAsked), [entity])
  const group = useMemo(() => readRule(content.filter), [content.filter])
  return (
    <>
      <fieldset className="report-picked">
        <legend>{t('report.filter')}</legend>
        <Builder
          entity={entity}
          fields={fields}
          dictionaries={dictionaries}
          own
          group={group}
          onChange={(next) => put({ filter: membersOf(next).length === 0 ? null : next })}
        />
      </fieldset>
      <Labelled label={t('report.parameters')} help={t('report.parametersHelp')}>
        {(id) => (
          <Select
            id={id}
            className="report-wide"
            mode="multiple"
            maxCount={reportLimits.parameters}
            showSearch={{ optionFilterProp: 'label' }}
            value={[...content.parameters]}
            options={asked.map(({ path, label }) => ({ value: path, label: pick(label) }))}
            onChange={(parameters: string[]) => put({ parameters })}
          />
        )}
      </Labelled>
    </>
  )
}

function Sorting({ entity, content, put }: PartProps) {
  const t = useT()
  const pick = useWords()
  const names =
    content.measures.length > 0
      ? content.measures.map((measure) => pick(measureLabel(entity, measure)))
      : content.columns.map((path) => pick(fieldAt(entity, path)?.label ?? { zh: path, en: path }))
  const options = names.flatMap((name, at) => [
    { value: `${at} down`, label: t('report.down', { name }) },
    { value: `${at} up`, label: t('report.up', { name }) },
  ])
  const { sort } = content
  return (
    <Labelled label={t('report.sort')}>
      {(id) => (
        <Select
          id={id}
          className="report-wide"
          value={sort ? `${sort.by} ${sort.down ? 'down' : 'up'}` : ''}
          options={[{ value: '', label: t('report.usual') }, ...options]}
          onChange={(value: string) => {
            const [by, way] = value.split(' ')
            put({ sort: value ? { by: Number(by), down: way === 'down' } : null })
          }}
        />
      )}
    </Labelled>
  )
}
