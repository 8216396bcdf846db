import { normalizeText, tidyPersonName } from '@data-brain/contract'
import { simplified } from '@data-brain/contract/import/form'

/*
 * What clerks write for the entries of dictionaries, beside their labels, and for nothing at all.
 */

/** Words by dictionary and key. A word holds only where the tenant offers the key. */
const said: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  sex: {
    '1': '男性 男生 男孩 m male boy 男童 ♂ 男士 男幼儿 男学生 小男孩 男宝 男宝宝 男孩子 男娃 男同学 小男生',
    '2': '女性 女生 女孩 f female girl 女童 ♀ 女士 女幼儿 女学生 小女孩 女宝 女宝宝 女孩子 女娃 女同学 小女生',
  },
  id_type: {
    '1': '身份证 二代身份证 第二代身份证 居民身份证号 身份证件 中华人民共和国居民身份证 公民身份证 idcard',
    A: '护照 外国护照 passport',
    B: '户口本 户籍证明 户口薄',
    '6': '港澳居民来往内地通行证 港澳通行证 港澳居民通行证 回乡证 香港身份证',
    '8': '台胞证 台湾通行证 台湾居民通行证',
    Z: '其它',
  },
  nation: {
    '01': '汉民',
    '02': '蒙族',
    '03': '回民',
    '05': '维族',
    '08': '僮族',
    '10': '朝族 鲜族',
    '11': '满人',
    '17': '哈族',
    '29': '柯族',
  },
  nationality: { CHN: '中国 中华人民共和国 cn china 中国籍 大陆 中国大陆 中 156 chinese' },
  overseas: { '00': '非港澳台 非港澳台侨 非港澳台侨外 不是' },
  politics: {
    '13': '一般群众 普通群众 无党派 无党派群众 群',
    '03': '团员 共青团员 共青团 中国共青团员 中国共产主义青年团团员 青年团员 入团 已入团',
    '90': '少先队员 少先队 队员 少年先锋队 少年先锋队员 少年先锋队队员 中国少年先锋队队员 中国少年先锋队员 入队 已入队',
    '01': '党员 中共党员 中国共产党党员 共产党员',
    '02': '预备党员',
  },
  health: {
    '10': '健康 良好 健康或良好 正常 好 很好 良 优 优良 健康良好 身体健康 无异常 无疾病 无病',
    '20': '一般 较弱 体弱',
    '30': '慢性病',
  },
  hukou: {
    '1': '农业户 农业家庭 农业家庭户 农村户 农村居民 农村家庭户 农业 农村 农业户口 农业家庭户口 农村户口 农户 农',
    '2': '非农业户 非农业家庭 非农业家庭户 非农户 城镇户 城镇居民 城镇家庭户 城镇居民户口 城市户口 非农业 城镇 城市 非农业户口 非农业家庭户口 非农 城镇户口 非农户口',
    '3': '居民 居民户口 居民家庭户口 家庭户口 家庭户 居民户',
  },
  study_way: {
    '1': '走读 走读生 外宿 不住校 不住宿 通学 通校 通校生 通学生 跑校 跑校生 走 校外 校外住宿 不寄宿 外宿生 外住 家住 住家 跑读 跑读生 非住校 非住宿 非寄宿 否 n no day ×',
    '2': '住宿 住校 寄宿 内宿 住校生 住宿生 寄宿生 住读 住读生 内宿生 住 校内 校内住宿 在校住宿 全寄宿 寄宿制 全托 是 y yes boarding boarder √',
    '3': '借宿',
  },
  student_source: {
    '1': '正常 正常入学 本地 应届 应届生 应届毕业生 应届初中毕业生 应届小学毕业生',
    '2': '借读 借读生',
  },
  enroll_way: {
    '11': '就近 就近入学 划片 划片入学 就近划片 划片就近 片内 片区内 学区内',
    '21': '统一招生 普通入学 统招 中考',
  },
  left_behind: {
    '0': '非留守 不是 不属于 非',
    '1': '单亲留守 单亲 单留守 单亲外出 一方外出 一方外出务工 父母一方外出 父亲外出 父亲外出务工 母亲外出 母亲外出务工',
    '2': '双亲留守 双亲 双留守 双亲外出 双方外出 双方外出务工 父母外出 父母外出务工 父母双方外出 父母双方外出务工 父母均外出',
  },
  in_class_sped: { '00': '普通 普通学生 不是 非随班就读', '10': '随班就读 是' },
  disability: { '0': '无残疾 未残疾 没有残疾 健全 正常 非残疾' },
  poverty_level: {
    '0': '不困难 非困难 非困难生',
    '1': '一般 一般困难 一般贫困',
    '2': '困难 比较困难 较困难 比较贫困',
    '3': '特别困难 特困 特殊困难 特别贫困 特困生',
  },
  commute: {
    '1': '步行 走路 行走 走',
    '2': '自行车 电动车 骑车 电瓶车 骑自行车 骑电动车 单车 摩托车',
    '3': '公交 公交车 地铁 公共汽车 乘公交 坐公交 坐公交车 乘公交车 坐地铁',
    '4': '接送 家长接送 家长自行接送 家长接 父母接送 自驾 私家车 小汽车 家长',
    '5': '校车 乘校车 坐校车',
  },
  blood: {
    '1': 'A A型血 A血型',
    '2': 'B B型血 B血型',
    '3': 'AB AB型血 AB血型',
    '4': 'O O型血 O血型 0型',
    '0': '不详 未知 不知道 不清楚 未测 未查 未验 未检',
  },
  room_type: {
    '1': '教室 普通 班级教室 普通教学 行政班教室 教学 classroom',
    '2': '物理 物理室 物理实验 物理实验室',
    '3': '化学 化学室 化学实验',
    '4': '生物 生物室 生物实验',
    '5': '机房 微机室 微机房 计算机室 计算机房 电脑室 电脑房 信息教室 信息技术教室 微机 计算机',
    '6': '音乐 音乐室 琴房 合唱室',
    '7': '美术 美术室 画室 书画室 书法教室',
    '8': '舞蹈 舞蹈室 形体室 形体房 舞蹈房',
    '9': '操场 体育馆 篮球场 足球场 运动场 体育 田径场 风雨操场 乒乓球室 体育场',
    '10': '阶梯教室 会议室 礼堂 多功能厅 多功能室 多功能教室 报告室 录播室 录播教室',
    '99': '图书馆 图书室 阅览室 办公室 办公 仓库 实验室 科学实验室 科学教室 心理咨询室 心理室 医务室 卫生室 体育器材室 器材室 宿舍 食堂 劳技室 创客教室 书法室 其它 专用教室 功能教室 功能室',
  },
  class_type: { '10': '小学 普通 普通班 小学班', '20': '初中 初中班', '40': '高中 高中班' },
  equipment: {
    '2': '白板 电子白板 一体机 希沃 班班通 触控一体机 希沃一体机 多媒体',
    '1': '投影',
    '3': '电脑 计算机 台式机',
    '4': '功放 音箱',
  },
  teacher_role: { '1': '主讲 主教 主任教师 任课 专任 正', '2': '助教 辅导 配班 副', '3': '代课 兼课 顶岗' },
  education: {
    '21': '本科 大学',
    '31': '大专 专科',
    '41': '中专',
    '61': '高中',
    '71': '初中',
    '81': '小学',
    '14': '硕士 研究生',
    '11': '博士',
  },
}

/** What a column of states says of a pupil who is there. */
const here =
  /^(在读|在校|在籍|在册|在籍在读|在籍在校|在读在籍|正常|正常在读|正常在校|就读|正常就读|在读生|在校生|在籍生|复学|enrolled|active|current|是|y|yes|√|✓|✔)$/i

/** Whether a column of states says that a pupil is there; 休学, 转出 and what nobody knows do not. */
export const saysEnrolled = (text: string): boolean => here.test(text.normalize('NFKC').replace(/\s/g, ''))

/** Words, keys and dictionaries of all that is said beside the labels. */
export const saidWords: readonly { readonly code: string; readonly key: string; readonly word: string }[] =
  Object.entries(said).flatMap(([code, keys]) =>
    Object.entries(keys).flatMap(([key, words]) => words.split(' ').map((word) => ({ code, key, word }))),
  )

const nothing =
  /^(?:[/\\|~.,。，、;；_*×xX?？-]+|[—–―－-]+|无|没有|暂无|无此项|无此情况|空|空白|未填|未填写|跳过|未知|不详|不清楚|略|待补|待定|待补充|n\/?a|null|none|nil|nan|undefined|#n\/a)$/i

/** Whether a cell says that there is nothing to say. In a dictionary some of these words are values: that is asked first. */
export const saysNothing = (text: string): boolean => {
  const plain = inside(text.normalize('NFKC').trim())
  return nothing.test(plain) || nothing.test(plain.replace(/(?<=\p{Script=Han})[。.，,；;]+$/u, ''))
}

/** Why there is no number: 未办理 under 身份证号, 空号 under 电话. */
const without =
  /^(?:无|没有?|暂无?|未|正在|尚|待|还没|空号|停机|欠费|不详|不知|不清楚|联系不上|失联|黑户|丢失|遗失|补办|办理)[^\d]{0,10}$/
export const saysNoNumber = (text: string): boolean => without.test(text.normalize('NFKC').replace(/\s/g, ''))

/** What a questionnaire writes in brackets for a question without an answer: (空), (跳过). */
const inside = (text: string): string => /^\(\s*(空|跳过|无|未填|未填写|略)\s*\)$/.exec(text)?.[1] ?? text

/** A whole number that a program wrote as a fraction or a power: 13800000014.0, 1.3800000015E10; 1.38E10 has lost digits. */
export function wholeNumber(text: string): string {
  const fraction = /^(\d+)\.0+$/.exec(text)
  if (fraction) return fraction[1]!
  const power = /^([1-9])\.(\d+)E\+?(\d{1,2})$/i.exec(text)
  return power && power[2]!.length === Number(power[3]) ? power[1]! + power[2]! : text
}

/** Brown, Emma: a Latin name as registers sort it. Two whole names, Emma Brown, Jack Brown, are two people. */
const lastFirst =
  /^(\p{Script=Latin}[\p{Script=Latin}'’-]*(?: (?:de|van|von|der|la|le)\b)*),\s*(\p{Script=Latin}[\p{Script=Latin}.'’-]*(?: \p{Script=Latin}[\p{Script=Latin}.'’-]*)?)$/u
export const firstLast = (text: string): string => text.replace(lastFirst, '$2 $1')

/** A person's name without the blanks by which clerks pad it, with one kind of dot. */
export function tidyName(text: string): string {
  // 1.张三 carries the number of the line along.
  return tidyPersonName(firstLast(normalizeText(text).replace(/^\d{1,3}\s*[.、)]\s*(?=\p{Script=Han})/u, '')))
}

const marks = '[*※#★☆▲△●○◎√✓+]+'
/** A name in Chinese with what only this list explains around it: 李明*, ★李明, 王子涵（大）, 王子涵2. */
const marked = new RegExp(
  `^(?:${marks})?\\s*(\\p{Script=Han}[\\p{Script=Han}·\\s]*\\p{Script=Han})\\s*(?:${marks}|\\([^()]{1,12}\\)|\\d)?$`,
  'u',
)
/** The name without such marks; undefined where there is none. */
export function withoutMark(text: string): string | undefined {
  const plain = text.normalize('NFKC').trim()
  const name = marked.exec(plain)?.[1]
  return name === plain ? undefined : name
}

/** A word as it is compared: width, case, blanks and the kind of brackets do not count. */
export const foldWord = (text: string): string =>
  simplified(text.normalize('NFKC').toLowerCase()).replace(/[\s/、,,|>-]/g, '')
