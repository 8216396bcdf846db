// biome-ignore-all lint/suspicious/noTemplateCurlyInString: other engines write conditions in this form
import { document, element, end, extension, flow, start, task } from './flow-bpmn-parts.ts'

/*
 * Models in the manner of the families A, B and C of the BPMN Model Interchange Working Group, made for this project: the
 * basic shapes, then all that BPMN can draw, then processes as people have them.
 */

export interface Model {
  readonly name: string
  readonly xml: string
  /** What of it does not run, in words that name it; none where it runs. */
  readonly refused: readonly string[]
}

const executable = (name: string, ...within: readonly string[]): string =>
  `<process id="p" name="${name}" isExecutable="true">${within.join('\n')}</process>`
const timer = '<timerEventDefinition><timeDuration>P1D</timeDuration></timerEventDefinition>'
const abstract = (id: string): string => element('task', id, `name="${id}"`)

const drawing = `<bpmndi:BPMNDiagram xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI" xmlns:dc="http://www.omg.org/spec/DD/20100524/DC" xmlns:di="http://www.omg.org/spec/DD/20100524/DI" id="d"><bpmndi:BPMNPlane id="pl" bpmnElement="p"><bpmndi:BPMNShape id="s_di" bpmnElement="s"><dc:Bounds x="100" y="100" width="36" height="36"/><bpmndi:BPMNLabel><dc:Bounds x="90" y="140" width="56" height="14"/></bpmndi:BPMNLabel></bpmndi:BPMNShape><bpmndi:BPMNEdge id="f_di" bpmnElement="s_a"><di:waypoint x="136" y="118"/><di:waypoint x="200" y="118"/></bpmndi:BPMNEdge></bpmndi:BPMNPlane></bpmndi:BPMNDiagram>`

export const models: readonly Model[] = [
  {
    name: 'A.1 tasks one after another, with a drawing',
    xml: document(executable('一', start(), task('a'), task('b'), end(), flow('s>a>b>e')), drawing),
    refused: [],
  },
  {
    name: 'A.1 tasks of no type',
    xml: document(executable('一', start(), abstract('a'), end(), flow('s>a>e'))),
    refused: ['未指明类型的任务“a”'],
  },
  {
    name: 'A.2 gateways that split and meet',
    xml: document(
      executable(
        '二',
        start(),
        element('exclusiveGateway', 'g', 'name="几天" default="g_b"'),
        task('a'),
        task('b'),
        element('parallelGateway', 'h'),
        task('c'),
        task('d'),
        element('parallelGateway', 'k'),
        end(),
        flow('s>g>b>h>c>k>e'),
        flow('g>a', '${days > 3}', 'name="长"'),
        flow('a>h>d>k'),
      ),
    ),
    refused: [],
  },
  {
    name: 'A.3 a sub-process with events at its edge',
    xml: document(
      '<error id="er" name="出错" errorCode="E1"/>',
      executable(
        '三',
        start(),
        element(
          'subProcess',
          'u',
          'name="子流程"',
          start('u1'),
          task('u2'),
          element('exclusiveGateway', 'ug'),
          end('u3'),
          end('u4', '<errorEventDefinition errorRef="er"/>'),
          flow('u1>u2>ug>u3'),
          flow('ug>u4', "${outcome == 'no'}"),
        ),
        element('boundaryEvent', 'b1', 'name="超时" attachedToRef="u" cancelActivity="false"', timer),
        element('boundaryEvent', 'b2', 'name="出错" attachedToRef="u"', '<errorEventDefinition errorRef="er"/>'),
        task('a'),
        task('b'),
        end(),
        end('e2'),
        flow('s>u>e'),
        flow('b1>a>e2'),
        flow('b2>b>e2'),
      ),
    ),
    refused: [],
  },
  {
    name: 'A.4 pools, lanes and messages between them',
    xml: document(
      '<collaboration id="co"><participant id="pa" name="学校" processRef="p"/><participant id="pb" name="家长"/><messageFlow id="mf" sourceRef="pb" targetRef="a"/></collaboration>',
      executable(
        '',
        '<laneSet id="ls"><lane id="l1" name="班主任"><flowNodeRef>s</flowNodeRef><flowNodeRef>a</flowNodeRef></lane><lane id="l2" name="校长"><flowNodeRef>e</flowNodeRef></lane></laneSet>',
        start(),
        task('a'),
        end(),
        flow('s>a>e'),
      ),
    ),
    refused: [],
  },
  {
    name: 'B.1 every kind of task',
    xml: document(
      executable(
        '任务',
        start(),
        task('a'),
        element('scriptTask', 'b', 'name="脚本"', '<script>x</script>'),
        element('manualTask', 'c', 'name="手工"'),
        element('businessRuleTask', 'd', 'name="规则"'),
        element('sendTask', 'f', 'name="发"'),
        element('receiveTask', 'g', 'name="收"'),
        element('callActivity', 'h', 'name="调" calledElement="other"'),
        end(),
        flow('s>a>b>c>d>f>g>h>e'),
      ),
    ),
    refused: ['脚本任务“脚本”', '手工任务“手工”', '业务规则任务“规则”', '发送任务“发”', '接收任务“收”'],
  },
  {
    name: 'B.2 every kind of event',
    xml: document(
      '<message id="m" name="消息"/><signal id="si" name="信号"/><escalation id="es" name="升级" escalationCode="1"/>',
      executable(
        '事件',
        start('s', '', '<messageEventDefinition id="md" messageRef="m"/>'),
        element('intermediateCatchEvent', 'a', 'name="等"', timer),
        element('intermediateCatchEvent', 'b', 'name="收信号"', '<signalEventDefinition signalRef="si"/>'),
        element('intermediateThrowEvent', 'c', 'name="发消息"', '<messageEventDefinition messageRef="m"/>'),
        element('intermediateThrowEvent', 'd', 'name="上报"', '<escalationEventDefinition escalationRef="es"/>'),
        element('intermediateThrowEvent', 'f', 'name="撤销"', '<compensateEventDefinition/>'),
        element('intermediateThrowEvent', 'g', 'name="去别处"', '<linkEventDefinition name="L"/>'),
        element(
          'intermediateCatchEvent',
          'h',
          'name="成立"',
          '<conditionalEventDefinition><condition xsi:type="tFormalExpression">${x}</condition></conditionalEventDefinition>',
        ),
        end('e', '<terminateEventDefinition/>'),
        flow('s>a>b>c>d>f>g'),
        flow('h>e'),
      ),
    ),
    refused: [
      '等待事件“收信号”是信号事件',
      '触发事件“上报”是升级事件',
      '触发事件“撤销”是补偿事件',
      '触发事件“去别处”是链接事件',
      '等待事件“成立”是条件事件',
    ],
  },
  {
    name: 'B.2 sub-processes that do not run',
    xml: document(
      executable(
        '子流程',
        start(),
        element('transaction', 't', 'name="事务"', start('t1'), end('t2'), flow('t1>t2')),
        element('adHocSubProcess', 'ad', 'name="随意" ordering="Parallel"', task('x')),
        element(
          'subProcess',
          'ev',
          'name="事件子" triggeredByEvent="true"',
          start('v1', '', timer),
          end('v2'),
          flow('v1>v2'),
        ),
        element('complexGateway', 'cg', 'name="复杂"'),
        end(),
        flow('s>t>ad>cg>e'),
      ),
    ),
    refused: ['事务子流程“事务”', '即席子流程“随意”', '子流程“事件子”是事件子流程', '复杂网关“复杂”'],
  },
  {
    name: 'C.1 an invoice, with data, notes and a message',
    xml: document(
      '<message id="m" name="付款通知"/><itemDefinition id="it" structureRef="xs:string"/>',
      executable(
        '报销',
        '<documentation>发票先登记再审批。</documentation>',
        '<ioSpecification><inputSet/><outputSet/></ioSpecification>',
        start('s', 'name="收到发票"'),
        task('register', '', ''),
        element('dataObject', 'do', ''),
        element('dataObjectReference', 'dr', 'name="发票" dataObjectRef="do"'),
        element('dataStoreReference', 'ds', 'name="台账"'),
        element('exclusiveGateway', 'g', 'name="金额" default="g_pay"'),
        task('approve'),
        element('eventBasedGateway', 'pay'),
        element('intermediateCatchEvent', 'paid', 'name="已付"', '<messageEventDefinition messageRef="m"/>'),
        element('intermediateCatchEvent', 'late', 'name="太久"', timer),
        end('e', ''),
        flow('s>register>g>pay>paid>e'),
        flow('g>approve', '${amount >= 1000}', 'name="大额"'),
        flow('approve>pay>late>e'),
        '<textAnnotation id="note"><text>超过1000元由校长批</text></textAnnotation><association id="as" sourceRef="g" targetRef="note"/>',
      ),
    ),
    refused: [],
  },
  {
    name: 'C.2 an invoice as another engine runs it',
    xml: document(
      executable(
        '报销',
        extension('<flowable:executionListener event="start" class="org.example.Begin"/>'),
        start(),
        element('userTask', 'a', 'name="审批" camunda:assignee="${assignee.of(task)}"'),
        element('serviceTask', 'b', 'name="归档" camunda:delegateExpression="${archive}"'),
        end(),
        flow('s>a>b>e'),
      ),
    ),
    refused: [
      '流程“报销”带有其他引擎的执行监听器',
      '用户任务“审批”的审批人“${assignee.of(task)}”',
      '服务任务“归档”使用了其他引擎的 delegateExpression',
    ],
  },
  {
    name: 'A.4 an expanded sub-process within another one, a collapsed call beside it',
    xml: document(
      executable(
        '四',
        start(),
        element(
          'subProcess',
          'u',
          'name="外"',
          start('u1'),
          element('subProcess', 'v', 'name="内"', start('v1'), task('x'), end('v2'), flow('v1>x>v2')),
          end('u2'),
          flow('u1>v>u2'),
        ),
        element('callActivity', 'c', 'name="另一流程" calledElement="other"'),
        end(),
        '<group id="gr" categoryValueRef="cv"/>',
        flow('s>u>c>e'),
      ),
      '<category id="ca"><categoryValue id="cv" value="一组"/></category>',
    ),
    refused: [],
  },
  {
    name: 'B.3 several at once, one after another, and loops of no end',
    xml: document(
      executable(
        '多次',
        start(),
        task('a', '', '').replace(
          '</userTask>',
          '<multiInstanceLoopCharacteristics isSequential="true"><loopCardinality xsi:type="tFormalExpression">3</loopCardinality></multiInstanceLoopCharacteristics></userTask>',
        ),
        element(
          'userTask',
          'b',
          'name="重复"',
          extension('<db:assignees><db:assignee kind="principal"/></db:assignees>'),
          '<standardLoopCharacteristics/>',
        ),
        end(),
        flow('s>a>b>e'),
      ),
    ),
    refused: ['用户任务“重复”'],
  },
  {
    name: 'C.6 a journey that is booked, and undone where it cannot be paid',
    xml: document(
      '<error id="er" errorCode="NO_SEAT"/>',
      executable(
        '外出活动',
        start('s', 'name="申请"'),
        element('parallelGateway', 'f'),
        task('bus'),
        task('hotel'),
        element('boundaryEvent', 'undo', 'name="退订" attachedToRef="bus"', '<compensateEventDefinition/>'),
        element('userTask', 'back', 'name="退车" isForCompensation="true"'),
        element('parallelGateway', 'j'),
        end('e', ''),
        flow('s>f>bus>j>e'),
        flow('f>hotel>j'),
        '<association id="as" sourceRef="undo" targetRef="back" associationDirection="One"/>',
      ),
    ),
    refused: ['边界事件“退订”是补偿事件', '用户任务“退车”用于补偿'],
  },
  {
    name: 'C.8 two pools that both run',
    xml: document(
      '<collaboration id="co"><participant id="pa" name="家长" processRef="p"/><participant id="pb" name="学校" processRef="q"/><messageFlow id="mf" sourceRef="a" targetRef="qs"/></collaboration>',
      executable('家长', start(), task('a'), end(), flow('s>a>e')),
      `<process id="q" name="学校" isExecutable="true">${start('qs')}${task('b')}${end('qe')}${flow('qs>b>qe')}</process>`,
    ),
    refused: ['文件中有2个可执行流程（家长、学校），一个文件只能有一个'],
  },
  {
    name: 'D.1 the vocabulary of the product: forms, people, limits, actions, messages between instances',
    xml: document(
      '<message id="m" name="到货"/>',
      `<process id="p" name="采购" isExecutable="true">${[
        extension(
          '<db:form><db:field name="order" label="单号" kind="text" required="true" max="20"/><db:field name="pupil" label="学生" kind="student"/><db:field name="way" label="方式" kind="choice"><db:option key="1" label="甲"/><db:option key="2" label="乙"/></db:field></db:form>',
        ),
        start(),
        task(
          'a',
          'db:onRefuse="return" db:returnTo="again" db:may="transfer" db:ifNobody="managers" db:skipSame="true"',
          '<db:copies><db:assignee kind="deptLeader" up="1"/></db:copies><db:due kind="duration" value="P3D" by="schoolDays" onDue="deptLeader"/><db:fields><db:access field="way" as="write"/></db:fields>',
        ),
        task('again'),
        element(
          'intermediateThrowEvent',
          't',
          'name="订购"',
          '<messageEventDefinition messageRef="m" db:correlation="order"/>',
        ),
        element(
          'intermediateCatchEvent',
          'c',
          'name="收到"',
          '<messageEventDefinition messageRef="m" db:correlation=":instance"/>',
        ),
        element(
          'serviceTask',
          'do',
          'name="登记"',
          extension(
            '<db:action kind="action" name="studentField"><db:input name="student" value="pupil"/><db:input name="field" value="studyWay"/><db:input name="value" value="{way}"/></db:action>',
          ),
        ),
        end(),
        flow('s>again>a>t>c>do>e'),
      ].join('\n')}</process>`,
    ),
    refused: [],
  },
]

/** A leave as Flowable’s own designer writes it. */
export const flowableLeave = document(
  executable(
    '请假流程',
    start('s', 'name="开始" flowable:initiator="applyUser" flowable:formKey="leave"'),
    element(
      'userTask',
      'lead',
      'name="部门负责人" flowable:candidateGroups="leader,manager" flowable:formKey="leave" flowable:priority="50"',
      extension(
        '<modeler:group-info-name-leader xmlns:modeler="http://flowable.org/modeler"><![CDATA[负责人]]></modeler:group-info-name-leader>',
      ),
    ),
    element('exclusiveGateway', 'g', 'name="同意？"'),
    element('userTask', 'hr', 'name="人事" flowable:candidateUsers="hr1,hr2" flowable:dueDate="P1D"'),
    element('userTask', 'again', 'name="修改申请" flowable:assignee="${applyUser}"'),
    end('e', ''),
    flow('s>lead>g'),
    flow('g>hr', '${pass && days > 3}'),
    flow('g>e', '${pass && days <= 3}'),
    flow('g>again', '${!pass}', 'name="驳回"'),
    flow('hr>e'),
    flow('again>lead'),
  ).replace('<exclusiveGateway id="g"', '<exclusiveGateway default="g_again" id="g"'),
)

/** A leave with two signers at once, as Camunda’s writes it. */
export const camundaLeave = document(
  executable(
    '请假会签',
    start('s', 'camunda:initiator="starter"'),
    element(
      'userTask',
      'sign',
      'name="会签" camunda:assignee="${signer}"',
      '<multiInstanceLoopCharacteristics isSequential="false" camunda:collection="signers" camunda:elementVariable="signer"><completionCondition xsi:type="tFormalExpression">${nrOfCompletedInstances/nrOfInstances &gt;= 0.5}</completionCondition></multiInstanceLoopCharacteristics>',
    ),
    element('userTask', 'told', 'name="确认" camunda:assignee="${starter}"'),
    end('e', ''),
    flow('s>sign>told>e'),
  ),
)
