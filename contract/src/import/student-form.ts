import { type FormColumn, formColumns } from './form.ts'

/** The rows that one line of a file makes: the student, the extended record, and the guardians. */
export const parts = {
  student: 'student',
  detail: 'studentdetail',
  member1: 'studentparents',
  member2: 'studentparents',
  member3: 'studentparents',
  member4: 'studentparents',
  member5: 'studentparents',
  member6: 'studentparents',
} as const
/** The guardians that a line can name. */
export const memberParts = ['member1', 'member2', 'member3', 'member4', 'member5', 'member6'] as const
export type Part = keyof typeof parts
export type StudentColumn = FormColumn<Part | 'check' | 'ignored'>

const memberFields = `
parentName|姓名|name|★
relation|关系|relation|★
relationNote|关系说明|relation note|
nation|民族|ethnicity|
workUnit|工作单位|employer|
address|现住址|home address|★
hukouRegionCode|户口所在地|household registration|★
mobile|联系电话|mobile|★
isGuardian|是否监护人|guardian|★
idType|身份证件类型|ID type|
idNo|身份证件号|ID number|
position|职务|position|`
  .trim()
  .split('\n')
  .map((line) => line.split('|'))
/** What else is known of guardians, beside the national form. */
const moreOfMember = [
  ['otherPhone', '备用电话', 'second phone', ''],
  ['education', '学历', 'education', ''],
  ['livesWith', '是否共同居住', 'lives with the student', ''],
  ['isEmergency', '是否紧急联系人', 'emergency contact', ''],
]

/** Two guardians as in the national form, and four more; the headings of the file are understood by `match.ts`. */
const members = memberParts
  .flatMap((part, at) =>
    (at < 2 ? memberFields : [...memberFields, ...moreOfMember]).map(
      ([field, zh, en, star]) =>
        `${part}.${field}|成员${at + 1}${zh}|Member ${at + 1}: ${en}|${at === 0 ? star : ''}|家庭成员${at + 1}${zh}`,
    ),
  )
  .join('\n')
const membersMore = memberParts
  .slice(0, 2)
  .flatMap((part, at) =>
    moreOfMember.map(([field, zh, en]) => `${part}.${field}|成员${at + 1}${zh}|Member ${at + 1}: ${en}||`),
  )
  .join('\n')

/**
 * The national student form, in the order of the national sheet, and behind it what a school keeps besides. The
 * headings are its own; the rules of a value are those of the entity's field.
 */
export const studentForm: readonly StudentColumn[] = formColumns(`
check.schoolCode|学校标识码|School code||学校代码
check.major|专业|Major||专业名称,所学专业,就读专业,所在专业,专业方向,major
check.schoolName|学校|School||学校名称,所在学校,就读学校,所属学校,school name
student.name|姓名|Name|★|学生姓名,名字,学生,学生名字,姓 名,孩子姓名,幼儿姓名,新生姓名,student name,full name,fullname,lastfirst,last first,student,pupil,pupil name,chinese name,学生名,中文姓名,中文名,户口本姓名,户籍姓名,真实姓名,儿童姓名,宝贝姓名,宝宝姓名,幼儿
student.sex|性别|Sex|★|学生性别,男女,gender
student.birthDate|出生日期|Date of birth|★|出生年月,出生年月日,出生时间,出生,生日,生年月日,birthday,birth date,dob,born,公历生日,阳历生日,公历出生日期,阳历出生日期,出生日,生辰
detail.birthPlaceCode|出生地|Place of birth|★|出生地行政区划,出生地区划码
detail.nativePlaceCode|籍贯|Native place|★|
student.nation|民族|Ethnicity|★|族别,ethnic group,nation
student.nationality|国籍/地区|Nationality|★|国籍
student.idType|身份证件类型|ID type|★|证件类型,身份证类型
student.idNo|身份证件号|ID number|★|身份证号,身份证号码,证件号码,证件号,身份证,公民身份号码,公民身份证号,学生身份证号,学生身份证号码,学生身份证,身份证件号码,居民身份证号码,居民身份证号,id no,id card,id card no,id card number,identity number,identity card,公民身份证号码,有效身份证件号,有效证件号,有效证件号码,身份证件号,身份号码
student.overseas|港澳台侨外|Overseas status|★|港澳台侨
student.politics|政治面貌|Political affiliation|★|政治面目,面貌,团员,少先队员,共青团员,入团,入队,入团情况,入队情况
student.health|健康状况|Health|★|健康,身体状况,健康情况
ignored.photo|照片|Photo||
student.namePinyin|姓名拼音|Name in pinyin||拼音,pinyin
student.formerName|曾用名|Former name||曾用姓名
student.idExpire|身份证件有效期|ID valid until||证件有效期,身份证有效期
detail.hukouRegionCode|户口所在地|Household registration|★|户籍所在地,户口所在地行政区划,户籍,户籍地,户口所在,户籍所在
detail.hukouType|户口性质|Household type|★|户口类型,户籍性质,户籍类型,户口类别,户口,户籍类别,户别,户口属性,户籍属性,农业户口,农村户口,城镇户口,非农业户口,城镇农村,农村城镇,农业非农业,农业非农
detail.hobby|特长|Talents||爱好,兴趣爱好,特长爱好,爱好特长,兴趣特长
student.auxCode|学籍辅号|Provincial code||省学籍号,学籍副号,地方学籍号
student.seatNo|班内学号|No. in class||座号,座位号,班内序号,班内编号,班级学号,seat,seat no
student.gradeId|年级|Grade|★|所在年级,就读年级,现读年级,在读年级,所读年级,现在年级,学生年级,grade name,grade level,year group,year level,year,yr,年级名称,届别,级别,入学级,级,届,年届,级次,届次,级届,毕业届,毕业届别,毕业届次,年段,所在级,所属年级,入学年级,就读级,转入年级,插入年级,录取年级,申请年级,报读年级
student.classId|班级|Class|★|所在班级,班级名称,行政班,班别,班次,班号,班,就读班级,现读班级,在读班级,所读班级,现在班级,现就读班级,现所在班级,目前班级,年级班级,年班,班级号,所属班级,学生班级,现班级,分班,class name,homeroom,home room,home class,form,form group,reg,reg group,registration group,tutor group,行政班级,新班级,分配班级,拟编班级,拟分班级,编班,编入班级,分入班级,分班班级,分班结果,班级名,班级代码,班级编号,所在班,现在班,新班,入读班级,转入班级,插入班级,插班班级,录取班级,申请班级
student.enrollDate|入学年月|Enrolled on|★|入学日期,入学时间,入校时间,入学年份,入学年,入校日期,enrolment date,enrollment date,admission date,date of admission,date admitted,enrolled,入校年月,入校年份,入园时间,入园日期,入园年月
student.enrollWay|入学方式|Way of entry|★|
student.studyWay|就读方式|Day or boarding|★|住校,住宿,寄宿,走读住校,走读住宿,住宿情况,就读形式,就读类型,住读,住校生,住宿生,boarding,住宿方式,住校情况,住校与否,住宿与否,寄宿生,走读,走读生,通学,通校,通学生,通校生,外宿
student.source|学生来源|Source||生源,生源类别,生源类型,学生来源类别
detail.homeAddress|现住址|Home address|★|现住地址,居住地址,住址,地址,现居住地,居住地,现在住址,现居住地址,现家庭住址,家庭现住址,常住地址,address,street,street address,residence,residential address,居住所在地,实际居住地址,实际居住地,实际住址,现在家庭住址,居住地点,详细地址,详细住址
detail.mailAddress|通信地址|Mailing address|★|通讯地址
detail.familyAddress|家庭地址|Family address|★|家庭住址,家庭详细住址,家庭详细地址,家庭居住地址,家庭住址详细,family address
student.phone|学生联系电话|Student’s phone||学生电话,学生手机,学生手机号,学生手机号码,学生联系方式,本人电话,本人联系电话,本人手机,本人手机号,本人联系方式,student phone,student mobile,own phone
detail.postcode|邮政编码|Postcode|★|邮编
student.email|电子信箱|Email||电子邮箱,邮箱,e-mail
detail.homePage|主页地址|Home page||个人主页
detail.isOnlyChild|是否独生子女|Only child|★|独生,独生子女情况
detail.hadPreschool|是否受过学前教育|Attended preschool|★|学前教育
detail.leftBehind|是否留守儿童|Left-behind child|★|留守,留守情况,留守学生
detail.isMigrantChild|是否进城务工人员随迁子女|Child of migrant workers|★|随迁子女,随迁,务工子女,务工随迁子女,进城务工子女,进城务工人员子女,进城务工随迁子女,外来务工子女,外来务工人员子女,外来务工人员随迁子女,务工人员子女
detail.isOrphan|是否孤儿|Orphan|★|
detail.isMartyrChild|是否烈士或优抚子女|Child of a martyr|★|
detail.inClassSped|随班就读|Inclusive education|★|
detail.disabilityType|残疾类型|Disability|★|残疾人类型,残疾类别,残疾种类
detail.govPaidSeat|是否由政府购买学位|Seat paid by the state||
detail.needsAid|是否需要申请资助|Applies for aid|★|
detail.hasSubsidy|是否享受一补|Receives boarding subsidy|★|
detail.distanceKm|上下学距离|Distance to school (km)|★|上下学距离公里,家校距离,离校距离,家离学校距离,家到学校距离,离家距离,上学距离
detail.commute|上下学方式|Way to school|★|上下学交通方式,交通方式,上学方式,放学方式,放学回家方式,接送方式
detail.needsBus|是否需要乘坐校车|Needs the school bus|★|校车,乘坐校车,坐校车,乘校车,坐校车上学,乘坐校车上下学
${members}
student.studentNo|校内学号|Student no.||学号,学生学号,学生编号,学生号,校内编号,student number,student id,student no,admission no,admission number,adm no,admissions no
student.nationalCode|全国学籍号|National student code||学籍号,全国学籍,学籍号码,学籍编号,国家学籍号,全国学籍号码,学生学籍号,国网学籍号,国家学籍,学籍主号,全国统一学籍号
student.nameEn|英文名|English name||英文姓名,name in english
detail.emergencyName|紧急联系人|Emergency contact||紧急联系人姓名,紧急联系人及电话,紧急联系人及联系电话,紧急联系人及联系方式,紧急联系人和电话,紧急联系人与电话,紧急联系人姓名及电话,紧急联系人姓名电话,紧急联系人及其电话,紧急联系人姓名及联系方式,emergency contact name
detail.emergencyPhone|紧急联系电话|Emergency phone||紧急联系人电话,紧急联系人手机,紧急联系人联系电话,紧急电话,紧急联系方式,紧急联系人手机号,emergency contact phone
detail.emergencyRelation|紧急联系人关系|Emergency relation||紧急联系人与学生关系,emergency contact relation,emergency contact relationship
detail.hukouAddress|户口地址|Registered address||户籍地址,户口所在地详细地址,户籍详细地址,户口详细地址,户籍住址,户口簿地址,户口本地址,户口簿住址,户籍所在地址,户口所在地址,户籍所在地详细地址
detail.bloodType|血型|Blood type||
detail.heightCm|身高|Height (cm)||身高厘米,身高cm,身高公分
detail.weightKg|体重|Weight (kg)||体重千克,体重kg,体重公斤
detail.visionLeft|左眼视力|Vision, left||视力左,视力左眼,左眼裸眼视力
detail.visionRight|右眼视力|Vision, right||视力右,视力右眼,右眼裸眼视力
detail.allergy|过敏史|Allergies||过敏情况,过敏物,过敏物质,过敏食物,过敏药物,过敏药品,过敏食物或药物,过敏药物或食物,食物过敏,食物过敏史,药物过敏,药物过敏史,食物药物过敏,食物药物过敏史,过敏源,过敏原,忌口过敏,allergy,known allergies,food allergies
detail.medicalHistory|病史|Medical history||medical conditions,medical notes,既往病史,疾病史,既往史,重大疾病史,重大病史,慢性病史,遗传病史
detail.insuranceNo|医保号|Health insurance no.||
detail.disabilityCertNo|残疾证号|Disability card no.||
detail.medication|用药|Medication||用药史,用药记录,用药情况,长期用药,服药,服药情况,长期服药,正在服用药物,药物,medicines
detail.awards|获奖情况|Awards||获奖,奖项,荣誉,所获荣誉,获奖记录,奖励情况,荣誉情况,awards and honours
detail.busRoute|校车线路|Bus route||乘车线路,校车路线,乘车路线,线路,校车线,校车班次,校车车次,乘坐线路,乘坐校车线路,校车号,接送线路,接送车线路,bus line,bus no
detail.isPoverty|是否建档立卡|Registered as poor||建档立卡,建档立卡户,建档立卡贫困户,建档立卡学生
detail.povertyLevel|困难程度|Hardship level||困难等级,困难级别,困难档次,困难认定等级,困难学生等级,困难生等级,困难认定级别,家庭经济困难等级,家庭经济困难程度,经济困难等级,经济困难程度,家庭困难程度,贫困等级,贫困程度,贫困级别
${membersMore}
check.status|学生状态|Student status||状态,当前状态,目前状态,现状态,学籍情况,就读情况,在校情况,是否在读,是否在校,是否在籍,在读与否,在校与否,在籍与否,学籍变动情况,异动情况,学籍异动,学生现状,学籍状态,在籍状态,在读状态,就读状态,在校状态,学生在籍状态,学生学籍状态,在籍情况,在读情况,在籍,在读,在校,student status,enrolment status,enrollment status
ignored.fault|未导入原因|Why it was left out||
ignored.serial|序号|Row number||编号,顺序,序,次序,顺序号,行号,no,s/n,serial no,serial number,sl no,sr no,#
student.remark|备注|Remarks||说明,备 注,remark,note,notes,comments
`)

const byKey = new Map(studentForm.map((column) => [column.key, column]))

/** The column of that key, if the form has it. */
export const formColumn = (key: string): StudentColumn | undefined => byKey.get(key)
