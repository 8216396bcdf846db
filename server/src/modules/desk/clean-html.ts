import type sanitizeHtml from 'sanitize-html'
import { lazyImport } from '../../kernel/lazy-import.ts'
import { idOfLink, linkOf } from '../resource/index.ts'

/*
 * What somebody wrote in an editor, or pasted into it, or sent without any: only what is on these lists is stored. It
 * is read after the JSON has been parsed, so no way of writing a sign gets around it.
 */

/** Largest text that is stored, in bytes. */
export const contentMost = 65_536

const blocks = ['h2', 'h3', 'h4', 'p', 'blockquote', 'pre', 'ul', 'ol', 'li', 'hr', 'br']
const inline = ['strong', 'em', 'u', 's', 'sub', 'sup', 'code', 'a', 'img']
const tables = ['table', 'colgroup', 'col', 'thead', 'tbody', 'tr', 'th', 'td']
const span = /^(?:[1-9]|[1-4][0-9]|50)$/

const sanitize = lazyImport<typeof sanitizeHtml>('sanitize-html')

const no: sanitizeHtml.Attributes = {}
const aligned = { 'text-align': [/^(?:left|center|right|justify)$/] }

const options: sanitizeHtml.IOptions = {
  allowedTags: [...blocks, ...inline, ...tables],
  allowedAttributes: {
    a: ['href', 'target', 'rel'],
    img: ['src', 'alt', 'width', 'height'],
    th: ['colspan', 'rowspan'],
    td: ['colspan', 'rowspan'],
    ol: ['start'],
    p: ['style'],
    h2: ['style'],
    h3: ['style'],
    h4: ['style'],
  },
  allowedStyles: { p: aligned, h2: aligned, h3: aligned, h4: aligned },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  // What stands inside these is no text for readers, whatever a browser would make of it.
  nonTextTags: [
    'script',
    'style',
    'textarea',
    'option',
    'noscript',
    'iframe',
    'noembed',
    'noframes',
    'xmp',
    'plaintext',
    'title',
    'template',
    'svg',
    'math',
    'object',
    'select',
  ],
  nestingLimit: 40,
  transformTags: {
    h1: 'h2',
    h5: 'h4',
    h6: 'h4',
    b: 'strong',
    i: 'em',
    strike: 's',
    del: 's',
    ins: 'u',
    div: 'p',
    a: (tagName, { href }): sanitizeHtml.Tag => ({
      tagName,
      attribs: href && isSafeHref(href) ? { href, target: '_blank', rel: 'noopener noreferrer' } : no,
    }),
    img: (tagName, { src, alt = '', width = '', height = '' }) => {
      const id = src ? idOfLink(src) : undefined
      return {
        tagName,
        attribs: {
          ...(id ? { src: linkOf(id) } : {}),
          alt: alt.slice(0, 200),
          ...(isLength(width) ? { width } : {}),
          ...(isLength(height) ? { height } : {}),
        },
      }
    },
    td: (tagName, attribs) => ({ tagName, attribs: spans(attribs) }),
    th: (tagName, attribs) => ({ tagName, attribs: spans(attribs) }),
  },
  exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !attribs.src,
}

const isLength = (text: string): boolean => /^[1-9][0-9]{0,3}$/.test(text)
const spans = (attribs: sanitizeHtml.Attributes): sanitizeHtml.Attributes =>
  Object.fromEntries(
    ['colspan', 'rowspan'].flatMap((name) => (span.test(attribs[name] ?? '') ? [[name, attribs[name]!]] : [])),
  )

/** Whether a link leads to a page or an address book: by a known scheme, or to a path of this site. */
function isSafeHref(href: string): boolean {
  // Browsers read backslashes as slashes and pass over control signs.
  if (/[\\\p{Cc}]/u.test(href)) return false
  return /^(?:https?:\/\/|mailto:|tel:)/i.test(href) || /^\/(?!\/)/.test(href)
}

/** Text with only the tags, attributes and addresses that notices are made of; pictures are files of the product. */
export const cleanHtml = (html: string): string => sanitize()(html, options).trim()

/** Whether cleaned text shows anything at all. */
export const isBlank = (html: string): boolean =>
  !/<(?:img|hr|table)\b/.test(html) &&
  sanitize()(html, { allowedTags: [], allowedAttributes: {} }).replace(/[\s\u00a0\u200b]/g, '') === ''
