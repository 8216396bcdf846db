/*
 * What the demo district looks like before chance fills it: three schools, their campuses, classes and curricula.
 */

export interface CampusPlan {
  readonly code: string
  readonly name: string
  readonly main: boolean
  readonly address: string
  readonly grades: readonly string[]
  readonly travelMinutes: number
}

export interface SchoolPlan {
  readonly code: string
  readonly name: string
  readonly shortName: string
  readonly nameEn: string
  readonly type: string
  readonly stage: '2' | '3' | '4'
  readonly classType: string
  readonly cap: number
  /** Pupils that a class lacks to its cap, at least and at most. */
  readonly spare: readonly [number, number]
  readonly classesPerGrade: number
  readonly periodsPerDay: number
  readonly founded: string
  readonly campuses: readonly CampusPlan[]
  /** Lessons a week by subject; the class meeting and the clubs have hours of their own. */
  readonly hours: (grade: string, classNo: number) => Readonly<Record<string, number>>
}

const lower = { YW: 8, SX: 5, YY: 2, DF: 2, KX: 1, TY: 4, YL: 2, MS: 2, LD: 1, YD: 1 }
const upper = { YW: 6, SX: 5, YY: 3, DF: 2, KX: 2, TY: 3, YL: 2, MS: 2, XX: 1, LD: 1, YD: 1 }

const juniorHours: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  '21': { YW: 5, SX: 5, YY: 5, DF: 2, LS: 2, DL: 2, SW: 2, TY: 3, YL: 1, MS: 1, XX: 1, LD: 1 },
  '22': { YW: 5, SX: 5, YY: 5, DF: 2, LS: 2, DL: 2, SW: 2, WL: 2, TY: 3, YL: 1, MS: 1, XX: 1, LD: 1 },
  '23': { YW: 5, SX: 6, YY: 5, DF: 2, LS: 2, WL: 3, HX: 3, TY: 3, YL: 1, MS: 1, LD: 1 },
}

const firstSenior = { YW: 4, SX: 4, YY: 4, WL: 3, HX: 2, SW: 2, ZZ: 2, LS: 2, DL: 2, TY: 2, YL: 1, MS: 1, XX: 2, LD: 1 }
const core = { YW: 5, SX: 5, YY: 5, TY: 2, YL: 1, LD: 1 }
/** Packages of the 3+1+2 examination, by class number. */
const packages: Readonly<Record<number, Readonly<Record<string, number>>>> = {
  1: { WL: 5, HX: 4, SW: 4 },
  2: { WL: 5, HX: 4, SW: 4 },
  3: { WL: 5, HX: 4, DL: 4 },
  4: { LS: 5, ZZ: 4, DL: 4 },
}

export const district = { name: '示范区教育局', region: '110101', postcode: '100000' } as const

export const schoolPlans: readonly SchoolPlan[] = [
  {
    code: '2111999001',
    name: '示范区第一小学',
    shortName: '一小',
    nameEn: 'Demo District No. 1 Primary School',
    type: '21',
    stage: '2',
    classType: '10',
    cap: 45,
    spare: [0, 3],
    classesPerGrade: 3,
    periodsPerDay: 6,
    founded: '1956-09-01',
    campuses: [
      {
        code: 'B',
        name: '本部',
        main: true,
        address: '示范区学府路1号',
        grades: ['13', '14', '15', '16'],
        travelMinutes: 0,
      },
      {
        code: 'D',
        name: '东校区',
        main: false,
        address: '示范区朝晖街20号',
        grades: ['11', '12'],
        travelMinutes: 20,
      },
    ],
    hours: (grade) => (grade === '11' || grade === '12' ? lower : upper),
  },
  {
    code: '3111999002',
    name: '示范区实验中学',
    shortName: '实验中学',
    nameEn: 'Demo District Experimental Middle School',
    type: '31',
    stage: '3',
    classType: '20',
    cap: 50,
    spare: [0, 3],
    classesPerGrade: 4,
    periodsPerDay: 7,
    founded: '1983-09-01',
    campuses: [
      {
        code: 'B',
        name: '本部',
        main: true,
        address: '示范区求实路8号',
        grades: ['21', '22', '23'],
        travelMinutes: 0,
      },
    ],
    hours: (grade) => juniorHours[grade]!,
  },
  {
    code: '3411999003',
    name: '示范区高级中学',
    shortName: '示范高中',
    nameEn: 'Demo District Senior High School',
    type: '34',
    stage: '4',
    classType: '40',
    cap: 55,
    spare: [0, 4],
    classesPerGrade: 4,
    periodsPerDay: 8,
    founded: '1951-09-01',
    campuses: [
      {
        code: 'B',
        name: '本部',
        main: true,
        address: '示范区明德大街66号',
        grades: ['31', '32', '33'],
        travelMinutes: 0,
      },
    ],
    hours: (grade, classNo) =>
      grade === '31' ? firstSenior : { ...core, ...packages[classNo], ...(grade === '32' ? { XX: 1 } : {}) },
  },
]

/** Subjects of the schools' own, beside the national ones. */
export const ownSubjects = [
  { code: 'BH', name: '班会', short: '班会', category: '5', color: '#5f6b7a' },
  { code: 'YD', name: '校本阅读', short: '阅读', category: '3', color: '#0b7a6c' },
  { code: 'ST', name: '社团活动', short: '社团', category: '4', color: '#9c36b5' },
] as const

/** Hours a week that a teacher of the subject takes on; the rest of the week is for preparing and marking. */
export const loadOf = (subject: string): number => (['YW', 'SX', 'YY'].includes(subject) ? 10 : 12)

/** Rooms for a subject: kind, name, and how many of its weekly lessons are held there. */
export const specialRooms: Readonly<Record<string, { type: string; name: string; lessons: number }>> = {
  TY: { type: '9', name: '操场', lessons: 9 },
  YL: { type: '6', name: '音乐教室', lessons: 9 },
  MS: { type: '7', name: '美术教室', lessons: 9 },
  XX: { type: '5', name: '计算机教室', lessons: 9 },
  KX: { type: '99', name: '科学教室', lessons: 1 },
  WL: { type: '2', name: '物理实验室', lessons: 1 },
  HX: { type: '3', name: '化学实验室', lessons: 1 },
  SW: { type: '4', name: '生物实验室', lessons: 1 },
}

export const clubs: Readonly<Record<string, readonly { name: string; subject: string }[]>> = {
  '2': [
    { name: '合唱团', subject: 'YL' },
    { name: '少儿足球社', subject: 'TY' },
  ],
  '3': [
    { name: '机器人社', subject: 'XX' },
    { name: '篮球社', subject: 'TY' },
  ],
  '4': [
    { name: '管弦乐社', subject: 'YL' },
    { name: '信息学社', subject: 'XX' },
  ],
}

/** Who leads and serves a school beside its teachers: post, department, title. */
export const officers = [
  { post: 'principal', dept: null, title: '2' },
  { post: 'vice-principal', dept: null, title: '2' },
  { post: 'academic-dean', dept: '教务处', title: '2' },
  { post: 'moral-dean', dept: '德育处', title: '3' },
  { post: 'nurse', dept: '总务处', title: '9' },
  { post: 'guard', dept: '总务处', title: '9' },
] as const

export const offices = ['教务处', '德育处', '总务处'] as const

/** County codes that the demo's people come from, the nearest far more often. */
export const origins: readonly (readonly [string, number])[] = [
  ['110101', 60],
  ['110105', 8],
  ['110108', 6],
  ['130102', 4],
  ['130681', 3],
  ['120101', 3],
  ['370102', 3],
  ['410102', 3],
  ['140105', 2],
  ['210102', 2],
  ['230103', 2],
  ['320102', 2],
  ['420102', 1],
  ['510104', 1],
]

export const streets = [
  '学府路',
  '朝晖街',
  '求实路',
  '明德大街',
  '长青路',
  '书香巷',
  '和谐街',
  '育才路',
  '春晓路',
  '知行街',
] as const
export const employers = [
  '示范区人民医院',
  '示范区公交公司',
  '示范电力公司',
  '朝晖百货商场',
  '长青物业公司',
  '个体经营',
  '自由职业',
  '示范区建筑工程公司',
  '知行软件公司',
  '示范区第三小学',
  '春晓餐饮公司',
  '求实机械厂',
] as const
