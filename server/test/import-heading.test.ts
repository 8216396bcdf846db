import { expect, it } from 'vitest'
import { matchHeadings } from '../src/modules/import/file/match.ts'

/*
 * Rows of headings as schools write them, each with what it means. `-` is of no field: it is left to the clerk, and never
 * taken for another. A `~` stands for a blank.
 */

const fields: Readonly<Record<string, string>> = Object.fromEntries(
  `n student.name|sex student.sex|b student.birthDate|id student.idNo|idt student.idType|nat student.nation|c student.classId|g student.gradeId|no student.studentNo|code student.nationalCode|seat student.seatNo|aux student.auxCode|way student.studyWay|ph student.phone|home detail.homeAddress|fam detail.familyAddress|hk detail.hukouRegionCode|hka detail.hukouAddress|hkt detail.hukouType|left detail.leftBehind|only detail.isOnlyChild|mig detail.isMigrantChild|en student.enrollDate|pol student.politics|health student.health|rem student.remark|nati detail.nativePlaceCode|cty student.nationality|al detail.allergy|mh detail.medicalHistory|ht detail.heightCm|wt detail.weightKg|former student.formerName|hobby detail.hobby|orph detail.isOrphan|pov detail.isPoverty|dis detail.disabilityType|src student.source|pc detail.postcode|sch check.schoolName|schc check.schoolCode|bus detail.needsBus|com detail.commute|dist detail.distanceKm|en2 student.nameEn|emn detail.emergencyName|emp detail.emergencyPhone|emr detail.emergencyRelation|ov student.overseas|ser ignored.serial|lvl detail.povertyLevel|sped detail.inClassSped|sta check.status|vl detail.visionLeft|vr detail.visionRight|ins detail.insuranceNo`
    .split('|')
    .map((pair) => pair.split(' ') as [string, string]),
)
const ofMember: Readonly<Record<string, string>> = {
  ...{ n: 'parentName', p: 'mobile', o: 'otherPhone', r: 'relation', w: 'workUnit', i: 'idNo', z: 'position' },
  ...{ e: 'education', h: 'hukouRegionCode' },
}
const keyOf = (code: string): string =>
  fields[code] ?? code.replace(/^m(\d)\.(\w)$/, (_all, no, field) => `member${no}.${ofMember[field]}`)

const rows = `
姓名=n 班级=c 父亲/监护人姓名=m1.n 父亲/监护人联系电话=m1.p 父亲/监护人工作单位=m1.w 母亲/监护人姓名=m2.n 母亲/监护人联系电话=m2.p
姓名=n 班级=c 父亲或监护人姓名=m1.n 父亲或监护人联系电话=m1.p
姓名=n 班级=c 接送家长=m1.n 与学生关系=m1.r 家长联系电话=m1.p
姓名=n 班级=c 午托监护人=m1.n 午托监护人电话=m1.p 家长姓名=m2.n 家长电话=m2.p
姓名=n 班级=c 原监护人=- 班级家长=- 教师家长=-
序号=ser 姓名=n 性别=sex 出生年月=b 身份证号码=id 家庭住址=fam 监护人(父亲)=m1.n 监护人(父亲)电话=m1.p 监护人(母亲)=m2.n 监护人(母亲)电话=m2.p
编号=ser 姓名=n 性别=sex 父亲=m1.n 联系电话=m1.p 母亲=m2.n 联系电话=m2.p
姓名=n 班级=c 家长（父亲）姓名=m1.n 家长（父亲）电话=m1.p 家长（母亲）姓名=m2.n 家长（母亲）电话=m2.p
姓名=n 班级=c 监护人1姓名=m1.n 监护人1关系=m1.r 监护人1电话=m1.p 监护人2姓名=m2.n 监护人2关系=m2.r 监护人2电话=m2.p
姓名=n 班级=c 监护人姓名1=m1.n 关系1=m1.r 电话1=m1.p 监护人姓名2=m2.n 关系2=m2.r 电话2=m2.p
姓名=n 班级=c 家长姓名=m1.n 与学生关系=m1.r 手机=m1.p 家长姓名=m2.n 与学生关系=m2.r 手机=m2.p
姓名=n 班级=c 第一监护人=m1.n 关系=m1.r 联系电话=m1.p 第二监护人=m2.n 关系=m2.r 联系电话=m2.p
学生姓名=n 所在班=c 监护人姓名=m1.n 监护人与学生关系=m1.r 监护人联系方式=m1.p 监护人身份证号=m1.i
宝贝姓名=n 小名=- 性别=sex 生日=b 班级名称=c 爸爸名字=m1.n 爸爸手机号=m1.p 妈妈名字=m2.n 妈妈手机号=m2.p
宝宝姓名=n 宝宝性别=sex 宝宝生日=b 所在班级=c 妈妈姓名=m1.n 妈妈联系电话=m1.p
幼儿姓名=n 幼儿性别=sex 幼儿身份证号=id 幼儿民族=nat 出生年月日=b 入园时间=en 接送人姓名=m1.n 接送人电话=m1.p
儿童姓名=n 儿童身份证号码=id 性别=sex 班级=c 法定监护人姓名=m1.n 与儿童关系=m1.r 联系电话=m1.p
学生姓名=n 学生性别=sex 学生身份证号码=id 学生民族=nat 学生班级=c 学生住址=home
姓名=n 年级=g 班=c 学号=no 全国学籍号=code 学籍辅号=aux
姓名=n 年级名称=g 班级名称=c 校内学号=no 学籍号(全国)=code
姓名=n 班级=c 座位号=seat 户籍地址=hka 户籍所在地=hk 户口性质=hkt 居住地址=home
姓名=n 班级=c 户口所在地详细地址=hka 家庭现住址=home
姓名=n 班级=c 住校/走读=way 寝室号=- 床位号=- 宿舍楼=-
姓名=n 班级=c 是否住校=way 是否住宿=-
姓名=n 班级=c 走读/住校=way
姓名=n 班级=c 就读方式(走读/住校)=way
姓名=n 班级=c 走读或住宿=way
姓名=n 班级=c 是否寄宿生=way
姓名=n 班级=c 是否寄宿=way
姓名=n 班级=c 是否内宿=way
姓名=n 班级=c 通校/住校=way
姓名=n 班级=c 是否留守儿童=left 是否独生子女=only 是否随迁子女=mig 是否建档立卡=pov 是否低保=- 是否残疾=-
姓名=n 班级=c 留守儿童=left 独生子女=only 随迁子女=mig 建档立卡=pov 低保=- 孤儿=orph 残疾类别=dis
姓名=n 班级=c 是否进城务工随迁子女=mig
姓名=n 班级=c 是否建档立卡户=pov
姓名=n 班级=c 建档立卡贫困户=pov
姓名=n 年级=g 班级代码=c 性别代码=sex 民族码=nat 学生代码=- 家长代码=-
宝宝姓名=n 班级=c 第一接送人=m1.n 第一接送人电话=m1.p 第二接送人=m2.n 第二接送人电话=m2.p
姓名=n 班级=c 过敏食物=al
姓名=n 性别=sex 生日=b 学号/工号=no 年级/部门=g 班级/二级部门=c 联系人=m1.n
姓名=n 院系/年级=g 部门/班级=c 工号/学号=no
姓名=n 班级=c 单位/部门=- 教师/职工=-
中文姓名=n 行政班名称=c 父亲中文姓名=m1.n 父亲电话=m1.p 母亲中文姓名=m2.n 母亲英文姓名=- 母亲电话=m2.p
姓名=n 班级=c 忌口/过敏=al
姓名=n 班级=c 是否共青团员=pol 入队情况=-
姓名=n 班级=c 寄宿~/走读=way 入园时间=en
姓名=n 班级=c 政治面貌=pol 健康状况=health 备~注=rem
姓名=n 性~别=sex 民~族=nat 班~级=c 学~号=no 籍~贯=nati 备~~注=rem
*姓名=n *性别=sex *身份证件号=id *班级=c
姓名(必填)=n 性别(必填)=sex 班级（必填）=c 身份证号【必填】=id
姓名：=n 性别：=sex 班级：=c 联系电话：=m1.p
1.姓名=n 2.性别=sex 3.出生日期=b 4.班级=c 5.家长电话=m1.p
一、姓名=n 二、性别=sex 三、班级=c
(1)姓名=n (2)性别=sex (3)班级=c
①姓名=n ②性别=sex ③班级=c
姓名Name=n 性别Sex=sex 出生日期DateofBirth=b 班级Class=c
姓名/Name=n 性别/Gender=sex 出生日期/Birthday=b 班级/Class=c 电话/Phone=m1.p
Name（姓名）=n Gender（性别）=sex Class（班级）=c
Name姓名=n Sex性别=sex Class班级=c
学生名=n 班级=c 家长名=m1.n 家长手机号=m1.p
名字=n 班级=c 电话=m1.p
学生=n 性别=sex 班级=c 家长=m1.n 电话=m1.p
姓名=n 班级=c 家长联系电话=m1.p
姓名=n 班级=c 家长联系方式=m1.p
姓名=n 班级=c 联系电话1=m1.p 联系电话2=m1.o
姓名=n 班级=c 联系电话一=m1.p 联系电话二=m1.o
姓名=n 班级=c 父母电话=m1.p
姓名=n 班级=c 家庭联系电话=m1.p
姓名=n 班级=c 监护人手机号码=m1.p
姓名=n 班级=c 父亲联系电话=m1.p 母亲联系电话=m2.p
姓名=n 班级=c 父亲手机=m1.p 母亲手机=m2.p
姓名=n 班级=c 父电话=m1.p 母电话=m2.p
姓名=n 班级=c 父姓名=m1.n 父电话=m1.p 母姓名=m2.n 母电话=m2.p
姓名=n 班级=c 父亲姓名=m1.n 父亲职业=m1.z 父亲工作单位=m1.w 父亲学历=m1.e 父亲手机号码=m1.p 母亲姓名=m2.n 母亲职业=m2.z
姓名=n 班级=c 父亲名字=m1.n 父亲单位=m1.w 父亲身份证=m1.i
姓名=n 班级=c 父亲姓名及电话=m1.n 母亲姓名及电话=m2.n
姓名=n 班级=c 父亲（姓名、电话）=m1.n 母亲（姓名、电话）=m2.n
姓名=n 班级=c 父亲姓名/电话=m1.n 母亲姓名/电话=m2.n
姓名=n 班级=c 爷爷姓名=m1.n 爷爷电话=m1.p 奶奶姓名=m2.n
姓名=n 班级=c 紧急联系人=emn 紧急联系人电话=emp 与学生关系=emr
姓名=n 班级=c 父亲=m1.n 父亲电话=m1.p 紧急联系人=emn 紧急联系人关系=emr 紧急联系人电话=emp
姓名=n 班级=c 委托监护人姓名=m1.n 委托监护人电话=m1.p 与委托监护人关系=m1.r
姓名=n 班级=c 实际监护人=m1.n 与监护人关系=m1.r 监护人电话=m1.p
姓名=n 班级=c 主要监护人=m1.n 主要监护人电话=m1.p
姓名=n 班级=c 主要联系人=m1.n 联系人电话=m1.p
姓名=n 班级=c 联系人=m1.n 联系人电话=m1.p 联系人与学生关系=m1.r
姓名=n 班级=c 家长微信=- 家长电话=m1.p
姓名=n 班级=c 家长微信号=- 家长电话=m1.p QQ号=-
姓名=n 班级=c 班主任=- 班主任电话=- 家长电话=m1.p
姓名=n 班级=c 班主任姓名=- 班主任联系电话=- 监护人电话=m1.p
姓名=n 班级=c 原就读学校=- 毕业学校=- 原学校=-
姓名=n 班级=c 毕业小学=- 毕业幼儿园=- 毕业院校=-
姓名=n 班级=c 学校名称=sch 学校代码=schc
姓名=n 班级=c 准考证号=- 考号=- 考场=- 座号=- 中考成绩=-
姓名=n 班级=c 考场号=- 座位号=- 考试号=-
姓名=n 班级=c 准考证号=- 座号=seat
姓名=n 班级=c 考场=- 班内学号=seat
姓名=n 班级=c 校服尺码=- 身高=ht 体重=wt
姓名=n 班级=c 有无过敏史=al 有无病史=mh
姓名=n 班级=c 是否过敏=-
姓名=n 班级=c 有何疾病=- 特殊疾病=- 特殊体质=-
姓名=n 班级=c 特长爱好=hobby 职务=- 班干部=-
姓名=n 班级=c 入校年月=en
姓名=n 班级=c 入园日期=en
姓名=n 班级=c 入班时间=- 转入时间=- 转入日期=-
姓名=n 班级=c 学生状态=sta 在籍状态=- 学籍状态=-
姓名=n 班级=c 是否在籍=sta 在读情况=-
姓名=n 性别=sex 年龄=- 班级=c 周岁=-
姓名=n 年龄（周岁）=- 生肖=- 星座=-
姓名=n 出生=b 班级=c
姓名=n 出生日期(阳历)=b 班级=c
姓名=n 出生日期（公历）=b 班级=c
姓名=n 公历生日=b 班级=c
姓名=n 阳历生日=b 班级=c
姓名=n 农历生日=- 班级=c
姓名=n 出生日期(YYYY-MM-DD)=b 班级=c
姓名=n 出生年~月~日=b 班级=c
姓名=n 公民身份证号码=id 班级=c
姓名=n 居民身份证号码=id 班级=c
姓名=n 身份证（号）=id 班级=c
姓名=n 身份证号(18位)=id 班级=c
姓名=n 有效身份证件号=id 班级=c
姓名=n 证件类型=idt 证件号码=id 班级=c
姓名=n 身份证件类型=idt 身份证件号码=id 班级=c
姓名=n 有效证件号=id 班级=c
姓名=n 学生身份证件号=id 班级=c
姓名=n 户口本号=- 户号=- 班级=c
姓名=n 行政班级=c
姓名=n 现班级=c 原班级=-
姓名=n 新班级=c 原班级=-
姓名=n 新班级=c 旧班级=-
姓名=n 分班=c 原班级=-
姓名=n 分配班级=c
姓名=n 拟编班级=c
姓名=n 编班=c
姓名=n 分入班级=c
姓名=n 在读年级=g 在读班级=c
姓名=n 学段=- 年级=g 班级=c
姓名=n 级部=- 班级=c
姓名=n 届别=g 班级=c
姓名=n 级别=g 班级=c
姓名=n 班级序号=- 班内序号=seat 班级=c
姓名=n 学生证号=- 卡号=- 一卡通号=- 班级=c
姓名=n 学生学籍号=code 班级=c
姓名=n 学籍号码=code 班级=c
姓名=n 学籍编号=code 班级=c
姓名=n 全国学籍号（G开头）=code 班级=c
姓名=n 国网学籍号=code 班级=c
姓名=n 省学籍号=aux 班级=c
姓名=n 民族=nat 国籍=cty 港澳台侨=ov 班级=c
姓名=n 户口类别=hkt 班级=c
姓名=n 户别=hkt 班级=c
姓名=n 城镇/农村=hkt 班级=c
姓名=n 农业/非农业=hkt 班级=c
姓名=n 家庭地址=fam 邮编=pc 班级=c
姓名=n 家庭详细地址=fam 班级=c
姓名=n 家庭住址(详细到门牌号)=fam 班级=c
姓名=n 现住址=home 班级=c
姓名=n 现在家庭住址=home 班级=c
姓名=n 详细地址=home 班级=c
姓名=n 详细住址=home 班级=c
姓名=n 家庭地址（详细）=fam 班级=c
姓名=n 居住所在地=home 户籍所在地=hk 班级=c
姓名=n 村组=- 乡镇=- 班级=c
姓名=n 村（社区）=- 班级=c
姓名=n 小区=- 班级=c
姓名=n 签名=- 家长签字=- 确认签字=- 班级=c
姓名=n 家长签名=- 班级=c
姓名=n 监护人签字=- 联系电话=m1.p 班级=c
姓名=n 学生电话=ph 家长电话=m1.p 班级=c
姓名=n 学生手机号码=ph 父亲手机号码=m1.p 班级=c
姓名=n 本人联系电话=ph 家长联系电话=m1.p 班级=c
姓名=n 学生QQ=- 班级=c
姓名=n 家庭固话=m1.o 家长手机=m1.p 班级=c
姓名=n 住宅电话=m1.o 家长手机=m1.p 班级=c
姓名=n 父亲公司=m1.w 父亲电话=m1.p 班级=c
姓名=n 爸爸=m1.n 手机=m1.p 妈妈=m2.n 手机=m2.p 班级=c
姓名=n 爸爸电话号码=m1.p 妈妈电话号码=m2.p 班级=c
姓名=n 父亲户籍地=m1.h 班级=c
姓名=n 父亲文化程度=m1.e 母亲文化程度=m2.e 班级=c
姓名=n 家庭成员1姓名=m1.n 家庭成员1关系=m1.r 家庭成员1电话=m1.p 班级=c
姓名=n 家庭成员姓名=m1.n 家庭成员关系=m1.r 家庭成员电话=m1.p 班级=c
姓名=n 家长1=m1.n 家长1电话=m1.p 家长2=m2.n 家长2电话=m2.p 班级=c
姓名=n 家长一=m1.n 电话=m1.p 家长二=m2.n 电话=m2.p 班级=c
姓名=n 家长A=m1.n 电话A=m1.p 家长B=m2.n 电话B=m2.p 班级=c
姓名=n 紧急联系电话=emp 家长电话=m1.p 班级=c
姓名=n 备用联系人=m1.n 备用联系人电话=m1.p 班级=c
姓名=n 监护人及电话=m1.n 班级=c
姓名=n 家长姓名电话=m1.n 班级=c
姓名=n 家长及联系电话=m1.n 班级=c
姓名=n 乘车方式=- 上下学方式=com 是否乘校车=bus 班级=c
姓名=n 上学方式=com 接送方式=- 班级=c
姓名=n 家离学校距离=dist 班级=c
姓名=n 性別=sex 班級=c 電話=m1.p 出生日期=b
姓名=n 曾用名=former 英文名=en2 班级=c
中文姓名=n 英文姓名=en2 班级=c
中文名=n 英文名=en2 班级=c
学生姓名（与户口本一致）=n 班级=c
户口本姓名=n 班级=c
真实姓名=n 班级=c
姓名（学生）=n 姓名（家长）=m1.n 班级=c
学生姓名=n 姓名=m1.n 关系=m1.r 电话=m1.p 班级=c
学生姓名=n 班级=c 家长姓名=m1.n 家长身份证号=m1.i 身份证号=id
姓名=n 班级=c 家长姓名=m1.n 身份证号=id 电话=m1.p
备注1=- 备注2=- 姓名=n 班级=c
填表日期=- 填表人=- 姓名=n 班级=c
学生类别=- 生源类别=src 姓名=n 班级=c
是否足龄=- 是否双胞胎=- 姓名=n 班级=c
户籍类型=hkt 施教区=- 姓名=n 班级=c
房产情况=- 产权人=- 姓名=n 班级=c
资助类型=- 困难类型=- 姓名=n 班级=c
困难等级=lvl 家庭经济困难等级=- 姓名=n 班级=c
姓名=n 班级=c 父亲姓名=m1.n 父亲电话=m1.p 其他监护人姓名=m2.n 其他监护人关系=m2.r 其他监护人电话=m2.p
姓名=n 班级=c 身份证号=id 联系电话=ph 家长姓名=m1.n 家长联系电话=m1.p
姓名=n 班级=c 联系电话=m1.o 父亲姓名=m1.n 父亲电话=m1.p 母亲姓名=m2.n 母亲电话=m2.p
姓名=n 班级=c 家长姓名=m1.n 家长联系电话=m1.p 联系电话=m2.p
姓名=n 班级=c 家长姓名=m1.n 家长联系电话=m1.p 联系电话2=m1.o
姓名=n 班级=c 司机电话=- 司机姓名=- 家长电话=m1.p
银行卡号=- 开户行=- 姓名=n 班级=c
是否三残儿童=- 是否四类人员=- 姓名=n 班级=c
外婆电话=m1.p 姓名=n 班级=c
姓名=n 班级=c 学籍状态=sta 学籍所在学校=-
姓名=n 班级=c 父亲出生日期=- 父亲政治面貌=- 母亲健康状况=- 监护人性别=-
姓名=n 班级=c 手机号(学生)=ph 手机号(家长)=m1.p
姓名=n 班级=c 电话（母亲）=m1.p 身份证号(父亲)=m2.i
姓名=n 班级=c 是否走读=way 走读生=-
姓名=n 班级=c 原就读学校=- 毕业学校=- 原班主任=-
姓名=n 班级=c 监护人=m1.n 联系电话=m1.p 紧急联系人=emn 联系电话=emp 与学生关系=emr
姓名=n 班级=c 个人标识码=- 学籍主号=code
姓名=n 班级=c 实际居住地址=home
姓名=n 班级=c 外来务工子女=mig
姓名=n 班级=c 户籍类别=hkt 与户主关系=-
姓名=n 班级=c 户主姓名=m1.n 与户主关系=- 户主电话=m1.p
姓名=n 班级=c 户主=m1.n 联系电话=m1.p 户主关系=-
姓名=n 班级=c 户主姓名=- 户主电话=- 监护人=m1.n 监护人电话=m1.p
姓名=n 班级=c 户主姓名=- 父亲姓名=m1.n 父亲电话=m1.p
姓名=n 班级=c 爷爷奶奶电话=m1.p
学员=n 拟入班级=c 居民身份证=id 个人学籍号=code 租住地址=home 户口本上的地址=hka
幼儿全名=n 班级简称=c 学籍编码=code 家中是否独生=only 有何疾病史=mh
姓名=n 班级=c 裸眼视力(左)=vl 裸眼视力(右)=vr 医保卡号=ins 如何上学=com 距学校距离(公里)=dist
姓名=n 班级=c 左眼=- 右眼=- 毕业班级=- 原班级=- 房产地址=- 离校时间=- 离校距离=dist
姓名=n 班级=c 现住小区=home 学籍所在地=- 随班就读类型=sped 户籍性质变更=-
姓名=n 班级=c 所属村组=home 所在村支书=- 村组干部=-
姓名=n 班级=c 小区及门牌号=home 家庭住址及门牌号=fam 小区物业=-
姓名=n 班级=c 父方姓名=m1.n 父方电话=m1.p 母方姓名=m2.n 母方电话=m2.p
姓名=n 班级=c 姑姑姓名=m1.n 姑姑电话=m1.p 叔叔电话=m2.p 阿姨电话=- 哥哥姓名=-
姓名=n 班级=c 第1监护人=m1.n 第1监护人电话=m1.p 第2监护人=m2.n 第2监护人电话=m2.p
姓名=n 班级=c 爸爸手机/微信=m1.p 家长微信手机号=m2.p
姓名=n 班级=c 委托照护人=m1.n 委托照护人电话=m1.p 家庭联系人=m2.n 家庭联系人电话=m2.p
姓名=n 班级=c 家长姓名=m1.n 您是孩子的什么人=m1.r 家长电话=m1.p
姓名=n 班级=c 监护人姓名=m1.n 亲属称谓=m1.r 监护人电话=m1.p
姓名=n 班级=c 家长1姓名(*)=m1.n 家长1亲子关系(*)=m1.r 家长1手机号(*)=m1.p 家长1性别(*)=- 家长1号码类型(*)=- 家长2姓名=m2.n 家长2家庭关系=m2.r
姓名=n 班级=c 妈妈姓名=m1.n 妈妈手机号=m1.p 其他家人=m2.n 其他家人手机号=m2.p
姓名=n 班级=c 联系电话=ph 家庭电话=m1.o 成员1姓名=m1.n 成员1联系电话=m1.p 成员2姓名=m2.n 成员2联系电话=m2.p
姓名=n 班级=c 父亲姓名=m1.n 父亲电话=m1.p 母亲姓名=m2.n 母亲电话=m2.p 爷爷/奶奶姓名=m3.n 爷爷/奶奶电话=m3.p
姓名=n 班级=c 祖父母联系电话=m1.p 外公外婆联系电话=m2.p
姓名=n 班级=c 籍贯地行政区划码=nati 家庭现地址=home 生源地行政区划码=-
姓名=n 班级=c 孩子是否在校住宿？=way 学生是否独生子女=only
姓名=n 班级=c 您的孩子是否走读=way 该生是否孤儿=orph
学生姓名=n 班级=c 姓名=m1.n 身份证号=m1.i 关系=m1.r 电话=m1.p
`.trim()

it.each(rows.split('\n'))('R-IMP-2 a row of headings: %s', (row) => {
  const cells = row.split(/\s+/).map((cell) => /^(.+)=([^=]+)$/.exec(cell)!.slice(1) as [string, string])
  const headings = cells.map(([heading]) => heading.replaceAll('~', ' '))
  const matches = matchHeadings('student', headings)
  const told = (at: number): string => matches.get(at)?.key ?? '-'
  expect(headings.map((heading, at) => `${heading} ${told(at)}`)).toEqual(
    headings.map((heading, at) => `${heading} ${keyOf(cells[at]![1])}`),
  )
})
