import type { RefObject } from 'react'
import { type Binding, useKeys } from '../../ui/keys.ts'

/** What the keys of a list do; names as in the keyboard map. What a list cannot do is left out. */
export interface ListKeys {
  quick?(): void
  /** To the filters, and to the views above them; false where there are none. */
  filters?(): unknown
  views?(): unknown
  add?(): void
  move(step: 1 | -1, extend: boolean): void
  edge(last: boolean): void
  /** Walks over the cells of the row that can be changed in their place; false where the keys belong to something else. */
  beside?(step: 1 | -1): unknown
  /** Opens the cell that is walked on, or the row's first one, to be changed; false where there is none. */
  cell?(first: boolean): unknown
  tick?(): void
  tickPage?(): void
  view?(): void
  edit?(): void
  menu?(): void
  remove?(): void
  page?(step: 1 | -1): void
  print?(): void
  reload?(): void
  escape?(): void
}

/** What the keys of a record do; what cannot be done with it is left out. */
export type RecordKeys = Partial<Record<'edit' | 'menu' | 'remove' | 'print', () => void>>

/** Keys that a focused button or link has its own use for. */
const isOwned = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLElement && target.closest('a,button,input,summary') !== null

const called = (run: (() => unknown) | undefined): (() => unknown) | undefined => run && (() => run())

/** The keyboard map of a list. */
export function bindingsOf(list: ListKeys): Binding[] {
  const { tick, page, cell } = list
  const map: { keys: string[]; label?: string; run: ((event: KeyboardEvent) => unknown) | undefined }[] = [
    { keys: ['/'], label: 'keys.quick', run: called(list.quick) },
    { keys: ['KeyF'], label: 'keys.filters', run: called(list.filters) },
    { keys: ['KeyV'], label: 'keys.views', run: called(list.views) },
    { keys: ['KeyJ', 'ArrowDown'], label: 'keys.down', run: () => list.move(1, false) },
    { keys: ['KeyK', 'ArrowUp'], label: 'keys.up', run: () => list.move(-1, false) },
    { keys: ['Home'], label: 'keys.first', run: () => list.edge(false) },
    { keys: ['End'], label: 'keys.last', run: () => list.edge(true) },
    { keys: ['PageDown'], label: 'keys.nextPage', run: page && (() => page(1)) },
    { keys: ['PageUp'], label: 'keys.previousPage', run: page && (() => page(-1)) },
    { keys: ['KeyX'], label: 'keys.tick', run: called(tick) },
    { keys: ['Space'], run: tick && ((event) => (isOwned(event) ? false : tick())) },
    { keys: ['Shift+ArrowDown'], label: 'keys.extendDown', run: tick && (() => list.move(1, true)) },
    { keys: ['Shift+ArrowUp'], label: 'keys.extendUp', run: tick && (() => list.move(-1, true)) },
    { keys: ['Mod+KeyA'], label: 'keys.tickPage', run: called(list.tickPage) },
    { keys: ['ArrowRight'], label: 'keys.cellNext', run: list.beside && (() => list.beside?.(1)) },
    { keys: ['ArrowLeft'], label: 'keys.cellPrevious', run: list.beside && (() => list.beside?.(-1)) },
    { keys: ['F2'], label: 'keys.cell', run: cell && (() => cell(true)) },
    {
      keys: ['Enter'],
      label: 'keys.view',
      run: (event) => (isOwned(event) ? false : cell?.(false) === true || (list.view ? list.view() : false)),
    },
    { keys: ['KeyE'], label: 'keys.edit', run: called(list.edit) },
    { keys: ['KeyN'], label: 'keys.add', run: called(list.add) },
    { keys: ['.'], label: 'keys.menu', run: called(list.menu) },
    { keys: ['Delete', '#'], label: 'keys.remove', run: called(list.remove) },
    { keys: ['KeyP', 'Mod+KeyP'], label: 'keys.print', run: called(list.print) },
    { keys: ['KeyR'], label: 'keys.reload', run: called(list.reload) },
    { keys: ['Escape'], label: 'keys.clear', run: called(list.escape) },
  ]
  return map.flatMap(({ run, ...rest }) => (run ? [{ ...rest, run }] : []))
}

/** The keyboard map of a record that stands over its list. */
export const recordBindings = (walk: (by: 1 | -1) => void, does: RecordKeys): Binding[] => {
  const map = [
    { keys: ['KeyE'], label: 'keys.edit', run: does.edit },
    { keys: ['.'], label: 'keys.menu', run: does.menu },
    { keys: ['Delete', '#'], label: 'keys.remove', run: does.remove },
    { keys: ['KeyP', 'Mod+KeyP'], label: 'keys.print', run: does.print },
  ]
  return [
    { keys: ['KeyJ'], label: 'keys.nextRecord', run: () => walk(1) },
    { keys: ['KeyK'], label: 'keys.previousRecord', run: () => walk(-1) },
    ...map.flatMap(({ run, ...rest }) => (run ? [{ ...rest, run }] : [])),
  ]
}

/** All that lists and records can do by keys, of use to nobody but who tells of them. */
export function everyBinding(): { readonly list: readonly Binding[]; readonly record: readonly Binding[] } {
  const none = () => undefined
  const can = ['quick', 'filters', 'views', 'add', 'move', 'edge', 'beside', 'cell', 'tick', 'tickPage', 'view', 'edit']
  const more = ['menu', 'remove', 'page', 'print', 'reload', 'escape']
  const all: ListKeys = { move: none, edge: none, ...Object.fromEntries([...can, ...more].map((name) => [name, none])) }
  return { list: bindingsOf(all), record: recordBindings(none, { edit: none, menu: none, remove: none, print: none }) }
}

/** Listens while the page is the one shown and nothing modal is over it. */
export function useListKeys(active: boolean, keys: RefObject<ListKeys>): void {
  useKeys(active, {
    name: 'keys.list',
    // Made when a key is pressed, and not when a row is drawn.
    get bindings() {
      return bindingsOf(keys.current)
    },
  })
}
