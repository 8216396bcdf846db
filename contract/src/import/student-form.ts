import { type FormColumn, formColumns } from './form.ts'

/** The rows that one line of a file makes: the student, the extended record, and two guardians. */
export const parts = {
  student: 'student',
  detail: 'studentdetail',
  member1: 'studentparents',
  member2: 'studentparents',
} as const
export type Part = keyof typeof parts
export type StudentColumn = FormColumn<Part | 'check' | 'ignored'>

/**
 * The national student form, in the order of the national sheet, and behind it what a school keeps besides. The
 * headings are its own; the rules of a value are those of the entity's field.
 */
export const studentForm: readonly StudentColumn[] = formColumns(`
check.schoolCode|学校标识码|School code||学校代码
student.name|姓名|Name|★|学生姓名,名字,student name,full name
student.sex|性别|Sex|★|gender
student.birthDate|出生日期|Date of birth|★|出生年月,出生年月日,生日,birthday,birth date
detail.birthPlaceCode|出生地|Place of birth|★|出生地行政区划,出生地区划码
detail.nativePlaceCode|籍贯|Native place|★|
student.nation|民族|Ethnicity|★|
student.nationality|国籍/地区|Nationality|★|国籍
student.idType|身份证件类型|ID type|★|证件类型,身份证类型
student.idNo|身份证件号|ID number|★|身份证号,身份证号码,证件号码,证件号,身份证,id no
student.overseas|港澳台侨外|Overseas status|★|港澳台侨
student.politics|政治面貌|Political affiliation|★|
student.health|健康状况|Health|★|健康
ignored.photo|照片|Photo||
student.namePinyin|姓名拼音|Name in pinyin||拼音,pinyin
student.formerName|曾用名|Former name||
student.idExpire|身份证件有效期|ID valid until||证件有效期,身份证有效期
detail.hukouRegionCode|户口所在地|Household registration|★|户籍所在地,户口所在地行政区划
detail.hukouType|户口性质|Household type|★|户口类型
detail.hobby|特长|Talents||爱好
student.auxCode|学籍辅号|Provincial code||
student.seatNo|班内学号|No. in class||座号,班内序号
student.gradeId|年级|Grade|★|所在年级,grade name
student.classId|班级|Class|★|所在班级,班级名称,行政班,class name
student.enrollDate|入学年月|Enrolled on|★|入学日期,入学时间
student.enrollWay|入学方式|Way of entry|★|
student.studyWay|就读方式|Day or boarding|★|
student.source|学生来源|Source||
detail.homeAddress|现住址|Home address|★|现住地址,居住地址,住址
detail.mailAddress|通信地址|Mailing address|★|通讯地址
detail.familyAddress|家庭地址|Family address|★|家庭住址
student.phone|联系电话|Phone|★|电话,手机,手机号,手机号码,学生电话,mobile
detail.postcode|邮政编码|Postcode|★|邮编
student.email|电子信箱|Email||电子邮箱,邮箱,e-mail
detail.homePage|主页地址|Home page||个人主页
detail.isOnlyChild|是否独生子女|Only child|★|
detail.hadPreschool|是否受过学前教育|Attended preschool|★|
detail.leftBehind|是否留守儿童|Left-behind child|★|
detail.isMigrantChild|是否进城务工人员随迁子女|Child of migrant workers|★|随迁子女
detail.isOrphan|是否孤儿|Orphan|★|
detail.isMartyrChild|是否烈士或优抚子女|Child of a martyr|★|
detail.inClassSped|随班就读|Inclusive education|★|
detail.disabilityType|残疾类型|Disability|★|残疾人类型
detail.govPaidSeat|是否由政府购买学位|Seat paid by the state||
detail.needsAid|是否需要申请资助|Applies for aid|★|
detail.hasSubsidy|是否享受一补|Receives boarding subsidy|★|
detail.distanceKm|上下学距离|Distance to school (km)|★|上下学距离公里
detail.commute|上下学方式|Way to school|★|上下学交通方式
detail.needsBus|是否需要乘坐校车|Needs the school bus|★|
member1.parentName|成员1姓名|Member 1: name|★|监护人姓名,家长姓名,家庭成员1姓名,监护人,家长,guardian
member1.relation|成员1关系|Member 1: relation|★|监护人关系,与学生关系,家长关系,家庭成员1关系,关系
member1.relationNote|成员1关系说明|Member 1: relation note||家庭成员1关系说明
member1.nation|成员1民族|Member 1: ethnicity||家庭成员1民族
member1.workUnit|成员1工作单位|Member 1: employer||家庭成员1工作单位,家长工作单位
member1.address|成员1现住址|Member 1: home address|★|家庭成员1现住址
member1.hukouRegionCode|成员1户口所在地|Member 1: household registration|★|家庭成员1户口所在地
member1.mobile|成员1联系电话|Member 1: mobile|★|监护人电话,监护人联系电话,监护人手机,家长电话,家长手机,家长联系电话,家庭成员1联系电话,guardian mobile,guardian phone
member1.isGuardian|成员1是否监护人|Member 1: guardian|★|家庭成员1是否监护人
member1.idType|成员1身份证件类型|Member 1: ID type||家庭成员1身份证件类型
member1.idNo|成员1身份证件号|Member 1: ID number||家庭成员1身份证件号,家长身份证号
member1.position|成员1职务|Member 1: position||家庭成员1职务
member2.parentName|成员2姓名|Member 2: name||家庭成员2姓名,监护人2姓名,家长2姓名
member2.relation|成员2关系|Member 2: relation||家庭成员2关系,家长2关系
member2.relationNote|成员2关系说明|Member 2: relation note||家庭成员2关系说明
member2.nation|成员2民族|Member 2: ethnicity||家庭成员2民族
member2.workUnit|成员2工作单位|Member 2: employer||家庭成员2工作单位
member2.address|成员2现住址|Member 2: home address||家庭成员2现住址
member2.hukouRegionCode|成员2户口所在地|Member 2: household registration||家庭成员2户口所在地
member2.mobile|成员2联系电话|Member 2: mobile||家庭成员2联系电话,监护人2电话,家长2电话
member2.isGuardian|成员2是否监护人|Member 2: guardian||家庭成员2是否监护人
member2.idType|成员2身份证件类型|Member 2: ID type||家庭成员2身份证件类型
member2.idNo|成员2身份证件号|Member 2: ID number||家庭成员2身份证件号
member2.position|成员2职务|Member 2: position||家庭成员2职务
student.studentNo|校内学号|Student no.||学号,student number
student.nationalCode|全国学籍号|National student code||学籍号,全国学籍
student.nameEn|英文名|English name||
detail.emergencyName|紧急联系人|Emergency contact||紧急联系人姓名
detail.emergencyPhone|紧急联系电话|Emergency phone||紧急联系人电话
detail.emergencyRelation|紧急联系人关系|Emergency relation||
detail.hukouAddress|户口地址|Registered address||户籍地址
detail.bloodType|血型|Blood type||
detail.heightCm|身高|Height (cm)||身高厘米
detail.weightKg|体重|Weight (kg)||体重千克
detail.visionLeft|左眼视力|Vision, left||
detail.visionRight|右眼视力|Vision, right||
detail.allergy|过敏史|Allergies||
detail.medicalHistory|病史|Medical history||
detail.insuranceNo|医保号|Health insurance no.||
detail.disabilityCertNo|残疾证号|Disability card no.||
detail.isPoverty|是否建档立卡|Registered as poor||
student.remark|备注|Remarks||
`)

const byKey = new Map(studentForm.map((column) => [column.key, column]))

/** The column of that key, if the form has it. */
export const formColumn = (key: string): StudentColumn | undefined => byKey.get(key)
