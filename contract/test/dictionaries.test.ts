import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { dictionaries, dictionaryOf } from '../src/dictionaries.ts'
import type { Entity } from '../src/entity.ts'
import type { Field } from '../src/field.ts'
import { schoolCategories } from '../src/rules.ts'

const keysOf = (code: string) => dictionaryOf(code)?.items.map((item) => item.key) ?? []

describe('the shipped dictionaries', () => {
  it('are many, and each code is there once', () => {
    const codes = dictionaries.map((dictionary) => dictionary.code)
    expect(codes.length).toBeGreaterThan(60)
    expect(new Set(codes).size).toBe(codes.length)
    for (const code of codes) expect(code).toMatch(/^[a-z][a-z_]{1,30}$/)
  })

  it.each(dictionaries.map((dictionary) => [dictionary.code, dictionary] as const))(
    'R-BAR-4 %s: every key once, every label in both languages',
    (_, { items, label }) => {
      expect(items.length).toBeGreaterThan(0)
      const keys = items.map((item) => item.key)
      expect(new Set(keys).size).toBe(keys.length)
      for (const words of [label, ...items.map((item) => item.label)]) {
        expect(words.zh).not.toBe('')
        expect(words.en).toMatch(/^[\p{Script=Latin}\p{N} ,.'’()&/-]+$/u)
        expect(words.zh).toBe(words.zh.trim())
        expect(words.en).toBe(words.en.trim())
      }
      // As long as the field that holds it.
      for (const key of keys) expect(key).toMatch(/^[A-Za-z0-9_-]{1,32}$/)
    },
  )

  it('are data: nothing is lost in JSON', () => {
    expect(JSON.parse(JSON.stringify(dictionaries))).toEqual(dictionaries)
  })

  it('R-DICT-4 carry the route value of a workflow as its remark', () => {
    expect(dictionaryOf('flow')?.items[0]).toMatchObject({ key: '1', remark: 'leave' })
  })

  it('name 56 ethnic groups and the three extra codes of GB/T 3304', () => {
    const official = Array.from({ length: 56 }, (_, at) => String(at + 1).padStart(2, '0'))
    expect(keysOf('nation')).toEqual([...official, '81', '97', '98'])
  })

  it('use the sex codes of GB/T 2261.1', () => {
    expect(keysOf('sex').toSorted()).toEqual(['0', '1', '2', '9'])
  })

  it('offer China first among the countries', () => {
    const keys = keysOf('nationality')
    expect(keys[0]).toBe('CHN')
    expect(keys.length).toBeGreaterThan(240)
    for (const key of keys) expect(key).toMatch(/^[A-Z]{3}$/)
  })

  it('know the same kinds of school as the school code', () => {
    expect(new Set(keysOf('school_type'))).toEqual(schoolCategories)
  })
})

describe('the entity definitions', () => {
  it('name only dictionaries that are shipped', async () => {
    const named = [...(await everyDefinition())].flatMap((entity) => [
      ...fieldsOf(entity).flatMap((field) => field.dict ?? []),
      ...(entity.status ? [entity.status.dict] : []),
    ])
    expect(named.length).toBeGreaterThan(40)
    expect(named.filter((code) => !dictionaryOf(code))).toEqual([])
  })

  it('start with values that their dictionary has, and a status is a number', async () => {
    for (const entity of await everyDefinition()) {
      for (const field of fieldsOf(entity))
        if (field.dict && field.default !== undefined)
          for (const key of [field.default].flat())
            expect(keysOf(field.dict), `${entity.name}: ${field.label.en}`).toContain(key)
      if (!entity.status) continue
      const keys = keysOf(entity.status.dict)
      expect(keys, entity.name).toContain(String(entity.status.default))
      for (const key of keys) expect(key, entity.status.dict).toBe(String(Number(key)))
    }
  })
})

const fieldsOf = (entity: Entity): Field[] => Object.values(entity.fields)

/** Every definition under src/entities, each once, whatever file it stands in. */
async function everyDefinition(): Promise<Set<Entity>> {
  const folder = new URL('../src/entities/', import.meta.url)
  const found = new Set<Entity>()
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue
    const module = (await import(new URL(file, folder).href)) as Record<string, unknown>
    for (const value of Object.values(module)) if (isEntity(value)) found.add(value)
  }
  return found
}

const isEntity = (value: unknown): value is Entity =>
  typeof value === 'object' && value !== null && 'path' in value && 'fields' in value && 'ownership' in value
