import { describe, expect, it } from 'vitest'
import { keyOfName } from '../src/pages/flow/model/key-input.tsx'
import { changesOf, renamed, stepsOf } from '../src/pages/flow/model/steps.ts'

const model = (inside: string, prefix = 'bpmn') =>
  `<?xml version="1.0"?><${prefix}:definitions xmlns:${prefix}="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI" xmlns:db="https://data-brain.dev/bpmn">
  <${prefix}:process id="leave" name="请假">${inside.replaceAll(/(?<=[</])b:/g, `${prefix}:`)}</${prefix}:process>
  <bpmndi:BPMNDiagram><bpmndi:BPMNPlane bpmnElement="leave"/></bpmndi:BPMNDiagram></${prefix}:definitions>`
const task = (id: string, name: string, more = '') => `<b:userTask id="${id}" name="${name}" ${more}/>`
const flow = (id: string, to: string, when = '') =>
  `<b:sequenceFlow id="${id}" sourceRef="s" targetRef="${to}"><b:conditionExpression>${when}</b:conditionExpression></b:sequenceFlow>`

describe('R-FLOW-7 versions of a model', () => {
  it('differ by steps that are new, gone, renamed, set or led otherwise', () => {
    const before = stepsOf(model(task('a', '班主任') + task('b', '校长') + flow('f', 'a', 'days > 3')))
    const after = stepsOf(
      model(task('a', '班主任老师', 'db:onRefuse="end"') + task('c', '教务处') + flow('f', 'c', 'days > 5')),
    )
    expect(changesOf(before, after).map(({ id, change, parts }) => [id, change, parts.join()])).toEqual([
      ['c', 'added', ''],
      ['b', 'removed', ''],
      ['a', 'changed', 'name,settings'],
      ['f', 'changed', 'condition'],
    ])
  })

  it('do not differ by prefixes, order of attributes or the layout of the file', () => {
    const before = stepsOf(model(task('a', '班主任', 'db:may="delegate" db:skipSame="true"')))
    const after = stepsOf(model(`\n\n${task('a', '班主任', 'db:skipSame="true"   db:may="delegate"')}\n`, 'x'))
    expect(changesOf(before, after)).toEqual([])
  })

  it('that are copied have the key and the name of the copy, and its drawing', () => {
    const copy = renamed(model(task('a', '班主任')), 'leave-2', '请假（副本）')
    expect(copy).toContain('<bpmn:process id="leave-2" name="请假（副本）">')
    expect(copy).toContain('bpmnElement="leave-2"')
  })
})

describe('R-FLOW-7 the key of a model', () => {
  it.each([
    ['Seal use', 'seal-use'],
    ['2026 repair', 'p-2026-repair'],
    ['', ''],
  ])('%s gives %s', (name, key) => expect(keyOfName(name)).toBe(key))
})
