import { type FormColumn, formColumns } from './form.ts'

/** The form for users: one row for each account. */
export const userForm: readonly FormColumn[] = formColumns(`
user.account|账号|Account||用户名,登录账号,登录名,username,user name,login
user.realName|姓名|Name|★|真实姓名,用户姓名,教师姓名,real name,full name
user.staffNo|工号|Staff no.||教工号,职工号,教师编号,staff number,employee no
user.name|昵称|Nickname||
user.deptId|部门|Departments||所属部门,所在部门,单位,department,dept
user.roleId|角色|Roles||所属角色,role
user.postId|岗位|Posts||所属岗位,职位,post,position
user.phone|手机|Mobile||手机号,手机号码,联系电话,电话,phone
user.email|邮箱|Email||电子邮箱,电子信箱,e-mail
user.sex|性别|Sex||gender
user.birthday|出生日期|Date of birth||生日,出生年月,birthday,birth date
user.userType|用户平台|Platform||平台,user type
user.staffStatus|在岗状态|Staff status||状态,status
ignored.fault|未导入原因|Why it was left out||
user.hireDate|入职日期|Hired on||入职时间,hire date
`)
