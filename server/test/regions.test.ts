import { idNoCheckDigit, idNoRegion } from '@data-brain/contract/rules'
import { describe, expect, it } from 'vitest'
import { commonPasswords } from '../src/kernel/common-passwords.ts'
import { readRegions } from '../src/seed/regions.ts'
import { readStreets } from '../src/seed/streets.ts'

const regions = readRegions()
const byCode = new Map(regions.map((region) => [region.code, region]))

describe('the region table', () => {
  it('covers the country to the county, every code once', () => {
    expect(byCode.size).toBe(regions.length)
    const current = regions.filter((region) => region.validTo === null)
    expect(current.filter((region) => region.level === 1)).toHaveLength(34)
    expect(current.filter((region) => region.level === 2)).toHaveLength(342)
    expect(current.filter((region) => region.level === 3).length).toBeGreaterThan(2900)
    for (const region of regions) {
      expect(region.code).toMatch(/^\d{6}$/)
      expect(region.name).toMatch(/^\p{Script=Han}+$/u)
    }
  })

  it('puts every region under one that is there and one level nearer the root, parents first', () => {
    const seen = new Set(['00'])
    for (const region of regions) {
      expect(seen.has(region.parentCode)).toBe(true)
      seen.add(region.code)
      const parent = byCode.get(region.parentCode)
      expect(region.level).toBeGreaterThan(parent?.level ?? 0)
      expect(region.ancestors).toBe(parent ? `${parent.ancestors},${parent.code}` : '00')
      if (region.validTo === null) expect(parent?.validTo ?? null).toBeNull()
    }
  })

  it('keeps the abolished codes that identity cards still carry', () => {
    const abolished = regions.filter((region) => region.validTo !== null)
    expect(abolished.length).toBeGreaterThan(300)
    for (const region of abolished) expect(region.validTo).toMatch(/^\d{4}-\d\d-\d\d$/)
    expect(byCode.get('110103')).toMatchObject({ name: '崇文区', fullName: '北京市崇文区', validTo: '2010-07-01' })
    expect(byCode.get('132429')).toMatchObject({ name: '涞水县', parentCode: '132400' })
    expect(byCode.get('510200')?.name).toBe('重庆市')
  })

  it('knows Hong Kong, Macao and Taiwan', () => {
    expect(regions.filter((region) => region.parentCode === '810000')).toHaveLength(18)
    expect(regions.filter((region) => region.parentCode === '820000')).toHaveLength(8)
    expect(byCode.get('710000')).toMatchObject({ name: '台湾省', leaf: true })
  })

  it('names the cities in which an address ends because they have no counties', () => {
    const short = regions.filter((region) => region.leaf && region.validTo === null && region.level === 2)
    expect(short.map((region) => region.name)).toEqual(['东莞市', '中山市', '儋州市'])
  })

  it('answers for the region of an identity number', () => {
    const idNo = (first17: string) => first17 + idNoCheckDigit(first17)
    expect(byCode.has(idNoRegion(idNo('11010320150901001')) ?? '')).toBe(true)
    expect(byCode.has(idNoRegion(idNo('11019920150901001')) ?? '')).toBe(false)
  })

  it('is continued by the streets when they are asked for', () => {
    const streets = readStreets(regions) ?? []
    expect(streets.length).toBeGreaterThan(41_000)
    expect(new Set(streets.map((street) => street.code)).size).toBe(streets.length)
    for (const street of streets.filter((_, at) => at % 97 === 0)) {
      expect(byCode.get(street.parentCode)?.validTo).toBeNull()
      expect(street.ancestors.endsWith(`,${street.parentCode}`)).toBe(true)
    }
    expect(streets.find((street) => street.code === '110101001')).toMatchObject({
      name: '东华门街道',
      fullName: '北京市东城区东华门街道',
      level: 4,
    })
    expect(streets.some((street) => street.parentCode === '441900')).toBe(true)
  })
})

describe('the common passwords', () => {
  const passwords = new Set(commonPasswords())

  it('are thousands, each once and long enough to be typed as a password', () => {
    expect(passwords.size).toBe(commonPasswords().length)
    expect(passwords.size).toBeGreaterThan(5000)
    for (const password of passwords) expect(password).toMatch(/^\S{6,}$/)
  })

  it.each([
    '123456',
    '1234567890',
    '0987654321',
    '111111',
    'qwertyuiop',
    '1qaz2wsx3edc',
    'a123456',
    'a123456789',
    '5201314',
    'woaini1314',
    'admin123',
    'Admin@123',
    'iloveyou',
    'password1',
    'P@ssw0rd'.toLowerCase(),
    '123123',
    '147258369',
    'xuexiao123',
    'beijing2008',
    'teacher123456',
    'wangwei123',
    'zhang123456',
    '20102011',
    '1234567890qwerty'.slice(0, 10),
  ])('hold %s', (password) => expect(passwords.has(password)).toBe(true))

  it('hold nothing that nobody would guess', () => {
    for (const password of ['correct horse battery', 'Tq7#vX2m!kLp', '我家门前有小河'])
      expect(passwords.has(password)).toBe(false)
  })
})
