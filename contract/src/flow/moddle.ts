import { flowNamespace } from './plan.ts'

/*
 * What the product adds to BPMN 2.0, as a descriptor for moddle: the server reads by it, the designer writes by it.
 *
 *   <process db:formKey="leave">, with <db:form><db:field name label kind …><db:option key label/></db:field></db:form>
 *   <userTask db:onRefuse="end|continue|return" db:returnTo="Task_1" db:ifNobody db:skipSame db:may="delegate transfer" db:formKey>
 *     with <db:assignees><db:assignee kind="role" ids="1,2"/></db:assignees>, <db:copies>, <db:due>, <db:fields><db:access/>
 *   <multiInstanceLoopCharacteristics db:need="all|any|count|share" db:amount="0.5">
 *   <serviceTask> with <db:action kind="inbox|sms|copy">, or <db:action kind="action" name="studentStatus"> with <db:input name value/>
 *   <messageEventDefinition db:correlation="orderNo|:instance|:business|:message">
 *   <timerEventDefinition db:by="clock|schoolDays|schoolHours">
 */

const attribute = (name: string, type = 'String') => ({ name, type, isAttr: true }) as const
const list = (name: string, type: string) => ({ name, type, isMany: true }) as const
const element = (name: string, ...properties: readonly object[]) => ({ name, superClass: ['Element'], properties })
const added = (name: string, to: string, ...properties: readonly object[]) => ({ name, extends: [to], properties })

export const flowModdle = {
  name: 'DataBrain',
  uri: flowNamespace,
  prefix: 'db',
  xml: { tagAlias: 'lowerCase' },
  types: [
    added('FormedProcess', 'bpmn:Process', attribute('formKey')),
    added(
      'DecidedTask',
      'bpmn:UserTask',
      attribute('onRefuse'),
      attribute('returnTo'),
      attribute('ifNobody'),
      attribute('skipSame', 'Boolean'),
      attribute('may'),
      attribute('formKey'),
    ),
    added('AgreedLoop', 'bpmn:MultiInstanceLoopCharacteristics', attribute('need'), attribute('amount', 'Real')),
    added('CorrelatedMessage', 'bpmn:MessageEventDefinition', attribute('correlation')),
    added('CalendarTimer', 'bpmn:TimerEventDefinition', attribute('by')),
    element(
      'Assignee',
      attribute('kind'),
      attribute('ids'),
      attribute('names'),
      attribute('up', 'Integer'),
      attribute('field'),
      attribute('node'),
    ),
    element('Assignees', list('rules', 'Assignee')),
    element('Copies', list('rules', 'Assignee')),
    element('Due', attribute('kind'), attribute('value'), attribute('by'), attribute('onDue')),
    element('Access', attribute('field'), attribute('as')),
    element('Fields', list('access', 'Access')),
    element(
      'Action',
      attribute('kind'),
      attribute('name'),
      attribute('title'),
      attribute('body'),
      attribute('template'),
      list('to', 'Assignee'),
      list('inputs', 'Input'),
    ),
    element('Input', attribute('name'), attribute('value')),
    element('Option', attribute('key'), attribute('label')),
    element(
      'Field',
      attribute('name'),
      attribute('label'),
      attribute('kind'),
      attribute('required', 'Boolean'),
      attribute('min', 'Real'),
      attribute('max', 'Real'),
      attribute('help'),
      list('options', 'Option'),
    ),
    element('Form', list('fields', 'Field')),
  ],
  enumerations: [],
  associations: [],
}
