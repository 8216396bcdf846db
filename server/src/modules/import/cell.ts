import type { Kind, Words } from '@data-brain/contract'
import { isDay } from '../../entity/filter.ts'
import type { ModelField } from '../../entity/model.ts'
import type { Mark } from './limits.ts'
import { type Choices, flagWords, foldWord, type Lookups } from './lookups.ts'
import { dayOfSerial } from './xlsx.ts'

/** What a cell says, as the value of a draft; a text that the draft's own check will judge passes as it is. */
export type Cell = { readonly value: string | number } | { readonly fault: Words }

/** What cells are looked up in; a form without regions reads none. */
type CellLookups = Choices & Partial<Pick<Lookups, 'regionCodes' | 'regionNames'>>

const fault = (zh: string, en: string): Cell => ({ fault: { zh, en } })

const marks: Record<Mark, Cell> = {
  formula: fault('含有公式,请改成数值(复制后选择性粘贴为数值)', 'holds a formula: paste it as a value'),
  error: fault('是公式的错误值,请重新填写', 'is an error value: enter it again'),
  rounded: fault(
    '数字过长,Excel只保留了前15位,请把单元格设为文本后重新填写',
    'is a number of which Excel kept only 15 digits: make the cell text and enter it again',
  ),
}

/** A day in any of the forms in which people and spreadsheets write one; `monthly` takes a month for its first day. */
export function readDay(text: string, monthly: boolean): string | undefined {
  const typed = text
    .normalize('NFKC')
    .trim()
    .replace(/\s+00:00(:00)?$/, '')
  const plain = /^(\d{4})(\d{2})(\d{2})$/.exec(typed)
  const parted = /^(\d{4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})\s*[日号]?$/.exec(typed)
  const month = monthly ? /^(\d{4})(?:\s*[-/.年]\s*(\d{1,2})\s*月?|(\d{2}))$/.exec(typed) : null
  const found = plain ?? parted
  const day = found
    ? `${found[1]}-${found[2]?.padStart(2, '0')}-${found[3]?.padStart(2, '0')}`
    : month
      ? `${month[1]}-${(month[2] ?? month[3])?.padStart(2, '0')}-01`
      : /^\d{5}$/.test(typed)
        ? dayOfSerial(Number(typed))
        : undefined
  return day !== undefined && isDay(day) && day >= '1900-01-01' ? day : undefined
}

const units = /(厘米|千克|公斤|公里|千米|cm|kg|km|岁|号|%)$/i

const asIs = (text: string): Cell => ({ value: text })
const number = (text: string): Cell => ({ value: text.normalize('NFKC').trim().replace(units, '').trim() })
const never = (): Cell => fault('不能导入', 'cannot be imported')

const readers: Record<Kind, (text: string, field: ModelField, lookups: CellLookups) => Cell> = {
  text: asIs,
  area: asIs,
  personal: asIs,
  integer: number,
  decimal: number,
  flag: (text) => {
    const flag = flagWords.get(text) ?? flagWords.get(foldWord(text))
    return flag === undefined ? fault('应填“是”或“否”', 'should be yes or no') : { value: flag }
  },
  choice: (text, field, lookups) => {
    const words = lookups.choices.get(field.dict ?? '')
    // Most cells hold a label as it stands in the list.
    const key = words?.get(text) ?? words?.get(foldWord(text))
    if (key !== undefined) return { value: key }
    const offers = lookups.offers.get(field.dict ?? '') ?? []
    const list = (language: 'zh' | 'en', sign: string): string =>
      offers
        .slice(0, 6)
        .map((offer) => offer[language])
        .join(sign) + (offers.length > 6 ? '…' : '')
    return fault(`不是可选的值,可填:${list('zh', '、')}`, `is not one of the choices: ${list('en', ', ')}`)
  },
  date: (text, field) => {
    const day = readDay(text, field.name === 'enrollDate')
    return day ? { value: day } : fault('不是有效的日期,应形如2026-09-01', 'is not a date such as 2026-09-01')
  },
  region: (text, _field, lookups) => {
    const typed = text.normalize('NFKC').trim()
    if (/^\d{2,12}$/.test(typed))
      return lookups.regionCodes?.has(typed) ? { value: typed } : fault('没有这个行政区划代码', 'is no region code')
    const code = lookups.regionNames?.get(text) ?? lookups.regionNames?.get(foldWord(text))
    if (code) return { value: code }
    return code === ''
      ? fault('有几个地区叫这个名字,请写上省和市', 'fits several regions: name province and city')
      : fault(
          '不是行政区划,应形如“江苏省南京市玄武区”或6位代码',
          'is no region: write it as 江苏省南京市玄武区 or as a code of 6 digits',
        )
  },
  choices: never,
  time: never,
  instant: never,
  reference: never,
  references: never,
  secret: never,
  json: never,
}

/** Reads a cell that is not empty for a field. */
export function readCell(text: string, mark: Mark | undefined, field: ModelField, lookups: CellLookups): Cell {
  if (mark && (mark !== 'rounded' || field.kind === 'text' || field.kind === 'personal')) return marks[mark]
  return readers[field.kind](text, field, lookups)
}

/** Why an identity number that is wrong may be so: its end was lost in a spreadsheet. */
export const lostDigits: Words = {
  zh: '后三位是000,可能被Excel改过,请把单元格设为文本后重新填写',
  en: 'ends in 000, probably lost in Excel: make the cell text and enter it again',
}
