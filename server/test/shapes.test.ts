import { dictbiz } from '@data-brain/contract'
import {
  eitherOf,
  flagValue,
  integerValue,
  listOf,
  pageOf,
  rowOf,
  rowTreeOf,
  textValue,
} from '@data-brain/contract/shape'
import { describe, expect, it } from 'vitest'
import { shapeSchema } from '../src/entity/shape-schema.ts'

describe('R-CALL-1 the description of what a call answers', () => {
  it('names every shape that it may have', () => {
    expect(shapeSchema(eitherOf(textValue(), integerValue({ min: 0 })))).toEqual({
      anyOf: [{ type: 'string' }, { type: 'integer', minimum: 0 }],
    })
    const { anyOf } = shapeSchema(eitherOf(listOf(rowTreeOf(dictbiz)), pageOf(rowOf(dictbiz)))) as {
      anyOf: { type: string; properties?: object }[]
    }
    expect(anyOf.map(({ type }) => type)).toEqual(['array', 'object'])
    expect(Object.keys(anyOf[1]?.properties ?? {})).toEqual(['total', 'size', 'current', 'pages', 'records'])
  })

  it('tells of a tree of rows what the rows hold, what the call adds, and that more stand below', () => {
    const { properties, required } = shapeSchema(rowTreeOf(dictbiz, { isOpen: flagValue() })) as {
      properties: Record<string, object>
      required: string[]
    }
    expect(Object.keys(properties)).toEqual(
      expect.arrayContaining(['id', 'version', ...Object.keys(dictbiz.fields), 'isOpen', 'children']),
    )
    expect(properties.isOpen).toEqual({ type: 'integer', enum: [0, 1] })
    // A row without anything below it has no children.
    expect(required).toEqual(['isOpen'])
  })
})
