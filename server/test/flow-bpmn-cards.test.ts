// biome-ignore-all lint/suspicious/noTemplateCurlyInString: other engines write conditions in this form
import type { Card, CardModel } from '@data-brain/contract/flow/cards'
import { printExpression } from '@data-brain/contract/flow/expression-text'
import type { AssigneeRule, FormField, LoopPlan, TimerPlan } from '@data-brain/contract/flow/plan'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readCards } from '../src/modules/flow/bpmn/cards.ts'
import { compileXml } from '../src/modules/flow/bpmn/compile.ts'
import { fromXml, many, one, text } from '../src/modules/flow/bpmn/moddle.ts'
import { shippedModels } from '../src/modules/flow/bpmn/shipped.ts'
import { writeCards } from '../src/modules/flow/bpmn/write.ts'
import { around, document, element, end, flow, process, start, task } from './flow-bpmn-parts.ts'

// What XML has no way to write is no part of a name.
const word = fc
  .string({ unit: fc.constantFrom(...'ab3 <>&"\'\n\t；：审批“”…𠮷é{}$#'), maxLength: 12 })
  .filter((each) => each === '' || each.trim() !== '')
const sure = word.filter((each) => each !== '')
const token = fc.string({ unit: fc.constantFrom(...'abcxyz019'), minLength: 1, maxLength: 5 }).map((each) => `n${each}`)
const digits = fc.bigInt({ min: 1n, max: 10n ** 18n }).map(String)

const rule = fc.oneof(
  fc.record({
    kind: fc.constantFrom('user', 'role', 'post', 'dept'),
    ids: fc.array(digits, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    kind: fc.constantFrom('account', 'roleAlias', 'postCode'),
    names: fc.array(token, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ kind: fc.constant('deptLeader'), up: fc.nat({ max: 9 }) }),
  fc.record({ kind: fc.constantFrom('classTeacher', 'gradeHead', 'principal', 'applicant', 'chosen') }),
  fc.record({ kind: fc.constant('field'), field: token }),
  fc.record({ kind: fc.constant('doer'), node: token }),
) as fc.Arbitrary<AssigneeRule>

const due: fc.Arbitrary<TimerPlan> = fc.oneof(
  fc.record({
    kind: fc.constant('duration' as const),
    value: fc.constantFrom('P2D', 'P1W'),
    by: fc.constantFrom('clock' as const, 'schoolDays' as const),
  }),
  fc.record({
    kind: fc.constant('duration' as const),
    value: fc.constantFrom('PT4H', 'PT1H30M'),
    by: fc.constantFrom('clock' as const, 'schoolHours' as const),
  }),
  fc.record({
    kind: fc.constant('date' as const),
    value: fc.constantFrom('2026-09-01', '2026-09-01T08:00:00+08:00', 'field:begin'),
    by: fc.constant('clock' as const),
  }),
)
const loop: fc.Arbitrary<LoopPlan> = fc.record(
  {
    order: fc.constantFrom('parallel' as const, 'sequence' as const),
    need: fc.oneof(
      fc.constantFrom('all' as const, 'any' as const),
      fc.record({ count: fc.integer({ min: 1, max: 1_000 }) }),
      fc.record({ share: fc.double({ min: 0.001, max: 1, noNaN: true }) }),
    ),
    times: fc.integer({ min: 1, max: 1_000 }),
  },
  { requiredKeys: ['order', 'need'] },
)
const decided = fc
  .record(
    {
      assignees: fc.array(rule, { maxLength: 4 }),
      ifNobody: fc.constantFrom('incident' as const, 'skip' as const, 'managers' as const),
      skipSame: fc.boolean(),
      onRefuse: fc.oneof(fc.constantFrom('end' as const, 'continue' as const), fc.record({ to: token })),
      may: fc.record({ delegate: fc.boolean(), transfer: fc.boolean(), return: fc.boolean(), addSigner: fc.boolean() }),
      fields: fc.dictionary(token, fc.constantFrom('hidden' as const, 'read' as const, 'write' as const), {
        maxKeys: 4,
        noNullPrototype: true,
      }),
      due,
      onDue: fc.constantFrom('remind' as const, 'agree' as const, 'refuse' as const, 'deptLeader' as const),
      formKey: token,
    },
    { requiredKeys: ['assignees', 'ifNobody', 'skipSame', 'onRefuse', 'may', 'fields'] },
  )
  // What happens when it is overdue is said of what has a term.
  .map(({ onDue, ...rest }) => ({ ...rest, ...(rest.due && onDue ? { onDue } : {}) }))

const field = fc
  .record(
    {
      label: word,
      kind: fc.constantFrom(
        'text',
        'longText',
        'integer',
        'decimal',
        'date',
        'instant',
        'choice',
        'user',
        'files',
        'flag',
      ),
      required: fc.constant(true),
      options: fc.array(fc.record({ key: word, label: word }), { minLength: 1, maxLength: 3 }),
      min: fc.double({ noNaN: true, noDefaultInfinity: true }).map((each) => each + 0),
      max: fc.integer(),
      help: sure,
    },
    { requiredKeys: ['label', 'kind'] },
  )
  .map((each) => each as Omit<FormField, 'name'>)

const condition = fc.oneof(
  word.map((each) => each.trim()),
  fc.constantFrom("days > 3 && kind == '事假'", 'a <= 1 || !b'),
)

const card = fc.letrec<{ cards: Card[]; card: Card }>((tie) => ({
  cards: fc.array(tie('card'), { maxLength: 3, depthIdentifier: 'cards' }),
  card: fc.oneof(
    { depthIdentifier: 'cards', maxDepth: 4, withCrossShrink: true },
    fc.record(
      { kind: fc.constant('approval' as const), id: fc.constant(''), name: word, task: decided, loop },
      { requiredKeys: ['kind', 'id', 'name', 'task'] },
    ),
    fc.record({
      kind: fc.constant('copy' as const),
      id: fc.constant(''),
      name: word,
      to: fc.array(rule, { maxLength: 3 }),
    }),
    fc.record({
      kind: fc.constant('branch' as const),
      id: fc.constant(''),
      name: word,
      ways: fc
        .array(fc.record({ name: word, when: condition, cards: tie('cards') }), { minLength: 1, maxLength: 3 })
        .map((ways) => ways.map((way, at) => (at === ways.length - 1 ? { ...way, when: '' } : way))),
    }),
  ),
}))

/** Gives each card an id; those that the writer gives on its own are among them. */
function numbered(cards: readonly Card[], next: () => string): Card[] {
  return cards.map((each) =>
    each.kind === 'branch'
      ? { ...each, id: next(), ways: each.ways.map((way) => ({ ...way, cards: numbered(way.cards, next) })) }
      : { ...each, id: next() },
  )
}

const model: fc.Arbitrary<CardModel> = fc
  .record(
    {
      key: token,
      name: word,
      formKey: token,
      form: fc.array(fc.tuple(token, field), { maxLength: 4 }),
      cards: card.cards,
    },
    { requiredKeys: ['key', 'name', 'form', 'cards'] },
  )
  .map((each) => {
    const ids = ['start', 'end', 'start_to_end', 'c_join', 'c', 'start_2']
    let n = 0
    return {
      ...each,
      form: each.form.map(([name, of]) => ({ ...of, name })),
      cards: numbered(each.cards, () => ids[n++] ?? `c${n}`),
    } as CardModel
  })

describe('R-FLOW-1: cards are written as BPMN, and BPMN opens in cards', () => {
  test('any model of cards comes back as it was', async () => {
    await fc.assert(
      fc.asyncProperty(model, async (cards) => {
        expect(await readCards(await writeCards(cards))).toEqual(cards)
      }),
      { numRuns: 300 },
    )
  })

  test('its drawing has a shape for each node and a line for each flow, and no shape lies on another', async () => {
    await fc.assert(
      fc.asyncProperty(model, async (cards) => {
        const xml = await writeCards(cards)
        const { plan } = await compileXml(xml)
        const { root, warnings } = await fromXml(xml)
        expect(warnings).toEqual([])
        const drawn = many(one(many(root, 'diagrams')[0]!, 'plane')!, 'planeElement')
        expect(drawn.map((each) => text(one(each, 'bpmnElement')!, 'id')).sort()).toEqual(
          [...Object.keys(plan!.nodes), ...Object.keys(plan!.flows)].sort(),
        )
        const boxes = drawn.flatMap((each) => {
          const bounds = one(each, 'bounds')
          return bounds ? [['x', 'y', 'width', 'height'].map((name) => bounds.get(name) as number)] : []
        })
        for (const [at, [x, y, width, height]] of boxes.entries())
          for (const [ax, ay, awidth, aheight] of boxes.slice(at + 1))
            expect(x! < ax! + awidth! && ax! < x! + width! && y! < ay! + aheight! && ay! < y! + height!).toBe(false)
        for (const each of drawn) {
          const points = many(each, 'waypoint').map((point) => [point.get('x') as number, point.get('y') as number])
          for (const [at, [x, y]] of points.entries())
            if (at > 0) {
              const [px, py] = points[at - 1]!
              expect(x === px || y === py).toBe(true)
              const inside = boxes.filter(
                ([bx, by, width, height]) =>
                  Math.max(x!, px!) > bx! &&
                  Math.min(x!, px!) < bx! + width! &&
                  Math.max(y!, py!) > by! &&
                  Math.min(y!, py!) < by! + height!,
              )
              expect(inside).toEqual([])
            }
        }
      }),
      { numRuns: 200 },
    )
  })
})

describe('R-FLOW-5, R-FLOW-9: processes that are shipped', () => {
  test.each(shippedModels.map((each) => [each.name, each] as const))('%s can be deployed', async (_name, shipped) => {
    const xml = await writeCards(shipped)
    const { plan, faults } = await compileXml(xml)
    expect(faults).toEqual([])
    expect(await readCards(xml)).toEqual(shipped)
    expect(plan).toMatchObject({ key: shipped.key, name: shipped.name, form: shipped.form })
  })

  test('a leave asks as many as its steps say', async () => {
    const { plan } = await compileXml(await writeCards(shippedModels[0]!))
    expect(plan!.formKey).toBe('leave')
    expect(Object.values(plan!.nodes).flatMap(({ id, task: of }) => (of ? [id] : []))).toEqual([
      'step1',
      'step2',
      'step3',
      'step4',
    ])
    const asked = Object.values(plan!.flows).flatMap(({ condition: of }) => (of ? [printExpression(of)] : []))
    expect(asked).toEqual(['steps >= 2', 'steps >= 3', 'steps >= 4'])
  })

  test('keys differ', () => {
    expect(new Set(shippedModels.map(({ key }) => key)).size).toBe(4)
  })
})

describe('R-FLOW-1: a model that cards cannot say stays with the drawing', () => {
  test.each([
    ['a parallel gateway', around('a', task('a'), element('parallelGateway', 'g'))],
    [
      'an edge',
      document(
        process(
          start(),
          task('a'),
          end(),
          flow('s>a>e'),
          element(
            'boundaryEvent',
            'b',
            'attachedToRef="a"',
            '<timerEventDefinition><timeDuration>P1D</timeDuration></timerEventDefinition>',
          ),
          flow('b>e'),
        ),
      ),
    ],
    [
      'a way back',
      document(
        process(
          start(),
          task('a'),
          element('exclusiveGateway', 'g', 'default="g_e"'),
          end(),
          flow('s>a>g>e'),
          flow('g>a', '${!pass}'),
        ),
      ),
    ],
    [
      'two ends',
      document(
        process(
          start(),
          element('exclusiveGateway', 'g', 'default="g_e"'),
          end(),
          end('f'),
          flow('s>g>e'),
          flow('g>f', '${x}'),
        ),
      ),
    ],
    ['an end that stops all', document(process(start(), end('e', '<terminateEventDefinition/>'), flow('s>e')))],
    ['a script', around('a', element('scriptTask', 'a'))],
    ['a listener', around('a', task('a', '', '<flowable:taskListener event="create" class="x.Y"/>'))],
    [
      'a note',
      document(process(start(), end(), flow('s>e'), '<textAnnotation id="n"><text>看这里</text></textAnnotation>')),
    ],
    [
      'lanes',
      document(
        process(
          '<laneSet id="l"><lane id="l1" name="教师"><flowNodeRef>s</flowNodeRef></lane></laneSet>',
          start(),
          end(),
          flow('s>e'),
        ),
      ),
    ],
    ['words of its own', document(process('<documentation>说明</documentation>', start(), end(), flow('s>e')))],
    ['a step that nothing leads to', around('a', task('a'), task('b'))],
    ['no model', '<html/>'],
  ])('%s', async (_what, xml) => {
    expect(await readCards(xml)).toBeUndefined()
  })

  test('a file of another engine opens in cards where they can say it', async () => {
    const xml = document(
      process(
        start('s', 'flowable:formKey="leave" name="开始"'),
        element('userTask', 'a', 'name="班主任" flowable:candidateGroups="class-teacher"'),
        element('exclusiveGateway', 'g', 'name="几天？"'),
        element('userTask', 'b', 'name="校长" flowable:assignee="zhang"'),
        element('exclusiveGateway', 'j'),
        end(),
        flow('s>a>g'),
        flow('g>j', undefined, 'name="短假"'),
        flow('g>b', '${days > 3}', 'name="长假"'),
        flow('b>j>e'),
      ),
    )
    const cards = await readCards(xml)
    expect(cards).toMatchObject({
      key: 'p',
      formKey: 'leave',
      cards: [
        { kind: 'approval', id: 'a', task: { assignees: [{ kind: 'roleAlias', names: ['class-teacher'] }] } },
        {
          kind: 'branch',
          ways: [
            { name: '长假', when: 'days > 3', cards: [{ id: 'b' }] },
            { name: '短假', when: '', cards: [] },
          ],
        },
      ],
    })
    expect(await readCards(await writeCards(cards!))).toEqual(cards)
  })

  test('a draft whose condition cannot be read yet keeps it', async () => {
    const draft: CardModel = {
      ...shippedModels[0]!,
      cards: [
        {
          kind: 'branch',
          id: 'g',
          name: '',
          ways: [
            { name: '', when: 'days >', cards: [] },
            { name: '', when: '', cards: [] },
          ],
        },
      ],
    }
    expect(await readCards(await writeCards(draft))).toEqual(draft)
  })
})
