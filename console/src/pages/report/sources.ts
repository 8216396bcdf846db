import { type Entity, entities } from '@data-brain/contract'
import { reportSources } from '@data-brain/contract/calls/report'
import type { ReportContent } from '@data-brain/contract/report'
import {
  isSourceName,
  type ReportSource,
  sourceCode,
  sourceEntity,
  sourceName,
} from '@data-brain/contract/report-source'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '../../http/call.ts'
import { useCan } from '../../session/session.ts'

const NONE: readonly ReportSource[] = []

/** The tables of the data source that the reader may make reports of; undefined while they are fetched. */
export function useReportSources(): readonly ReportSource[] | undefined {
  const can = useCan()
  const may = can(sourceCode)
  const { data, isPending } = useQuery({
    queryKey: ['report', 'sources'],
    queryFn: ({ signal }) => call(reportSources, {}, { signal, silent: true }),
    enabled: may,
    staleTime: 60_000,
    retry: false,
  })
  return may && isPending ? undefined : (data ?? NONE)
}

/** What a report is about: an entity, or a table of the data source; undefined where the reader has none of that name. */
export function useReportEntity({
  entity: name,
  labels,
}: Pick<ReportContent, 'entity' | 'labels'>): Entity | undefined {
  const sources = useReportSources()
  return useMemo(() => {
    if (!isSourceName(name)) return entities.find((each) => each.name === name)
    const source = sources?.find(({ id }) => sourceName(id) === name)
    return source && sourceEntity(source, labels)
  }, [name, labels, sources])
}
