import { readFileSync } from 'node:fs'
import { Ajv, type ValidateFunction } from 'ajv'
import { inject } from 'vitest'
import { allRoutes } from '../src/app.ts'

/*
 * R-CALL-1: what is answered is what the description says. Every answer of every test of the server passes here.
 */

const ajv = new Ajv({ strict: false, allErrors: false, validateFormats: false, inlineRefs: false })
const routes = allRoutes()
const byCall = new Map(routes.map((route) => [`${route.method} ${route.path}`, route]))
const within = routes
  .filter(({ path }) => path.includes(':'))
  .map((route) => [new RegExp(`^${route.method} ${route.path.replaceAll(/:\w+/g, '[^/]+')}$`), route] as const)
/** The statuses that the description of today states, by call: told once for the whole run (setup.ts). */
const statedOf: Readonly<Record<string, readonly string[]>> = JSON.parse(
  readFileSync(inject('database').stated, 'utf8'),
)
const routeOf = (method: string, path: string) => {
  const call = `${method} /${path.split('?')[0]}`
  return byCall.get(call) ?? within.find(([pattern]) => pattern.test(call))?.[1]
}
/** What any call may answer besides, as the description says of all of them. */
const anywhere = new Set(['413', '415', '423', '428', '429', '500', '503'])

/** Throws where a call answers with a status that the description does not state of it. */
export function mustBeStated(method: string, path: string, status: number): void {
  const route = routeOf(method, path)
  const stated = route && statedOf[`${method} ${route.path}`]
  if (!stated || stated.includes(String(status)) || anywhere.has(String(status))) return
  throw new Error(`${method} ${path} answers ${status}, which the description does not state`)
}

const validators = new Map<object, ValidateFunction>()

function validatorOf(schema: object): ValidateFunction {
  const known = validators.get(schema) ?? ajv.compile(schema)
  validators.set(schema, known)
  return known
}

/**
 * Throws where the `data` of a good answer, or all of a bare one, is not what its call states; with `refused`, what a
 * binding of others tells of a failure.
 */
export function mustConform(
  method: string,
  path: string,
  body: Readonly<Record<string, unknown>>,
  refused = false,
): void {
  const route = routeOf(method, path)
  const schema = refused ? route && 'toldSchema' in route && route.toldSchema : route?.dataSchema
  if (!schema) return
  const data = route?.bare ? body : body.data
  const validate = validatorOf(schema)
  if (validate(data)) return
  const [first] = validate.errors!
  const at = first!.instancePath.split('/').slice(1)
  const value = at.reduce<unknown>((of, name) => (of as Record<string, unknown> | null)?.[name], data)
  throw new Error(
    `${method} ${path} states another answer: data${first!.instancePath} ${first!.message} ${JSON.stringify(first!.params)}: ${JSON.stringify(value)?.slice(0, 300)}`,
  )
}
