import type { Dictionary } from './dictionary.ts'
import { platformDictionary, tenantDictionary, transcribedFrom } from './dictionary.ts'

const grade2007 = transcribedFrom('教基厅[2007]10号')

/** What is asked about a school, its rooms, classes and lessons. */
export const schoolDictionaries: readonly Dictionary[] = [
  tenantDictionary(
    'school_type',
    '办学类型',
    'School type',
    `11|幼儿园|Kindergarten
    21|小学|Primary school
    22|成人小学|Adult primary school
    31|普通初中|Junior high school
    32|职业初中|Vocational junior high school
    33|成人初中|Adult junior high school
    34|普通高中|Senior high school
    35|成人高中|Adult senior high school
    36|中等职业学校|Secondary vocational school
    37|工读学校|Correctional school
    41|普通高等学校|University or college
    42|成人高等学校|Adult university
    51|特殊教育学校|Special school
    91|培养研究生的科研机构|Research institute with postgraduates
    92|民办的其他高等教育机构|Other private higher education
    93|中等职业培训机构|Vocational training institution`,
    transcribedFrom('各级各类学校（机构）代码编制规则'),
  ),
  tenantDictionary(
    'stage',
    '学段',
    'Stage',
    `1|学前|Pre-school
    2|小学|Primary
    3|初中|Junior high
    4|高中|Senior high`,
  ),
  tenantDictionary(
    'school_running',
    '办别',
    'Run by',
    `1|教育部门和集体办|Education authority or collective
    2|社会力量办|Private
    3|其他部门办|Other authority
    9|其他|Other`,
    grade2007,
  ),
  tenantDictionary(
    'urban_rural',
    '城乡类型',
    'Urban or rural',
    `1|城市|City
    2|县镇|County town
    3|农村|Countryside`,
    grade2007,
  ),
  tenantDictionary(
    'room_type',
    '教室类型',
    'Room type',
    `1|普通教室|Classroom
    2|物理实验室|Physics laboratory
    3|化学实验室|Chemistry laboratory
    4|生物实验室|Biology laboratory
    5|计算机教室|Computer room
    6|音乐教室|Music room
    7|美术教室|Art room
    8|舞蹈教室|Dance room
    9|体育场地|Sports ground
    10|报告厅|Lecture hall
    99|其他|Other`,
  ),
  tenantDictionary(
    'equipment',
    '设备',
    'Equipment',
    `1|投影仪|Projector
    2|交互白板|Interactive whiteboard
    3|计算机|Computers
    4|音响|Sound system
    5|录播设备|Lesson recorder
    6|钢琴|Piano
    7|实验台|Laboratory benches
    8|空调|Air conditioning
    9|监控|Camera`,
  ),
  tenantDictionary(
    'subject_category',
    '课程类别',
    'Subject category',
    `1|国家课程|National
    2|地方课程|Local
    3|校本课程|School-based
    4|综合实践活动|Activity
    5|班会|Class meeting
    6|自习|Self-study`,
  ),
  tenantDictionary(
    'class_type',
    '班级类型',
    'Class type',
    `10|普通小学班|Primary class
    11|民族小学班|Primary class for ethnic groups
    12|小学复式班|Primary multi-grade class
    13|小学教学点班|Primary class at a teaching point
    14|小学特长班|Primary class for talents
    15|小学视力残疾班|Primary class, visual impairment
    16|小学听力残疾班|Primary class, hearing impairment
    17|小学智力残疾班|Primary class, intellectual disability
    20|普通初中班|Junior high class
    21|民族初中班|Junior high class for ethnic groups
    22|初中复式班|Junior high multi-grade class
    23|初中教学点班|Junior high class at a teaching point
    24|初中特长班|Junior high class for talents
    25|初中视力残疾班|Junior high class, visual impairment
    26|初中听力残疾班|Junior high class, hearing impairment
    27|初中智力残疾班|Junior high class, intellectual disability
    40|普通高中班|Senior high class
    41|民族高中班|Senior high class for ethnic groups
    42|高中特长班|Senior high class for talents`,
    grade2007,
  ),
  tenantDictionary(
    'teach_level',
    '层次',
    'Level',
    `1|选考|For the entrance examination
    2|学考|For the qualifying examination
    3|A层|A
    4|B层|B`,
  ),
  platformDictionary(
    'teachclass_kind',
    '教学班类型',
    'Kind of teaching class',
    `1|行政班同体|Same as a class
    2|走班|Pupils from several classes
    3|合班|Several classes together
    4|社团|Club`,
  ),
  platformDictionary(
    'teacher_role',
    '任课角色',
    'Teacher role',
    `1|主讲|Main teacher
    2|助教|Assistant
    3|代课|Substitute`,
  ),
  platformDictionary(
    'weekday',
    '星期',
    'Weekday',
    `1|星期一|Monday
    2|星期二|Tuesday
    3|星期三|Wednesday
    4|星期四|Thursday
    5|星期五|Friday
    6|星期六|Saturday
    7|星期日|Sunday`,
  ),
  platformDictionary(
    'half_day',
    '半天',
    'Half-day',
    `1|上午|Morning
    2|下午|Afternoon`,
  ),
  platformDictionary(
    'week_type',
    '周次类型',
    'Weeks',
    `0|每周|Every week
    1|单周|Odd weeks
    2|双周|Even weeks
    3|指定周|Chosen weeks`,
  ),
  platformDictionary(
    'period_kind',
    '节次类型',
    'Kind of period',
    `1|上课|Lesson
    2|早读|Morning reading
    3|课间操|Exercise break
    4|午休|Midday break
    5|晚自习|Evening study
    6|课后服务|After-school service`,
  ),
  platformDictionary(
    'season',
    '作息季节',
    'Season',
    `0|全年|All year
    1|夏季|Summer
    2|冬季|Winter`,
  ),
  platformDictionary(
    'calendar_day_type',
    '日期类型',
    'Kind of day',
    `1|上课|School day
    2|放假|Holiday
    3|调休上课|Make-up school day
    4|考试|Examination
    5|活动|Event`,
  ),
  platformDictionary(
    'school_status',
    '学校状态',
    'School status',
    `1|启用|Active
    2|停用|Suspended
    3|撤销|Closed`,
  ),
  platformDictionary(
    'campus_status',
    '校区状态',
    'Campus status',
    `1|启用|Active
    0|停用|Out of use`,
  ),
  platformDictionary(
    'room_status',
    '教室状态',
    'Room status',
    `1|可用|Available
    2|维修|Under repair
    0|停用|Out of use`,
  ),
  platformDictionary(
    'year_status',
    '学年学期状态',
    'Status of the year or semester',
    `0|未开始|Not begun
    1|进行中|Current
    2|已结束|Finished
    3|已归档|Archived`,
  ),
  platformDictionary(
    'class_status',
    '班级状态',
    'Class status',
    `0|筹建|Planned
    1|在读|Running
    2|已升级|Promoted
    3|已毕业|Graduated
    4|已撤并|Merged`,
  ),
  platformDictionary(
    'teachclass_status',
    '教学班状态',
    'Status of the teaching class',
    `0|草稿|Draft
    1|已开班|Running
    2|已结课|Finished
    3|已取消|Cancelled`,
  ),
  platformDictionary(
    'timetable_rule_kind',
    '排课规则类型',
    'Kind of timetable rule',
    `1|不排课的节次|No lessons in some periods
    2|只排上午或下午|Mornings or afternoons only
    3|只排在指定节次|Only in some periods
    4|每天节数上限|Most periods a day
    5|连上节数上限|Most periods in a row
    6|空堂上限|Most free periods between lessons
    7|每周上课天数上限|Most days a week
    8|同一学科每天节数上限|Most periods of a subject a day
    9|同一学科分散到各天|Subjects spread over the days
    10|同一学科间隔天数|Days between lessons of a subject
    11|同时上课|At the same time
    12|不同时上课|Never at the same time
    13|跨校区间隔|Time between two campuses`,
  ),
  platformDictionary(
    'timetable_rule_whose',
    '排课规则对象',
    'Whom a timetable rule is about',
    `1|教师|Teachers
    2|班级|Classes`,
  ),
  platformDictionary(
    'timetable_rule_strength',
    '排课规则要求',
    'How firmly a timetable rule holds',
    `1|必须|Must
    2|尽量（高）|Wish, high
    3|尽量（中）|Wish, medium
    4|尽量（低）|Wish, low`,
  ),
  platformDictionary(
    'plan_status',
    '课表方案状态',
    'Timetable status',
    `0|草稿|Draft
    1|校验通过|Checked
    2|已发布|Published
    3|已归档|Archived`,
  ),
  platformDictionary(
    'substitution_kind',
    '调代课类型',
    'Kind of substitution',
    `1|代课|Cover
    2|调课|Moved
    3|停课|Cancelled lesson
    4|换教室|Other room`,
  ),
  platformDictionary(
    'substitution_status',
    '调代课状态',
    'Status of the substitution',
    `0|待确认|Awaiting an answer
    1|已确认|Confirmed
    2|已完成|Done
    3|已拒绝|Declined
    4|已取消|Cancelled`,
  ),
]
