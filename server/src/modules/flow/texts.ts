import type { Variables } from './engine/host.ts'

/** A text of a model with its placeholders (`{reason}`) replaced by the fields of the form. */
export const fillTemplate = (text: string, variables: Variables): string =>
  text.replace(/\{([\p{L}\w]+)\}/gu, (_, name: string) => {
    const value = Object.hasOwn(variables, name) ? variables[name] : ''
    return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  })
