import type { FlowContext } from './business.ts'
import type { Variables } from './engine/host.ts'

/** What is started. */
export interface Beginning {
  readonly processId: string
  /** What it is called in lists, such as “王小明 事假 2天”. */
  readonly title: string
  readonly variables: Variables
  /** Whom the applicant has chosen for a step, by its node. */
  readonly chosen?: Readonly<Record<string, readonly string[]>>
  readonly business?: { readonly table: string; readonly id: string }
}

/** Starts an instance of a version that is active, as whoever acts; answers its id. Part of the caller's transaction. */
export async function beginProcess(context: FlowContext, beginning: Beginning): Promise<string> {
  throw new Error(`not there yet: ${context.actor.name} ${beginning.title}`)
}
