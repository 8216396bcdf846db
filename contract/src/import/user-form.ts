import { type FormColumn, formColumns } from './form.ts'

/** The form for users: one row for each account. */
export const userForm: readonly FormColumn[] = formColumns(`
user.account|账号|Account||用户名,登录账号,登录名,username,user name,login
user.realName|姓名|Name|★|真实姓名,用户姓名,教师姓名,教工姓名,职工姓名,员工姓名,老师姓名,real name,full name,fullname,staff name,teacher name
user.staffNo|工号|Staff no.||教工号,职工号,教师编号,教师工号,职工编号,教工编号,员工编号,staff number,staff code,staff id,employee no,employee id,employee number
user.name|昵称|Nickname||
user.deptId|部门|Departments||所属部门,所在部门,单位,department,dept
user.roleId|角色|Roles||所属角色,role
user.postId|岗位|Posts||所属岗位,职位,职务,post,position,job title
user.phone|手机|Mobile||手机号,手机号码,联系电话,联系方式,联系手机,移动电话,电话,phone,mobile phone,mobile number,cell,cell phone,phone number
user.email|邮箱|Email||电子邮箱,电子信箱,邮箱地址,e-mail,email,email address,work email,school email
user.sex|性别|Sex||gender
user.birthday|出生日期|Date of birth||生日,出生年月,出生年月日,birthday,birth date,dob
check.idNo|身份证号（补全出生日期和性别）|ID number (fills in birth and sex)||身份证号,身份证号码,身份证,公民身份号码,居民身份证号,居民身份证号码,身份证件号,身份证件号码,id number,id no,id card
user.userType|用户平台|Platform||平台,user type
user.staffStatus|在岗状态|Staff status||状态,status
ignored.fault|未导入原因|Why it was left out||
user.hireDate|入职日期|Hired on||入职时间,入校时间,到校时间,hire date,start date,date of joining
user.teacherCertNo|教师资格证号|Teaching certificate no.||教师资格证编号,教师资格证号码,资格证号,教师资格证书编号,教师资格证书号码,teaching certificate number
`)
