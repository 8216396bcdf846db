import { describe, expect, it } from 'vitest'

/** Every source file of the console, by its path from the source's folder. */
const sources = new Map(
  Object.entries(
    import.meta.glob<string>('../src/**/*.{ts,tsx}', { query: '?raw', import: 'default', eager: true }),
  ).map(([file, text]) => [file.replace('../src/', ''), text]),
)
const start = 'main.tsx'

/** The files of this source that a file names by a pattern, whose first group is the address. */
function named(file: string, pattern: RegExp): string[] {
  return [...(sources.get(file) ?? '').matchAll(pattern)]
    .map(([, address = '']) => new URL(address, `file:///${file}`).pathname.slice(1))
    .filter((target) => sources.has(target))
}
const direct = (file: string) => named(file, /^(?:import|export)(?! type)(?:[^'"]*? from)? '(\.[^']+)'$/gm)

/** The values that a list between braces names. */
const valuesIn = (list: string): string[] =>
  list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '))

/** The files that an index hands on: by the name that it gives each of their exports. */
function handedOn(index: string): Map<string, string> {
  const files = new Map<string, string>()
  for (const [, list = '', address = ''] of sources.get(index)!.matchAll(/^export \{([^}]*)\} from '(\.[^']+)'$/gm))
    for (const name of valuesIn(list))
      files.set(name.split(' as ').at(-1)!, new URL(address, `file:///${index}`).pathname.slice(1))
  return files
}

/** The index of a page or of a folder of the engine: a build takes of it what is named, and leaves the rest. */
const isIndex = (file: string) => /^(entity|pages)\/\w+\/index\.ts$/.test(file)
function throughIndexes(file: string): string[] {
  return [...sources.get(file)!.matchAll(/^import(?! type) \{([^}]*)\} from '(\.[^']+)'$/gm)].flatMap(
    ([, list = '', address = '']) => {
      const index = new URL(address, `file:///${file}`).pathname.slice(1)
      if (!isIndex(index)) return []
      const handed = handedOn(index)
      return valuesIn(list).map((name) => {
        const target = handed.get(name.split(' as ')[0]!)
        if (!target) throw new Error(`${index} does not hand on ${name}, which ${file} takes`)
        return target
      })
    },
  )
}
const statics = (file: string) => [...direct(file).filter((next) => !isIndex(next)), ...throughIndexes(file)]
const dynamics = (file: string) => named(file, /\bimport\('(\.[^']+)'\)/g)

/** A file with all that comes with it. */
function closure(file: string): Set<string> {
  const all = new Set([file])
  for (const part of all) for (const next of statics(part)) all.add(next)
  return all
}

const phrases = new Map(
  [...sources]
    .filter(([file]) => file.startsWith('locales/'))
    .map(([file, text]) => [file, [...text.matchAll(/^ {2}'?([a-z]\w*\.[\w.]+)'?: \{/gm)].map(([, key = '']) => key)]),
)
const phrasesOf = (files: Iterable<string>) => new Set([...files].flatMap((file) => phrases.get(file) ?? []))
const every = phrasesOf(phrases.keys())

describe('words', () => {
  it('R-BAR-4 R-LAY-1 come with the code that says them, whichever way it is reached', () => {
    const chunks = new Map([[start, closure(start)]])
    const importers = new Map<string, Set<string>>()
    for (const [chunk, files] of chunks)
      for (const file of files)
        for (const target of dynamics(file)) {
          if (!chunks.has(target)) chunks.set(target, closure(target))
          importers.set(target, (importers.get(target) ?? new Set()).add(chunk))
        }
    expect(chunks.size).toBeGreaterThan(60)
    // What is there when a chunk comes: what every one of its importers had, and what it brings.
    const first = phrasesOf(chunks.get(start)!)
    const there = new Map([...chunks.keys()].map((chunk) => [chunk, chunk === start ? first : every]))
    for (let changed = true; changed; ) {
      changed = false
      for (const [chunk, files] of chunks) {
        if (chunk === start) continue
        const before = [...importers.get(chunk)!].map((importer) => there.get(importer)!)
        const shared = [...every].filter((key) => before.every((had) => had.has(key)))
        const now = new Set([...first, ...phrasesOf(files), ...shared])
        changed ||= now.size !== there.get(chunk)!.size
        there.set(chunk, now)
      }
    }
    const missing = [...chunks].flatMap(([chunk, files]) =>
      [...files].flatMap((file) =>
        phrases.has(file)
          ? []
          : [...sources.get(file)!.matchAll(/\b(?:t|translate)\(\s*'([a-z]\w*\.[\w.]+)'/g)]
              .map(([, key = '']) => key)
              .filter((key) => every.has(key) && !there.get(chunk)!.has(key))
              .map((key) => `${chunk}: ${file} says ${key}`),
      ),
    )
    expect([...new Set(missing)]).toEqual([])
  })
})

describe('the first page', () => {
  it('R-LAY-1 brings no list, no definition and no form: neither the shell nor any home does', () => {
    const homes = dynamics('pages/home/page.tsx')
    expect(homes.length).toBeGreaterThan(5)
    // What a home takes from there is words or a figure, never a table.
    const heavy = [start, ...homes].flatMap((chunk) =>
      [...closure(chunk)]
        .filter(
          (file) =>
            /^(entity|ui\/table|ui\/form)\//.test(file) ||
            /^import [^'"]*'(antd|@data-brain\/contract)'/m.test(
              sources.get(file)!.replaceAll(/^import type .*$/gm, ''),
            ),
        )
        .map((file) => `${chunk} brings ${file}`),
    )
    expect(heavy).toEqual([])
  })
})
