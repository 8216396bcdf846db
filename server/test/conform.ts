import { Ajv, type ValidateFunction } from 'ajv'
import { allRoutes } from '../src/app.ts'

/*
 * R-CALL-1: what is answered is what the description says. Every answer of every test of the server passes here.
 */

const ajv = new Ajv({ strict: false, allErrors: false, validateFormats: false, inlineRefs: false })
const schemas = new Map(allRoutes().map((route) => [`${route.method} ${route.path}`, route]))
const validators = new Map<string, ValidateFunction | undefined>()

function validatorOf(call: string): ValidateFunction | undefined {
  if (!validators.has(call)) {
    const schema = schemas.get(call)?.dataSchema
    validators.set(call, schema && ajv.compile(schema))
  }
  return validators.get(call)
}

/** Throws where the `data` of a good answer, or all of a bare one, is not what its call states. */
export function mustConform(method: string, path: string, body: Readonly<Record<string, unknown>>): void {
  const call = `${method} /${path.split('?')[0]}`
  const data = schemas.get(call)?.bare ? body : body.data
  const validate = validatorOf(call)
  if (!validate || validate(data)) return
  const [first] = validate.errors!
  const at = first!.instancePath.split('/').slice(1)
  const value = at.reduce<unknown>((of, name) => (of as Record<string, unknown> | null)?.[name], data)
  throw new Error(
    `${call} states another answer: data${first!.instancePath} ${first!.message} ${JSON.stringify(first!.params)}: ${JSON.stringify(value)?.slice(0, 300)}`,
  )
}
