import type { ModelFault } from '@data-brain/contract/flow/plan'
import { type Element, idOf, text } from './moddle.ts'
import { kindOf } from './words.ts'

/** More of them help no one. */
const most = 200

/** Gathers what stands against deploying a model. Each names its element: by what people call it, else by its id. */
export class Faults {
  readonly found: ModelFault[] = []
  /** Whether all was understood: what is merely not complete yet can be read and written again without a loss. */
  understood = true

  readonly #strange = new Set<Element>()

  /** As `at`, of something that is not understood. */
  strange(element: Element, zh: string, en: string): void {
    this.understood = false
    this.#strange.add(element)
    this.at(element, zh, en)
  }

  /** `zh` and `en` go on after the name of the element: “审批”没有审批人, “Approval” has nobody who decides. */
  at(element: Element, zh: string, en: string): void {
    const id = idOf(element)
    const kind = kindOf(element.$type)
    const name = text(element, 'name') ?? id
    const label = name === '' ? '' : `“${name.length > 60 ? `${name.slice(0, 60)}…` : name}”`
    this.add({
      ...(id ? { element: id } : {}),
      zh: `${kind.zh}${label}${zh}`,
      en: `${kind.en} ${label} ${en}`.replace('  ', ' '),
    })
  }

  /** Whether something of an element is not understood: what follows from that need not be said. */
  isStrange(element: Element): boolean {
    return this.#strange.has(element)
  }

  add(fault: ModelFault): void {
    const known = this.found.some((each) => each.element === fault.element && each.en === fault.en)
    if (!known && this.found.length < most) this.found.push(fault)
  }
}
