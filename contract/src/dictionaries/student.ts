import type { Dictionary } from './dictionary.ts'
import { platformDictionary, tenantDictionary, transcribedFrom } from './dictionary.ts'

const jyt = transcribedFrom('JY/T 1001')
const grade2007 = transcribedFrom('教基厅[2007]10号')

/** What is asked about a pupil, and the steps of a pupil's life in a school. */
export const studentDictionaries: readonly Dictionary[] = [
  tenantDictionary(
    'student_status',
    '学生状态',
    'Student status',
    `1|在读|Enrolled
    2|休学|On leave of absence
    3|退学|Withdrawn
    4|停学|Attendance suspended
    5|复学|Returned
    6|流失|Dropped out
    7|毕业|Graduated
    8|结业|Completed without diploma
    9|肄业|Left without completing
    10|转出|Transferred out
    11|死亡|Deceased
    12|保留入学资格|Place reserved
    13|公派出国|Sent abroad by the state
    14|开除|Expelled
    15|下落不明|Whereabouts unknown
    99|其他|Other`,
    // A status is a number, so the keys are JY/T 1001's without the leading zero.
    transcribedFrom('JY/T 1001 XSDQZT，去掉前导零'),
  ),
  tenantDictionary(
    'status_change',
    '学籍异动类别',
    'Change of status',
    `02|留级|Repeats a grade
    03|降级|Moved down a grade
    04|跳级|Skips a grade
    11|休学|Leave of absence
    12|复学|Return
    13|停学|Attendance suspended
    14|保留入学资格|Place reserved
    15|恢复入学资格|Place restored
    16|取消入学资格|Place withdrawn
    17|恢复学籍|Registration restored
    18|取消学籍|Registration cancelled
    19|保留学籍|Registration kept
    21|转出|Transfer out
    22|转入|Transfer in
    29|转班级|Change of class
    31|退学|Withdrawal
    42|开除|Expulsion
    51|死亡|Death
    61|提前毕业|Early graduation
    62|结业|Completion without diploma
    63|肄业|Leaving without completion
    99|其他|Other`,
    jyt,
  ),
  tenantDictionary(
    'status_change_reason',
    '学籍异动原因',
    'Reason for the change',
    `illness|疾病|Illness
    injury|意外伤害|Accident
    move|家庭搬迁|Family moved
    migrant|父母工作变动|Parents changed work
    hardship|家庭困难|Hardship
    abroad|出国（境）|Going abroad
    will|本人或家长申请|At the family’s request
    truancy|长期无故缺课|Long unexplained absence
    discipline|违纪|Misconduct
    arrange|学校编班|Class arrangement
    other|其他|Other`,
    '本地代码，标准代码（XJYDYY）请由当地系统导入 / local keys; import the official ones from your authority',
  ),
  tenantDictionary(
    'study_way',
    '就读方式',
    'Day or boarding',
    `1|走读|Day student
    2|住校|Boarder
    3|借宿|Lodges nearby
    9|其他|Other`,
    grade2007,
  ),
  tenantDictionary(
    'enroll_way',
    '入学方式',
    'Way of admission',
    `11|就近入学|By neighbourhood
    12|其他就学方式|Other assignment
    21|统一招生考试/普通入学|By examination or ordinary admission
    22|体育特招|For sports
    23|艺术特招|For the arts
    99|其他|Other`,
    grade2007,
  ),
  tenantDictionary(
    'student_source',
    '学生来源',
    'Student origin',
    `1|正常入学|Ordinary admission
    2|借读|Guest pupil
    9|其他|Other`,
    grade2007,
  ),
  tenantDictionary(
    'left_behind',
    '留守儿童',
    'Left-behind child',
    `0|非留守儿童|No
    1|单亲留守儿童|One parent away
    2|双亲留守儿童|Both parents away`,
    jyt,
  ),
  tenantDictionary(
    'in_class_sped',
    '随班就读',
    'Special needs in an ordinary class',
    `00|普通学生|No
    10|随班就读学生|Yes
    11|视力残疾学生|Yes, visual impairment
    12|听力残疾学生|Yes, hearing impairment
    13|智力残疾学生|Yes, intellectual disability
    19|其他随班就读学生|Yes, other`,
    grade2007,
  ),
  tenantDictionary(
    'poverty_level',
    '困难程度',
    'Degree of hardship',
    `0|不困难|None
    1|一般困难|Moderate
    2|困难|Serious
    3|特别困难|Extreme`,
  ),
  tenantDictionary(
    'commute',
    '上下学方式',
    'Way to school',
    `1|步行|On foot
    2|自行车（电动车）|Bicycle or electric bicycle
    3|公共交通|Public transport
    4|家长接送|Brought by parents
    5|校车|School bus
    9|其他|Other`,
  ),
  tenantDictionary(
    'resume_kind',
    '简历类型',
    'Kind of record',
    `1|学习经历|Education
    2|奖励|Award
    3|处分|Disciplinary measure
    4|任职|Office held
    5|社会实践|Community work
    6|竞赛|Competition`,
  ),
  tenantDictionary(
    'award_level',
    '级别',
    'Level',
    `1|国际级|International
    2|国家级|National
    3|省级|Provincial
    4|市级|City
    5|区县级|District
    6|校级|School`,
  ),
  tenantDictionary(
    'group_type',
    '分组类型',
    'Kind of group',
    `1|兴趣小组|Interest group
    2|社团|Club
    3|校队|School team
    4|学困帮扶|Learning support
    5|班干部|Class officers
    6|宿舍|Dormitory
    7|值日|Duty roster
    9|自定义|Other`,
  ),
  tenantDictionary(
    'member_role',
    '成员角色',
    'Role in the group',
    `1|组长|Leader
    2|成员|Member`,
  ),
  platformDictionary(
    'group_status',
    '分组状态',
    'Group status',
    `1|使用中|In use
    0|已归档|Archived`,
  ),
  tenantDictionary(
    'attendance_code',
    '考勤',
    'Attendance',
    `1|出勤|Present
    2|迟到|Late
    3|早退|Left early
    4|请假|On leave
    5|旷课|Absent without leave`,
  ),
]
