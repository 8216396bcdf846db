import { type Element, isA, many, one, text } from './moddle.ts'

/** Engines whose files are understood as far as they say who decides, by which form and until when. */
const engines: ReadonlySet<string> = new Set([
  'http://flowable.org/bpmn',
  'http://activiti.org/bpmn',
  'http://camunda.org/schema/1.0/bpmn',
])
/** Engines of which nothing is understood: what they would do is not known here. */
const strangers: ReadonlyMap<string, string> = new Map([
  ['http://camunda.org/schema/zeebe/1.0', 'Zeebe'],
  ['http://www.jboss.org/drools', 'jBPM'],
])

/** What a prefix stands for at an element. */
function namespaceOf(element: Element, prefix: string): string | undefined {
  for (let at: Element | undefined = element; at; at = at.$parent) {
    const uri = at.$attrs?.[`xmlns:${prefix}`]
    if (uri !== undefined) return uri
  }
  return undefined
}

/** The attributes that other engines have put on an element, by their names without prefix. */
export function foreignAttributes(element: Element): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const [name, value] of Object.entries(element.$attrs ?? {})) {
    const [prefix = '', local] = name.split(':')
    if (local === undefined || prefix === 'xmlns' || !engines.has(namespaceOf(element, prefix) ?? '')) continue
    const said = String(value).trim()
    if (said !== '') found.set(local, said)
  }
  return found
}

/** The elements within the extension of an element. */
export const extensions = (element: Element): readonly Element[] => {
  const within = one(element, 'extensionElements')
  return within ? many(within, 'values') : []
}

/** The extension of our own of a type. */
export const own = (element: Element, type: string): Element | undefined =>
  extensions(element).find((each) => isA(each, type))

/** The elements that other engines have put into an extension: their names without prefix. */
export const foreignElements = (element: Element): readonly { readonly name: string; readonly of: Element }[] =>
  extensions(element).flatMap((of) => {
    const { uri, localName } = of.$descriptor.ns
    return uri !== undefined && engines.has(uri) ? [{ name: localName, of }] : []
  })

/** The engine, if any, whose extension of an element cannot be understood. */
export function strangerOf(element: Element): string | undefined {
  for (const { $descriptor } of extensions(element)) {
    const stranger = strangers.get($descriptor.ns.uri ?? '')
    if (stranger) return stranger
  }
  return undefined
}

/** The elements of a generic element, by their name without prefix. */
export const childrenOf = (element: Element, name: string): readonly Element[] =>
  (element.$children ?? []).filter(({ $type }) => $type.slice($type.indexOf(':') + 1) === name)

/** What an expression says, such as the one of a timer. */
export const bodyOf = (element: Element, name: string): string | undefined => {
  const said = one(element, name)
  return said ? text(said, 'body')?.trim() || undefined : undefined
}
