import { flowModdle } from '@data-brain/contract/flow/moddle'
import { BpmnModdle } from 'bpmn-moddle'

/** What moddle says of a document that it could read in part only. */
export interface Warning {
  readonly message: string
  readonly element?: Element
  readonly property?: string
  readonly value?: string
}

/** An element of a document as moddle holds it. What no descriptor knows stands in `$attrs`, `$children` and `$body`. */
export interface Element {
  readonly $type: string
  readonly $parent?: Element
  readonly $attrs: Readonly<Record<string, string>>
  readonly $children?: readonly Element[]
  readonly $body?: string
  readonly $descriptor: { readonly ns: { readonly prefix?: string; readonly localName: string; readonly uri?: string } }
  get(name: string): unknown
  set(name: string, value: unknown): void
  $instanceOf?(type: string): boolean
}

const model = new BpmnModdle({ db: flowModdle })

export const fromXml = async (xml: string): Promise<{ root: Element; warnings: readonly Warning[] }> => {
  const { rootElement, warnings } = await model.fromXML(xml)
  return { root: rootElement as Element, warnings }
}

export const toXml = async (root: Element): Promise<string> => (await model.toXML(root, { format: true })).xml

export const create = (type: string, attributes: Readonly<Record<string, unknown>> = {}): Element =>
  model.create(type, attributes) as Element

const isElement = (value: unknown): value is Element => typeof value === 'object' && value !== null && '$type' in value

/** An attribute as it stands, or undefined where it is not there or says nothing. */
export function text(element: Element, name: string): string | undefined {
  const value = element.get(name)
  if (value === undefined || value === null || isElement(value)) return undefined
  const said = String(value)
  return said.trim() === '' ? undefined : said
}

export function one(element: Element, name: string): Element | undefined {
  const value = element.get(name)
  return isElement(value) ? value : undefined
}

export function many(element: Element, name: string): readonly Element[] {
  const value = element.get(name)
  return Array.isArray(value) ? value.filter(isElement) : []
}

/** Whether it is of a type or of one made out of it; what no descriptor knows is of none. */
export const isA = (element: Element, type: string): boolean => element.$instanceOf?.(type) ?? false

export const idOf = (element: Element): string => text(element, 'id') ?? ''
