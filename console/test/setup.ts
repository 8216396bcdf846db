import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'

// What the browser has and jsdom lacks. Nothing here answers for the product's own code.

/** The width that media queries see; a test may change it before it imports. */
const width = 1440

window.matchMedia = (query) => {
  const least = Number(/min-width: (\d+)px/.exec(query)?.[1] ?? Number.POSITIVE_INFINITY)
  const list = new EventTarget() as MediaQueryList
  return Object.assign(list, {
    matches: width >= least,
    media: query,
    onchange: null,
    addListener: () => {},
    removeListener: () => {},
  })
}

HTMLDialogElement.prototype.showModal ??= function open(this: HTMLDialogElement) {
  this.setAttribute('open', '')
}
HTMLDialogElement.prototype.close ??= function close(this: HTMLDialogElement) {
  this.removeAttribute('open')
}

CSSStyleSheet.prototype.replaceSync ??= () => {}
if (!('adoptedStyleSheets' in document)) Object.assign(document, { adoptedStyleSheets: [] })

// A state is waited for, however busy the machine is: parts that are fetched late take longer than a second then.
configure({ asyncUtilTimeout: 10_000 })

afterEach(cleanup)
