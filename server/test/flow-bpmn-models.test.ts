import { describe, expect, test } from 'vitest'
import { compileXml } from '../src/modules/flow/bpmn/compile.ts'
import { withDrawing } from '../src/modules/flow/bpmn/diagram.ts'
import { type Element, fromXml, idOf, isA, many, one, text, toXml } from '../src/modules/flow/bpmn/moddle.ts'
import { camundaLeave, flowableLeave, models } from './flow-bpmn-models.ts'
import { planOf } from './flow-bpmn-parts.ts'

/** All that an element says, references by the id that they lead to; prefixes may change. */
function meaning(of: Element, within = new Set<unknown>()): unknown {
  within.add(of)
  const said = Object.entries(of as unknown as Record<string, unknown>)
    .filter(([name]) => !name.startsWith('$') || name === '$children' || name === '$body')
    .map(([name, value]) => [name, partOf(value, within)] as const)
  const foreign = Object.entries(of.$attrs ?? {}).filter(([name]) => !name.startsWith('xmlns'))
  return { type: of.$type, ...Object.fromEntries(said), foreign: Object.fromEntries(foreign) }
}

function partOf(value: unknown, within: Set<unknown>): unknown {
  if (Array.isArray(value)) return value.map((each) => partOf(each, within))
  if (typeof value !== 'object' || value === null) return value
  const element = value as Element
  return within.has(element) || element.$parent === undefined || !within.has(element.$parent)
    ? `→ ${idOf(element)}`
    : meaning(element, within)
}

describe('R-FLOW-1, R-FLOW-2: models in the manner of the interchange group', () => {
  test.each(models.map((each) => [each.name, each] as const))(
    '%s comes back unchanged in meaning',
    async (_name, { xml }) => {
      const first = await fromXml(xml)
      expect(first.warnings).toEqual([])
      const again = await fromXml(await toXml(first.root))
      expect(again.warnings).toEqual([])
      expect(meaning(again.root)).toEqual(meaning(first.root))
      expect(await compileXml(await toXml(first.root))).toEqual(await compileXml(xml))
    },
  )

  test.each(models.map((each) => [each.name, each] as const))(
    '%s runs, or is refused by name',
    async (_name, { xml, refused }) => {
      const faults = (await compileXml(xml)).faults.map(({ zh }) => zh)
      for (const each of refused)
        expect(
          faults.filter((fault) => fault.startsWith(each)),
          faults.join('\n'),
        ).toHaveLength(1)
      expect(faults).toHaveLength(refused.length)
    },
  )

  // Of two that would run nobody knows which one is meant.
  const drawable = models.filter(({ refused }) => !refused.some((each) => each.includes('一个文件只能有一个')))
  test.each(drawable.map((each) => [each.name, each] as const))('%s can be drawn', async (_name, { xml }) => {
    const drawn = await fromXml((await withDrawing(xml))!)
    expect(drawn.warnings).toEqual([])
    const shapes = many(one(many(drawn.root, 'diagrams')[0]!, 'plane')!, 'planeElement')
    expect(shapes.length).toBeGreaterThan(1)
    if (!xml.includes('BPMNPlane')) {
      const process = many(drawn.root, 'rootElements').find((each) => isA(each, 'bpmn:Process'))!
      const nodes = many(process, 'flowElements').filter((each) => isA(each, 'bpmn:FlowNode'))
      const seen = new Set(shapes.map((each) => one(each, 'bpmnElement')))
      expect(nodes.filter((each) => !seen.has(each)).map((each) => text(each, 'id'))).toEqual([])
    }
  })
})

describe('R-FLOW-7: files of other engines', () => {
  test('a leave of Flowable', async () => {
    const plan = await planOf(flowableLeave)
    expect(plan.formKey).toBe('leave')
    expect(plan.nodes.lead!.task).toMatchObject({
      assignees: [{ kind: 'roleAlias', names: ['leader', 'manager'] }],
      onRefuse: 'continue',
      formKey: 'leave',
    })
    expect(plan.nodes.hr!.task).toMatchObject({
      assignees: [{ kind: 'account', names: ['hr1', 'hr2'] }],
      due: { kind: 'duration', value: 'P1D' },
    })
    expect(plan.nodes.again!.task!.assignees).toEqual([{ kind: 'applicant' }])
    expect(plan.nodes.g!.defaultFlow).toBe('g_again')
  })

  test('a leave of Camunda with signers at once', async () => {
    const plan = await planOf(camundaLeave)
    expect(plan.nodes.sign).toMatchObject({
      task: { assignees: [{ kind: 'field', field: 'signers' }], onRefuse: 'end' },
      loop: { order: 'parallel', need: { share: 0.5 } },
    })
    expect(plan.nodes.told!.task!.assignees).toEqual([{ kind: 'applicant' }])
  })
})
