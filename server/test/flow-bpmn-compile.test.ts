// biome-ignore-all lint/suspicious/noTemplateCurlyInString: other engines write conditions in this form
import { describe, expect, test } from 'vitest'
import {
  around,
  document,
  element,
  end,
  escaped,
  extension,
  flow,
  nodeOf,
  planOf,
  process,
  start,
  task,
} from './flow-bpmn-parts.ts'

const assignees = (rules: string): string => extension(`<db:assignees>${rules}</db:assignees>`)

describe('R-FLOW-2: what runs becomes a plan', () => {
  test('a process with its name, flows in their order and a default', async () => {
    const plan = await planOf(
      document(
        process(
          start(),
          element('exclusiveGateway', 'g', 'default="g_b"'),
          task('a'),
          task('b'),
          end(),
          flow('s>g'),
          flow('g>a', '${days > 3}', 'name="长假"'),
          flow('g>b', '${ignored}'),
          flow('a>e'),
          flow('b>e'),
        ),
      ),
    )
    expect(plan).toMatchObject({ key: 'p', name: '请假', form: [] })
    expect(plan.nodes.g).toEqual({
      id: 'g',
      type: 'exclusive',
      scope: null,
      incoming: ['s_g'],
      outgoing: ['g_a', 'g_b'],
      defaultFlow: 'g_b',
    })
    expect(plan.flows.g_a).toEqual({
      id: 'g_a',
      from: 'g',
      to: 'a',
      name: '长假',
      condition: { op: '>', left: { op: 'name', path: ['days'] }, right: { op: 'value', value: 3 } },
    })
    expect(plan.flows.g_b!.condition).toBeUndefined()
  })

  test.each([
    ['<db:assignee kind="user" ids="1, 2"/>', [{ kind: 'user', ids: ['1', '2'] }]],
    ['<db:assignee kind="role" ids="7"/>', [{ kind: 'role', ids: ['7'] }]],
    ['<db:assignee kind="post" ids="7"/>', [{ kind: 'post', ids: ['7'] }]],
    ['<db:assignee kind="dept" ids="7"/>', [{ kind: 'dept', ids: ['7'] }]],
    ['<db:assignee kind="account" names="wang"/>', [{ kind: 'account', names: ['wang'] }]],
    ['<db:assignee kind="roleAlias" names="teacher,head"/>', [{ kind: 'roleAlias', names: ['teacher', 'head'] }]],
    ['<db:assignee kind="deptLeader"/>', [{ kind: 'deptLeader', up: 0 }]],
    ['<db:assignee kind="deptLeader" up="1"/>', [{ kind: 'deptLeader', up: 1 }]],
    [
      '<db:assignee kind="classTeacher"/><db:assignee kind="gradeHead"/>',
      [{ kind: 'classTeacher' }, { kind: 'gradeHead' }],
    ],
    ['<db:assignee kind="chosen"/>', [{ kind: 'chosen' }]],
    ['<db:assignee kind="field" field="approver"/>', [{ kind: 'field', field: 'approver' }]],
    ['<db:assignee kind="doer" node="a"/>', [{ kind: 'doer', node: 'a' }]],
  ])('people of the product: %s', async (rules, expected) => {
    const node = await nodeOf(around('a', element('userTask', 'a', 'name="审批"', assignees(rules))), 'a')
    expect(node.task!.assignees).toEqual(expected)
  })

  test.each([
    ['flowable:assignee="${initiator}"', [{ kind: 'applicant' }]],
    ['flowable:assignee="${startUserId}"', [{ kind: 'applicant' }]],
    ['activiti:assignee="$INITIATOR"', [{ kind: 'applicant' }]],
    ['flowable:assignee="${applyUser}"', [{ kind: 'applicant' }]],
    ['flowable:assignee="${me}"', [{ kind: 'applicant' }]],
    ['camunda:assignee="wang"', [{ kind: 'account', names: ['wang'] }]],
    ['camunda:assignee="${leader}"', [{ kind: 'field', field: 'leader' }]],
    [
      'flowable:candidateUsers="wang, li,${deputy}"',
      [
        { kind: 'account', names: ['wang', 'li'] },
        { kind: 'field', field: 'deputy' },
      ],
    ],
    ['flowable:candidateGroups="teacher,head"', [{ kind: 'roleAlias', names: ['teacher', 'head'] }]],
    [
      'flowable:candidateGroups="hr" flowable:priority="50" flowable:category="x" flowable:candidateUsers="li"',
      [
        { kind: 'account', names: ['li'] },
        { kind: 'roleAlias', names: ['hr'] },
      ],
    ],
  ])('people of other engines: %s', async (attributes, expected) => {
    const xml = document(
      process(
        start('s', 'flowable:initiator="me"'),
        element('userTask', 'a', `name="审批" ${attributes}`),
        end(),
        flow('s>a>e'),
      ),
    )
    expect((await nodeOf(xml, 'a')).task!.assignees).toEqual(expected)
  })
})

const principal = '<db:assignees><db:assignee kind="principal"/></db:assignees>'
const decided = (attributes: string, ...within: string[]): string =>
  around('a', element('userTask', 'a', `name="审批" ${attributes}`, ...within))

describe('R-FLOW-4: what a task asks', () => {
  test('what is not said has its usual meaning', async () => {
    expect((await nodeOf(around('a', task('a')), 'a')).task).toEqual({
      assignees: [{ kind: 'principal' }],
      ifNobody: 'incident',
      skipSame: false,
      onRefuse: 'end',
      may: { delegate: true, transfer: true, return: true, addSigner: true },
      fields: {},
      copies: [],
    })
  })

  test('all that can be said', async () => {
    const xml = document(
      process(
        start(),
        task('before'),
        element(
          'userTask',
          'a',
          'name="审批" db:onRefuse="return" db:returnTo="before" db:ifNobody="skip" db:skipSame="true" db:may="transfer addSigner" db:formKey="leave"',
          extension(
            principal,
            '<db:copies><db:assignee kind="applicant"/></db:copies>',
            '<db:due kind="duration" value="P2D" by="schoolDays" onDue="deptLeader"/>',
            '<db:fields><db:access field="days" as="write"/><db:access field="cost" as="hidden"/></db:fields>',
          ),
        ),
        end(),
        flow('s>before>a>e'),
      ),
    )
    expect((await nodeOf(xml, 'a')).task).toEqual({
      assignees: [{ kind: 'principal' }],
      ifNobody: 'skip',
      skipSame: true,
      onRefuse: { to: 'before' },
      may: { delegate: false, transfer: true, return: false, addSigner: true },
      due: { kind: 'duration', value: 'P2D', by: 'schoolDays' },
      onDue: 'deptLeader',
      fields: { days: 'write', cost: 'hidden' },
      copies: [{ kind: 'applicant' }],
      formKey: 'leave',
    })
  })

  test.each([
    ['flowable:dueDate="P2D"', { kind: 'duration', value: 'P2D', by: 'clock' }],
    ['camunda:dueDate="2026-09-01T08:00:00Z"', { kind: 'date', value: '2026-09-01T08:00:00Z', by: 'clock' }],
    ['activiti:dueDate="${until}"', { kind: 'date', value: 'field:until', by: 'clock' }],
  ])('a term of another engine: %s', async (attributes, due) => {
    expect((await nodeOf(decided(attributes, extension(principal)), 'a')).task!.due).toEqual(due)
  })

  test.each(['outcome == "no"', 'pass', 'flag == "ok" and days > 1', '!approved'])(
    'where a condition asks for %s, a refusal goes on to it',
    async (condition) => {
      const xml = document(
        process(
          start(),
          task('a'),
          element('exclusiveGateway', 'g', 'default="g_e"'),
          task('b', 'db:onRefuse="end"'),
          end(),
          flow('s>a>g>e'),
          flow('g>b', `\${${condition}}`),
          flow('b>e'),
        ),
      )
      const plan = await planOf(xml)
      expect(plan.nodes.a!.task!.onRefuse).toBe('continue')
      expect(plan.nodes.b!.task!.onRefuse).toBe('end')
    },
  )

  test('the only flow without a condition is taken where none holds', async () => {
    const xml = document(
      process(
        start(),
        element('exclusiveGateway', 'g'),
        task('a'),
        end(),
        flow('s>g>e'),
        flow('g>a', '${x}'),
        flow('a>e'),
      ),
    )
    expect((await nodeOf(xml, 'g')).defaultFlow).toBe('g_e')
  })
})

describe('R-FLOW-2: several at once or one after another', () => {
  const looped = (attributes: string, within = ''): string =>
    decided(
      '',
      extension(principal),
      `<multiInstanceLoopCharacteristics ${attributes}>${within}</multiInstanceLoopCharacteristics>`,
    )
  test.each([
    ['', { order: 'parallel', need: 'all' }],
    ['isSequential="true"', { order: 'sequence', need: 'all' }],
    ['db:need="any"', { order: 'parallel', need: 'any' }],
    ['db:need="count" db:amount="2"', { order: 'parallel', need: { count: 2 } }],
    ['db:need="share" db:amount="0.6"', { order: 'parallel', need: { share: 0.6 } }],
  ])('of the product: %s', async (attributes, loop) => {
    expect((await nodeOf(looped(attributes), 'a')).loop).toEqual(loop)
  })

  test.each([
    ['${nrOfCompletedInstances/nrOfInstances >= 0.5}', { share: 0.5 }],
    ['${nrOfCompletedInstances / nrOfInstances == 1}', 'all'],
    ['${nrOfCompletedInstances/nrOfInstances > 0}', 'any'],
    ['${nrOfCompletedInstances >= nrOfInstances * 0.6}', { share: 0.6 }],
    ['${0.5 <= nrOfCompletedInstances/nrOfInstances}', { share: 0.5 }],
    ['${nrOfCompletedInstances == nrOfInstances}', 'all'],
    ['${nrOfInstances == nrOfCompletedInstances}', 'all'],
    ['${nrOfActiveInstances == 0}', 'all'],
    ['${nrOfCompletedInstances == 1}', 'any'],
    ['${nrOfCompletedInstances >= 2}', { count: 2 }],
    ['${nrOfCompletedInstances > 2}', { count: 3 }],
    ['${2 < nrOfCompletedInstances}', { count: 3 }],
    ['${!pass || nrOfCompletedInstances == nrOfInstances}', 'all'],
    ["${outcome == 'no' || nrOfCompletedInstances/nrOfInstances >= 0.5}", { share: 0.5 }],
  ])('of other engines: %s', async (condition, need) => {
    const within = `<loopCardinality>3</loopCardinality><completionCondition>${escaped(condition)}</completionCondition>`
    expect((await nodeOf(looped('', within), 'a')).loop).toEqual({ order: 'parallel', need, times: 3 })
  })

  test('more than half is no half', async () => {
    const within = '<completionCondition>${nrOfCompletedInstances/nrOfInstances &gt; 0.5}</completionCondition>'
    const { need } = (await nodeOf(looped('', within), 'a')).loop!
    const { share } = need as { share: number }
    for (const people of [2, 4, 10, 1_000]) expect(Math.ceil(share * people)).toBe(people / 2 + 1)
    for (const people of [1, 3, 5, 999]) expect(Math.ceil(share * people)).toBe((people + 1) / 2)
  })

  test('a list of people that a variable holds is who decides', async () => {
    const xml = decided(
      'flowable:assignee="${one}"',
      '<multiInstanceLoopCharacteristics flowable:collection="${signers}" flowable:elementVariable="one"/>',
    )
    const node = await nodeOf(xml, 'a')
    expect(node.task!.assignees).toEqual([{ kind: 'field', field: 'signers' }])
    expect(node.loop).toEqual({ order: 'parallel', need: 'all' })
  })
})

describe('R-FLOW-2: events, sub-processes, calls and what service tasks do', () => {
  const caught = (definition: string): string => around('x', element('intermediateCatchEvent', 'x', '', definition))
  test.each([
    ['<timeDate>2026-09-01</timeDate>', '', { kind: 'date', value: '2026-09-01', by: 'clock' }],
    ['<timeDate>${begin}</timeDate>', '', { kind: 'date', value: 'field:begin', by: 'clock' }],
    ['<timeDate>field:begin</timeDate>', '', { kind: 'date', value: 'field:begin', by: 'clock' }],
    ['<timeDuration>P3DT4H</timeDuration>', '', { kind: 'duration', value: 'P3DT4H', by: 'clock' }],
    ['<timeDuration>P3D</timeDuration>', 'db:by="schoolDays"', { kind: 'duration', value: 'P3D', by: 'schoolDays' }],
    [
      '<timeDuration>PT4H</timeDuration>',
      'db:by="schoolHours"',
      { kind: 'duration', value: 'PT4H', by: 'schoolHours' },
    ],
    ['<timeCycle>R3/PT1H</timeCycle>', '', { kind: 'cycle', value: 'R3/PT1H', by: 'clock' }],
  ])('a timer: %s', async (time, by, timer) => {
    const xml = caught(`<timerEventDefinition ${by}>${time}</timerEventDefinition>`)
    expect((await nodeOf(xml, 'x')).event).toEqual({ kind: 'timer', timer })
  })

  test('messages, errors and termination', async () => {
    const xml = document(
      '<message id="m" name="已付款"/>',
      '<error id="er" errorCode="E1"/>',
      process(
        start(),
        element(
          'subProcess',
          'u',
          'name="子"',
          start('u1'),
          end('u2', '<errorEventDefinition errorRef="er"/>'),
          flow('u1>u2'),
        ),
        element('boundaryEvent', 'b', 'attachedToRef="u"', '<errorEventDefinition errorRef="er"/>'),
        element(
          'boundaryEvent',
          'c',
          'attachedToRef="u" cancelActivity="false"',
          '<messageEventDefinition messageRef="m"/>',
        ),
        end(),
        end('f', '<terminateEventDefinition/>'),
        flow('s>u>e'),
        flow('b>e'),
        flow('c>f'),
      ),
    )
    const { nodes } = await planOf(xml)
    expect(nodes.u2).toMatchObject({ scope: 'u', event: { kind: 'error', code: 'E1' } })
    expect(nodes.b).toMatchObject({ attachedTo: 'u', interrupting: true, event: { kind: 'error', code: 'E1' } })
    expect(nodes.c).toMatchObject({ attachedTo: 'u', interrupting: false, event: { kind: 'message', name: '已付款' } })
    expect(nodes.f!.event).toEqual({ kind: 'terminate' })
    expect(nodes.u).toMatchObject({ type: 'sub', scope: null })
  })

  test('an event-based gateway, a call and a loop of a call', async () => {
    const xml = document(
      '<message id="m" name="到"/>',
      process(
        start(),
        element('eventBasedGateway', 'g'),
        element('intermediateCatchEvent', 'x', '', '<messageEventDefinition messageRef="m"/>'),
        element(
          'intermediateCatchEvent',
          'y',
          '',
          '<timerEventDefinition><timeDuration>P1D</timeDuration></timerEventDefinition>',
        ),
        element(
          'callActivity',
          'q',
          'name="调用" calledElement="seal-use"',
          '<multiInstanceLoopCharacteristics isSequential="true"><loopCardinality>2</loopCardinality></multiInstanceLoopCharacteristics>',
        ),
        end(),
        flow('s>g>x>q>e'),
        flow('g>y>q'),
      ),
    )
    const { nodes } = await planOf(xml)
    expect(nodes.g).toMatchObject({ type: 'eventBased', outgoing: ['g_x', 'g_y'] })
    expect(nodes.q).toMatchObject({
      type: 'call',
      calls: 'seal-use',
      loop: { order: 'sequence', need: 'all', times: 2 },
    })
  })

  test.each([
    [
      '<db:action kind="inbox" title="好了" body="来取"><db:assignee kind="applicant"/></db:action>',
      { kind: 'inbox', to: [{ kind: 'applicant' }], title: '好了', body: '来取' },
    ],
    [
      '<db:action kind="sms" template="t1"><db:assignee kind="role" ids="1"/></db:action>',
      { kind: 'sms', to: [{ kind: 'role', ids: ['1'] }], template: 't1' },
    ],
    [
      '<db:action kind="copy"><db:assignee kind="principal"/></db:action>',
      { kind: 'copy', to: [{ kind: 'principal' }] },
    ],
  ])('a service task: %s', async (action, expected) => {
    expect(
      (await nodeOf(around('x', element('serviceTask', 'x', 'name="做"', extension(action))), 'x')).action,
    ).toEqual(expected)
  })
})

describe('R-FLOW-5: a form that a process brings with it', () => {
  test('of the product', async () => {
    const form =
      '<db:form><db:field name="days" label="天数" kind="decimal" required="true" min="0.5" max="30" help="半天为0.5"/><db:field name="sort" label="类别" kind="choice"><db:option key="1" label="事假"/></db:field></db:form>'
    expect((await planOf(document(process(extension(form), start(), end(), flow('s>e'))))).form).toEqual([
      { name: 'days', label: '天数', kind: 'decimal', required: true, min: 0.5, max: 30, help: '半天为0.5' },
      { name: 'sort', label: '类别', kind: 'choice', options: [{ key: '1', label: '事假' }] },
    ])
  })

  test.each([
    [
      'flowable',
      '<flowable:formProperty id="days" name="天数" type="long" required="true"/><flowable:formProperty id="sort" name="类别" type="enum"><flowable:value id="1" name="事假"/></flowable:formProperty>',
    ],
    [
      'camunda',
      '<camunda:formData><camunda:formField id="days" label="天数" type="long" required="true"/><camunda:formField id="sort" label="类别" type="enum"><camunda:value id="1" name="事假"/></camunda:formField></camunda:formData>',
    ],
  ])('of %s', async (_engine, fields) => {
    expect((await planOf(document(process(start('s', '', extension(fields)), end(), flow('s>e'))))).form).toEqual([
      { name: 'days', label: '天数', kind: 'integer', required: true },
      { name: 'sort', label: '类别', kind: 'choice', options: [{ key: '1', label: '事假' }] },
    ])
  })
})
