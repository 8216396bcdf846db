/*
 * Headings of tables that a registry or an examination office writes by the initials of their words, as JY/T 1001 names
 * its items: XM is 姓名, SFZJH 身份证件号.
 */

const initials: ReadonlyMap<string, string> = new Map(
  `xm 姓名|xsxm 学生姓名|xmpy 姓名拼音|ywxm 英文姓名|cym 曾用名|xb 性别|xbm 性别|csrq 出生日期|csny 出生年月|csd 出生地|csdm 出生地|jg 籍贯|
   mz 民族|mzm 民族|mzdm 民族|gj 国籍|gjdq 国籍|gjdqm 国籍|sfzh 身份证号|sfzhm 身份证号|sfzjh 身份证件号|sfzjhm 身份证件号|zjhm 证件号码|
   sfzjlx 身份证件类型|sfzjlxm 身份证件类型|zjlx 证件类型|zjlxm 证件类型|gatqw 港澳台侨外|gatqwm 港澳台侨外|zzmm 政治面貌|zzmmm 政治面貌|
   jkzk 健康状况|jkzkm 健康状况|xx 血型|xxm 血型|xh 学号|xsxh 学号|xjh 学籍号|qgxjh 全国学籍号|gjxjh 国家学籍号|xjfh 学籍辅号|
   nj 年级|njmc 年级名称|bj 班级|bjmc 班级名称|bjh 班级号|rxny 入学年月|rxrq 入学日期|rxfs 入学方式|rxfsm 入学方式|jdfs 就读方式|jdfsm 就读方式|
   xsly 学生来源|xslym 学生来源|hkszd 户口所在地|hkszdm 户口所在地|hkxz 户口性质|hkxzm 户口性质|hklb 户口类别|hklbm 户口类别|xzz 现住址|jtzz 家庭住址|jtdz 家庭地址|txdz 通信地址|
   yzbm 邮政编码|dzxx 电子信箱|lxdh 联系电话|jtdh 家庭电话|sfdszn 是否独生子女|sflset 是否留守儿童|lsetm 是否留守儿童|sfge 是否孤儿|sbjd 随班就读|sbjdm 随班就读|
   jhr 监护人|jhrxm 监护人姓名|jhrdh 监护人电话|jhrlxdh 监护人联系电话|jhrgx 监护人关系|jzxm 家长姓名|jzdh 家长电话|jzlxdh 家长联系电话|
   fqxm 父亲姓名|fqdh 父亲电话|fqlxdh 父亲联系电话|fqdw 父亲单位|mqxm 母亲姓名|mqdh 母亲电话|mqlxdh 母亲联系电话|mqdw 母亲单位|bz 备注`
    .split('|')
    .map((pair) => pair.trim().split(' ') as [string, string]),
)

/** The heading that initials stand for; anything else stands as it is. */
export const spelledOut = (folded: string): string => initials.get(folded) ?? folded
