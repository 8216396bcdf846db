/* What a name in Chinese looks like. */

const surnames =
  '王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文庞樊兰殷施陶洪翟安颜倪严牛温芦季俞章鲁葛伍韦申尤毕聂丛焦向柳邢路岳齐沿梅莫庄辛管祝左涂谷祁时舒耿牟卜詹关苗凌费纪靳盛童欧甄项曲成游阳裴席卫查屈鲍位覃霍翁隋植甘景薄单包司柏宁柯阮桂闵解强柴华车冉房边辜吉饶刁瞿戚丘古米池滕晋苑邬臧畅宫来嵺苟全褚廉简娄盖符奚木穆党燕郎邸冀谈姬屠连郜晏栾郁商蒙计喻揭窦迟宇敖糜鄢冷卓花仇艾蓝都巩稽井练仲乐虞卞封竺冼原官衣楚佟栗匡宗应台巫鞠僧桑荆谌银扬明沙薄伏岑习胥保和蔺水骆蒲佘粟卿鹿敬昝褚漆荀亓亢仝逄晁阚邝裘綦仵禚矫'

const twoSigns =
  /^(?:欧阳|上官|司马|诸葛|尉迟|慕容|令狐|皇甫|东方|夏侯|长孙|宇文|公孙|端木|司徒|司空|独孤|南宫|闻人|轩辕|呼延|钟离|申屠|澹台|淳于|拓跋|赫连|濮阳|第五|鲜于|万俟|仲孙|百里|西门|东郭|完颜|纳兰|那拉)/

/**
 * Whether a text that may be anything is rather a name: of three signs at most, unless its surname has two or it has that of
 * the mother as well. 常年跑船 is none, though 常 is a surname.
 */
export function isLikelyName(text: string): boolean {
  const signs = [...text.replace(/\s/g, '')]
  if (/\p{Script=Han}·\p{Script=Han}/u.test(text) || (twoSigns.test(text) && signs.length < 5)) return true
  return looksLikeName(text) && (signs.length < 4 || surnames.includes(signs[1]!))
}

/** Whether a text is a surname and one to three signs behind it that no place and no group of people ends in. */
export function looksLikeName(text: string): boolean {
  const plain = text.replace(/\s/g, '')
  return (
    /^\p{Script=Han}{2,4}$/u.test(plain) && surnames.includes(plain[0]!) && !/[族区县市镇乡村路班校部]$/.test(plain)
  )
}
