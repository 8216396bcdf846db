import { describe, expect, it } from 'vitest'
import { inSentence, severalOf } from '../src/entity/display/cell.tsx'

describe('D16 a label within a sentence', () => {
  it.each([
    ['School', 'school', 'schools'],
    ['Class', 'class', 'classes'],
    ['Dictionary', 'dictionary', 'dictionaries'],
    ['ID number', 'ID number', 'ID numbers'],
    ['API scope', 'API scope', 'API scopes'],
    ['OneRoster client', 'OneRoster client', 'OneRoster clients'],
  ])('%s begins small in English, unless it begins with a name', (label, one, several) => {
    expect([inSentence(label, 'en'), inSentence(severalOf(label, 'en'), 'en')]).toEqual([one, several])
  })

  it('is left as it is in Chinese', () => {
    expect([inSentence('OneRoster 客户端', 'zh'), severalOf('班级', 'zh')]).toEqual(['OneRoster 客户端', '班级'])
  })
})
