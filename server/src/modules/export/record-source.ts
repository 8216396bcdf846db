import { codeOf } from '@data-brain/contract'
import { readParameters } from '../../kernel/parameter.ts'
import { Problem } from '../../kernel/problem.ts'
import type { AnyRecordList, OpenTransaction, RecordColumn } from '../../kernel/record-list.ts'
import { type ExportRequest, fileParameters, fileWish, refuseMany, rowsMost, type Source, writeFile } from './source.ts'

type Row = { readonly id: string }

/** A list that is no entity's as what can be taken out. */
export const recordSource = (list: AnyRecordList): Source => ({
  name: list.name,
  path: list.path,
  label: list.label,
  tag: list.tag,
  code: list.code ?? codeOf(list, 'export'),
  platform: false,
  parameters: { ...list.filters, ...fileParameters },
  ask: (query, language): ExportRequest => {
    const { format, columns: wanted } = fileWish(query, language)
    const { current: _, size: __, format: ___, columns: ____, ...filter } = query
    const filters = readParameters(list.filters, filter)
    const all = list.columns as Readonly<Record<string, RecordColumn<Row>>>
    const names = wanted?.length ? [...new Set(wanted)] : Object.keys(all)
    for (const name of names)
      if (!Object.hasOwn(all, name))
        throw new Problem('field_unknown', { field: name.slice(0, 64) }, { field: 'columns', fields: [] })
    return {
      refuse: () => {},
      probe: (reading) => list.ids((work) => work(reading), filters, 1, filter),
      file: async (taker, heard) => {
        const { services, circumstance, as } = taker
        const open: OpenTransaction = (work) => as((opened) => work({ ...opened, services, circumstance }))
        const { ids, note } = await list.ids(open, filters, rowsMost + 1, filter)
        refuseMany(ids)
        const columns = names.map((name) => ({ name, heading: all[name]!.label[language], width: all[name]!.width }))
        const read = async (some: readonly string[]) => {
          const rows = (await open((reading) => list.rows(reading, some))) as readonly Row[]
          const byId = new Map(rows.map((row) => [row.id, row]))
          return some.flatMap((id) => {
            const row = byId.get(id)
            return row ? [names.map((name) => all[name]!.cell(row, language) ?? null)] : []
          })
        }
        const actor = await as(async (opened) => opened.actor)
        const about = note ? [[{ zh: '说明', en: 'Note' }, note[language]] as const] : []
        return writeFile({ source: list, format, columns, ids, actor, read, about }, taker, heard)
      },
    }
  },
})
