/** Writes server/openapi.json from the routes: `npm run generate`. A test refuses the file when it is stale. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { routesWith } from './app.ts'
import { describe } from './openapi.ts'

const widest = 200

/** A part this short shares a line with its neighbours: the statuses that a call answers, the parameters that it takes. */
const short = 60

/** JSON with what fits on a line on one line, so that a description of 700 calls can be read. */
function laidOut(value: unknown, indent = ''): string {
  const line = JSON.stringify(value)
  if (typeof value !== 'object' || value === null || indent.length + line.length <= widest) return line
  const inner = `${indent} `
  const parts = Array.isArray(value)
    ? value.map((each) => laidOut(each, inner))
    : Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${laidOut(each, inner)}`)
  const lines: string[] = []
  let isOpen = false
  for (const part of parts) {
    const last = lines.at(-1)
    const isShort = part.length <= short
    if (last !== undefined && isOpen && isShort && last.length + part.length < widest)
      lines[lines.length - 1] = `${last}, ${part}`
    else lines.push(`${inner}${part}`)
    isOpen = isShort
  }
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`
}

// As JSON first: what is undefined is not there.
const description = JSON.parse(JSON.stringify(describe(routesWith())))
writeFileSync(join(import.meta.dirname, '..', 'openapi.json'), `${laidOut(description)}\n`)
