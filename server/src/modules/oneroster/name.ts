/* Family names of two characters; all others have one. */
const compound = new Set(
  (
    '欧阳 太史 端木 上官 司马 东方 独孤 南宫 万俟 闻人 夏侯 诸葛 尉迟 公羊 赫连 澹台 皇甫 宗政 濮阳 公冶 太叔 申屠 公孙 慕容 ' +
    '仲孙 钟离 长孙 宇文 司徒 鲜于 司空 闾丘 子车 亓官 司寇 巫马 公西 颛孙 壤驷 公良 漆雕 乐正 宰父 谷梁 拓跋 夹谷 轩辕 令狐 ' +
    '段干 百里 呼延 东郭 南门 羊舌 微生 公户 公玉 公仪 梁丘 公仲 公上 公门 公山 公坚 左丘 公伯 西门 公祖 第五 公乘 贯丘 公皙 ' +
    '南荣 东里 东宫 仲长 子书 子桑 即墨 达奚 褚师 吴铭 纳兰 归海'
  ).split(' '),
)

const han = /^[\p{Script=Han}〇]+$/u

/**
 * Parts of a name as OneRoster wants them, neither of them empty. A Chinese name opens with its family name, of one
 * character or one of the known two; any other is parted at its last blank or dot, its family name behind it.
 */
export function partName(name: string): { given: string; family: string } {
  const signs = [...name]
  if (han.test(name)) {
    const length = signs.length > 2 && compound.has(signs.slice(0, 2).join('')) ? 2 : 1
    return { family: signs.slice(0, length).join(''), given: signs.slice(length).join('') || signs.join('') }
  }
  const at = Math.max(name.lastIndexOf(' '), name.lastIndexOf('·'))
  if (at > 0 && at < name.length - 1) return { given: name.slice(0, at).trim(), family: name.slice(at + 1).trim() }
  return { given: name, family: name }
}

/** A whole name from its parts, where no whole one was given. */
export function joinName(given: string, middle: string, family: string): string {
  // 丁丁 is 丁 and 丁; a longer name that stands in both parts is the whole one.
  if (han.test(family) && han.test(given)) return given === family && [...given].length > 1 ? family : family + given
  if (given === family) return family
  return [given, middle, family].filter(Boolean).join(' ')
}
