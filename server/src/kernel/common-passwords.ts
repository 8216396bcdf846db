/** Words that people make passwords of, alone or with digits behind or before them. */
const words = `
  password passwd pass admin administrator root user guest test demo login welcome hello master manager system server
  default change changeme secret letmein computer internet windows oracle mysql public temp office company
  qwerty qwertyuiop qwer asdf asdfgh asdfghjkl zxcv zxcvbn zxcvbnm qaz qazwsx qazwsxedc wsx edc qweasd qweasdzxc qwe asd zxc
  abc abcd abcde abcdef abcdefg abcabc aaa aaaa aaaaaa aa a q w z x s qq wx ww zz xx
  iloveyou love loveyou lovely ilove sunshine princess dragon monkey football baseball superman batman shadow freedom
  michael jordan angel summer spring winter flower star happy lucky money forever baby sweet kitty pokemon naruto
  woaini woaiwojia aini woaixuexi wodeai baobao baobei laopo laogong mama baba nihao xiaoming xiaohong xiaofang
  wang li zhang liu chen yang huang zhao wu zhou xu sun ma zhu hu guo he gao lin luo
  wangwei wangfang zhangwei lijing liwei zhangmin zhangli wanglei lina chenjing liuyang
  zhongguo china beijing shanghai guangzhou shenzhen tianjin chongqing chengdu wuhan nanjing hangzhou xian
  xuexiao school student teacher laoshi xuesheng banji class xiaozhang jiaowu yizhong erzhong sanzhong shiyan xiaoxue
  zhongxue gaozhong chuzhong youeryuan jiaoyu jiaoyuju xueji campus edu kaoshi gaokao zhongkao tiantian haohao
  taobao alipay weixin wechat tencent baidu alibaba huawei xiaomi
  mima kouling guanliyuan shujudanao databrain shuju danao
`
  .trim()
  .split(/\s+/)

/** What stands behind or before such a word. */
const digits =
  `0 1 2 3 6 7 8 9 11 12 22 66 88 99 00 01 10 21 23 100 110 111 119 120 123 222 234 321 333 456 520 521 555 666
  678 777 789 888 999 000 007 1010 1111 1122 1212 1234 1314 1818 2222 3344 4321 5201 6666 8888 9999 0000
  11111 12345 54321 88888 66666 111111 112233 121212 123123 123321 123456 654321 666666 888888 000000 168168
  5201314 1314520 1234567 7654321 12345678 87654321 123456789 987654321 1234567890 0123456789`.split(/\s+/)

/** Passwords that stand alone. */
const alone = `147258369 147258 258369 159357 159753 357159 741852963 963852741 789456123 789456 456123 147852 147896325
  1q2w3e 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx 1qaz2wsx3edc 1qazxsw2 zaq12wsx zaq1xsw2 q1w2e3 q1w2e3r4 q1w2e3r4t5
  !qaz2wsx 1qaz@wsx !@#$% !@#$%^ !@#$%^& !@#$%^&* !@#qwe qwe!@# 123!@# 123qwe!@# abc!@# p@ssw0rd p@ssword passw0rd
  pa$$word pa55word adm1n r00t woaini1314 woaini520 woaini521 woaini5201314 5201314a 5201314woaini iloveyou1314 520520
  521521 1314521 7758521 7758258 3344520 1314520 5841314 584520 201314 20131420 10203040 102030 13145200 31415926
  3141592653 0987654321 098765 09876543 a1b2c3 a1b2c3d4 1a2b3c 1a2b3c4d aa123456 asd123456 qq123456 abc123456 zz123456
  a123456789 a12345678 qwe123456 q123456789 123456abc 123456aa 123456qq 123456asd 123abc 123abc456 123qwe 123qweasd
  123qwe123 123asd 123321a 123456789a 12345678a 1234567a 12345qwert qwert12345 qwer1234 asdf1234 zxcv1234 1234qwer
  12341234 12344321 123454321 123123123 123456123456 654321654321 112112 131313 141414 101010 010101 696969 232323
  10086 10010 10000 95588 110119 110120 119119 woshishui woshiwo xiexie haha hahaha hehehe heihei lalala dashabi
  caonima woaimama woaibaba woaibeijing tiantianxiangshang haohaoxuexi nihao123 nihao123456`.split(/\s+/)

/** The few of them that also follow a capital or come with a sign, as a password rule makes people do. */
const short = '1 12 123 1234 12345 123456 520 666 888 2020 2021 2022 2023 2024 2025 2026 2027'.split(' ')

const years = Array.from({ length: 61 }, (_, at) => String(1970 + at))

/** One sign many times, and one walk along the digit row from every place, up and down. */
function* runs(): Generator<string> {
  for (const sign of '0123456789abcdefghijklmnopqrstuvwxyz')
    for (let length = 6; length <= 12; length += 1) yield sign.repeat(length)
  const rows = ['01234567890123456789', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm', 'abcdefghijklmnopqrstuvwxyz']
  for (const row of rows)
    for (const line of [row, [...row].reverse().join('')])
      for (let length = 6; length <= 12; length += 1)
        for (let from = 0; from + length <= line.length; from += 1) yield line.slice(from, from + length)
  for (let pair = 0; pair < 100; pair += 1) yield String(pair).padStart(2, '0').repeat(3)
  for (let three = 0; three < 1000; three += 1) yield String(three).padStart(3, '0').repeat(2)
}

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/**
 * The passwords that are tried first against any Chinese site, made by rules instead of copied from a leak: words
 * (English, pinyin, surnames, cities, school words) joined with the usual digits and years, walks over the keyboard,
 * repeated signs, numbers that sound like words. No password twice, none shorter than six signs. The server compares
 * the md5 of each, since that is what an old client sends; to make and hash them all takes some 100 ms, so it does so
 * when the first password is set, not at start.
 */
export function commonPasswords(): string[] {
  const found = new Set<string>([...alone, ...runs()])
  for (const word of words) {
    for (const tail of ['', word, ...digits, ...years]) found.add(word + tail)
    for (const head of short) found.add(head + word)
    found.add(capital(word))
    for (const tail of short)
      for (const form of [word, capital(word)])
        for (const password of [form + tail, `${form}@${tail}`, `${form}${tail}!`]) found.add(password)
  }
  for (const first of short) for (const second of digits) found.add(first + second).add(second + first)
  for (const year of years) for (const next of [year, String(Number(year) + 1)]) found.add(year + next)
  return [...found].filter((password) => password.length >= 6)
}
