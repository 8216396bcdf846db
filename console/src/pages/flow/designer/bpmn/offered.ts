/* Offers on the board what runs, and nothing else: palette, context pad and replace menu. */

import type { Drawn } from './board.ts'

type Entries = Record<string, { readonly title?: string; readonly group?: string }>
type Filter = (entries: Entries) => Entries

interface Menu {
  registerProvider(priority: number, provider: object): void
  registerProvider(id: string, priority: number, provider: object): void
}
type Make = (type: string, options?: object) => unknown
interface ElementFactory {
  createShape: (options: object) => unknown
}
interface Starts {
  start(event: unknown, shape: unknown, context?: object): void
}
interface AutoPlace {
  append(source: Drawn, shape: unknown): void
}
type Say = (text: string) => string

/** After the library's own provider, so that its entries are there to be left out. */
const LATE = 500

const palette = new Set([
  'hand-tool',
  'lasso-tool',
  'space-tool',
  'global-connect-tool',
  'tool-separator',
  'create.start-event',
  'create.end-event',
  'create.exclusive-gateway',
  'create.subprocess-expanded',
])

const pad = new Set([
  'append.end-event',
  'append.gateway',
  'append.text-annotation',
  'append.message-intermediate-event',
  'append.timer-intermediate-event',
  'replace',
  'connect',
  'delete',
])

/** By the id of what an element is turned into; everything else of the replace menu does not run. */
export const replacements: ReadonlySet<string> = new Set(
  [
    'user-task',
    'service-task',
    'call-activity',
    'subprocess',
    'expanded-subprocess',
    'exclusive-gateway',
    'parallel-gateway',
    'inclusive-gateway',
    'event-based-gateway',
    'none-start',
    'message-start',
    'timer-start',
    'none-intermediate-throw',
    'message-intermediate-catch',
    'message-intermediate-throw',
    'timer-intermediate-catch',
    'none-end',
    'message-end',
    'error-end',
    'terminate-end',
    'message-boundary',
    'timer-boundary',
    'error-boundary',
    'non-interrupting-message-boundary',
    'non-interrupting-timer-boundary',
    'sequence-flow',
    'default-flow',
    'conditional-flow',
  ].map((id) => `replace-with-${id}`),
)
const headers = new Set(['toggle-parallel-mi', 'toggle-sequential-mi', 'toggle-non-interrupting'])

const only =
  (kept: ReadonlySet<string>, more: Entries = {}): Filter =>
  (entries) => ({ ...Object.fromEntries(Object.entries(entries).filter(([key]) => kept.has(key))), ...more })

/** What is put onto the board beside the library's own, by its type. */
const steps = [
  ['create.user-task', 'bpmn:UserTask', 'bpmn-icon-user-task', 'Create user task'],
  ['create.service-task', 'bpmn:ServiceTask', 'bpmn-icon-service-task', 'Create service task'],
] as const

function Offered(
  paletteMenu: Menu,
  contextPad: Menu,
  popupMenu: Menu,
  create: Starts,
  elementFactory: ElementFactory,
  autoPlace: AutoPlace,
  translate: Say,
): void {
  const shape: Make = (type, options = {}) => elementFactory.createShape({ type, ...options })
  const puts = (type: string, className: string, title: string, group: string, options = {}) => {
    const start = (event: unknown) => create.start(event, shape(type, options))
    return { group, className, title: translate(title), action: { dragstart: start, click: start } }
  }
  paletteMenu.registerProvider(LATE, {
    getPaletteEntries: (): Filter => (entries) => ({
      ...only(palette)(entries),
      ...Object.fromEntries(
        steps.map(([key, type, className, title]) => [key, puts(type, className, title, 'activity')]),
      ),
      'create.timer': puts(
        'bpmn:IntermediateCatchEvent',
        'bpmn-icon-intermediate-event-catch-timer',
        'Create timer event',
        'event',
        { eventDefinitionType: 'bpmn:TimerEventDefinition' },
      ),
    }),
  })
  const appends = (type: string, className: string, title: string, options = {}) => ({
    group: 'model',
    className,
    title: translate(title),
    action: {
      click: (_: unknown, element: Drawn) => autoPlace.append(element, shape(type, options)),
      dragstart: (event: unknown, element: Drawn) => create.start(event, shape(type, options), { source: element }),
    },
  })
  contextPad.registerProvider(LATE, {
    getContextPadEntries: (): Filter => (entries) =>
      only(
        pad,
        // Where the library offers a task of no kind, one that somebody decides stands.
        entries['append.append-task']
          ? {
              'append.user-task': appends('bpmn:UserTask', 'bpmn-icon-user-task', 'Append user task'),
              'append.timer': appends(
                'bpmn:IntermediateCatchEvent',
                'bpmn-icon-intermediate-event-catch-timer',
                'Append timer event',
                { eventDefinitionType: 'bpmn:TimerEventDefinition' },
              ),
            }
          : {},
      )(entries),
  })
  popupMenu.registerProvider('bpmn-replace', LATE, {
    getPopupMenuEntries: () => only(replacements),
    getPopupMenuHeaderEntries: () => only(headers),
  })
}
Offered.$inject = ['palette', 'contextPad', 'popupMenu', 'create', 'elementFactory', 'autoPlace', 'translate']

export const offeredModule = { __init__: ['offered'], offered: ['type', Offered] }
