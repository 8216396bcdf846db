import type { Dictionary } from './dictionary.ts'
import { platformDictionary, sealing, tenantDictionary } from './dictionary.ts'

/** What the platform itself is described with; the keys of the first ones are those of the API family. */
export const systemDictionaries: readonly Dictionary[] = [
  platformDictionary(
    'notice',
    '通知类型',
    'Notice type',
    `1|发布通知|Release
    2|批转通知|Approve and forward
    3|转发通知|Forward
    4|指示通知|Instruction
    5|任免通知|Appointment
    6|事务通知|Office matter`,
  ),
  platformDictionary(
    'menu_category',
    '菜单类型',
    'Menu type',
    `1|菜单|Menu
    2|按钮|Button`,
  ),
  platformDictionary(
    'button_func',
    '按钮功能',
    'Button place',
    `1|工具栏|Toolbar
    2|操作栏|Row
    3|工具操作栏|Toolbar and row`,
  ),
  platformDictionary(
    'yes_no',
    '是否',
    'Yes or no',
    `1|否|No
    2|是|Yes`,
  ),
  platformDictionary(
    'flag',
    '是否',
    'Yes or no',
    `1|是|Yes
    0|否|No`,
  ),
  platformDictionary(
    'custom_owner',
    '自定义字段所属对象',
    'What a custom field belongs to',
    `student|学生|Student
    user|用户|User
    schoolclass|行政班|Class`,
  ),
  platformDictionary(
    'form_subject',
    '表样填写对象',
    'What a form is filled with',
    `student|学生|Student
    schoolclass|行政班|Class
    user|用户|User
    school|学校|School`,
  ),
  platformDictionary(
    'custom_kind',
    '自定义字段类型',
    'Kind of custom field',
    `text|文字|Text
    number|数字|Number
    date|日期|Date
    choice|单选|Choice`,
  ),
  platformDictionary(
    'data_scope_type',
    '数据权限类型',
    'Data scope type',
    `1|全部可见|Everything
    2|本人可见|Own rows
    3|所在机构可见|Own department
    4|所在机构及子级可见|Own department and below
    5|自定义|Custom
    6|本校|Own school
    7|本年级|Own grade
    8|任教班级|Classes taught`,
  ),
  platformDictionary(
    'api_scope_type',
    '接口权限类型',
    'API scope type',
    `1|系统接口|System
    2|业务接口|Business`,
  ),
  platformDictionary(
    'post_category',
    '岗位类型',
    'Post category',
    `1|高层|Senior
    2|中层|Middle
    3|基层|Junior
    4|其他|Other`,
  ),
  platformDictionary(
    'region',
    '行政区划级别',
    'Region level',
    `0|国家|Country
    1|省份/直辖市|Province
    2|地市|City
    3|区县|County
    4|乡镇街道|Township
    5|村|Village`,
  ),
  platformDictionary(
    'flow',
    '流程分类',
    'Workflow category',
    `1|请假流程|Leave|leave
    2|行政事务|Administration
    3|后勤服务|Facilities
    9|其他|Other`,
  ),
  platformDictionary(
    'flow_suspension',
    '流程定义状态',
    'State of a process',
    `1|激活|Active
    2|挂起|Suspended`,
  ),
  platformDictionary(
    'flow_instance_state',
    '流程实例状态',
    'State of a process instance',
    `1|审批中|Running
    2|已通过|Agreed
    3|已驳回|Refused
    4|已撤回|Withdrawn
    5|已终止|Terminated
    6|异常|Incident`,
  ),
  platformDictionary(
    'oss',
    '对象存储类型',
    'Object storage',
    `1|MinIO|MinIO
    2|七牛云|Qiniu Cloud
    3|阿里云|Alibaba Cloud
    4|腾讯云|Tencent Cloud
    5|华为云|Huawei Cloud
    6|AWS S3|AWS S3`,
  ),
  platformDictionary(
    'sms',
    '短信类型',
    'SMS service',
    `1|云片|Yunpian
    2|七牛云|Qiniu Cloud
    3|阿里云|Alibaba Cloud
    4|腾讯云|Tencent Cloud
    5|通用网关|HTTP gateway
    6|开发发件箱|Development outbox`,
  ),
  platformDictionary(
    'enable_status',
    '启用状态',
    'Enabled',
    `1|未启用|Off
    2|已启用|On`,
  ),
  platformDictionary(
    'roster_scope',
    'OneRoster 可读内容',
    'OneRoster scopes',
    `core|名册核心|Core roster
    roster|完整名册|Full roster
    demographics|人口信息|Demographics`,
  ),
  platformDictionary(
    'sms_purpose',
    '短信用途',
    'SMS purpose',
    `test|调试|Test
    code|验证码|Code
    notice|通知|Notice`,
  ),
  platformDictionary(
    'sms_state',
    '短信状态',
    'SMS state',
    `0|待发送|Waiting
    1|已发送|Sent
    2|重试中|Trying again
    3|已失败|Failed`,
  ),
  platformDictionary(
    'mail_encryption',
    '邮件加密方式',
    'Mail encryption',
    `1|SSL/TLS（多为465端口）|SSL/TLS (mostly port 465)
    2|STARTTLS（多为587端口）|STARTTLS (mostly port 587)
    3|不加密|None`,
  ),
  platformDictionary(
    'mail_purpose',
    '邮件用途',
    'Mail purpose',
    `test|测试|Test
    notice|通知|Notice
    report|报表|Report`,
  ),
  platformDictionary(
    'mail_state',
    '邮件状态',
    'Mail state',
    `0|待发送|Waiting
    1|已发送|Sent
    2|重试中|Trying again
    3|已失败|Failed
    4|未知|Unknown`,
  ),
  platformDictionary(
    'report_every',
    '报表频率',
    'How often a report comes',
    `1|每天|Every day
    2|每周|Every week
    3|每周第一个上学日|First school day of the week
    4|每月第一个上学日|First school day of the month
    5|每学期第一个上学日|First school day of the term`,
  ),
  platformDictionary(
    'report_format',
    '报表文件格式',
    'Format of a report',
    `xlsx|Excel 工作簿|Excel workbook
    csv|CSV 文件|CSV file
    pdf|PDF 文件|PDF file`,
  ),
  platformDictionary(
    'report_way',
    '报表送达方式',
    'How a report is delivered',
    `1|站内消息|Inbox
    2|站内消息和邮件|Inbox and mail`,
  ),
  platformDictionary(
    'file_language',
    '文件语言',
    'Language of a file',
    `zh|中文|Chinese
    en|英文|English`,
  ),
  platformDictionary(
    'subscription_status',
    '订阅状态',
    'Status of a subscription',
    `1|已启用|On
    2|已暂停|Paused`,
  ),
  platformDictionary(
    'job_kind',
    '任务类型',
    'Job kind',
    `oneroster-checking|OneRoster 导入：检查|OneRoster import (check)
    oneroster-committing|OneRoster 导入：入库|OneRoster import (commit)
    tenant-purge|租户彻底清除|Tenant purge
    region-streets|导入街道和乡镇|Load streets and townships
    export|列表导出|List export
    timetable|自动排课|Timetable generation
    notices|定时公告发布|Scheduled notices
    reminders|到期提醒与旧消息清理|Expiry reminders and old messages
    tenant-sweep|到期租户清理|Sweep of removed tenants
    file-sweep|无用附件清理|Sweep of unused files
    log-care|日志分区维护|Care of log partitions
    history-seal|变更记录封存|Sealing of the history
    job-sweep|旧任务清理|Sweep of old jobs
    quality-daily|数据质量每日统计|Daily figures of data quality
    quality-digest|数据质量每周提醒|Weekly digest of data quality
    flow-timers|流程定时|Process timers
    sent-sweep|旧短信和邮件记录清理|Sweep of old SMS and mail logs
    report-delivery|报表订阅送达|Delivery of reports`,
  ),
  platformDictionary(
    'job_state',
    '任务状态',
    'Job state',
    `waiting|排队中|Waiting
    running|进行中|Running
    done|已完成|Done
    failed|失败|Failed
    cancelled|已取消|Cancelled`,
  ),
  platformDictionary(
    'client_group',
    '应用分组',
    'Client group',
    `1|网页端|Web
    2|移动端|Mobile
    3|第三方|Third party`,
  ),
  platformDictionary(
    'grant_type',
    '授权类型',
    'Grant type',
    `password|密码|Password
    captcha|图形验证码|Captcha
    sms_code|短信验证码|Phone code
    social|第三方登录|Social log-in
    refresh_token|刷新令牌|Refresh token`,
  ),
  sealing(
    platformDictionary(
      'driver_class',
      '数据库驱动',
      'Database driver',
      `postgresql|PostgreSQL|PostgreSQL
      mysql|MySQL / MariaDB|MySQL / MariaDB
      sqlite|SQLite|SQLite
      sqlserver|SQL Server|SQL Server
      oracle|Oracle|Oracle`,
    ),
    ['sqlserver', 'oracle'],
  ),
  platformDictionary(
    'org_category',
    '机构类型',
    'Organisation type',
    `1|公司|Company
    2|学校|School
    3|部门|Department
    4|小组|Group`,
  ),
  platformDictionary(
    'dept_category',
    '部门类型',
    'Department type',
    `1|教育局|Education bureau
    2|学校|School
    3|部门|Department
    4|年级组|Grade group
    5|教研组|Subject group`,
  ),
  platformDictionary(
    'user_type',
    '用户平台',
    'User platform',
    `1|网页|Web
    2|应用|App
    3|其他|Other`,
  ),
  platformDictionary(
    'common_status',
    '状态',
    'Status',
    `1|正常|Active
    0|停用|Disabled`,
  ),
  platformDictionary(
    'social_kind',
    '第三方登录类型',
    'Kind of social log-in',
    `oidc|OpenID Connect|OpenID Connect
    github|GitHub|GitHub
    gitee|Gitee|Gitee`,
  ),
  platformDictionary(
    'guest_status',
    '注册申请状态',
    'Registration status',
    `0|待审批|Waiting
    1|已通过|Approved
    2|已拒绝|Refused`,
  ),
  platformDictionary(
    'dict_sealed',
    '是否封存',
    'Sealed',
    `0|否|No
    1|是|Yes`,
  ),
  platformDictionary(
    'tenant_state',
    '租户状态',
    'Tenant status',
    `1|正常|Active
    2|试用|Trial
    3|过期|Expired
    0|停用|Disabled
    9|待清除|To be purged`,
  ),
  platformDictionary(
    'staff_status',
    '在职状态',
    'Staff status',
    `1|在岗|On duty
    2|请假|On leave
    3|离职|Left
    4|退休|Retired`,
  ),
  tenantDictionary(
    'staff_title',
    '职称',
    'Professional title',
    `1|正高级教师|Professor-level senior teacher
    2|高级教师|Senior teacher
    3|一级教师|First-grade teacher
    4|二级教师|Second-grade teacher
    5|三级教师|Third-grade teacher
    9|未定级|Not graded`,
  ),
]
