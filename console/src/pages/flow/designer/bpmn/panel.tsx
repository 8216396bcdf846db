import { hasWords, useT } from '../../../../ui/words.ts'
import { ConditionInput } from '../condition-input.tsx'
import { DesignContext } from '../context.ts'
import { CorrelationInput } from '../correlation-input.tsx'
import { FormInput } from '../form-input.tsx'
import { Check, NumberField, Section, TextField } from '../parts.tsx'
import { PeopleInput } from '../people-input.tsx'
import { TaskSettings } from '../task-settings.tsx'
import { TimerInput } from '../timer-input.tsx'
import { type Board, type Drawn, is, type Moddle, made, many, one, text } from './board.ts'
import { ServiceTask } from './service.tsx'
import { formOf, loopElement, setupOf, timerIn, writeForm, writeSetup, writeTimer } from './task.ts'

interface PanelProps {
  readonly board: Board
  /** What is chosen; the process where nothing is, or more than one thing. */
  readonly element: Drawn | null
  /** Rises with every change. */
  readonly turn: number
}

/** The process that the drawing is of. */
const processOf = (root: Drawn): Moddle => {
  let of: Moddle | undefined = root.businessObject
  while (of && !is(of, 'bpmn:Process')) of = is(of, 'bpmn:Participant') ? one(of, 'processRef') : of.$parent
  return of ?? root.businessObject
}

/** The settings of what is chosen on the board, in the words of the product. */
export function BoardPanel({ board, element }: PanelProps) {
  const root = board.get('canvas').getRootElement()
  const process = processOf(root)
  // Read anew each time: what moddle keeps changes without becoming another object.
  const context = {
    form: formOf(process),
    formKey: text(process, 'db:formKey'),
    before: board
      .get('elementRegistry')
      .filter(({ id, businessObject }) => is(businessObject, 'bpmn:UserTask') && id !== element?.id)
      .map(({ id, businessObject }) => ({ id, name: businessObject.name ?? '' })),
  }
  return (
    <DesignContext value={context}>
      {element ? (
        <ElementSettings key={element.id} board={board} element={element} />
      ) : (
        <ProcessSettings board={board} root={root} process={process} />
      )}
    </DesignContext>
  )
}

function ProcessSettings({
  board,
  root,
  process,
}: {
  readonly board: Board
  readonly root: Drawn
  readonly process: Moddle
}) {
  const t = useT()
  const modeling = board.get('modeling')
  const put = (values: Readonly<Record<string, unknown>>) => modeling.updateModdleProperties(root, process, values)
  const formKey = text(process, 'db:formKey')
  return (
    <>
      <h2>{t('design.process')}</h2>
      <TextField
        label={t('design.processName')}
        value={process.name ?? ''}
        max={100}
        onChange={(name) => put({ name })}
      />
      <TextField
        label={t('design.formKey')}
        help={t('design.formKeyHelp')}
        max={64}
        value={formKey ?? ''}
        onChange={(key) => put({ 'db:formKey': key.trim() || undefined })}
      />
      <Section label={t('design.form')}>
        <FormInput form={formOf(process)} onChange={(form) => writeForm(board, root, process, form)} />
      </Section>
    </>
  )
}

interface ElementProps {
  readonly board: Board
  readonly element: Drawn
}

function ElementSettings({ board, element }: ElementProps) {
  const t = useT()
  const of = element.businessObject
  const modeling = board.get('modeling')
  const key = `design.type.${of.$type.slice(of.$type.indexOf(':') + 1)}`
  const type = t(hasWords(key) ? key : 'design.type.other')
  return (
    <>
      <h2>{of.name || type}</h2>
      <p className="muted design-type">{t('design.typeAndId', { type, id: of.id ?? '' })}</p>
      <TextField
        label={t('design.cardName')}
        value={is(of, 'bpmn:TextAnnotation') ? (text(of, 'text') ?? '') : (of.name ?? '')}
        max={100}
        onChange={(name) =>
          modeling.updateProperties(element, is(of, 'bpmn:TextAnnotation') ? { text: name } : { name })
        }
      />
      {is(of, 'bpmn:UserTask') && <UserTask board={board} element={element} />}
      {is(of, 'bpmn:ServiceTask') && <ServiceTask board={board} element={element} />}
      {is(of, 'bpmn:CallActivity') && (
        <TextField
          label={t('design.calls')}
          help={t('design.callsHelp')}
          max={64}
          value={text(of, 'calledElement') ?? ''}
          onChange={(key) => modeling.updateProperties(element, { calledElement: key.trim() || undefined })}
        />
      )}
      {is(of, 'bpmn:SequenceFlow') && <Flow board={board} element={element} />}
      {is(of, 'bpmn:Event') && <Event board={board} element={element} />}
      {is(of, 'bpmn:SubProcess', 'bpmn:CallActivity', 'bpmn:ServiceTask') && <Repeat board={board} element={element} />}
    </>
  )
}

function UserTask({ board, element }: ElementProps) {
  const t = useT()
  const { copies, ...setup } = setupOf(element.businessObject)
  return (
    <>
      <TaskSettings setup={setup} onChange={(next) => writeSetup(board, element, next, copies)} />
      <Section label={t('design.copies')}>
        <PeopleInput rules={copies} onChange={(next) => writeSetup(board, element, setup, next)} />
      </Section>
    </>
  )
}

function Flow({ board, element }: ElementProps) {
  const t = useT()
  const of = element.businessObject
  const modeling = board.get('modeling')
  const source = element.source
  const isBranch = source !== undefined && is(source.businessObject, 'bpmn:ExclusiveGateway', 'bpmn:InclusiveGateway')
  if (!source || !isBranch) return null
  const isDefault = one(source.businessObject, 'default') === of
  const said = one(of, 'conditionExpression')
  const written = (said && text(said, 'body')) ?? ''
  return (
    <Section label={t('design.when')}>
      <Check
        label={t('design.isDefault')}
        checked={isDefault}
        onChange={(checked) => {
          modeling.updateProperties(source, { default: checked ? of : undefined })
          if (checked && said) modeling.updateProperties(element, { conditionExpression: undefined })
        }}
      />
      {!isDefault && (
        <ConditionInput
          text={/^\s*[$#]\{(.*)\}\s*$/s.exec(written)?.[1] ?? written}
          onChange={(next) =>
            modeling.updateProperties(element, {
              conditionExpression:
                next === '' ? undefined : made(board, of, 'bpmn:FormalExpression', { body: `\${${next}}` }),
            })
          }
        />
      )}
    </Section>
  )
}

function Event({ board, element }: ElementProps) {
  const t = useT()
  const of = element.businessObject
  const modeling = board.get('modeling')
  const definition = many(of, 'eventDefinitions')[0]
  const isBoundary = is(of, 'bpmn:BoundaryEvent')
  return (
    <>
      {isBoundary && definition?.$type !== 'bpmn:ErrorEventDefinition' && (
        <Check
          label={t('design.interrupting')}
          checked={of.get('cancelActivity') !== false}
          onChange={(cancelActivity) => modeling.updateProperties(element, { cancelActivity })}
        />
      )}
      {definition && is(definition, 'bpmn:TimerEventDefinition') && (
        <TimerInput
          cycle
          begins={is(of, 'bpmn:StartEvent')}
          label={t(is(of, 'bpmn:StartEvent') ? 'design.timerStart' : 'design.timerWhen')}
          timer={timerIn(definition)}
          onChange={(timer) => timer && writeTimer(board, element, definition, timer)}
        />
      )}
      {definition && is(definition, 'bpmn:MessageEventDefinition') && (
        <>
          <Named
            board={board}
            element={element}
            definition={definition}
            ref_="messageRef"
            type="bpmn:Message"
            by="name"
          />
          {!is(of, 'bpmn:StartEvent') && (
            <CorrelationInput
              value={text(definition, 'db:correlation') ?? ''}
              onChange={(said) =>
                modeling.updateModdleProperties(element, definition, { 'db:correlation': said || undefined })
              }
            />
          )}
        </>
      )}
      {definition && is(definition, 'bpmn:ErrorEventDefinition') && (
        <Named
          board={board}
          element={element}
          definition={definition}
          ref_="errorRef"
          type="bpmn:Error"
          by="errorCode"
        />
      )}
    </>
  )
}

interface NamedProps extends ElementProps {
  readonly definition: Moddle
  readonly ref_: 'messageRef' | 'errorRef'
  readonly type: 'bpmn:Message' | 'bpmn:Error'
  readonly by: 'name' | 'errorCode'
}

/** The name of a message, or the code of an error: they stand beside the process and are shared by their name. */
function Named({ board, element, definition, ref_, type, by }: NamedProps) {
  const t = useT()
  const now = one(definition, ref_)
  const put = (name: string) => {
    const modeling = board.get('modeling')
    if (name === '') return modeling.updateModdleProperties(element, definition, { [ref_]: undefined })
    let top: Moddle | undefined = element.businessObject
    while (top?.$parent) top = top.$parent
    const all = top ? many(top, 'rootElements') : []
    const shared = all.find((each) => each.$type === type && text(each, by) === name)
    const named = shared ?? made(board, top, type, { name, [by]: name })
    if (!shared && top) {
      // One that nothing else names any more goes with its former name.
      const kept = now && !isShared(board, now) ? all.filter((each) => each !== now) : all
      modeling.updateModdleProperties(element, top, { rootElements: [...kept, named] })
    }
    modeling.updateModdleProperties(element, definition, { [ref_]: named })
  }
  return <TextField label={t(`design.event.${by}`)} max={100} value={(now && text(now, by)) ?? ''} onChange={put} />
}

const isShared = (board: Board, of: Moddle): boolean =>
  board
    .get('elementRegistry')
    .filter(
      ({ businessObject, labelTarget }) =>
        !labelTarget &&
        is(businessObject, 'bpmn:Event') &&
        many(businessObject, 'eventDefinitions').some((each) =>
          [each.get('messageRef'), each.get('errorRef')].includes(of),
        ),
    ).length > 1

/** How often what is no user task runs. */
function Repeat({ board, element }: ElementProps) {
  const t = useT()
  const of = element.businessObject
  const loop = setupOf(of).loop
  if (!loop) return null
  return (
    <NumberField
      label={t('design.times')}
      min={1}
      max={1000}
      value={loop.times}
      onChange={(times) =>
        board.get('modeling').updateProperties(element, {
          loopCharacteristics: loopElement(board, of, {
            order: loop.order,
            need: loop.need,
            ...(times ? { times } : {}),
          }),
        })
      }
    />
  )
}
