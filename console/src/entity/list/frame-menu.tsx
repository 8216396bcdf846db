import { useEffect, useState } from 'react'
import type { Query } from '../../http/client.ts'
import { useCan } from '../../session/session.ts'
import { useKeys } from '../../ui/keys.ts'
import { useTab } from '../../ui/place.ts'
import { useLanguage, useT } from '../../ui/words.ts'
import { mayExport } from '../export/code.ts'
import type { PrintedFrame } from '../print/print-frame.tsx'
import { printFrame, readyToPrint } from '../print/print-list.ts'
import type { FrameColumns } from './frame-columns.tsx'
import { ListMenu } from './list-head.tsx'

interface FrameMenuProps<R> extends Pick<PrintedFrame<R>, 'title' | 'read' | 'total'> {
  /** The list that the server takes out: its name in codes and its path, and whether it holds one’s own alone. */
  readonly list?: { readonly name: string; readonly path: string; readonly isOwn?: boolean }
  /** What the list asks for. */
  readonly query: Query
  readonly frame: FrameColumns<R>
}

/** What is done with all of a list that is no entity's: it is taken out as a file, or printed. */
export function FrameMenu<R>({ list, query, frame, title, read, total }: FrameMenuProps<R>) {
  const t = useT()
  const language = useLanguage()
  const can = useCan()
  const { active } = useTab()
  const exporting = useState<boolean>()
  useEffect(readyToPrint, [])
  const columns = frame.table.columns.filter(({ key }) => key !== 'actions')
  const print = () => {
    const root = frame.root.current
    const keyword = root?.querySelector<HTMLInputElement>('input[data-quick]')?.value ?? ''
    const chips = [...(root?.querySelectorAll<HTMLElement>('.chips [data-told]') ?? [])]
    const asked = [...(keyword ? [`“${keyword}”`] : []), ...chips.map((chip) => chip.dataset.told ?? '')]
    void printFrame(
      { words: { t, language }, title, columns, read, total, asked },
      list && mayExport(can, list) ? () => exporting[1](true) : undefined,
    )
  }
  useKeys(active, {
    name: 'keys.list',
    bindings: [{ keys: ['KeyP', 'Mod+KeyP'], label: 'keys.print', run: print }],
  })
  const fields = Object.fromEntries(columns.map(({ key, label }) => [key, { kind: 'text', label } as never]))
  return (
    <ListMenu
      entity={list && { ...list, fields }}
      total={total}
      file={{ query: query as Record<string, string | number>, columns }}
      onPrint={print}
      exporting={exporting}
    />
  )
}
