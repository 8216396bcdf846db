import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { entities } from '../src/entities/index.ts'
import { logs } from '../src/entities/log/logs.ts'

/*
 * The engines serve whatever the definitions describe: they know no entity by its name, and nothing of schools. What is
 * special about one stands in its definition, in a module of the server, or with a page of the console.
 */

const root = path.join(import.meta.dirname, '../..')
const engines = ['server/src/entity', 'console/src/entity']

/** Words of schools, wherever they stand in a name or a text. */
const schoolWords = [
  ...['school', 'campus', 'classroom', 'semester', 'student', 'pupil', 'guardian', 'parents?Name'],
  ...['teacher', 'sysgrade', 'gradeId', 'gradeHours', 'classId', 'classList(?!\\??\\.)', 'schoolclass', 'attach'],
]

/** A source without its comments: what they tell as an example binds nobody. */
const codeOf = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, '')).replace(/(^|\s)\/\/.*$/gm, '$1')

interface Line {
  readonly at: string
  readonly text: string
}

/** The lines of a source, an import over several lines as one. */
const linesIn = (file: string, text: string): Line[] =>
  codeOf(text)
    .replace(/^(import|export) (type )?\{[^}]*\}/gm, (list) => list.replace(/\s+/g, ' '))
    .split('\n')
    .map((line) => ({ at: file, text: line }))

const linesOf = (engine: string): Line[] =>
  readdirSync(path.join(root, engine), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) => linesIn(`${engine}/${file}`, readFileSync(path.join(root, engine, file), 'utf8')))

const names = [...entities, ...Object.values(logs)].map(({ name }) => name)
const tables = [...new Set(entities.map(({ name, table }) => table ?? name))]

/** What people and browsers call otherwise than the definitions do. */
const others: readonly RegExp[] = [
  // Roles of ARIA, and what a press of a key opens.
  /\brole=(["'])\w+\1/g,
  /\bgetAttribute\('role'\)/g,
  /'menu' (?=\| 'alertdialog')|\bgone\('menu'\)/g,
  /aria-haspopup=(["'])menu\1|\? 'menu' : undefined/g,
  // Slots of a statement: whose rows it means, and who asks.
  /\bslotValue\('\w+'\)/g,
  // The menu of a record, among what keys do.
  /(?<='edit' \| )'menu'|'menu'(?= \| 'print')|(?<=\| )'menu'(?=>)|\['menu', 'remove'/g,
]

const anyName = names.join('|')
const asText = new RegExp(`(['"\`])(${anyName})\\1`, 'g')
const asTable = new RegExp(`\\b(?:from|join|into|update) (${tables.join('|')})(?:_seen|_shared)?\\b`, 'g')
const asCalls = new RegExp(`calls/(${anyName})'`, 'g')
const fromContract = /import (?:type )?\{([^}]*)\} from '@data-brain\/contract'/
const isName = new Set(names)

/** What a line says of entities: their names as texts, what the contract exports under them, and their tables. */
function namedIn({ text }: Line): string[] {
  const told = others.reduce((rest, other) => rest.replace(other, ''), text)
  const imported =
    fromContract
      .exec(told)?.[1]
      ?.split(',')
      .map((each) => each.trim().split(' as ')[0]!) ?? []
  return [
    ...[...told.matchAll(asText)].map((found) => found[2]!),
    ...imported.filter((each) => isName.has(each)),
    ...[...told.matchAll(asTable), ...told.matchAll(asCalls)].map((found) => found[1]!),
  ]
}

describe.each(engines)('ISSUE-14-4 the engine in %s', (engine) => {
  const lines = linesOf(engine)

  it('was read', () => {
    expect(new Set(lines.map(({ at }) => at)).size).toBeGreaterThan(30)
  })

  it('names no entity', () => {
    expect(lines.filter((line) => namedIn(line).length > 0).map(({ at, text }) => `${at} ${text.trim()}`)).toEqual([])
  })

  it('has no words of schools', () => {
    const word = new RegExp(schoolWords.join('|'), 'i')
    expect(lines.filter(({ text }) => word.test(text)).map(({ at, text }) => `${at} ${text.trim()}`)).toEqual([])
  })
})

it('ISSUE-14-4 what would name an entity in an engine is seen', () => {
  const seen = [
    `entity.name === 'student'`,
    `import { codeOf, user } from '@data-brain/contract'`,
    'select id from schoolclass c',
    `import { moveDept } from '@data-brain/contract/calls/dept'`,
    `import {\n  type Entity,\n  role,\n} from '@data-brain/contract'`,
  ]
  expect(seen.map((text) => linesIn('', text).flatMap(namedIn))).toEqual([
    ...[['student'], ['user'], ['schoolclass'], ['dept'], ['role']],
  ])
  expect(linesIn('', `<ul role="menu">\n// a 'student'`).flatMap(namedIn)).toEqual([])
})
