import { foreignAttributes, foreignElements, strangerOf } from './extension.ts'
import type { Faults } from './faults.ts'
import { type Element, isA, text } from './moddle.ts'

/*
 * What other engines execute: classes, beans, scripts, calls over the network. None of it runs here, so a model with it is
 * refused: without it, it would be another process.
 */

/** Attributes that name code, or something that is called. */
const executing: Readonly<Record<string, string>> = {
  class: 'class',
  delegateExpression: 'delegateExpression',
  expression: 'expression',
  skipExpression: 'skipExpression',
  topic: 'topic',
  decisionRef: 'decisionRef',
  resource: 'resource',
  taskIdVariableName: 'taskIdVariableName',
  variableMappingClass: 'variableMappingClass',
  variableMappingDelegateExpression: 'variableMappingDelegateExpression',
  caseRef: 'caseRef',
}

/** Elements that do so, in the words of those who drew them. */
const executingElements: Readonly<Record<string, { readonly zh: string; readonly en: string }>> = {
  executionListener: { zh: '执行监听器', en: 'an execution listener' },
  taskListener: { zh: '任务监听器', en: 'a task listener' },
  eventListener: { zh: '事件监听器', en: 'an event listener' },
  connector: { zh: '连接器', en: 'a connector' },
  script: { zh: '脚本', en: 'a script' },
  inputOutput: { zh: '输入输出映射', en: 'a mapping of inputs and outputs' },
  field: { zh: '注入字段', en: 'an injected field' },
  mapException: { zh: '异常映射', en: 'a mapping of exceptions' },
}

const kinds: Readonly<Record<string, { readonly zh: string; readonly en: string }>> = {
  http: { zh: 'HTTP 任务', en: 'an HTTP task' },
  mail: { zh: '邮件任务', en: 'a mail task' },
  shell: { zh: '命令行任务', en: 'a shell task' },
}

/** Says of an element, be it the process, a node or a flow, what of it only other engines could run. */
export function judgeForeign(element: Element, faults: Faults): void {
  const attributes = foreignAttributes(element)
  for (const [name, value] of attributes)
    if (Object.hasOwn(executing, name))
      faults.strange(
        element,
        `使用了其他引擎的 ${name}（${value.slice(0, 80)}），这里不会运行`,
        `uses ${name} of another engine (${value.slice(0, 80)}), which does not run here`,
      )
  const kind = attributes.get('type')
  if (kind !== undefined && isA(element, 'bpmn:ServiceTask')) {
    const words = kinds[kind] ?? { zh: `“${kind}”任务`, en: `a task of type “${kind}”` }
    faults.strange(
      element,
      `是其他引擎的${words.zh}，这里不会运行`,
      `is ${words.en} of another engine, which does not run here`,
    )
  }
  const called = isA(element, 'bpmn:CallActivity')
  for (const { name, of } of foreignElements(element)) {
    const words = executingElements[name]
    if (words) {
      const what = ['class', 'delegateExpression', 'expression', 'source']
        .map((each) => text(of, each))
        .find((each) => each !== undefined)
      const detail = what === undefined ? '' : what.slice(0, 80)
      faults.strange(
        element,
        `带有其他引擎的${words.zh}${detail && `（${detail}）`}，这里不会运行`,
        `has ${words.en} of another engine${detail && ` (${detail})`}, which does not run here`,
      )
    } else if (called && (name === 'in' || name === 'out')) {
      const [source, target] = [text(of, 'source'), text(of, 'target')]
      if (text(of, 'sourceExpression') !== undefined || source !== target)
        faults.strange(
          element,
          `把变量换名传递（${source ?? text(of, 'sourceExpression')} → ${target}），这里不支持`,
          `passes variables under another name (${source ?? text(of, 'sourceExpression')} → ${target}), which is not supported`,
        )
    }
  }
  const stranger = strangerOf(element)
  if (stranger !== undefined)
    faults.strange(
      element,
      `含有 ${stranger} 的扩展，这里不会运行`,
      `holds an extension of ${stranger}, which does not run here`,
    )
}
