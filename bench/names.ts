/** The same numbers at every run, so that two runs measure the same data. */
export function dice(seed: number): (most: number) => number {
  let state = seed >>> 0
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 4_294_967_296) * most)
  }
}

// Surnames by how common they are: the first ones cover most people, as in life.
const surnames = [
  ...'王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许韩邓冯曹彭曾肖田董潘袁蔡蒋余于杜叶程魏苏吕丁任卢姚沈钟姜崔谭陆范汪廖石金韦贾夏付方邹熊白孟秦邱侯江尹薛闫段雷龙黎史陶贺毛郝顾龚邵万覃武钱戴严莫孔向常汤',
]
const doubleSurnames = ['欧阳', '上官', '司马', '诸葛', '慕容', '令狐']
const given = [
  ...'伟芳娜敏静丽强磊军洋勇艳杰娟涛明超霞平刚桂英华玉兰红建国文志海燕波宁浩宇轩然梓涵子欣怡诺一雨桐佳琪思源博睿晨阳皓嘉俊凯瑞泽铭钰彤萱语可馨悦宸熙妍若曦辰逸朗安琳珊蕾薇倩颖婷慧雪梅冰清月莹秀云春晓冬夏秋枫柏松林森岩峰山川江河湖海洋鹏飞龙虎鹤鸣翔腾达远程成功利德仁义礼智信忠孝廉正光辉煌耀祖宗贤良善美真诚乐天福禄寿喜康健',
]

/** A Chinese name: mostly a surname and two characters, sometimes one, rarely a surname of two. */
export function nameOf(roll: (most: number) => number): string {
  const surname =
    roll(200) === 0
      ? doubleSurnames[roll(doubleSurnames.length)]!
      : surnames[Math.min(roll(surnames.length), roll(surnames.length))]!
  const first = given[roll(given.length)]!
  return roll(7) === 0 ? surname + first : surname + first + given[roll(given.length)]!
}
