import type { Words } from '@data-brain/contract'
import { FileFault } from './file-fault.ts'
import { unescapeXml } from './xml-text.ts'

/*
 * Strict reading of the XML that other programs write. A file that is cut off or broken is refused with the line
 * where it is, so that no half of it is taken for the whole; what could unfold or lead out of the file is refused.
 */

/** An element begins or ends, or text stands between two tags. Names are as the file writes them. */
export type XmlEvent =
  | { readonly kind: 'open'; readonly name: string; readonly tag: string; readonly depth: number }
  | { readonly kind: 'close'; readonly name: string; readonly depth: number }
  | { readonly kind: 'text'; readonly text: string }

/** Where a file comes from, and how many elements lie within one another at most. */
export interface XmlSource {
  readonly program: Words
  readonly depth: number
}

/** FET and aSc need a depth of six. */
const timetabling: XmlSource = { program: { zh: '排课软件', en: 'timetabling program' }, depth: 64 }

const opening = /<([^\s<>/="'!?&]+)((?:\s+[^\s<>/="']+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y
const closing = /<\/([^\s<>/="'!?&]+)\s*>/y
const reference = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-f]{1,6});)/i

/** The events of a document, in its order. Throws a `FileFault` that names the line where it is no XML. */
export function* scanXml(text: string, { program, depth: depthMost } = timetabling): Generator<XmlEvent> {
  const lineAt = (at: number): number => text.slice(0, at).split('\n').length
  const broken = (at: number, zh: string, en: string): FileFault =>
    new FileFault(
      `XML 文件已损坏：第${lineAt(at)}行${zh}，没有读取任何内容。请从${program.zh}重新导出后上传`,
      `The XML file is broken: on line ${lineAt(at)} ${en}. Nothing was read: export it from the ${program.en} again and upload that`,
    )
  const checked = (part: string, at: number): string => {
    const wrong = part.search(reference)
    if (wrong >= 0) throw broken(at + wrong, '有无法识别的“&”', 'there is an “&” that means nothing')
    return unescapeXml(part)
  }
  const path: { readonly name: string; readonly at: number }[] = []
  let begun = false
  let at = text.startsWith('\ufeff') ? 1 : 0
  const skip = (until: string, length: number): string => {
    const end = text.indexOf(until, at + length)
    if (end < 0) throw broken(at, '的注释或声明没有结束', 'a comment or declaration does not end')
    const part = text.slice(at + length, end)
    at = end + until.length
    return part
  }
  while (at < text.length) {
    if (text[at] !== '<') {
      const next = text.indexOf('<', at)
      const end = next < 0 ? text.length : next
      const part = checked(text.slice(at, end), at)
      if (path.length > 0) yield { kind: 'text', text: part }
      else if (part.replaceAll('\0', '').trim() !== '')
        throw broken(at, '有不属于任何元素的文字', 'there is text outside every element')
      at = end
    } else if (text.startsWith('<!--', at)) skip('-->', 4)
    else if (text.startsWith('<![CDATA[', at)) yield { kind: 'text', text: skip(']]>', 9) }
    else if (text.startsWith('<?', at)) skip('?>', 2)
    else if (text.startsWith('<!', at))
      throw new FileFault(
        `文件含有不允许的 XML 声明：第${lineAt(at)}行有文档类型或实体（DOCTYPE、ENTITY），可能引用或展开其他内容，因此没有读取。请从${program.zh}重新导出后上传`,
        `The file holds an XML declaration that is not allowed: a document type or entity on line ${lineAt(at)}, which may follow or unfold something else. Nothing was read: export it from the ${program.en} again`,
      )
    else if (text.startsWith('</', at)) {
      closing.lastIndex = at
      const [whole = '', name = ''] = closing.exec(text) ?? []
      const open = path.pop()
      if (!open || open.name !== name)
        throw broken(
          at,
          open ? `应以 </${open.name}> 结束第${lineAt(open.at)}行开始的元素` : '有多余的结束标记',
          open
            ? `</${open.name}> should end what begins on line ${lineAt(open.at)}`
            : 'something ends that never began',
        )
      at += whole.length
      yield { kind: 'close', name, depth: path.length }
    } else {
      opening.lastIndex = at
      const [whole = '', name = '', tag = '', empty = ''] = opening.exec(text) ?? []
      if (!whole) throw broken(at, '的标记不完整', 'a tag is not complete')
      if (path.length === 0 && begun) throw broken(at, '在文件结束后还有内容', 'something follows the end')
      if (path.length >= depthMost)
        throw broken(at, `嵌套超过${depthMost}层`, `elements lie more than ${depthMost} deep`)
      begun = true
      checked(tag, at)
      yield { kind: 'open', name, tag, depth: path.length }
      if (empty) yield { kind: 'close', name, depth: path.length }
      else path.push({ name, at })
      at += whole.length
    }
  }
  const open = path.at(-1)
  if (open)
    throw broken(
      text.length,
      `文件不完整，第${lineAt(open.at)}行的 <${open.name}> 没有结束`,
      `the file ends before <${open.name}> of line ${lineAt(open.at)} does`,
    )
  if (!begun) throw broken(0, '没有任何元素', 'there is no element')
}

/** The attributes of a tag by their names in small letters, in any order. */
export const attributesOf = (tag: string): ReadonlyMap<string, string> =>
  new Map(
    [...tag.matchAll(/([^\s="']+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].map(([, name = '', double, single]) => [
      name.toLowerCase(),
      unescapeXml(double ?? single ?? '').trim(),
    ]),
  )
