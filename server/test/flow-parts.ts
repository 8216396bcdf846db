import type { Page } from '@data-brain/contract'
import type { FlowStep, FlowTask, ProcessDetail } from '@data-brain/contract/calls/flow'
import { expect } from 'vitest'
import type { Answer, Person, Row, World } from './world.ts'

/** BPMN of lines `a -> b`; `elements` are written as they are. Steps that no element stands for are user tasks of `who`. */
export function bpmn(lines: string, elements: string, { key = 'p', name = '测试流程' } = {}): string {
  const flows: string[] = []
  for (const line of lines.trim().split('\n')) {
    const parts = line.trim().split(/\s+(-(?:\[[^\]]+\]-)?>)\s+/)
    for (let at = 0; at + 2 < parts.length; at += 2) {
      const [from, arrow, to] = parts.slice(at, at + 3) as [string, string, string]
      const when = /\[(.+)\]/.exec(arrow)?.[1]?.replaceAll('<', '&lt;').replaceAll('>', '&gt;')
      const condition = when ? `<conditionExpression>${'${'}${when}}</conditionExpression>` : ''
      flows.push(`<sequenceFlow id="${from}_${to}" sourceRef="${from}" targetRef="${to}">${condition}</sequenceFlow>`)
    }
  }
  return `<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:db="https://data-brain.dev/bpmn" xmlns:camunda="http://camunda.org/schema/1.0/bpmn" targetNamespace="http://test">
<process id="${key}" name="${name}" isExecutable="true">
<startEvent id="start"/>${elements}<endEvent id="end"/>
${flows.join('\n')}
</process></definitions>`
}

/** A step that an account decides, or several. */
export const step = (id: string, accounts: string, more = ''): string =>
  accounts.includes(',')
    ? `<userTask id="${id}" name="${id}" camunda:candidateUsers="${accounts}">${more}</userTask>`
    : `<userTask id="${id}" name="${id}" camunda:assignee="${accounts}">${more}</userTask>`

/** Deploys a file in a tenant; answers the version’s id. */
export async function deploy(admin: Person, xml: string): Promise<string> {
  const key = /<(?:\w+:)?process[^>]* id="([^"]+)"/.exec(xml)![1]!
  const listed = await admin.get<Page<Row>>('blade-flow/model/list', { modelKey_equal: key })
  const [there] = listed.data.records
  const draft = there ? { id: there.id, version: there.version, xml } : { name: key, modelKey: key, category: '9', xml }
  const saved = await admin.post<Row>('blade-flow/model/submit', draft)
  expect(saved.msg, JSON.stringify(saved.data)).toBeTruthy()
  expect(saved.status, saved.msg).toBe(200)
  const answer = await admin.post<{ success: boolean; processDefinitionId: string; message: string }[]>(
    'blade-flow/model/deploy',
    undefined,
    { query: { modelId: saved.data.id } },
  )
  expect(answer.status, answer.msg).toBe(200)
  expect(answer.data[0]!.message).toBeNull()
  return answer.data[0]!.processDefinitionId
}

/** People of a tenant by short names, each with an account of that name. */
export async function people<N extends string>(
  world: World,
  admin: Person,
  ...names: readonly N[]
): Promise<Record<N, Person>> {
  const made: Partial<Record<N, Person>> = {}
  for (const name of names) {
    const person = await world.colleague(admin, [])
    await world.owner.query('update app_user set account = $1, real_name = $2 where tenant_id = $3 and id = $4', [
      name,
      `${name}老师`,
      admin.tenantId,
      person.userId,
    ])
    made[name] = person
  }
  return made as Record<N, Person>
}

export async function start(
  who: Person,
  processDefinitionId: string,
  variables: object = {},
  chosen: object[] = [],
): Promise<string> {
  const answer = await who.post<{ processInstanceId: string }>('blade-flow/work/start-process', {
    processDefinitionId,
    title: '一件事',
    variables,
    chosen,
  })
  expect(answer.status, answer.msg).toBe(200)
  return answer.data.processInstanceId
}

export const list = async (who: Person, name: 'todo' | 'claim' | 'done' | 'send' | 'copy'): Promise<FlowTask[]> =>
  (await who.get<Page<FlowTask>>(`blade-flow/work/${name}-list`, { size: 200 })).data.records

/** The steps that wait for somebody, by name. */
export const waits = async (who: Person, name: 'todo' | 'claim' = 'todo'): Promise<string[]> =>
  (await list(who, name)).map(({ taskName }) => taskName!).sort()

export async function taskOf(who: Person, taskName: string, name: 'todo' | 'claim' = 'todo'): Promise<string> {
  const found = (await list(who, name)).find((each) => each.taskName === taskName)
  expect(found, `${taskName} does not wait`).toBeDefined()
  return found!.taskId!
}

export const decide = (who: Person, taskId: string, flag: 'ok' | 'no' = 'ok', more: object = {}): Promise<Answer> =>
  who.post('blade-flow/work/complete-task', { taskId, flag, ...(flag === 'no' ? { comment: '不同意' } : {}), ...more })

/** Decides the step of this name that waits for somebody. */
export async function pass(who: Person, taskName: string, flag: 'ok' | 'no' = 'ok', more: object = {}): Promise<void> {
  const answer = await decide(who, await taskOf(who, taskName), flag, more)
  expect(answer.status, answer.msg).toBe(200)
}

export const detail = async (who: Person, processInstanceId: string): Promise<ProcessDetail> =>
  (await who.get<ProcessDetail>('blade-flow/process/detail', { processInstanceId })).data

export const history = async (who: Person, processInstanceId: string): Promise<FlowStep[]> =>
  (await who.get<FlowStep[]>('blade-flow/process/history-flow-list', { processInstanceId })).data
