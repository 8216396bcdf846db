import { useEffect, useRef } from 'react'
import { isFileAddress } from '../../ui/file-address.ts'
import './page.css'

const tags = [
  ...['h2', 'h3', 'h4', 'p', 'blockquote', 'pre', 'ul', 'ol', 'li', 'hr', 'br'],
  ...['strong', 'em', 'u', 's', 'sub', 'sup', 'code', 'a', 'img'],
  ...['table', 'colgroup', 'col', 'thead', 'tbody', 'tr', 'th', 'td'],
]
const attributes = ['href', 'src', 'alt', 'width', 'height', 'colspan', 'rowspan', 'start', 'style']
const address = /^(?:https?:\/\/|mailto:|tel:|\/(?![/\\]))/i

/**
 * Makes the nodes of a notice's text: cleaned on the server when it was stored and here once more, so that neither is
 * alone in keeping what runs out of the page.
 */
export async function nodesOf(html: string): Promise<DocumentFragment> {
  const { default: makePurifier } = await import('dompurify')
  // An instance of its own: its hooks are nobody else's.
  const purifier = makePurifier(window)
  purifier.addHook('afterSanitizeAttributes', (node) => {
    if (node.tagName === 'A') {
      if (!address.test(node.getAttribute('href') ?? '')) node.removeAttribute('href')
      node.setAttribute('target', '_blank')
      node.setAttribute('rel', 'noopener noreferrer')
    }
    if (node.tagName === 'IMG' && !isFileAddress(node.getAttribute('src'))) node.removeAttribute('src')
    const style = node.getAttribute('style')
    if (style !== null && !/^text-align: ?(?:left|center|right|justify);?$/.test(style)) node.removeAttribute('style')
  })
  return purifier.sanitize(html, { ALLOWED_TAGS: tags, ALLOWED_ATTR: attributes, RETURN_DOM_FRAGMENT: true })
}

/** A notice's text. */
export function NoticeText({ html }: { html: string }) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    let gone = false
    void nodesOf(html).then((nodes) => {
      if (!gone) ref.current?.replaceChildren(nodes)
    })
    return () => {
      gone = true
    }
  }, [html])
  return <div ref={ref} className="notice-text" />
}
