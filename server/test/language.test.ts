import { entities } from '@data-brain/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allRoutes } from '../src/app.ts'
import { isOfPlatform } from './sample.ts'
import { type Answer, makeWorld, type Person, type World } from './world.ts'

/** What the server says to somebody who reads English, whatever they do wrong. */

let world: World
let admin: Person
let platform: Person
beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  platform = await world.platform()
})
afterAll(() => world.close())

const han = /[\p{Script=Han}\uff00-\uff60\u3000-\u303f]/u
/** Sentences of an answer that refuses: its message, and what it says of each field. */
const said = ({ msg, data }: Answer<unknown>): string[] => {
  const { fields } = (data ?? {}) as { fields?: readonly { message: string }[] }
  return [msg, ...(Array.isArray(fields) ? fields.map(({ message }) => message) : [])].filter(Boolean)
}
/** Calls that end the session that makes them, and one whose answer does not end. */
const apart = new Set(['/blade-auth/oauth/logout', '/blade-auth/session/lock', '/blade-desk/live'])

describe('R-BAR-4 messages of the server', () => {
  it('are English for whoever asks in English: of every call, with nothing, with rubbish, and without a session', async () => {
    const found: string[] = []
    const refusals = new Set<string>()
    const note = (what: string, answer: Answer<unknown>): void => {
      expect(answer.status, what).toBeLessThan(500)
      if (answer.status < 400) return
      for (const text of said(answer)) {
        refusals.add(text)
        if (han.test(text)) found.push(`${what}: ${text}`)
      }
    }
    for (const { method, path, parameters } of allRoutes()) {
      if (apart.has(path)) continue
      const person = path.startsWith('/blade-system/menu') ? platform : admin
      const rubbish = Object.fromEntries(Object.keys(parameters ?? {}).map((name) => [name, '<不>']))
      const tries = [
        // A file that is made says nothing.
        ...(/\/(export|template)/.test(path) ? [] : [{ query: {} }]),
        { query: rubbish },
        ...(method === 'POST' ? [{ body: { noSuchField: 1 } }, { body: { id: 'x', ids: [1], name: 3 } }] : []),
      ]
      for (const [nth, given] of tries.entries())
        note(
          `${method} ${path} ${nth}`,
          await world.call(method, path.slice(1), person.token, { ...given, language: 'en' }),
        )
      note(`${method} ${path} stranger`, await world.call(method, path.slice(1), null, { language: 'en' }))
    }
    // Data that the caller gave come back as they were: what is quoted is no word of ours.
    expect(found.filter((line) => han.test(line.replaceAll('<不>', '')))).toEqual([])
    expect(refusals.size).toBeGreaterThan(60)
  }, 60_000)

  it('are English about every field of every entity', async () => {
    const found: string[] = []
    let faults = 0
    for (const entity of entities.filter((each) => !each.readOnly)) {
      const person = isOfPlatform(entity) ? platform : admin
      for (const wrong of ['!', 'x'.repeat(3_000), -1e9, true, ['!'], { a: 1 }]) {
        const draft = Object.fromEntries(
          Object.entries(entity.fields)
            .filter(([, field]) => !field.computed)
            .map(([name]) => [name, wrong]),
        )
        const answer = await person.post<unknown>(`${entity.path}/submit`, draft, { language: 'en' })
        expect(answer.status, entity.name).toBeLessThan(500)
        if (answer.status < 400) continue
        faults += said(answer).length
        found.push(...said(answer).filter((text) => han.test(text)))
      }
    }
    expect(found).toEqual([])
    expect(faults).toBeGreaterThan(1_000)
  })
})
