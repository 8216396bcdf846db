import { type AnswerOf, defineCall } from '../call.ts'
import { flowinstance } from '../entities/flow/flowinstance.ts'
import { flowmodel } from '../entities/flow/flowmodel.ts'
import { flowprocess } from '../entities/flow/flowprocess.ts'
import { codeOf } from '../entity.ts'
import { choiceShape } from '../generic.ts'
import {
  dateValue,
  emptyAnswer,
  fileOf,
  idOf,
  idsOf,
  instantValue,
  integerValue,
  jsonValue,
  listOf,
  objectOf,
  oneOf,
  pageOf,
  textValue,
  textValues,
  truthValue,
  wordsValue,
} from '../shape.ts'
import { paging } from './paging.ts'

/* Calls of the workflow beside the lists of models, processes and instances, which are generic. */

const work = 'flowtask'
const taskId = idOf(work, { required: true, label: { zh: '任务', en: 'Task' } })
const processInstanceId = idOf(flowinstance.name, { required: true, label: flowinstance.label })
const comment = textValue({ max: 2000, label: { zh: '意见', en: 'Comment' } })
const userId = idOf('user', { required: true, label: { zh: '人员', en: 'Person' } })
const category = textValue({ max: 32, label: flowprocess.fields.category.label })

/** A task, or a step of a process, as the API family writes it. */
const flow = {
  taskId: textValue({ nullable: true }),
  taskName: textValue({ nullable: true }),
  taskDefinitionKey: textValue({ nullable: true }),
  assignee: textValue({ nullable: true }),
  assigneeName: textValue({ nullable: true }),
  // Who can take a task that nobody has taken; of an instance that somebody sent, whom it waits for.
  candidateNames: textValue({ nullable: true }),
  category: textValue(),
  createTime: instantValue({ nullable: true }),
  claimTime: instantValue({ nullable: true }),
  endTime: instantValue({ nullable: true }),
  dueTime: instantValue({ nullable: true }),
  isOverdue: truthValue(),
  processInstanceId: textValue(),
  processDefinitionId: textValue(),
  processDefinitionKey: textValue(),
  processDefinitionName: textValue(),
  processDefinitionVersion: integerValue(),
  processIsFinished: oneOf(['finished', 'unfinished']),
  // A key of the dictionary flow_instance_state.
  instanceState: textValue(),
  title: textValue(),
  serialNo: textValue({ nullable: true }),
  startUser: textValue({ nullable: true }),
  startUserName: textValue({ nullable: true }),
  startTime: instantValue(),
  // Where the process has a page of its own: which, and the row that it is about.
  formKey: textValue({ nullable: true }),
  businessTable: textValue({ nullable: true }),
  businessId: textValue({ nullable: true }),
  // ok or no, once decided; sent along as well as flag and isPass, for clients of the family.
  outcome: textValue({ nullable: true }),
  flag: textValue({ nullable: true }),
  isPass: truthValue({ nullable: true }),
  comment: textValue({ nullable: true }),
  // What stands now, of an instance that somebody sent.
  activity: textValue({ nullable: true }),
} as const

/** An instance or a task, as every list of work shows it. */
const workItem = objectOf(flow, { name: 'WorkItem' })

/** What narrows a list of work. */
export const workFilters = {
  category,
  processDefinitionName: textValue({ max: 100, label: flowprocess.fields.name.label }),
  title: textValue({ max: 100, label: flowinstance.fields.title.label }),
  startUser: idOf('user', { label: flowinstance.fields.startUser.label }),
  beginDate: dateValue({ label: { zh: '开始日期', en: 'From' } }),
  endDate: dateValue({ label: { zh: '结束日期', en: 'Until' } }),
  // 1: what waits longer than it may; of an instance, where a step of it does.
  overdue: integerValue({ min: 0, max: 1, label: { zh: '已超期', en: 'Overdue' } }),
} as const

const workList = (name: string, zh: string, en: string) =>
  ({
    method: 'GET',
    path: `blade-flow/work/${name}`,
    of: work,
    access: 'session',
    summary: { zh, en },
    input: { ...paging, ...workFilters },
    answer: pageOf(workItem),
  }) as const

export const startList = defineCall({
  method: 'GET',
  path: 'blade-flow/work/start-list',
  of: work,
  access: 'session',
  summary: { zh: '流程：可以发起的流程', en: 'Workflow: processes that can be started' },
  input: { ...paging, category, name: textValue({ max: 100 }) },
  answer: pageOf(
    objectOf({
      id: textValue(),
      key: textValue(),
      name: textValue(),
      category: textValue(),
      version: integerValue(),
      formKey: textValue({ nullable: true }),
      description: textValue({ nullable: true }),
      // How long those that are over took, in hours; none where there are none.
      averageHours: integerValue({ nullable: true }),
    }),
  ),
})
export const claimList = defineCall(
  workList('claim-list', '流程：待签任务', 'Workflow: tasks that the caller can take'),
)
export const todoList = defineCall(workList('todo-list', '流程：待办任务', 'Workflow: tasks that wait for the caller'))
export const sendList = defineCall(workList('send-list', '流程：我发起的', 'Workflow: what the caller has started'))
export const doneList = defineCall(workList('done-list', '流程：已办任务', 'Workflow: what the caller has decided'))
export const copyList = defineCall(workList('copy-list', '流程：抄送我的', 'Workflow: what the caller was informed of'))

export const workCounts = defineCall({
  method: 'GET',
  path: 'blade-flow/work/counts',
  of: work,
  access: 'session',
  summary: {
    zh: '流程：待签、待办、未读抄送的数量',
    en: 'Workflow: how many tasks wait, can be taken, and are not read yet',
  },
  answer: objectOf({ todo: integerValue(), claim: integerValue(), copy: integerValue(), overdue: integerValue() }),
})

export const flowPeople = defineCall({
  method: 'GET',
  path: 'blade-flow/people/select',
  of: work,
  access: 'session',
  // As the choices of any entity, but for whoever hands a task over or chooses an approver: few at a time, by name.
  summary: { zh: '流程：按姓名查找可以办理的人', en: 'Workflow: people who can be asked, by their names' },
  input: {
    keyword: textValue({ max: 64 }),
    ids: idsOf('user', { max: 100 }),
    size: integerValue({ min: 1, max: 50 }),
  },
  answer: listOf(choiceShape),
})

const taskCall = (name: string, zh: string, en: string) =>
  ({ method: 'POST', path: `blade-flow/work/${name}`, of: work, access: 'session', summary: { zh, en } }) as const

export const claimTask = defineCall({
  ...taskCall('claim-task', '流程：签收任务', 'Workflow: take a task'),
  input: { taskId },
  answer: emptyAnswer,
})
export const releaseTask = defineCall({
  ...taskCall('release', '流程：退还签收的任务', 'Workflow: give a task back to its candidates'),
  input: { taskId },
  answer: emptyAnswer,
})

const decision = {
  // ok or no; others count as no.
  flag: oneOf(['ok', 'no'], { required: true, label: { zh: '审批结果', en: 'Decision' } }),
  comment,
} as const

export const completeTask = defineCall({
  ...taskCall('complete-task', '流程：办理任务（同意或驳回）', 'Workflow: decide a task, ok or no'),
  as: 'json',
  input: {
    taskId,
    processInstanceId: idOf(flowinstance.name),
    businessId: textValue({ max: 20 }),
    ...decision,
    // Fields of the form that this step may write.
    variables: jsonValue({ label: { zh: '表单', en: 'Form' } }),
    fileIds: idsOf('attach', { max: 20, label: { zh: '附件', en: 'Files' } }),
  },
  answer: emptyAnswer,
})

export const completeTasks = defineCall({
  ...taskCall('complete-tasks', '流程：一次办理多个任务', 'Workflow: decide several tasks'),
  as: 'json',
  input: {
    tasks: listOf(objectOf({ taskId }), { required: true, min: 1, max: 100, label: { zh: '任务', en: 'Tasks' } }),
    ...decision,
  },
  // One result each: what could not be decided says why, and the others are decided all the same.
  answer: listOf(objectOf({ taskId: textValue(), success: truthValue(), message: textValue({ nullable: true }) })),
})

export const delegateTask = defineCall({
  ...taskCall('delegate', '流程：委派，办完后回到本人', 'Workflow: let somebody else judge first; it comes back'),
  as: 'json',
  input: { taskId, userId, comment },
  answer: emptyAnswer,
})
export const transferTask = defineCall({
  ...taskCall('transfer', '流程：转办，由他人办理', 'Workflow: hand a task over for good'),
  as: 'json',
  input: { taskId, userId, comment },
  answer: emptyAnswer,
})
export const returnTask = defineCall({
  ...taskCall('return', '流程：退回到之前的步骤', 'Workflow: go back to an earlier step'),
  as: 'json',
  input: {
    taskId,
    // The step that it goes back to, one of those that the task's detail names.
    nodeId: textValue({ required: true, max: 255, label: { zh: '退回到', en: 'Back to' } }),
    // From there it comes straight back here.
    comeBack: truthValue({ label: { zh: '重新提交后直接回到本步骤', en: 'Straight back here afterwards' } }),
    comment,
  },
  answer: emptyAnswer,
})
export const addSigner = defineCall({
  ...taskCall('add-signer', '流程：加签，在本人之前或之后', 'Workflow: have somebody decide as well, before or after'),
  as: 'json',
  input: {
    taskId,
    userId,
    when: oneOf(['before', 'after'], { required: true, label: { zh: '加签方式', en: 'When' } }),
    comment,
  },
  answer: emptyAnswer,
})
export const copyTask = defineCall({
  ...taskCall('copy', '流程：抄送', 'Workflow: inform others'),
  as: 'json',
  input: {
    processInstanceId,
    userIds: idsOf('user', { required: true, max: 100, label: { zh: '抄送给', en: 'To' } }),
    comment,
  },
  answer: emptyAnswer,
})
export const readCopies = defineCall({
  ...taskCall('read-copies', '流程：抄送标为已读', 'Workflow: mark copies as read'),
  input: { ids: idsOf(work, { required: true, max: 200 }) },
  answer: emptyAnswer,
})
export const remindProcess = defineCall({
  ...taskCall('remind', '流程：催办', 'Workflow: remind whoever it waits for'),
  input: { processInstanceId },
  // How many were reminded.
  answer: objectOf({ count: integerValue() }),
})
export const withdrawProcess = defineCall({
  ...taskCall('withdraw', '流程：撤回本人发起的流程', 'Workflow: withdraw what one has started'),
  as: 'json',
  input: { processInstanceId, comment },
  answer: emptyAnswer,
})

export const startProcess = defineCall({
  ...taskCall('start-process', '流程：发起', 'Workflow: start a process'),
  as: 'json',
  input: {
    processDefinitionId: idOf(flowprocess.name, { required: true, label: flowprocess.label }),
    title: textValue({ max: 200, label: flowinstance.fields.title.label }),
    // The fields of its form.
    variables: jsonValue({ label: { zh: '表单', en: 'Form' } }),
    // Of steps whose people the applicant chooses: whom.
    chosen: listOf(
      objectOf({
        nodeId: textValue({ required: true, max: 255 }),
        userIds: idsOf('user', { required: true, max: 50 }),
      }),
      {
        max: 50,
        label: { zh: '审批人', en: 'Approvers' },
      },
    ),
  },
  answer: objectOf({ processInstanceId: textValue() }),
})

/** A file, with an address that holds for some minutes. */
const shownFile = objectOf({ id: textValue(), name: textValue(), link: textValue({ nullable: true }) })

const formField = objectOf(
  {
    name: textValue(),
    label: textValue(),
    kind: textValue(),
    required: truthValue(),
    writable: truthValue(),
    options: listOf(objectOf({ key: textValue(), label: textValue() })),
    min: integerValue({ nullable: true }),
    max: integerValue({ nullable: true }),
    help: textValue({ nullable: true }),
    value: jsonValue({ nullable: true }),
    // Of a person, of files: what is shown in place of ids.
    shown: textValue({ nullable: true }),
    files: listOf(shownFile, { optional: true }),
  },
  { name: 'FlowFormField' },
)

export const processForm = defineCall({
  method: 'GET',
  path: 'blade-flow/process/form',
  of: flowprocess.name,
  access: 'session',
  summary: { zh: '流程：发起表单', en: 'Workflow: the form with which a process is started' },
  input: { processDefinitionId: idOf(flowprocess.name, { required: true, label: flowprocess.label }) },
  answer: objectOf({
    id: textValue(),
    name: textValue(),
    formKey: textValue({ nullable: true }),
    fields: listOf(formField),
    // Steps whose people the applicant chooses.
    choose: listOf(objectOf({ nodeId: textValue(), name: textValue() })),
  }),
})

export const processDetail = defineCall({
  method: 'GET',
  path: 'blade-flow/process/detail',
  of: flowinstance.name,
  access: 'session',
  summary: { zh: '流程：详情，以及对任务可以做什么', en: 'Workflow: an instance, and what the caller may do' },
  input: { processInstanceId, taskId: idOf(work) },
  answer: objectOf({
    ...flow,
    fields: listOf(formField),
    may: objectOf({
      claim: truthValue(),
      decide: truthValue(),
      release: truthValue(),
      delegate: truthValue(),
      transfer: truthValue(),
      addSigner: truthValue(),
      withdraw: truthValue(),
      remind: truthValue(),
      copy: truthValue(),
    }),
    // Steps that it can go back to.
    returnTo: listOf(objectOf({ nodeId: textValue(), name: textValue() })),
    reason: textValue({ nullable: true }),
  }),
})

export const flowHistory = defineCall({
  method: 'GET',
  path: 'blade-flow/process/history-flow-list',
  of: flowinstance.name,
  access: 'session',
  summary: { zh: '流程：流转历史，按时间顺序', en: 'Workflow: the history of an instance, in order of time' },
  input: { processInstanceId },
  answer: listOf(
    objectOf({
      historyActivityId: textValue(),
      historyActivityName: textValue({ nullable: true }),
      historyActivityType: textValue(),
      historyActivityDurationTime: textValue({ nullable: true }),
      // The flow by which it was come to.
      cameBy: textValue({ nullable: true }),
      processDefinitionId: textValue(),
      processInstanceId: textValue(),
      taskId: textValue({ nullable: true }),
      assignee: textValue({ nullable: true }),
      assigneeName: textValue({ nullable: true }),
      candidateNames: textValue({ nullable: true }),
      outcome: textValue({ nullable: true }),
      comment: textValue({ nullable: true }),
      files: listOf(shownFile),
      createTime: instantValue(),
      endTime: instantValue({ nullable: true }),
      // What became of the step: done, refused, waiting, gone, incident.
      state: oneOf(['done', 'refused', 'returned', 'waiting', 'gone', 'incident']),
      incident: wordsValue({ nullable: true }),
    }),
  ),
})

export const processDefinition = defineCall({
  method: 'GET',
  path: 'blade-flow/process/definition',
  of: flowprocess.name,
  access: 'session',
  summary: { zh: '流程：某个版本的 BPMN 文件', en: 'Workflow: the BPMN file of a version' },
  // Of a version, for whoever may see processes; of an instance, for whoever may see that.
  input: { processDefinitionId: idOf(flowprocess.name), processInstanceId: idOf(flowinstance.name) },
  answer: objectOf({ xml: textValue({ max: 2_100_000 }) }),
})

const fault = objectOf({ element: textValue({ nullable: true }), message: textValue() })

export const modelCheck = defineCall({
  method: 'POST',
  path: 'blade-flow/model/check',
  of: flowmodel.name,
  access: { codes: [codeOf(flowmodel, 'view')] },
  summary: { zh: '流程模型：部署前检查', en: 'Process model: what stands against deploying it' },
  as: 'json',
  input: {
    xml: textValue({ required: true, max: 2_100_000, label: { zh: '流程图', en: 'Diagram' } }),
  },
  answer: objectOf({
    key: textValue({ nullable: true }),
    name: textValue({ nullable: true }),
    faults: listOf(fault),
    // The model as cards, where they can say it.
    cards: jsonValue({ nullable: true }),
  }),
})

export const modelFromCards = defineCall({
  method: 'POST',
  path: 'blade-flow/model/from-cards',
  of: flowmodel.name,
  access: { codes: [codeOf(flowmodel, 'view')] },
  summary: { zh: '流程模型：由卡片生成 BPMN', en: 'Process model: the BPMN that cards say' },
  as: 'json',
  input: { cards: jsonValue({ required: true, label: { zh: '卡片', en: 'Cards' } }) },
  answer: objectOf({ xml: textValue({ max: 2_100_000 }), faults: listOf(fault) }),
})

export const shipModels = defineCall({
  method: 'POST',
  path: 'blade-flow/model/ship',
  of: flowmodel.name,
  access: { codes: ['flowmodel_deploy'] },
  summary: {
    zh: '流程模型：加入并部署内置流程（请假、用印、报修），已有的不变',
    en: 'Process model: bring and deploy the processes that the product ships; what is there stays',
  },
  // The names of those that were brought.
  answer: listOf(textValue()),
})

const tenantIds = textValues({ max: 100, label: { zh: '租户', en: 'Tenants' } })
/** One result for each tenant and file. */
const deployed = listOf(
  objectOf({
    tenantId: textValue(),
    resourceName: textValue({ nullable: true }),
    success: truthValue(),
    processDefinitionId: textValue({ nullable: true }),
    version: integerValue({ nullable: true }),
    message: textValue({ nullable: true }),
  }),
)

export const deployModel = defineCall({
  method: 'POST',
  path: 'blade-flow/model/deploy',
  of: flowmodel.name,
  access: { codes: ['flowmodel_deploy'] },
  summary: { zh: '流程模型：部署', en: 'Process model: deploy' },
  input: {
    modelId: idOf(flowmodel.name, { required: true, label: flowmodel.label }),
    category,
    // Others than the own one: for the platform's administrators.
    tenantIds,
  },
  answer: deployed,
})

export const deployUpload = defineCall({
  method: 'POST',
  path: 'blade-flow/manager/deploy-upload',
  of: flowprocess.name,
  access: { codes: ['flowmodel_deploy'] },
  summary: { zh: '流程：上传 BPMN 文件并部署', en: 'Workflow: upload BPMN files and deploy them' },
  query: { category, tenantIds },
  upload: true,
  answer: deployed,
})

export const changeState = defineCall({
  method: 'POST',
  path: 'blade-flow/manager/change-state',
  of: flowprocess.name,
  access: { codes: ['flowprocess_state'] },
  summary: { zh: '流程：挂起或激活', en: 'Workflow: suspend or activate a process' },
  input: {
    processId: idOf(flowprocess.name, { required: true, label: flowprocess.label }),
    state: oneOf(['active', 'suspend'], { required: true, label: flowprocess.fields.suspensionState.label }),
  },
  answer: emptyAnswer,
})

export const deleteDeployment = defineCall({
  method: 'POST',
  path: 'blade-flow/manager/delete-deployment',
  of: flowprocess.name,
  access: { codes: ['flowprocess_delete'] },
  summary: { zh: '流程：删除部署', en: 'Workflow: delete deployments' },
  input: { deploymentIds: textValues({ required: true, max: 100, label: flowprocess.fields.deploymentId.label }) },
  answer: emptyAnswer,
})

export const deleteInstance = defineCall({
  method: 'POST',
  path: 'blade-flow/follow/delete-process-instance',
  of: flowinstance.name,
  access: { codes: ['flowinstance_delete'] },
  summary: { zh: '流程：终止实例', en: 'Workflow: terminate an instance' },
  input: {
    processInstanceId,
    deleteReason: textValue({ max: 500, label: flowinstance.fields.reason.label }),
  },
  answer: emptyAnswer,
})

export const retryInstance = defineCall({
  method: 'POST',
  path: 'blade-flow/follow/retry',
  of: flowinstance.name,
  access: { codes: ['flowinstance_retry'] },
  summary: { zh: '流程：重试停住的步骤', en: 'Workflow: try again where an instance stands' },
  input: { processInstanceId },
  answer: emptyAnswer,
})

export const exportProcess = defineCall({
  method: 'GET',
  path: 'blade-flow/manager/resource',
  of: flowprocess.name,
  access: { codes: [codeOf(flowprocess, 'export')] },
  summary: { zh: '流程：下载 BPMN 文件', en: 'Workflow: download a version as a BPMN file' },
  input: { processDefinitionId: idOf(flowprocess.name, { required: true, label: flowprocess.label }) },
  answer: fileOf('application/xml'),
})

export type FlowTask = AnswerOf<typeof todoList>['records'][number]
export type FlowStep = AnswerOf<typeof flowHistory>[number]
export type ProcessDetail = AnswerOf<typeof processDetail>
export type StartForm = AnswerOf<typeof processForm>
