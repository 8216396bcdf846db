import { schoolyear } from '@data-brain/contract'
import { draftOf, jsonValue, listOf, mapOf, objectOf, textValue } from '@data-brain/contract/shape'
import { describe, expect, it } from 'vitest'
import { readBody } from '../src/kernel/input.ts'
import { Problem } from '../src/kernel/problem.ts'

const fields = {
  views: mapOf(textValue({ max: 4 })),
  free: jsonValue(),
  rows: listOf(objectOf({ name: textValue({ required: true }) })),
  drafts: listOf(draftOf(schoolyear), { min: 1, max: 2 }),
}

/** Where a body is refused, and with which status. */
function refused(body: unknown): unknown {
  try {
    readBody(fields, body)
    return undefined
  } catch (error) {
    return error instanceof Problem && [error.status, (error.data as { field?: string } | null)?.field]
  }
}

describe('a JSON body is read as its call declares it', () => {
  it('R-CALL-1 names the first place that is missing or wrong, at any depth', () => {
    expect(refused({ rows: [{ name: 'a' }, {}] })).toEqual([400, 'rows.1.name'])
    expect(refused({ views: { a: 'too long' } })).toEqual([400, 'views.a'])
    expect(refused([])).toEqual([400, undefined])
  })

  it('R-CALL-1 refuses what no text may hold, in names and in what is free as well', () => {
    expect(refused({ views: { 'a\u0000': 'x' } })).toEqual([400, 'views'])
    expect(refused({ views: { a: '\ud800' } })).toEqual([400, 'views.a'])
    expect(refused({ free: { 'a\u0000': 1 } })).toEqual([400, 'free'])
    expect(refused({ free: [{ deep: 'x\u0000' }] })).toEqual([400, 'free'])
    expect(refused({ free: [{ deep: 'x' }], views: { a: '' } })).toBeUndefined()
  })

  it('R-CALL-1 takes drafts of rows as they are, and as many as are asked for', () => {
    expect(refused({ drafts: [] })).toEqual([400, 'drafts'])
    expect(refused({ drafts: [{}, {}, {}] })).toEqual([400, 'drafts'])
    expect(refused({ drafts: [{}, []] })).toEqual([400, 'drafts.1'])
    expect(refused({ drafts: [{ yearName: 'x\u0000' }] })).toEqual([400, 'drafts.0'])
    expect(readBody(fields, { drafts: [{ yearName: 'a', other: 1 }] })).toEqual({
      drafts: [{ yearName: 'a', other: 1 }],
    })
  })

  it('R-CALL-1 leaves out what is not declared', () => {
    expect(readBody(fields, { other: 1, views: {} })).toEqual({ views: {} })
  })

  it('R-CALL-1 takes no body at all for one in which nothing is given, and refuses what is no object', () => {
    expect(readBody(fields, undefined)).toEqual({})
    for (const body of [null, [], 'text', 7]) expect(refused(body), String(body)).toEqual([400, undefined])
  })

  it('R-CALL-1 hands on an empty text of what may be anything: it is not the same as nothing', () => {
    expect(readBody(fields, { free: '' })).toEqual({ free: '' })
  })

  it('R-CALL-1 says what is missing by its label, or by the name of the parameter', () => {
    const said = (input: Parameters<typeof readBody>[0]) => {
      try {
        return readBody(input, {})
      } catch (error) {
        return error instanceof Problem && [error.words('zh'), error.words('en'), error.data]
      }
    }
    const label = { zh: '名称', en: 'Name' }
    expect(said({ name: textValue({ required: true, label }) })).toEqual([
      '名称：不能为空',
      'Name: is required',
      { field: 'name', fields: [] },
    ])
    expect(said({ name: textValue({ required: true }) })).toEqual([
      '缺少必要的请求参数：name',
      'Missing parameter: name',
      { field: 'name', fields: [] },
    ])
  })
})
