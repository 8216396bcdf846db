import type { Dictionary } from './dictionary.ts'
import { tenantDictionary, transcribedFrom } from './dictionary.ts'

const grade2007 = transcribedFrom('教基厅[2007]10号')

/** What is asked about any person: pupil, guardian, teacher. */
export const personDictionaries: readonly Dictionary[] = [
  tenantDictionary(
    'sex',
    '性别',
    'Sex',
    `1|男|Male
    2|女|Female
    0|未知|Unknown
    9|未说明|Not stated`,
    'GB/T 2261.1',
  ),
  tenantDictionary(
    'id_type',
    '证件类型',
    'ID document type',
    `1|居民身份证|Resident identity card
    6|香港特区护照/身份证明|Hong Kong passport or identity document
    7|澳门特区护照/身份证明|Macao passport or identity document
    8|台湾居民来往大陆通行证|Mainland travel permit for Taiwan residents
    9|境外永久居住证|Permanent residence permit abroad
    A|护照|Passport
    B|户口簿|Household register
    Z|其他|Other`,
    transcribedFrom('JY/T 1001'),
  ),
  tenantDictionary(
    'overseas',
    '港澳台侨外',
    'Hong Kong, Macao, Taiwan, overseas Chinese or foreign',
    `00|否|No
    01|香港同胞|Hong Kong compatriot
    02|香港同胞亲属|Relative of a Hong Kong compatriot
    03|澳门同胞|Macao compatriot
    04|澳门同胞亲属|Relative of a Macao compatriot
    05|台湾同胞|Taiwan compatriot
    06|台湾同胞亲属|Relative of a Taiwan compatriot
    11|华侨|Overseas Chinese
    12|侨眷|Relative of overseas Chinese
    13|归侨|Returned overseas Chinese
    14|归侨子女|Child of returned overseas Chinese
    21|归国留学人员|Returned from study abroad
    31|非华裔中国人|Chinese citizen not of Chinese descent
    41|外籍华裔人|Foreign citizen of Chinese descent
    51|外国人|Foreigner
    99|其他|Other`,
    transcribedFrom('JY/T 1001'),
  ),
  tenantDictionary(
    'politics',
    '政治面貌',
    'Political status',
    `13|群众|None
    03|共青团员|Communist Youth League member
    90|少先队员|Young Pioneer
    01|中共党员|Communist Party member
    02|中共预备党员|Probationary Communist Party member
    04|民革党员|Member of the Revolutionary Committee of the Kuomintang
    05|民盟盟员|Member of the China Democratic League
    06|民建会员|Member of the China National Democratic Construction Association
    07|民进会员|Member of the China Association for Promoting Democracy
    08|农工党党员|Member of the Peasants and Workers Democratic Party
    09|致公党党员|Member of the China Zhi Gong Party
    10|九三学社社员|Member of the Jiusan Society
    11|台盟盟员|Member of the Taiwan Democratic Self-Government League
    12|无党派人士|Independent`,
    transcribedFrom('GB/T 4762;90为本地扩展'),
  ),
  tenantDictionary(
    'health',
    '健康状况',
    'Health',
    `10|健康或良好|Good
    20|一般或较弱|Fair or delicate
    30|有慢性病|Chronic illness
    40|有生理缺陷|Physical impairment
    50|残疾|Disabled`,
    transcribedFrom('GB/T 2261.3, JY/T 1001'),
  ),
  tenantDictionary(
    'blood',
    '血型',
    'Blood group',
    `0|未知血型|Unknown
    1|A型|A
    2|B型|B
    3|AB型|AB
    4|O型|O
    5|其他血型|Other
    9|未定血型|Not determined`,
    grade2007,
  ),
  tenantDictionary(
    'hukou',
    '户口性质',
    'Household registration',
    `1|农业户口|Rural
    2|非农业户口|Urban
    3|居民户口|Resident (unified)`,
    transcribedFrom('JY/T 1001;3为本地扩展'),
  ),
  tenantDictionary(
    'disability',
    '残疾类型',
    'Disability',
    `0|无残疾|None
    1|视力残疾|Visual
    2|听力残疾|Hearing
    3|言语残疾|Speech
    4|肢体残疾|Physical
    5|智力残疾|Intellectual
    6|精神残疾|Mental
    7|多重残疾|Multiple`,
    '残疾人证类别，0为本地扩展',
  ),
  tenantDictionary(
    'relation',
    '关系',
    'Relation',
    `51|父亲|Father
    52|母亲|Mother
    57|继父或养父|Stepfather or adoptive father
    58|继母或养母|Stepmother or adoptive mother
    61|祖父|Paternal grandfather
    62|祖母|Paternal grandmother
    63|外祖父|Maternal grandfather
    64|外祖母|Maternal grandmother
    71|兄|Elder brother
    73|弟|Younger brother
    75|姐|Elder sister
    77|妹|Younger sister
    97|其他亲属|Other relative
    99|非亲属|Not a relative`,
    transcribedFrom('GB/T 4761'),
  ),
  tenantDictionary(
    'education',
    '学历',
    'Education',
    `11|博士研究生|Doctorate
    14|硕士研究生|Master’s degree
    21|大学本科|Bachelor’s degree
    31|大学专科|College diploma
    41|中等专科|Secondary technical school
    44|职业高中|Vocational high school
    47|技工学校|Skilled workers' school
    61|普通高中|Senior high school
    71|初中|Junior high school
    81|小学|Primary school
    90|其他|Other`,
    transcribedFrom('GB/T 4658'),
  ),
]
