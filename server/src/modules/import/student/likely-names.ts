import { memberParts } from '@data-brain/contract/import/student-form'
import type { ColumnFacts } from '../file/table.ts'
import { ofStaff, relationOf } from './people.ts'

/* Columns of names beside the number of a guardian of whom the file names nobody. */

const surnames =
  '王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文庞樊兰殷施陶洪翟安颜倪严牛温芦季俞章鲁葛伍韦申尤毕聂丛焦向柳邢路岳齐沿梅莫庄辛管祝左涂谷祁时舒耿牟卜詹关苗凌费纪靳盛童欧甄项曲成游阳裴席卫查屈鲍位覃霍翁隋植甘景薄单包司柏宁柯阮桂闵解强柴华车冉房边辜吉饶刁瞿戚丘古米池滕晋苑邬臧畅宫来嵺苟全褚廉简娄盖符奚木穆党燕郎邸冀谈姬屠连郜晏栾郁商蒙计喻揭窦迟宇敖糜鄢冷卓花仇艾蓝都巩稽井练仲乐虞卞封竺冼原官衣楚佟栗匡宗应台巫鞠僧桑荆谌银扬明沙薄伏岑习胥保和蔺水'
const isName = (text: string): boolean => {
  const plain = text.replace(/\s/g, '')
  return (
    /^\p{Script=Han}{2,4}$/u.test(plain) &&
    surnames.includes(plain[0]!) &&
    !/[族区县市镇乡村路班校部]$/.test(plain) &&
    relationOf(plain) === undefined
  )
}
const ofOthers =
  /同桌|同学|组长|室长|班长|委员|原名|曾用|别名|昵称|小名|户主|推荐|介绍|导师|结对|帮扶|包保|负责|经办|填表/

interface MatchedColumn {
  readonly heading: string
  readonly key: string | null
  readonly from?: string | undefined
}

/** By the places of columns that nothing was matched to: the guardian's name that each may be. */
export function likelyNames(
  columns: readonly MatchedColumn[],
  facts: readonly (ColumnFacts | undefined)[],
): ReadonlyMap<number, string> {
  const keys = new Set(columns.map(({ key }) => key))
  const found = new Map<number, string>()
  for (const part of memberParts) {
    const at = columns.findIndex(({ key }) => key === `${part}.mobile`)
    if (at < 0 || keys.has(`${part}.parentName`)) continue
    const beside = [at - 1, at + 1, at - 2, at + 2].find((place) => {
      const column = columns[place]
      const samples = facts[place]?.samples ?? []
      return (
        column?.key === null &&
        (column.from ?? 'file') === 'file' &&
        !found.has(place) &&
        !ofStaff(column.heading) &&
        !ofOthers.test(column.heading) &&
        samples.length > 0 &&
        samples.filter(isName).length >= samples.length * 0.8
      )
    })
    if (beside !== undefined) found.set(beside, `${part}.parentName`)
  }
  return found
}
