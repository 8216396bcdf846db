import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { routesWith } from '../src/app.ts'
import { propertiesOf } from '../src/entity/schema.ts'
import type { Route } from '../src/kernel/route.ts'
import { extensionsBuiltIn } from './extensions-built-in.ts'
import { platformCodes } from './sample.ts'

/** Who calls, in the order of the table's columns. */
export const callers = ['anonymous', 'without', 'holder', 'admin', 'otherAdmin', 'platform'] as const
export type Caller = (typeof callers)[number]

/**
 * What a caller gets: `through` is anything but 401, 403 and a fault of the server. `through/unseen` is that of a call
 * which names rows: with rows of another tenant it answers exactly as with rows that never were.
 */
export type Outcome = '401' | '403' | 'through' | 'through/unseen'

export interface Line {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly access: string
  readonly outcomes: Readonly<Record<Caller, Outcome>>
  /** What the data scopes of the caller's roles do to it: `scoped`, or why they do nothing. */
  readonly scope: string
}

/** The code that a holder of exactly one has: one that people of a tenant can hold, where there is one. */
export function codeHeld(route: Route): string | undefined {
  if (route.access === 'public' || route.access === 'session') return undefined
  return route.access.codes.find((code) => !platformCodes.has(code)) ?? route.access.codes[0]
}

/** Fields of a call's body that name rows: its own id, or without one the ids of what it is about. */
export function idsInBody(route: Route): string[] {
  const fields = Object.keys(propertiesOf(route.bodySchema))
  return fields.includes('id') ? ['id'] : fields.filter((name) => /Ids?$/.test(name))
}

/** Whether a call names rows by their ids. */
export const namesRows = (route: Route): boolean =>
  idsInBody(route).length > 0 ||
  Object.values(route.parameters ?? {}).some(({ kind }) => kind === 'id' || kind === 'ids')

/** Whether a call works on the platform role's connection. */
const isPlatform = (route: Route): boolean => 'platform' in route && route.platform === true

const tokenScopes = (route: Route): readonly string[] | undefined => ('scopes' in route ? route.scopes : undefined)

function accessOf(route: Route): string {
  const scopes = tokenScopes(route)
  if (scopes) return `token ${scopes.join(' | ')}`
  const access =
    route.access === 'public' || route.access === 'session' ? route.access : `code ${route.access.codes.join(' | ')}`
  return isPlatform(route) ? `${access}, platform` : access
}

function outcomesOf(route: Route): Line['outcomes'] {
  const through = 'through'
  // A session opens nothing here, whoever's it is.
  if (tokenScopes(route))
    return { anonymous: '401', without: '401', holder: '401', admin: '401', otherAdmin: '401', platform: '401' }
  if (route.access === 'public')
    return {
      anonymous: through,
      without: through,
      holder: through,
      admin: through,
      otherAdmin: through,
      platform: through,
    }
  const held = codeHeld(route)
  const closed = isPlatform(route) || (held !== undefined && platformCodes.has(held))
  const open: Outcome = closed ? '403' : through
  return {
    anonymous: '401',
    without: held === undefined ? open : '403',
    holder: open,
    admin: open,
    otherAdmin: open === through && namesRows(route) ? 'through/unseen' : open,
    platform: through,
  }
}

/**
 * Calls that no data scope narrows, and why. All others are `scoped`; every-scope.test.ts and narrow-walk.test.ts make
 * each call, and of what they are told or change only what stands here as everybody's may lie outside.
 */
const whole: readonly (readonly [RegExp, string])[] = [
  [/^\/blade-system\/(menu|region)\//, 'shared by all tenants'],
  [/^\/blade-system\/dict(-biz)?\/(dictionary|dictionaries)$/, 'the words of every form'],
  [/^\/blade-log\/state$/, 'how many lines wait to be written, no row'],
  [/^\/blade-log\/history\/verify$/, 'the seals of the tenant as a whole, by their own code'],
  [/^\/blade-resource\/attach\/usage$/, 'bytes of the tenant as a whole'],
  [/^\/blade-system\/(param\/known|data-scope\/(entities|options)|explain\/calls)$/, 'what the product has, no row'],
  [/^\/blade-auth\/(oauth|session)\/|^\/blade-desk\/(live|inbox|savedview)/, 'one’s own'],
  [/^\/blade-system\/job\/(mine|own|file|cancel)$/, 'one’s own'],
  [
    /^\/blade-user\/(info|identities|sessions|end-sessions|update-info|update-password|(un)?link-identity|second-factor.*)$/,
    'one’s own',
  ],
  [/\/(getUserClass|getUserClassSchedule)$/, 'one’s own lessons and classes'],
  [/\/(feeds|withdrawFeed)$/, 'one’s own'],
]

function scopeOf(route: Route): string {
  if (tokenScopes(route)) return 'schools of the client'
  if (route.access === 'public') return 'before log-in'
  if (isPlatform(route)) return 'shared by all tenants'
  const held = codeHeld(route)
  if (held !== undefined && platformCodes.has(held)) return 'shared by all tenants'
  return whole.find(([path]) => path.test(route.path))?.[1] ?? 'scoped'
}

/** The table as the declarations of the routes want it, by path and method. */
export function linesOf(routes: readonly Route[]): Line[] {
  return routes
    .map((route) => ({
      method: route.method,
      path: route.path,
      access: accessOf(route),
      outcomes: outcomesOf(route),
      scope: scopeOf(route),
    }))
    .sort((a, b) => (a.path === b.path ? a.method.localeCompare(b.method) : a.path < b.path ? -1 : 1))
}

const head = ['method', 'path', 'access', ...callers, 'scope'].join('\t')

const coreFile = join(import.meta.dirname, 'matrix.tsv')
/** Where the lines of an extension are kept: with its tests. */
const fileOf = ({ place }: (typeof extensionsBuiltIn)[number]): string => join(place, 'test', 'matrix.tsv')

/**
 * The table by the files that keep it: that of the core, and of each extension that is built in what it adds, be it a call
 * or a code of its own that opens a call of the core.
 */
export function wantedFiles(): Map<string, Line[]> {
  const core = linesOf(routesWith())
  const known = new Set(core.map(textOfLine))
  return new Map([
    [coreFile, core],
    ...extensionsBuiltIn.map((extension): [string, Line[]] => [
      fileOf(extension),
      linesOf(routesWith([extension.name])).filter((line) => !known.has(textOfLine(line))),
    ]),
  ])
}

const textOfLine = ({ method, path, access, outcomes, scope }: Line): string =>
  [method, path, access, ...callers.map((caller) => outcomes[caller]), scope].join('\t')

/** The table as text, one line per call, below its heading. */
export const textOf = (lines: readonly Line[]): string => `${[head, ...lines.map(textOfLine)].join('\n')}\n`

/** What a file of the table holds. Throws when its heading is another. */
export function readLines(file: string): Line[] {
  const [first, ...rest] = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [head]
  if (first !== head) throw new Error(`the heading of ${file} should be: ${head}`)
  return rest.map(lineOf)
}

/** The committed table: the calls of the core, and those of extensions. */
export const readMatrix = (): Line[] => [
  ...readLines(coreFile),
  ...extensionsBuiltIn.flatMap((extension) =>
    readLines(fileOf(extension)).filter(({ path }) => path.startsWith(`/ext-${extension.name}/`)),
  ),
]

function lineOf(text: string): Line {
  const [method, path, access, ...outcomes] = text.split('\t')
  return {
    method: method as Line['method'],
    path: path!,
    access: access!,
    outcomes: Object.fromEntries(callers.map((caller, index) => [caller, outcomes[index]])) as Line['outcomes'],
    scope: outcomes[callers.length]!,
  }
}
