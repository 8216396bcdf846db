/* What of bpmn-js this console uses: it tells no more of its services than that they are there. */

/** An element of BPMN as moddle keeps it. */
export interface Moddle {
  readonly $type: string
  $parent?: Moddle | undefined
  readonly id?: string
  readonly name?: string
  get(name: string): unknown
  set(name: string, value: unknown): void
  $instanceOf(type: string): boolean
}

/** A shape or a flow on the board. */
export interface Drawn {
  readonly id: string
  readonly type: string
  readonly businessObject: Moddle
  readonly labelTarget?: Drawn
  readonly source?: Drawn
  readonly target?: Drawn
  readonly host?: Drawn
}

interface Services {
  readonly canvas: {
    zoom(to: 'fit-viewport' | number, center?: 'auto'): number
    scroll(by: { readonly dx: number; readonly dy: number }): void
    getRootElement(): Drawn
    scrollToElement(element: Drawn): void
    focus(): void
  }
  readonly selection: { select(element: Drawn | null): void; get(): Drawn[] }
  readonly elementRegistry: {
    get(id: string): Drawn | undefined
    filter(choose: (element: Drawn) => boolean): Drawn[]
  }
  readonly modeling: {
    updateProperties(element: Drawn, values: Readonly<Record<string, unknown>>): void
    updateModdleProperties(element: Drawn, of: Moddle, values: Readonly<Record<string, unknown>>): void
  }
  readonly bpmnFactory: { create(type: string, values?: Readonly<Record<string, unknown>>): Moddle }
  readonly commandStack: { undo(): void; redo(): void; canUndo(): boolean; canRedo(): boolean; clear(): void }
  readonly eventBus: {
    on(events: string | readonly string[], hear: (event: never) => void): void
    fire(event: string): void
  }
}

export interface Board {
  get<S extends keyof Services>(service: S): Services[S]
  importXML(xml: string): Promise<{ readonly warnings: readonly string[] }>
  saveXML(options: { readonly format: boolean }): Promise<{ readonly xml?: string }>
  destroy(): void
}

export const is = (of: Moddle, ...types: readonly string[]): boolean => types.some((type) => of.$instanceOf(type))

export const many = (of: Moddle, name: string): readonly Moddle[] =>
  (of.get(name) as readonly Moddle[] | undefined) ?? []
export const one = (of: Moddle, name: string): Moddle | undefined => of.get(name) as Moddle | undefined
export function text(of: Moddle, name: string): string | undefined {
  const value = of.get(name)
  return value === undefined || value === null || value === '' ? undefined : String(value)
}

/** What the product has added to an element, of a type. */
export const own = (of: Moddle, type: string): Moddle | undefined => {
  const within = one(of, 'extensionElements')
  return within && many(within, 'values').find((each) => each.$type === type)
}

/** Makes an element that stands in another one. */
export function made(
  board: Board,
  parent: Moddle | undefined,
  type: string,
  values: Readonly<Record<string, unknown>> = {},
): Moddle {
  const element = board.get('bpmnFactory').create(type, values)
  element.$parent = parent
  for (const value of Object.values(values).flat())
    if (typeof value === 'object' && value !== null && '$type' in value) (value as Moddle).$parent = element
  return element
}

/** The extension elements of an element, those of `types` replaced by the given ones; foreign extensions are kept. */
export function withExtensions(
  board: Board,
  of: Moddle,
  types: readonly string[],
  values: readonly Moddle[],
): Moddle | undefined {
  const within = one(of, 'extensionElements')
  const kept = within ? many(within, 'values').filter((each) => !types.includes(each.$type)) : []
  if (kept.length + values.length === 0) return undefined
  return made(board, of, 'bpmn:ExtensionElements', { values: [...kept, ...values] })
}
