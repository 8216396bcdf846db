// biome-ignore-all lint/suspicious/noTemplateCurlyInString: other engines write conditions in this form
import { describe, expect, test } from 'vitest'
import {
  around,
  document,
  element,
  end,
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
