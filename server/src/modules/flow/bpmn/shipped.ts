import type { ApprovalCard, BranchCard, Card, CardModel } from '@data-brain/contract/flow/cards'
import type { AssigneeRule, TaskPlan } from '@data-brain/contract/flow/plan'

/* Processes that every tenant begins with: leave, whose form is a page of the product, and two with a form of their own. */

interface More extends Partial<Omit<TaskPlan, 'assignees' | 'copies'>> {
  readonly loop?: ApprovalCard['loop']
}

const approval = (
  id: string,
  name: string,
  assignees: readonly AssigneeRule[],
  { loop, ...more }: More = {},
): ApprovalCard => ({
  kind: 'approval',
  id,
  name,
  task: {
    assignees,
    ifNobody: 'managers',
    skipSame: true,
    onRefuse: 'end',
    may: { delegate: true, transfer: true, return: true, addSigner: true },
    fields: {},
    ...more,
  },
  ...(loop ? { loop } : {}),
})

/** Cards that are passed where a condition holds, and passed over where not. */
const where = (id: string, name: string, when: string, yes: string, ...cards: readonly Card[]): BranchCard => ({
  kind: 'branch',
  id,
  name,
  ways: [
    { name: yes, when, cards },
    { name: '否则', when: '', cards: [] },
  ],
})

const steps = ['一', '二', '三', '四'] as const

/**
 * A school's own rules say how many approve a leave and who: the number is the variable `steps`, and who decides step n is
 * chosen when the request is sent, under the id of the task, `step1` to `step4`.
 */
const leave = (key: string, name: string): CardModel => ({
  key,
  name,
  formKey: 'leave',
  form: [],
  cards: steps.map((nth, at) => {
    const card = approval(`step${at + 1}`, `${nth}级审批`, [{ kind: 'chosen' }])
    return at === 0
      ? card
      : where(`need${at + 1}`, `需要${nth}级审批？`, `steps >= ${at + 1}`, `需要${nth}级审批`, card)
  }),
})

const seal: CardModel = {
  key: 'seal-use',
  name: '用印申请',
  form: [
    { name: 'title', label: '文件名称', kind: 'text', required: true, max: 100 },
    { name: 'reason', label: '用印事由', kind: 'longText', required: true, max: 500 },
    {
      name: 'seal',
      label: '印章',
      kind: 'choice',
      required: true,
      options: [
        { key: 'school', label: '学校公章' },
        { key: 'contract', label: '合同专用章' },
        { key: 'finance', label: '财务专用章' },
        { key: 'principal', label: '校长名章' },
      ],
    },
    { name: 'copies', label: '份数', kind: 'integer', required: true, min: 1, max: 999 },
    { name: 'useDate', label: '用印日期', kind: 'date', required: true },
    { name: 'outside', label: '带出学校使用', kind: 'flag' },
    { name: 'files', label: '待盖章文件', kind: 'files', help: '请上传定稿，盖章后不能修改' },
  ],
  cards: [
    approval('leader', '部门负责人审批', [{ kind: 'deptLeader', up: 0 }], {
      due: { kind: 'duration', value: 'P1D', by: 'schoolDays' },
      onDue: 'remind',
    }),
    where(
      'weighty',
      '需要校长审批？',
      "seal != 'school' || outside == true",
      '专用章、名章或带出学校',
      approval('principal', '校长审批', [{ kind: 'principal' }], {
        due: { kind: 'duration', value: 'P2D', by: 'schoolDays' },
        onDue: 'remind',
      }),
    ),
    approval('stamp', '办公室盖章登记', [{ kind: 'roleAlias', names: ['registrar'] }]),
    { kind: 'copy', id: 'told', name: '告知申请人', to: [{ kind: 'applicant' }] },
  ],
}

const repair: CardModel = {
  key: 'repair',
  name: '报修',
  form: [
    { name: 'place', label: '地点', kind: 'text', required: true, max: 100, help: '如“教学楼A栋302教室”' },
    {
      name: 'sort',
      label: '类别',
      kind: 'choice',
      required: true,
      options: [
        { key: 'power', label: '水电' },
        { key: 'furniture', label: '门窗桌椅' },
        { key: 'media', label: '多媒体与网络' },
        { key: 'building', label: '房屋' },
        { key: 'other', label: '其他' },
      ],
    },
    { name: 'fault', label: '故障描述', kind: 'longText', required: true, max: 1_000 },
    { name: 'urgent', label: '影响上课或安全', kind: 'flag' },
    { name: 'pictures', label: '照片', kind: 'files' },
    { name: 'cost', label: '预计费用（元）', kind: 'decimal', min: 0, help: '由受理人填写' },
    { name: 'result', label: '维修结果', kind: 'longText', max: 1_000, help: '由维修人填写' },
  ],
  cards: [
    approval('accept', '受理', [{ kind: 'roleAlias', names: ['registrar'] }], {
      fields: { cost: 'write', result: 'hidden' },
      due: { kind: 'duration', value: 'PT4H', by: 'schoolHours' },
      onDue: 'remind',
    }),
    where(
      'costly',
      '费用超过1000元？',
      'cost > 1000',
      '超过1000元',
      approval('principal', '校长审批', [{ kind: 'principal' }], { fields: { result: 'hidden' } }),
    ),
    approval('mend', '维修', [{ kind: 'roleAlias', names: ['registrar'] }], {
      fields: { result: 'write' },
      skipSame: false,
      due: { kind: 'duration', value: 'P3D', by: 'schoolDays' },
      onDue: 'remind',
    }),
    { kind: 'copy', id: 'told', name: '告知报修人', to: [{ kind: 'applicant' }] },
  ],
}

/** All of them. */
export const shippedModels: readonly CardModel[] = [
  leave('leave-student', '学生请假'),
  leave('leave-staff', '教职工请假'),
  seal,
  repair,
]
