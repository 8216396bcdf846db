import type { ModelFault } from '@data-brain/contract/flow/plan'
import { FileFault } from '../../../kernel/file-fault.ts'
import { scanXml } from '../../../kernel/xml-scan.ts'
import { type Element, fromXml, idOf, isA, many, one, text, type Warning } from './moddle.ts'

/** Larger models are written by no designer; six hundred nodes with their drawing are 8,000 elements. */
export const largest = 2 * 1_048_576
const elementsMost = 8_000
/** Characters of all attributes of an element. */
const attributesMost = 20_000
const source = { program: { zh: '流程设计器', en: 'designer' }, depth: 200 }

/** A document that is BPMN 2.0, or why it is not. */
export type ReadModel =
  | { readonly definitions: Element; readonly process: Element; readonly faults: readonly ModelFault[] }
  | { readonly definitions?: undefined; readonly faults: readonly ModelFault[] }

const refused = (zh: string, en: string): ReadModel => ({ faults: [{ zh, en }] })

/**
 * Reads BPMN 2.0. The text is looked through once before a model is made of it: what could unfold, lead out of the file or
 * grow without bound goes no further.
 */
export async function readBpmn(xml: string): Promise<ReadModel> {
  if (xml.length > largest || Buffer.byteLength(xml) > largest)
    return refused('流程文件超过2 MB，没有读取', 'The process file is larger than 2 MB; nothing was read')
  if (xml.trim() === '') return refused('流程文件是空的', 'The process file is empty')
  try {
    let elements = 0
    for (const event of scanXml(xml, source)) {
      if (event.kind !== 'open') continue
      if (event.depth === 0 && !/^(?:[^:]+:)?definitions$/.test(event.name))
        return refused(
          `不是 BPMN 2.0 文件：最外层元素是 <${event.name}>，应为 <definitions>`,
          `This is not BPMN 2.0: the outermost element is <${event.name}> instead of <definitions>`,
        )
      if (event.tag.length > attributesMost)
        return refused(
          `元素 <${event.name.slice(0, 80)}> 的属性超过${attributesMost}个字符，没有读取`,
          `The attributes of an element <${event.name.slice(0, 80)}> are longer than ${attributesMost} characters; nothing was read`,
        )
      elements += 1
      if (elements > elementsMost)
        return refused(
          `流程文件的元素超过${elementsMost}个，没有读取`,
          `The process file holds more than ${elementsMost} elements; nothing was read`,
        )
    }
  } catch (fault) {
    if (fault instanceof FileFault) return { faults: [fault.words] }
    throw fault
  }
  let read: { root: Element; warnings: readonly Warning[] }
  try {
    read = await fromXml(xml)
  } catch (fault) {
    const { zh, en } = placeOf(fault instanceof Error ? fault.message : '')
    return refused(
      `不是 BPMN 2.0 文件，请检查命名空间和元素名称${zh}`,
      `This is not BPMN 2.0: check its namespace and the names of its elements${en}`,
    )
  }
  const faults = read.warnings.flatMap(faultOf)
  const found = processOf(read.root)
  if ('zh' in found) return { faults: [found, ...faults] }
  return { definitions: read.root, process: found, faults }
}

/** The line that moddle names in a message. */
function placeOf(message: string): { zh: string; en: string } {
  const line = /line: (\d+)/.exec(message)?.[1]
  return line === undefined
    ? { zh: '', en: '' }
    : { zh: `（第${Number(line) + 1}行）`, en: ` (line ${Number(line) + 1})` }
}

/** What moddle could not take in would be missing without a word. */
function faultOf({ message, element, property, value }: Warning): ModelFault[] {
  const { zh, en } = placeOf(message)
  const reason = /nested error: (.*)$/s.exec(message)?.[1] ?? message
  const id = /<(.*)>/s.exec(reason)?.[1]?.slice(0, 80) ?? ''
  if (reason.startsWith('duplicate ID'))
    return [{ element: id, zh: `编号“${id}”出现了两次${zh}`, en: `The id “${id}” stands twice${en}` }]
  if (reason.startsWith('illegal ID'))
    return [
      {
        zh: `编号“${id}”不合规：以字母或下划线开头，只含字母、数字、“_”“-”“.”${zh}`,
        en: `The id “${id}” is not allowed: it begins with a letter or underscore and holds letters, digits, “_”, “-” and “.” only${en}`,
      },
    ]
  // The drawing may refer to what is gone; the process may not.
  if (message.startsWith('unresolved reference'))
    return element && property?.startsWith('bpmn:') && !element.$type.startsWith('bpmndi:')
      ? [
          {
            ...(idOf(element) ? { element: idOf(element) } : {}),
            zh: `“${text(element, 'name') ?? idOf(element)}”的 ${property.slice(5)} 指向不存在的“${value}”`,
            en: `${property.slice(5)} of “${text(element, 'name') ?? idOf(element)}” refers to “${value}”, which does not exist`,
          },
        ]
      : []
  if (message.startsWith('unparsable content')) {
    const tag = /unparsable content (\S+)/.exec(message)?.[1] ?? ''
    return reason.startsWith('unexpected body text')
      ? []
      : [{ zh: `无法识别的内容 ${tag}${zh}`, en: `Content that BPMN 2.0 does not know: ${tag}${en}` }]
  }
  return []
}

/** The one process of a document that runs. */
function processOf(root: Element): Element | ModelFault {
  if (!isA(root, 'bpmn:Definitions')) return { zh: '不是 BPMN 2.0 文件', en: 'This is not BPMN 2.0' }
  const processes = many(root, 'rootElements').filter((each) => isA(each, 'bpmn:Process'))
  const executable = processes.filter((each) => each.get('isExecutable') === true)
  const chosen = executable.length > 0 ? executable : processes
  if (chosen.length === 0) return { zh: '文件中没有流程（process）', en: 'The file holds no process' }
  if (chosen.length > 1) {
    const names = chosen.slice(0, 5).map((each) => text(each, 'name') ?? idOf(each))
    return executable.length > 0
      ? {
          zh: `文件中有${chosen.length}个可执行流程（${names.join('、')}），一个文件只能有一个`,
          en: `The file holds ${chosen.length} executable processes (${names.join(', ')}); there may be one`,
        }
      : {
          zh: `文件中有${chosen.length}个流程（${names.join('、')}），请把要运行的一个标为可执行`,
          en: `The file holds ${chosen.length} processes (${names.join(', ')}); mark the one that runs as executable`,
        }
  }
  return chosen[0]!
}

/** What people call a process: its own name, or that of the pool that it is drawn in. */
export function processName(definitions: Element, process: Element): string | undefined {
  const own = text(process, 'name')
  if (own) return own
  for (const collaboration of many(definitions, 'rootElements').filter((each) => isA(each, 'bpmn:Collaboration')))
    for (const pool of many(collaboration, 'participants'))
      if (one(pool, 'processRef') === process) return text(pool, 'name')
  return undefined
}
