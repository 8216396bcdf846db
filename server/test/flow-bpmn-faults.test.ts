// biome-ignore-all lint/suspicious/noTemplateCurlyInString: other engines write conditions in this form
import { describe, expect, test } from 'vitest'
import { around, document, element, end, extension, faultsOf, flow, process, start, task } from './flow-bpmn-parts.ts'

/** A process whose one step is the given one. */
const step = (type: string, attributes = '', ...within: readonly string[]): string =>
  around('x', element(type, 'x', `name="这步" ${attributes}`, ...within))
const event = (type: string, definition: string): string => step(type, '', definition)
const decided = extension('<db:assignees><db:assignee kind="principal"/></db:assignees>')
const timed = (time: string, by = ''): string =>
  event('intermediateCatchEvent', `<timerEventDefinition ${by}>${time}</timerEventDefinition>`)
const loop = (attributes: string, within = ''): string =>
  step(
    'userTask',
    '',
    decided,
    `<multiInstanceLoopCharacteristics ${attributes}>${within}</multiInstanceLoopCharacteristics>`,
  )
const boundary = (definition: string, attributes = 'attachedToRef="x"'): string =>
  document(
    process(
      start(),
      task('x'),
      end(),
      flow('s>x>e'),
      element('boundaryEvent', 'b', attributes, definition),
      flow('b>e'),
    ),
  )

describe('R-FLOW-2, R-FLOW-1: what does not run is refused, and named', () => {
  test.each([
    ['a script task', step('scriptTask'), 'x', '脚本任务“这步”不会运行', 'Script task “这步” does not run'],
    ['a manual task', step('manualTask'), 'x', '手工任务', 'Manual task'],
    ['a business rule task', step('businessRuleTask'), 'x', '业务规则任务', 'Business rule task'],
    ['a send task', step('sendTask'), 'x', '发送任务', 'Send task'],
    ['a receive task', step('receiveTask'), 'x', '接收任务', 'Receive task'],
    ['a task of no type', step('task'), 'x', '未指明类型的任务', 'Task without a type'],
    ['a complex gateway', step('complexGateway'), 'x', '复杂网关', 'Complex gateway'],
    ['an ad-hoc sub-process', step('adHocSubProcess'), 'x', '即席子流程', 'Ad-hoc sub-process'],
    ['a transaction', step('transaction'), 'x', '事务子流程', 'Transaction'],
    ['an event sub-process', step('subProcess', 'triggeredByEvent="true"'), 'x', '是事件子流程', 'event sub-process'],
    ['compensation', step('userTask', 'isForCompensation="true"', decided), 'x', '用于补偿', 'is for compensation'],
    ['a signal', event('intermediateCatchEvent', '<signalEventDefinition/>'), 'x', '是信号事件', 'is a signal event'],
    ['an escalation', event('intermediateThrowEvent', '<escalationEventDefinition/>'), 'x', '升级', 'escalation'],
    [
      'a compensation event',
      event('intermediateThrowEvent', '<compensateEventDefinition/>'),
      'x',
      '补偿',
      'compensation',
    ],
    [
      'a conditional event',
      event(
        'intermediateCatchEvent',
        '<conditionalEventDefinition><condition>x</condition></conditionalEventDefinition>',
      ),
      'x',
      '是条件事件',
      'conditional',
    ],
    ['a link', event('intermediateThrowEvent', '<linkEventDefinition name="l"/>'), 'x', '链接', 'link'],
    [
      'several events',
      event('intermediateCatchEvent', '<signalEventDefinition/><signalEventDefinition/>'),
      'x',
      '多个事件',
      'several events',
    ],
    [
      'a standard loop',
      step('userTask', '', decided, '<standardLoopCharacteristics/>'),
      'x',
      '标准循环',
      'standard loop',
    ],
    [
      'a class',
      step('serviceTask', 'flowable:class="com.acme.Pay"'),
      'x',
      'class（com.acme.Pay）',
      'class of another engine (com.acme.Pay)',
    ],
    [
      'a bean',
      step('serviceTask', 'camunda:delegateExpression="${pay}"'),
      'x',
      'delegateExpression（${pay}）',
      'delegateExpression',
    ],
    [
      'an expression',
      step('serviceTask', 'activiti:expression="${pay.now()}"'),
      'x',
      'expression（${pay.now()}）',
      'expression',
    ],
    [
      'an external task',
      step('serviceTask', 'camunda:type="external" camunda:topic="t"'),
      'x',
      '“external”任务',
      '“external”',
    ],
    ['an HTTP task', step('serviceTask', 'flowable:type="http"'), 'x', 'HTTP 任务', 'HTTP task'],
    [
      'an execution listener',
      step('userTask', '', extension('<flowable:executionListener event="start" class="com.acme.L"/>')),
      'x',
      '执行监听器（com.acme.L）',
      'execution listener of another engine (com.acme.L)',
    ],
    [
      'a task listener',
      step('userTask', '', extension('<camunda:taskListener event="create" class="com.acme.L"/>')),
      'x',
      '任务监听器',
      'task listener',
    ],
    ['a connector', step('serviceTask', '', extension('<camunda:connector/>')), 'x', '连接器', 'connector'],
    [
      'a job of Zeebe',
      step('serviceTask', '', extension('<z:taskDefinition xmlns:z="http://camunda.org/schema/zeebe/1.0" type="x"/>')),
      'x',
      'Zeebe',
      'Zeebe',
    ],
    [
      'a collection of a class',
      loop('flowable:collection="${users.all()}" flowable:elementVariable="u"'),
      'x',
      '多实例集合',
      'for each of',
    ],
    [
      'a condition for being done that is not understood',
      loop('', '<completionCondition>${done.enough(1)}</completionCondition>'),
      'x',
      '完成条件有误',
      'cannot be read',
    ],
    [
      'a condition for being done that means nothing here',
      loop('', '<completionCondition>${days &gt; 3}</completionCondition>'),
      'x',
      '完成条件“${days > 3}”无法识别',
      'is not understood',
    ],
    [
      'a condition for being done that asks nothing',
      loop('', '<completionCondition>${1 &lt; 2}</completionCondition>'),
      'x',
      '完成条件“${1 < 2}”无法识别',
      'is not understood',
    ],
    [
      'a number of times that is none',
      loop('', '<loopCardinality>${many}</loopCardinality>'),
      'x',
      '次数“${many}”',
      '“${many}” times',
    ],
    ['a need without an amount', loop('db:need="count"'), 'x', '通过条件', 'how many have to agree'],
    [
      'approvers by a call',
      step('userTask', 'flowable:assignee="${users.head(1)}"'),
      'x',
      '审批人“${users.head(1)}”无法识别',
      'who decides by “${users.head(1)}”',
    ],
    [
      'roles by a variable',
      step('userTask', 'flowable:candidateGroups="${groups}"'),
      'x',
      '审批人“${groups}”',
      'who decides by',
    ],
    [
      'a rule for people that is not known',
      step('userTask', '', extension('<db:assignees><db:assignee kind="boss"/></db:assignees>')),
      'x',
      '人员规则“boss”',
      '“boss”',
    ],
    ['nobody who decides', step('userTask'), 'x', '没有审批人', 'has nobody who decides'],
    ['a task without a name', around('x', element('userTask', 'x', '', decided)), 'x', '没有名称', 'has no name'],
    ['a service without a deed', step('serviceTask'), 'x', '没有设置要做的事', 'does not say what it does'],
    [
      'an action that is not known',
      step('serviceTask', '', extension('<db:action kind="pay"/>')),
      'x',
      '动作“pay”',
      'action “pay”',
    ],
    [
      'a message to nobody',
      step('serviceTask', '', extension('<db:action kind="inbox" title="t"/>')),
      'x',
      '没有收件人',
      'nobody whom it reaches',
    ],
    ['a call of nothing', step('callActivity'), 'x', '没有指明要调用的流程', 'does not say which process'],
    [
      'a call by expression',
      step('callActivity', 'calledElement="${key}"'),
      'x',
      '应是一个流程的编号',
      'has to be the key',
    ],
    [
      'a call of itself',
      step('callActivity', 'calledElement="p"'),
      'x',
      '调用了本流程自己',
      'calls the process that it stands in',
    ],
    [
      'variables under other names',
      step('callActivity', 'calledElement="q"', extension('<flowable:in source="a" target="b"/>')),
      'x',
      'a → b',
      'a → b',
    ],
    ['a wait for nothing', step('intermediateCatchEvent'), 'x', '没有设置等待什么', 'what it waits for'],
    [
      'a message without a name',
      event('intermediateCatchEvent', '<messageEventDefinition/>'),
      'x',
      '消息没有名称',
      'without a name',
    ],
    ['a timer without a time', timed(''), 'x', '没有设置时间', 'no time set'],
    [
      'a date that is none',
      timed('<timeDate>tomorrow</timeDate>'),
      'x',
      '“tomorrow”不是 ISO 8601 日期',
      'no date of ISO 8601',
    ],
    ['a date of no calendar', timed('<timeDate>2026-13-40</timeDate>'), 'x', '“2026-13-40”', '“2026-13-40”'],
    ['a duration that is none', timed('<timeDuration>3 days</timeDuration>'), 'x', '“3 days”', '“3 days”'],
    ['a duration of nothing', timed('<timeDuration>PT0S</timeDuration>'), 'x', '时长为零', 'of nothing'],
    ['a duration of a century', timed('<timeDuration>P100Y</timeDuration>'), 'x', '超过十年', 'more than ten years'],
    ['a cycle each second', timed('<timeCycle>R/PT1S</timeCycle>'), 'x', '间隔不能少于一分钟', 'once a minute at most'],
    ['a cycle of cron', timed('<timeCycle>* * * * * ?</timeCycle>'), 'x', '循环“* * * * * ?”', 'is not understood'],
    [
      'two times',
      timed('<timeDate>2026-01-01</timeDate><timeDuration>PT1H</timeDuration>'),
      'x',
      '多种时间',
      'several times',
    ],
    [
      'hours by school days',
      timed('<timeDuration>PT4H</timeDuration>', 'db:by="schoolDays"'),
      'x',
      '应以天为单位',
      'has to be days',
    ],
    [
      'days by school hours',
      timed('<timeDuration>P1D</timeDuration>', 'db:by="schoolHours"'),
      'x',
      '应以小时为单位',
      'has to be hours',
    ],
    [
      'time by the moon',
      timed('<timeDuration>P1D</timeDuration>', 'db:by="moon"'),
      'x',
      '计时方式“moon”',
      'counts by “moon”',
    ],
    [
      'an error caught that nothing throws',
      boundary('<errorEventDefinition/>'),
      'b',
      '不会有人抛出',
      'which nothing throws',
    ],
    [
      'an edge of nothing',
      boundary('<timerEventDefinition><timeDuration>PT1H</timeDuration></timerEventDefinition>', ''),
      'b',
      '没有附在',
      'is not attached',
    ],
    [
      'a timer that ends and repeats',
      boundary('<timerEventDefinition><timeCycle>R3/PT1H</timeCycle></timerEventDefinition>'),
      'b',
      '不能循环',
      'cannot repeat',
    ],
    [
      'a due date that is none',
      step('userTask', 'flowable:dueDate="${later.on()}"', decided),
      'x',
      '“${later.on()}”',
      '“${later.on()}”',
    ],
    [
      'a return to nowhere',
      step('userTask', 'db:onRefuse="return" db:returnTo="y"', decided),
      'x',
      '步骤“y”',
      'refers to “y”',
    ],
    [
      'a doer who is none',
      step('userTask', '', extension('<db:assignees><db:assignee kind="doer" node="s"/></db:assignees>')),
      'x',
      '步骤“s”',
      'refers to “s”',
    ],
  ])('%s', async (_what, xml, at, zh, en) => {
    const faults = await faultsOf(xml)
    expect(
      faults.filter((each) => each.startsWith(`${at}: `) && each.includes(zh) && each.includes(en)),
      faults.join('\n'),
    ).toHaveLength(1)
  })

  const two = (...within: readonly string[]): string => document(process(start(), end(), ...within))
  test.each([
    ['no start', document(process(task('a'), end(), flow('a>e'))), 'p: 流程“请假”没有开始事件', 'has no start event'],
    [
      'two starts',
      two(start('t'), task('a'), flow('s>a>e'), flow('t>a')),
      'p: 流程“请假”有2个开始事件（s、t）',
      'has 2 start events (s, t)',
    ],
    [
      'two starts in a sub-process',
      two(
        element('subProcess', 'u', 'name="子"', start('u1'), start('u2'), end('u3'), flow('u1>u3'), flow('u2>u3')),
        flow('s>u>e'),
      ),
      'u: 子流程“子”有2个开始事件',
      '2 start events',
    ],
    ['no end', document(process(start(), task('a'), flow('s>a'))), 'p: 流程“请假”没有结束事件', 'has no end event'],
    [
      'a step that is not reached',
      two(task('a'), task('b'), flow('s>a>e'), flow('b>e')),
      'b: 用户任务“b审批”从开始事件走不到',
      'is reached from no start event',
    ],
    [
      'a step that leads nowhere',
      two(task('a'), task('b'), element('parallelGateway', 'g'), flow('s>g>a>e'), flow('g>b')),
      'b: 用户任务“b审批”后面没有连线',
      'leads nowhere',
    ],
    [
      'a circle without an end',
      two(task('a'), task('b'), element('parallelGateway', 'g'), flow('s>g>e'), flow('g>a>b>a')),
      'a: 用户任务“a审批”走不到任何结束事件',
      'leads to no end event',
    ],
    [
      'conditions without a default',
      two(
        element('exclusiveGateway', 'g', 'name="几天"'),
        flow('s>g'),
        flow('g>a', '${days > 1}'),
        flow('g>b', '${days < 1}'),
        task('a'),
        task('b'),
        flow('a>e'),
        flow('b>e'),
      ),
      'g: 排他网关“几天”的连线都有条件，却没有默认连线',
      'no default flow',
    ],
    [
      'inclusive conditions without a default',
      two(
        element('inclusiveGateway', 'g'),
        flow('s>g'),
        flow('g>a', '${days > 1}'),
        flow('g>b', '${days < 1}'),
        task('a'),
        task('b'),
        flow('a>e'),
        flow('b>e'),
      ),
      'g: 包容网关“g”',
      'no default flow',
    ],
    [
      'two flows without a condition',
      two(element('exclusiveGateway', 'g'), flow('s>g>a>e'), flow('g>b>e'), task('a'), task('b')),
      'g: 排他网关“g”有多条没有条件的连线',
      'several flows without a condition',
    ],
    [
      'conditions at a parallel gateway',
      two(
        element('parallelGateway', 'g'),
        flow('s>g'),
        flow('g>a', '${x}'),
        flow('g>b>e'),
        flow('a>e'),
        task('a'),
        task('b'),
      ),
      'g: 并行网关“g”后面的连线不能有条件',
      'conditions, which are not read there',
    ],
    [
      'a condition that calls',
      two(
        element('exclusiveGateway', 'g', 'default="g_b"'),
        flow('s>g'),
        flow('g>a', '${bean.ok()}', 'name="可以"'),
        flow('g>b>e'),
        flow('a>e'),
        task('a'),
        task('b'),
      ),
      'g_a: 连线“可以”的条件“${bean.ok()}”无法读取，第3个字符处：不能调用',
      'at character 3: nothing is called',
    ],
    [
      'a condition in a script',
      two(
        element('exclusiveGateway', 'g', 'default="g_b"'),
        flow('s>g>b>e'),
        flow('a>e'),
        '<sequenceFlow id="c" sourceRef="g" targetRef="a"><conditionExpression xsi:type="tFormalExpression" language="groovy">x</conditionExpression></sequenceFlow>',
        task('a'),
        task('b'),
      ),
      'c: 连线“c”的条件是 groovy 脚本',
      'condition in groovy',
    ],
    [
      'an event gateway before a task',
      two(element('eventBasedGateway', 'g', 'name="等"'), task('a'), task('b'), flow('s>g>a>e'), flow('g>b>e')),
      'g: 事件网关“等”后面只能是等待事件，不能是“a审批”',
      'only catch events',
    ],
    [
      'an error that nothing catches',
      document(
        '<error id="er" errorCode="E1"/>',
        process(
          start(),
          end(),
          element(
            'subProcess',
            'u',
            'name="子"',
            start('u1'),
            end('u2', '<errorEventDefinition errorRef="er"/>'),
            flow('u1>u2'),
          ),
          flow('s>u>e'),
        ),
      ),
      'u2: 结束事件“u2”抛出的错误“E1”没有边界事件捕获',
      'no boundary event catches',
    ],
    [
      'a flow across a border',
      two(
        element('subProcess', 'u', 'name="子"', start('u1'), task('a'), end('u2'), flow('u1>a>u2')),
        flow('s>u>e'),
        flow('a>e'),
      ),
      'a_e: 连线“a_e”穿过了子流程的边界',
      'crosses the border',
    ],
    ['an id twice', two(task('a'), task('a'), flow('s>a>e')), 'a: 编号“a”出现了两次', 'stands twice'],
    [
      'an id that is none',
      two(task('1a'), task('a'), flow('s>a>e')),
      '-: 编号“1a”不合规',
      'The id “1a” is not allowed',
    ],
    [
      'a flow to nothing',
      two(task('a'), flow('s>a>e'), flow('a>zz')),
      'a_zz: “a_zz”的 targetRef 指向不存在的“zz”',
      'refers to “zz”, which does not exist',
    ],
    [
      'a process without a name',
      document(`<process id="p" isExecutable="true">${start()}${end()}${flow('s>e')}</process>`),
      'p: 流程“p”没有名称',
      'has no name',
    ],
    [
      'a listener of the process',
      two(flow('s>e'), extension('<flowable:executionListener event="end" expression="${a.b()}"/>')),
      'p: 流程“请假”带有其他引擎的执行监听器（${a.b()}）',
      'execution listener',
    ],
    [
      'a service task that does what this product cannot',
      document(
        process(
          `${start()}${element('serviceTask', 'a', 'name="做"', extension('<db:action kind="action" name="leave.approve"/>'))}${end()}${flow('s>a>e')}`,
        ),
      ),
      'a: 服务任务“做”的动作“leave.approve”不是本系统提供的，请从列表中选择',
      'has an action “leave.approve”, which the product does not have: choose one of the list',
    ],
    [
      'a field that the form has not',
      document(
        `<process id="p" name="请假" isExecutable="true">${extension('<db:form><db:field name="days" label="天数" kind="integer"/></db:form>')}${start()}${element('userTask', 'a', 'name="审"', extension('<db:assignees><db:assignee kind="field" field="boss"/></db:assignees>'))}${end()}${flow('s>a>e')}</process>`,
      ),
      'a: 用户任务“审”用到了表单中没有的字段“boss”',
      'uses the field “boss”',
    ],
    [
      'a field twice',
      two(
        flow('s>e'),
        extension(
          '<db:form><db:field name="d" label="d" kind="date"/><db:field name="d" label="d" kind="date"/></db:form>',
        ),
      ),
      '-: 表单字段“d”出现了两次',
      'stands twice',
    ],
    [
      'a field without options',
      two(flow('s>e'), extension('<db:form><db:field name="d" label="类" kind="choice"/></db:form>')),
      '-: 表单字段“类”没有选项',
      'has no options',
    ],
    [
      'a field of no kind',
      two(flow('s>e'), extension('<db:form><db:field name="d" label="类" kind="picture"/></db:form>')),
      '-: 表单字段“d”缺少名称，或类型“picture”无法识别',
      'its kind “picture” is not known',
    ],
  ])('%s', async (_what, xml, zh, en) => {
    const faults = await faultsOf(xml)
    expect(
      faults.filter((each) => each.startsWith(zh) && each.includes(en)),
      faults.join('\n'),
    ).toHaveLength(1)
  })
})

describe('R-FLOW-1: a file that is no model is refused in words, at once', () => {
  const deep = (of: number): string =>
    document(`<process id="p">${'<subProcess id="x">'.repeat(of)}${'</subProcess>'.repeat(of)}</process>`)
  test.each([
    ['3 MB', document(process(`<!--${'x'.repeat(3_000_000)}-->`)), '超过2 MB', 'larger than 2 MB'],
    ['nested 1,000 deep', deep(1_000), '嵌套超过200层', 'more than 200 deep'],
    [
      'a document type',
      `<!DOCTYPE definitions SYSTEM "file:///etc/passwd">${document()}`,
      '第1行有文档类型或实体',
      'document type or entity on line 1',
    ],
    [
      'a billion laughs',
      `<?xml version="1.0"?>\n<!DOCTYPE l [<!ENTITY a "lol">${[...'bcdefghi'].map((name, at) => `<!ENTITY ${name} "${`&${'abcdefgh'[at]};`.repeat(10)}">`).join('')}]>\n<l>&i;</l>`,
      '文档类型',
      'document type',
    ],
    ['an entity', document(process('<startEvent id="s" name="&xxe;"/>')), '无法识别的“&”', '“&” that means nothing'],
    ['cut off', document(process(start())).slice(0, -20), '损坏', 'broken'],
    ['tags that do not match', '<definitions>\n<a></b></definitions>', '第2行', 'line 2'],
    ['no XML', 'PK\u0003\u0004', '不属于任何元素', 'outside every element'],
    ['nothing', '  ', '空的', 'empty'],
    ['a web page', '<html><body/></html>', '最外层元素是 <html>', 'is <html> instead of <definitions>'],
    [
      'another language',
      '<definitions xmlns="http://www.omg.org/spec/DMN/20180521/MODEL/"/>',
      '不是 BPMN 2.0',
      'not BPMN 2.0',
    ],
    ['no process', document('<message id="m" name="m"/>'), '没有流程', 'no process'],
    [
      'two processes that run',
      document('<process id="a" name="甲" isExecutable="true"/>', '<process id="b" name="乙" isExecutable="true"/>'),
      '2个可执行流程（甲、乙）',
      '2 executable processes',
    ],
    [
      'two of which none is said to run',
      document('<process id="a"/>', '<process id="b"/>'),
      '标为可执行',
      'mark the one',
    ],
    [
      'more elements than people draw',
      document(process('<task/>'.repeat(30_000))),
      '元素超过8000个',
      'more than 8000 elements',
    ],
    ['what BPMN does not know', around('a', task('a'), '<banana/>'), '<banana', '<banana'],
  ])('%s', async (_what, xml, zh, en) => {
    const begun = performance.now()
    const faults = await faultsOf(xml)
    expect(performance.now() - begun).toBeLessThan(1_000)
    expect(faults.length).toBeLessThan(5)
    expect(faults[0]).toContain(zh)
    expect(faults[0]).toContain(en)
  })
})
