// biome-ignore-all lint/suspicious/noTemplateCurlyInString: other engines write conditions in this form
import { describe, expect, test } from 'vitest'
import { readCards } from '../src/modules/flow/bpmn/cards.ts'
import { compileXml } from '../src/modules/flow/bpmn/compile.ts'
import { withDrawing } from '../src/modules/flow/bpmn/diagram.ts'
import { document, element, end, flow, process, start } from './flow-bpmn-parts.ts'

const many = (of: number, part: (at: number) => string): string =>
  Array.from({ length: of }, (_, at) => part(at)).join('')

/** The largest that are read, each to be slow for one way of looking at it. */
const largest: readonly (readonly [string, string])[] = [
  [
    'a chain',
    document(
      process(
        start('n0'),
        many(2_600, (at) => element('userTask', `n${at + 1}`)),
        many(2_600, (at) => flow(`n${at}>n${at + 1}`)),
      ),
    ),
  ],
  [
    'a fan',
    document(
      process(
        start(),
        element('exclusiveGateway', 'g'),
        end(),
        flow('s>g'),
        many(2_600, (at) => element('userTask', `n${at}`) + flow(`g>n${at}>e`)),
      ),
    ),
  ],
  [
    'gateways within one another',
    document(
      process(
        start('n0'),
        many(
          2_000,
          (at) =>
            element('exclusiveGateway', `n${at + 1}`, `default="n${at}_n${at + 1}"`) +
            flow(`n${at}>n${at + 1}`) +
            flow(`n${at + 1}>n0`),
        ),
      ),
    ),
  ],
  [
    'errors at edges',
    document(
      process(
        start(),
        many(
          2_500,
          (at) =>
            element('subProcess', `n${at}`) +
            element('boundaryEvent', `b${at}`, `attachedToRef="n${at}"`, '<errorEventDefinition/>'),
        ),
      ),
    ),
  ],
  [
    'ways into one',
    document(
      process(
        start(),
        element(
          'userTask',
          'a',
          '',
          many(7_900, () => '<incoming>f</incoming>'),
        ),
        '<sequenceFlow id="f" sourceRef="s" targetRef="a"/>',
      ),
    ),
  ],
  [
    'sub-processes within one another',
    document(
      process(
        start(),
        many(190, (at) => `<subProcess id="u${at}">`),
        many(190, () => '</subProcess>'),
      ),
    ),
  ],
  ['a long attribute', document(process(start('s', `name="${'<'.replace('<', '&lt;').repeat(4_000)}"`)))],
  [
    'many attributes',
    document(
      process(
        start(
          's',
          many(1_200, (at) => `flowable:a${at}="x" `),
        ),
      ),
    ),
  ],
  ['a long condition', document(process(start(), end(), flow('s>e', `\${${'('.repeat(500_000)}}`)))],
]

/** How long this process has been at work, however busy the machine is. */
const usedSeconds = (): number => globalThis.process.cpuUsage().user / 1_000_000

describe('R-FLOW-1: the largest files that are read', () => {
  test.each(largest)('%s takes its moment and no more', async (_name, xml) => {
    expect(xml.length).toBeLessThan(2 * 1_048_576)
    const begun = usedSeconds()
    const { faults } = await compileXml(xml)
    expect(faults.length).toBeGreaterThan(0)
    expect(faults.length).toBeLessThanOrEqual(210)
    expect(await readCards(xml)).toBeUndefined()
    await withDrawing(xml)
    const used = usedSeconds() - begun
    // They take two seconds of a processor at most; what grows with the square of a file takes minutes.
    expect(used).toBeLessThan(10)
  })
})
