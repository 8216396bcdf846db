import { describe, expect, it } from 'vitest'
import {
  type ClassMeant,
  classInTitle,
  gradeWithin,
  hasOwnWord,
  readClass,
  readGrade,
} from '../src/import/class-name.ts'

const table: readonly [string, ClassMeant][] = [
  ...[
    '三（1）班',
    '三(1)班',
    '三1班',
    '3.1',
    '3-1',
    '301',
    '三年级一班',
    '三年级（1）班',
    '三 (1) 班',
    '三年级1班',
    '三年1班',
    '３（１）班',
    '三一班',
    '3（1）班',
    '3年级1班',
    '301班',
    '三零一班',
    '三〇一',
    '三（一）班',
    '三·1班',
    '0301',
    'Grade 3 Class 1',
    'G3C1',
    'grade3-1',
    '三年级(1)',
    '三[1]班',
    '三年级-1班',
    '三年级 01班',
  ].map((text): [string, ClassMeant] => [text, { grade: { no: 3 }, no: 1 }]),
  ...['小三1班', '小学三年级1班', '小三（1）班', '小三(一)班'].map((text): [string, ClassMeant] => [
    text,
    { grade: { stage: '2', no: 3 }, no: 1 },
  ]),
  ...['初一2班', '初一（2）班', '初中一年级2班', '初一(二)班', '初一.2'].map((text): [string, ClassMeant] => [
    text,
    { grade: { stage: '3', no: 1 }, no: 2 },
  ]),
  ...['七（2）班', '七年级2班', '七2班', '702', '7.2', '七年级（2）班', '七年级二班'].map(
    (text): [string, ClassMeant] => [text, { grade: { no: 7 }, no: 2 }],
  ),
  ...['高一（3）班', '高一3班', '高中一年级三班', '高一-3'].map((text): [string, ClassMeant] => [
    text,
    { grade: { stage: '4', no: 1 }, no: 3 },
  ]),
  ['高2023级3班', { stage: '4', cohort: 2023, no: 3 }],
  ['2023级3班', { cohort: 2023, no: 3 }],
  ['2023级（3）班', { cohort: 2023, no: 3 }],
  ['23级3班', { cohort: 2023, no: 3 }],
  ['202303', { cohort: 2023, no: 3 }],
  ['1班', { no: 1 }],
  ['1', { no: 1 }],
  ['一班', { no: 1 }],
  ['（1）班', { no: 1 }],
  ['十二班', { no: 12 }],
  ['Class 4', { no: 4 }],
  ['三（12）班', { grade: { no: 3 }, no: 12 }],
  ['三年级十一班', { grade: { no: 3 }, no: 11 }],
  ['1003', { grade: { no: 10 }, no: 3 }],
]

describe('the name of a class', () => {
  it.each(table)('%s', (text, meant) => {
    expect(readClass(text)[0]).toEqual(meant)
  })

  it('is no class where it says none', () => {
    for (const text of [
      '',
      '实验班',
      '张三',
      '三年级',
      '13800000001',
      '2026-09-01',
      '无',
      '火箭班',
      '二零二三',
      '三（99）班',
    ])
      expect(readClass(text), text).toEqual([])
  })

  it('means the same in every spelling of every grade and number', () => {
    const han = [
      '零',
      '一',
      '二',
      '三',
      '四',
      '五',
      '六',
      '七',
      '八',
      '九',
      '十',
      '十一',
      '十二',
      '十三',
      '十四',
      '十五',
      '十六',
      '十七',
      '十八',
      '十九',
      '二十',
    ]
    const wide = (text: string): string =>
      text.replace(/[0-9()]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0))
    for (let grade = 1; grade <= 9; grade += 1)
      for (let no = 1; no <= 20; no += 1) {
        const [g, n] = [han[grade]!, han[no]!]
        const spellings = [
          `${g}(${no})班`,
          `${g}年级(${no})班`,
          `${g}年级${n}班`,
          `${g}${no}班`,
          `${grade}.${no}`,
          `${grade}-${no}`,
          `${grade}(${no})班`,
          `${grade}年级${no}班`,
          `${grade}${String(no).padStart(2, '0')}`,
          `G${grade}C${no}`,
          `Grade ${grade} Class ${no}`,
          `${g}（${n}）班`,
        ]
        for (const each of spellings.flatMap((text) => [text, wide(text), ` ${text} `]))
          expect(readClass(each)[0], each).toEqual({ grade: { no: grade }, no })
      }
  })
})

it('a grade is read by itself, as a year of entry, and out of a class', () => {
  expect(readGrade('三年级')).toEqual({ grade: { no: 3 } })
  expect(readGrade('初一')).toEqual({ grade: { stage: '3', no: 1 } })
  expect(readGrade('高中二年级')).toEqual({ grade: { stage: '4', no: 2 } })
  expect(readGrade('3')).toEqual({ grade: { no: 3 } })
  expect(readGrade('2023')).toEqual({ cohort: 2023 })
  expect(readGrade('Grade 7')).toEqual({ grade: { no: 7 } })
  expect(readGrade('2023级')).toEqual({ cohort: 2023 })
  expect(readGrade('高2025级')).toEqual({ stage: '4', cohort: 2025 })
  expect(readGrade('初2027届')).toEqual({ stage: '3', leaving: 2027 })
  expect(gradeWithin('第一中学高2025级学生信息表')).toBe('高2025级')
  expect(gradeWithin('2026-2027学年 一级学校 学生名册')).toBeUndefined()
  expect(readGrade('三（1）班')).toEqual({ grade: { no: 3 } })
  expect(readGrade('张三')).toBeUndefined()
})

it('a word of its own before the number is told from schools, grades and lists', () => {
  for (const name of ['文科1班', '理科（2）班', '高一国际1班', '三年级火箭(1)班', '2026级美术一班', '实验1班', 'A1班'])
    expect(hasOwnWord(name), name).toBe(true)
  for (const name of [
    '1班',
    '（1）班',
    '三年级第1班',
    '实验小学1班',
    '晨光小学/小学部/三年级/1班',
    '初中部2班',
    '东校区1班',
  ])
    expect(hasOwnWord(name), name).toBe(false)
  for (const name of ['育才初中一班名单', '2026-2027学年 1班', '学生名册（1）班', '301', '火箭班', 'Grade 3 1班'])
    expect(hasOwnWord(name), name).toBe(false)
})

it('a class is found in a title', () => {
  const titles: [string, ClassMeant][] = [
    ['实验小学三年级（1）班学生名册', { grade: { no: 3 }, no: 1 }],
    ['2026-2027学年第一学期 七（2）班学生花名册', { grade: { no: 7 }, no: 2 }],
    ['第一中学高一(3)班通讯录', { grade: { stage: '4', no: 1 }, no: 3 }],
    ['2026年秋季 三1班 家长联系表', { grade: { no: 3 }, no: 1 }],
    ['阳光小学2023级2班学生信息', { stage: '2', cohort: 2023, no: 2 }],
    ['三年级1班', { grade: { no: 3 }, no: 1 }],
    ['301', { grade: { no: 3 }, no: 1 }],
    ['302班名单', { grade: { no: 3 }, no: 2 }],
    ['童心幼儿园大一班幼儿花名册', { grade: { stage: '1', no: 3 }, no: 1 }],
    ['中（2）班幼儿名单', { grade: { stage: '1', no: 2 }, no: 2 }],
    ['育才初中一班名单', { no: 1 }],
    ['城关高级中学2026年秋季高一.5学生名单', { grade: { stage: '4', no: 1 }, no: 5 }],
    ['13 4年级2班学生信息', { grade: { no: 4 }, no: 2 }],
    ['2026 9 三（2）班', { grade: { no: 3 }, no: 2 }],
    ['红星初级中学初二(3)学生信息', { grade: { stage: '3', no: 2 }, no: 3 }],
  ]
  for (const [title, meant] of titles) expect(readClass(classInTitle(title) ?? '')[0], title).toEqual(meant)
  for (const title of ['学生花名册', '2026-2027学年', 'Sheet1', '高一新生5名', '高二期中2026.11'])
    expect(classInTitle(title), title).toBeUndefined()
})
