import type { EventPlan, NodeType } from '@data-brain/contract/flow/plan'
import type { Faults } from './faults.ts'
import { type Element, many, one, text } from './moddle.ts'
import { timerOfEvent } from './timer.ts'
import { deadEvents } from './words.ts'

type Kind = EventPlan['kind']

/** Which events stand where; `plain` is one that nothing defines. */
const allowed: Readonly<Partial<Record<NodeType, readonly (Kind | 'plain')[]>>> = {
  start: ['plain', 'timer', 'message'],
  end: ['plain', 'message', 'error', 'terminate'],
  catch: ['timer', 'message'],
  throw: ['plain', 'message'],
  boundary: ['timer', 'message', 'error'],
}

const words: Readonly<Record<Kind, { readonly zh: string; readonly en: string }>> = {
  timer: { zh: '定时', en: 'a timer' },
  message: { zh: '消息', en: 'a message' },
  error: { zh: '错误', en: 'an error' },
  terminate: { zh: '终止', en: 'a termination' },
}

/** The event of an element; undefined for a plain one, and where it does not run. */
export function eventOf(of: Element, type: NodeType, faults: Faults): EventPlan | undefined {
  const places = allowed[type]
  if (!places) return undefined
  const definitions = [...many(of, 'eventDefinitions'), ...many(of, 'eventDefinitionRef')]
  if (definitions.length > 1) {
    faults.strange(of, '定义了多个事件，只能有一个', 'has several events defined; there may be one')
    return undefined
  }
  const definition = definitions[0]
  if (!definition) {
    if (!places.includes('plain')) faults.strange(of, '没有设置等待什么', 'does not say what it waits for')
    return undefined
  }
  const dead = deadEvents[definition.$type]
  if (dead) {
    faults.strange(of, `是${dead.zh}事件，这里不会运行`, `is a ${dead.en} event, which does not run`)
    return undefined
  }
  const event = planOf(of, definition, type, faults)
  if (event && !places.includes(event.kind)) {
    faults.strange(of, `不能是${words[event.kind].zh}事件`, `cannot be ${words[event.kind].en} event`)
    return undefined
  }
  return event
}

function planOf(of: Element, definition: Element, type: NodeType, faults: Faults): EventPlan | undefined {
  switch (definition.$type) {
    case 'bpmn:TimerEventDefinition': {
      const timer = timerOfEvent(of, definition, faults)
      return timer && { kind: 'timer', timer }
    }
    case 'bpmn:MessageEventDefinition': {
      const message = one(definition, 'messageRef')
      const name = message && text(message, 'name')?.trim()
      if (name && name.length > 255) {
        faults.at(of, '的消息名称超过255个字', 'has a message whose name is longer than 255 characters')
        return undefined
      }
      const correlation = text(definition, 'db:correlation')?.trim()
      if (name) return { kind: 'message', name, ...(correlation && type !== 'start' ? { correlation } : {}) }
      faults.strange(of, '的消息没有名称', 'has a message without a name')
      return undefined
    }
    case 'bpmn:ErrorEventDefinition': {
      const error = one(definition, 'errorRef')
      const code = error && text(error, 'errorCode')?.trim()
      if (code) return { kind: 'error', code }
      if (type === 'boundary' && !error) return { kind: 'error' }
      faults.strange(of, '的错误没有代码', 'has an error without a code')
      return undefined
    }
    case 'bpmn:TerminateEventDefinition':
      return { kind: 'terminate' }
    default: {
      const local = definition.$type.slice(definition.$type.indexOf(':') + 1)
      faults.strange(of, `的事件 ${local} 这里不会运行`, `has an event ${local}, which does not run`)
      return undefined
    }
  }
}
