/** A step of a process as BPMN says it: what it is, and all that is set of it, as one text that can be compared. */
export interface ModelStep {
  readonly id: string
  readonly type: string
  readonly name: string
  readonly said: string
}

export interface StepChange {
  readonly id: string
  readonly type: string
  readonly name: string
  readonly change: 'added' | 'removed' | 'changed'
  /** What changed of one that is in both: its name, its settings, where it leads. */
  readonly parts: readonly ('name' | 'type' | 'settings' | 'condition')[]
}

const bpmn = 'http://www.omg.org/spec/BPMN/20100524/MODEL'
/** What says nothing of its own: where flows begin and end is said by the flows. */
const passed = new Set(['incoming', 'outgoing'])

/** An element as text that does not depend on how the file is laid out, or on its prefixes. */
function textOf(element: Element, outer: boolean): string {
  const attributes = [...element.attributes]
    .filter(({ name, localName }) => !name.startsWith('xmlns') && !(outer && ['id', 'name'].includes(localName)))
    .map(({ localName, value }) => `${localName}=${value}`)
    .sort()
  const children = [...element.children]
    .filter(({ localName, id }) => !passed.has(localName) && !(outer && isStep(localName, id)))
    .map((child) => textOf(child, false))
  const own = element.children.length === 0 ? (element.textContent ?? '').trim() : ''
  return `${element.localName}(${attributes.join(' ')})[${own}${children.join(' ')}]`
}

const isStep = (localName: string, id: string): boolean =>
  id !== '' && /(Task|Event|Gateway|subProcess|callActivity|sequenceFlow|task)$/.test(localName)

/** The steps of a model; nothing where it cannot be read. */
export function stepsOf(xml: string): readonly ModelStep[] {
  const document = new DOMParser().parseFromString(xml, 'application/xml')
  return [...document.getElementsByTagNameNS(bpmn, '*')]
    .filter(({ localName, id }) => isStep(localName, id) || localName === 'process')
    .map((element) => ({
      id: element.localName === 'process' ? '' : element.id,
      type: element.localName,
      name: element.getAttribute('name') ?? '',
      said: textOf(element, true),
    }))
}

/** What became of the steps between two versions. */
export function changesOf(before: readonly ModelStep[], after: readonly ModelStep[]): readonly StepChange[] {
  const [old, now] = [new Map(before.map((step) => [step.id, step])), new Map(after.map((step) => [step.id, step]))]
  const of = (step: ModelStep, change: StepChange['change'], parts: StepChange['parts'] = []): StepChange => ({
    ...{ id: step.id, type: step.type, change, parts },
    name: step.name,
  })
  return [
    ...after.filter(({ id }) => !old.has(id)).map((step) => of(step, 'added')),
    ...before.filter(({ id }) => !now.has(id)).map((step) => of(step, 'removed')),
    ...after.flatMap((step): StepChange[] => {
      const was = old.get(step.id)
      if (!was) return []
      const parts: StepChange['parts'] = [
        ...(was.name === step.name ? [] : (['name'] as const)),
        ...(was.type === step.type ? [] : (['type'] as const)),
        ...(was.said === step.said || was.type !== step.type
          ? []
          : ([step.type === 'sequenceFlow' ? 'condition' : 'settings'] as const)),
      ]
      return parts.length === 0 ? [] : [of(step, 'changed', parts)]
    }),
  ]
}

/** The model under another key and name: versions of one process share the id of the process. */
export function renamed(xml: string, key: string, name: string): string {
  const document = new DOMParser().parseFromString(xml, 'application/xml')
  const process = document.getElementsByTagNameNS(bpmn, 'process')[0]
  if (!process) return xml
  const was = process.id
  process.setAttribute('id', key)
  process.setAttribute('name', name)
  for (const element of document.querySelectorAll('[bpmnElement], [processRef]'))
    for (const attribute of ['bpmnElement', 'processRef'])
      if (element.getAttribute(attribute) === was) element.setAttribute(attribute, key)
  return new XMLSerializer().serializeToString(document)
}
