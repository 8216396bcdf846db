import { unescapeXml } from '../../../kernel/xml-text.ts'
import { FileFault } from './limits.ts'
import { type Part, textOf } from './package.ts'

/*
 * As much of XML as values stand in. No reference is followed, no entity beyond the five of XML is known, a document
 * type declaration is refused.
 */

/** The value of an attribute, whatever prefix it has. */
export function attribute(tag: string, name: string): string | undefined {
  const found = new RegExp(`(?:^|\\s)(?:[\\w-]+:)?${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(tag)
  return found ? unescapeXml(found[1] ?? found[2] ?? found[3] ?? '') : undefined
}

/** All tags of a name with their attributes, in a small part. */
export function* tags(xml: string, name: string): Generator<string> {
  for (const match of xml.matchAll(new RegExp(`<(?:\\w+:)?${name}(?=[\\s/>])([^>]*)>`, 'g'))) yield match[1] ?? ''
}

/** Refuses what could make a parser follow or unfold something. */
export function refuseDeclarations(head: string): void {
  if (/<!(DOCTYPE|ENTITY)/i.test(head.slice(0, 2_000)))
    throw new FileFault('文件含有不允许的 XML 声明', 'The file holds an XML declaration that is not allowed')
}

/** What stands before, between and behind pieces is kept only so far. */
const restMost = 4 * 1_048_576

/**
 * The pieces `<name …>…</name>` of a stream, one after the other. What stands around them goes to `rest`, where
 * somebody asks for it.
 */
export async function* pieces(
  part: Part,
  name: string,
  rest?: (text: string) => void,
): AsyncGenerator<{ tag: string; body: string }> {
  let text = ''
  let at = 0
  let begun = false
  let kept = 0
  let open = `<${name}`
  let close = `</${name}>`
  const drop = (until: number): void => {
    if (rest && until > at && kept < restMost) {
      const dropped = text.slice(at, until)
      kept += dropped.length
      rest(dropped)
    }
    at = Math.max(at, until)
  }
  for await (const chunk of textOf(part)) {
    text = at > 0 ? text.slice(at) + chunk : text + chunk
    at = 0
    if (!begun && text.length > 200) {
      begun = true
      refuseDeclarations(text)
      // Some writers give every tag a prefix.
      const prefix = /<(\w+):(?:worksheet|sst)[\s>]/.exec(text.slice(0, 2_000))?.[1]
      if (prefix) {
        open = `<${prefix}:${name}`
        close = `</${prefix}:${name}>`
      }
    }
    for (;;) {
      let start = text.indexOf(open, at)
      while (start >= 0 && !' />\t\r\n'.includes(text[start + open.length] ?? ' '))
        start = text.indexOf(open, start + open.length)
      if (start < 0) {
        drop(text.length - open.length - 1)
        break
      }
      drop(start)
      const head = text.indexOf('>', start)
      if (head < 0) break
      const tag = text.slice(start + open.length, head)
      if (tag.endsWith('/')) {
        yield { tag, body: '' }
        at = head + 1
        continue
      }
      const end = text.indexOf(close, head)
      if (end < 0) break
      yield { tag, body: text.slice(head + 1, end) }
      at = end + close.length
    }
    if (text.length - at > 8 * 1_048_576) throw new FileFault('文件中有一行过长', 'A row of the file is too long')
  }
  drop(text.length)
}

/** A tag or a text of a document, in the order of the document. */
export type Token =
  | { readonly kind: 'open'; readonly name: string; readonly tag: string; readonly empty: boolean }
  | { readonly kind: 'close'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string }

/**
 * The tags and texts of a document that comes in pieces. Names are without prefix and in small letters; nothing is
 * nested here, so depth costs nothing.
 */
export async function* tokens(chunks: AsyncIterable<string> | Iterable<string>): AsyncGenerator<Token> {
  let text = ''
  for await (const chunk of chunks) {
    text += chunk
    let at = 0
    for (;;) {
      const start = text.indexOf('<', at)
      if (start < 0) break
      if (start > at) yield { kind: 'text', text: text.slice(at, start) }
      at = start
      const [opening, closing] = text.startsWith('<!--', start)
        ? ['<!--', '-->']
        : text.startsWith('<![CDATA[', start)
          ? ['<![CDATA[', ']]>']
          : ['<', '>']
      const end = text.indexOf(closing, start + opening.length)
      if (end < 0) break
      at = end + closing.length
      if (opening === '<![CDATA[')
        yield { kind: 'text', text: text.slice(start + opening.length, end).replace(/&/g, '&amp;') }
      if (opening !== '<') continue
      const found = /^(\/?)(?:[\w-]+:)?([\w-]+)/.exec(text.slice(start + 1, Math.min(end, start + 80)))
      if (!found) continue
      const name = found[2]!.toLowerCase()
      const tag = text.slice(start + 1 + found[0].length, end)
      yield found[1] ? { kind: 'close', name } : { kind: 'open', name, tag, empty: tag.endsWith('/') }
    }
    text = text.slice(at)
    if (text.length > 8 * 1_048_576) throw new FileFault('文件中有一段过长', 'A piece of the file is too long')
  }
  if (text !== '') yield { kind: 'text', text }
}
