import type { Dictionary } from './dictionary.ts'
import { platformDictionary, tenantDictionary } from './dictionary.ts'

/** Messages, leave, notices. */
export const deskDictionaries: readonly Dictionary[] = [
  tenantDictionary(
    'message_type',
    '消息类型',
    'Kind of message',
    `1|通知|Notice
    2|作业|Homework
    3|请假回执|Leave reply
    4|缺勤|Absence
    5|成绩|Marks
    6|表扬|Praise
    7|收集|Form to fill in`,
  ),
  platformDictionary(
    'message_target',
    '发送对象',
    'Sent to',
    `1|学生|Students
    2|班级|Classes
    3|年级|Grades
    4|分组|Groups
    5|全校|The whole school`,
  ),
  platformDictionary(
    'message_audience',
    '接收人',
    'Received by',
    `1|学生|Students
    2|家长|Parents
    3|监护人|Guardians`,
  ),
  platformDictionary(
    'message_channel',
    '发送渠道',
    'Channel',
    `1|站内|In the product
    2|短信|SMS
    3|邮件|E-mail`,
  ),
  platformDictionary(
    'message_state',
    '消息状态',
    'Message status',
    `0|未发送|Not sent yet
    1|待审|Awaiting approval
    2|排队|Queued
    3|发送中|Sending
    4|已发送|Sent
    5|部分失败|Partly failed
    6|已撤回|Recalled`,
  ),
  tenantDictionary(
    'leave_type',
    '请假类型',
    'Kind of leave',
    `1|事假|Personal
    2|病假|Sick
    3|公假|Official
    4|婚假|Marriage
    5|产假|Maternity
    6|丧假|Bereavement
    9|其他|Other`,
  ),
  platformDictionary(
    'applicant_type',
    '请假人类型',
    'Applicant',
    `1|学生|Student
    2|教职工|Staff`,
  ),
  platformDictionary(
    'leave_status',
    '请假状态',
    'Leave status',
    `0|草稿|Draft
    1|审批中|In approval
    2|已通过|Approved
    3|已驳回|Rejected
    4|已撤回|Withdrawn
    5|已取消|Cancelled
    6|已销假|Returned
    7|已作废|Void`,
  ),
  platformDictionary(
    'leave_approver',
    '请假审批人',
    'Approver of leave',
    `1|班主任|Class teacher
    2|年级主任|Head of grade
    8|教研组长|Head of subject
    6|部门负责人|Head of department
    7|上级部门负责人|Head of the department above
    3|教务（德育）主任|Dean of studies
    4|副校长|Vice principal
    5|校长|Principal
    9|指定人|A named person`,
  ),
  platformDictionary(
    'leave_timeout',
    '请假审批超时处理',
    'When a decision on leave is overdue',
    `1|提醒审批人|Remind the approver
    2|上交下一级|Hand it up`,
  ),
  tenantDictionary(
    'notice_category',
    '公告类别',
    'Notice category',
    `1|通知|Notice
    2|公告|Announcement
    3|放假|Holiday
    4|招生|Admission
    5|考试|Examination
    6|安全|Safety
    7|活动|Event
    9|其他|Other`,
  ),
  platformDictionary(
    'notice_target',
    '公告对象',
    'Addressed to',
    `1|全部|Everybody
    2|部门|Departments
    3|角色|Roles
    4|学校|Schools
    5|年级|Grades
    6|班级|Classes
    7|人员|People`,
  ),
  platformDictionary(
    'notice_status',
    '公告状态',
    'Notice status',
    `0|草稿|Draft
    1|待发布|Scheduled
    2|已发布|Published
    3|已下线|Withdrawn`,
  ),
]
