/** The package brings types of BPMN alone, and none of what reads and writes it. */
declare module 'bpmn-moddle' {
  import type { Warning } from './moddle.ts'

  export class BpmnModdle {
    constructor(packages?: Readonly<Record<string, object>>)
    fromXML(xml: string): Promise<{ rootElement: unknown; warnings: readonly Warning[] }>
    toXML(element: unknown, options?: { format?: boolean }): Promise<{ xml: string }>
    create(type: string, attributes?: object): unknown
  }
}
