import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csvText } from '../src/modules/oneroster/archive.ts'
import { joinName, partName } from '../src/modules/oneroster/name.ts'

describe('names in OneRoster', () => {
  it.each([
    ['王小明', '王', '小明'],
    ['欧阳修', '欧阳', '修'],
    ['司马相如', '司马', '相如'],
    // A family name of two characters alone is one of one character and a given name.
    ['欧阳', '欧', '阳'],
    ['李白', '李', '白'],
    ['Anna May Smith', 'Smith', 'Anna May'],
    ['阿卜杜拉·买买提', '买买提', '阿卜杜拉'],
  ])('parts %s into %s and %s', (name, family, given) => {
    expect(partName(name)).toEqual({ family, given })
  })

  it('leaves neither part empty, and joins Chinese names without a blank', () => {
    const names = fc.stringMatching(/^[\u4e00-\u9fa5A-Za-z· ]{2,12}$/).filter((name) => /^[^·\s].*[^·\s]$/.test(name))
    fc.assert(
      fc.property(names, (name) => {
        const { given, family } = partName(name)
        expect(given).not.toBe('')
        expect(family).not.toBe('')
        if (/^[\u4e00-\u9fa5]+$/.test(name)) expect(joinName(given, '', family)).toBe(name)
      }),
    )
    fc.assert(
      fc.property(fc.stringMatching(/^[\u4e00-\u9fa5]{2,6}$/), (name) => {
        const { given, family } = partName(name)
        expect(joinName(given, '', family)).toBe(name)
      }),
    )
    expect(joinName('Anna', 'B.', 'May')).toBe('Anna B. May')
    // Both parts are one sign, and a whole name in both parts.
    expect([joinName('丁', '', '丁'), joinName('王小明', '', '王小明')]).toEqual(['丁丁', '王小明'])
  })

  it('quotes cells as RFC 4180 asks', async () => {
    expect(await csvText(['a', 'b'], [{ a: 'x,y', b: '"z"' }, { a: '' }])).toBe('a,b\r\n"x,y","""z"""\r\n,\r\n')
  })
})
