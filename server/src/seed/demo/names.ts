import type { SeededRandom } from './dice.ts'

/*
 * Surnames from the most to the least frequent, and the characters that given names of a generation are made of. A
 * name that these make may be somebody's; with it goes no number, address or birthday of anybody.
 */
const surnames = [
  ...'王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许韩邓冯曹彭曾肖田董潘袁蔡蒋余于杜叶程魏苏吕丁任卢姚沈钟姜崔谭陆范汪廖石金韦贾夏付方邹熊白孟秦邱侯江尹薛闫段雷龙黎史陶贺毛郝顾龚邵万覃武钱戴严莫孔向汤',
  '欧阳',
  '上官',
  '诸葛',
  '司马',
]
/** Frequency falls with rank: the first three bear a fifth of all people, the hundredth two in a thousand. */
const weightedSurnames = surnames.map(
  (surname, rank) => [surname, rank < 3 ? 7 : 60 / (rank + 8) / (1 + rank / 60)] as const,
)

export type SexCode = '1' | '2'
type Generation = '1960' | '1970' | '1980' | '1990' | '2010'

interface Style {
  /** Share of given names of one character. */
  readonly single: number
  readonly first: Record<SexCode, string>
  readonly second: Record<SexCode, string>
}

const styles: Record<Generation, Style> = {
  '1960': {
    single: 0.12,
    first: { '1': '建国志文永德世玉家光振春学明', '2': '秀桂玉淑丽凤春红爱美月金素惠' },
    second: { '1': '国华军平明林生强民荣祥海', '2': '英兰珍芳华琴梅云香玲霞荣' },
  },
  '1970': {
    single: 0.3,
    first: { '1': '建志晓海文国永立新宏卫俊', '2': '晓丽海红秀春雪艳玉惠小燕' },
    second: { '1': '军勇强伟峰斌平涛波刚辉林', '2': '燕霞丽梅敏静萍红芳娟玲华' },
  },
  '1980': {
    single: 0.38,
    first: { '1': '晓志俊海国建文立少宇伟家', '2': '晓丽雪文小海春佳婷思静艳' },
    second: { '1': '磊鹏超杰涛伟强波斌亮飞刚', '2': '婷娟静敏燕丽娜芳洁莹琳霞' },
  },
  '1990': {
    single: 0.24,
    first: { '1': '俊志子嘉宇浩文天博家泽思', '2': '雨思佳梦晓诗嘉欣雅文静梓' },
    second: { '1': '杰豪宇鑫轩鹏翔凯帆龙辉文', '2': '婷怡雯琪慧敏妍瑶洁萱颖涵' },
  },
  '2010': {
    single: 0.05,
    first: { '1': '子梓浩宇沐奕俊明嘉泽景辰昊铭博睿承君亦思', '2': '子梓雨欣可诗语若思一佳依梦芷沐奕雅静书安' },
    second: { '1': '轩宸泽宇辰睿豪然航洋毅霖哲恒逸晨涵瑞阳桐', '2': '涵怡萱彤汐妍琪瑶桐宁妤菲悦诺欣苒晴冉妙颖' },
  },
}

const generationOf = (birthYear: number): Generation =>
  birthYear >= 2005
    ? '2010'
    : birthYear >= 1990
      ? '1990'
      : birthYear >= 1980
        ? '1980'
        : birthYear >= 1970
          ? '1970'
          : '1960'

export const surnameOf = (dice: SeededRandom): string => dice.weighted(weightedSurnames)

/** A given name as people born in that year bear it. */
export function givenNameOf(dice: SeededRandom, sex: SexCode, birthYear: number): string {
  const style = styles[generationOf(birthYear)]
  const second = dice.pick([...style.second[sex]])
  if (dice.chance(style.single)) return second
  const first = dice.pick([...style.first[sex]].filter((sign) => sign !== second))
  return first + second
}

export const nameOf = (dice: SeededRandom, sex: SexCode, birthYear: number, surname = surnameOf(dice)): string =>
  surname + givenNameOf(dice, sex, birthYear)
