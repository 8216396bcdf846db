import { idNoOf } from './import-parts.ts'

/*
 * Rosters as clerks keep them, written before the matching was: no two of one shape, none in that of the template.
 */

export interface Parent {
  readonly name: string | null
  readonly relation: string | null
  readonly mobile: string | null
  readonly other?: string
}

export interface Child {
  readonly name: string
  readonly sex: '1' | '2'
  readonly birth: string
  readonly idNo?: string
  readonly classNo: number
  readonly parents: readonly Parent[]
  /** More of the stored row of the pupil. */
  readonly own?: Readonly<Record<string, unknown>>
  /** Of the details. */
  readonly detail?: Readonly<Record<string, unknown>>
}

export interface Roster {
  readonly title: string
  /** Where: 三年级 of a primary school, 七年级, or 高一. */
  readonly school: 'primary' | 'junior' | 'senior'
  readonly rows: readonly (readonly string[])[]
  readonly children: readonly Child[]
  readonly sheet?: string
}

const names = [
  '赵一鸣',
  '钱思远',
  '孙雨桐',
  '李浩然',
  '周子涵',
  '吴梓萱',
  '郑欣怡',
  '王  伟',
  '阿依古丽·买买提',
  '欧阳娜娜',
]
const fathers = [
  '赵建国',
  '钱大明',
  '孙志强',
  '李国庆',
  '周海涛',
  '吴文军',
  '郑卫东',
  '王大力',
  '买买提·艾力',
  '欧阳震',
]
const mothers = [
  '刘秀英',
  '陈桂芳',
  '黄丽华',
  '杨玉兰',
  '何晓红',
  '高秀珍',
  '林美玲',
  '张翠花',
  '古丽娜尔·沙吾提',
  '徐静',
]

interface Base {
  readonly name: string
  readonly sex: '1' | '2'
  readonly birth: string
  readonly idNo: string
  readonly classNo: number
  readonly father: string
  readonly mother: string
  readonly dad: string
  readonly mum: string
  readonly no: number
}

/** So many children; no two of all rosters share a number. */
let made = 0
function base(count: number, year: number): Base[] {
  return Array.from({ length: count }, (_each, at) => {
    made += 1
    const sex = at % 2 ? '2' : '1'
    const birth = `${year}-0${(at % 8) + 1}-1${at % 9}`
    return {
      name: names[at]!,
      sex,
      birth,
      idNo: idNoOf(birth, (made * 2 + (sex === '1' ? 1 : 0)) % 1000),
      classNo: (at % 2) + 1,
      father: fathers[at]!,
      mother: mothers[at]!,
      dad: `139${String(made).padStart(8, '0')}`,
      mum: `138${String(made).padStart(8, '0')}`,
      no: at + 1,
    }
  })
}

const sexOf = ({ sex }: Base): string => (sex === '1' ? '男' : '女')
const tidy = (name: string): string => name.replace(/(?<=\p{Script=Han})\s+(?=\p{Script=Han})/gu, '')
const father = (each: Base, more: Partial<Parent> = {}): Parent => ({
  name: each.father,
  relation: '51',
  mobile: each.dad,
  ...more,
})
const mother = (each: Base, more: Partial<Parent> = {}): Parent => ({
  name: each.mother,
  relation: '52',
  mobile: each.mum,
  ...more,
})
const child = (each: Base, parents: readonly Parent[], more: Partial<Child> = {}): Child => ({
  name: tidy(each.name),
  sex: each.sex,
  birth: each.birth,
  idNo: each.idNo,
  classNo: each.classNo,
  parents,
  ...more,
})

type Make = (each: Base) => { cells: readonly string[]; child: Child }
function roster(
  title: string,
  school: Roster['school'],
  head: readonly (readonly string[])[],
  make: Make,
  count = 4,
  sheet?: string,
): Roster {
  const list = base(count, { primary: 2017, junior: 2013, senior: 2010 }[school]).map(make)
  return {
    title,
    school,
    rows: [...head, ...list.map((each) => each.cells)],
    children: list.map((each) => each.child),
    ...(sheet ? { sheet } : {}),
  }
}

export const rosters: readonly Roster[] = [
  roster(
    'the fewest columns',
    'primary',
    [['序号', '姓名', '性别', '出生日期', '班级']],
    (p) => ({
      cells: [String(p.no), p.name, sexOf(p), p.birth.replaceAll('-', '.'), `三（${p.classNo}）班`],
      child: child(p, [], { idNo: undefined as never }),
    }),
    10,
  ),
  roster(
    'a number in place of sex and birth, and one telephone',
    'primary',
    [['序号', '班级', '学生姓名', '身份证号码', '家长电话']],
    (p) => ({
      cells: [String(p.no), `30${p.classNo}`, p.name, p.idNo, p.dad],
      child: child(p, [{ name: null, relation: null, mobile: p.dad }]),
    }),
  ),
  roster(
    'father and mother',
    'junior',
    [['姓名', '性别', '身份证号', '年级', '班级', '父亲姓名', '父亲电话', '母亲姓名', '母亲电话']],
    (p) => ({
      cells: [p.name, sexOf(p), p.idNo, '七年级', `${p.classNo}班`, p.father, p.dad, p.mother, p.mum],
      child: child(p, [father(p), mother(p)]),
    }),
  ),
  roster(
    'papa and mama, with numbers as people type them',
    'primary',
    [['班级', '姓名', '身份证号', '爸爸', '爸爸手机', '妈妈', '妈妈手机']],
    (p) => ({
      cells: [
        `三年级${'零一二'[p.classNo]}班`,
        p.name,
        p.idNo,
        p.father,
        `${p.dad.slice(0, 3)} ${p.dad.slice(3, 7)} ${p.dad.slice(7)}`,
        p.mother,
        `+86-${p.mum}`,
      ],
      child: child(p, [father(p), mother(p)]),
    }),
  ),
  roster('who it is, in one cell', 'junior', [['学号', '姓名', '班级', '身份证号', '监护人']], (p) => ({
    cells: [
      `2026${p.classNo}${String(p.no).padStart(3, '0')}`,
      p.name,
      `七(${p.classNo})班`,
      p.idNo,
      `${p.father}(父亲)${p.dad}`,
    ],
    child: child(p, [father(p)], { own: { studentNo: `2026${p.classNo}${String(p.no).padStart(3, '0')}` } }),
  })),
  roster(
    'both parents in one cell',
    'junior',
    [['姓名', '身份证号', '班别', '家长姓名及关系', '备注']].map((row) =>
      row.map((cell) => cell.replace('家长姓名及关系', '家长')),
    ),
    (p) => ({
      cells: [p.name, p.idNo, `7.${p.classNo}`, `父：${p.father} 母：${p.mother}`, '/'],
      child: child(p, [father(p, { mobile: null }), mother(p, { mobile: null })]),
    }),
  ),
  roster(
    'two numbers in a cell',
    'primary',
    [['姓名', '身份证号', '班级', '家长姓名', '与学生关系', '联系电话']],
    (p) => ({
      cells: [p.name, p.idNo, `三${p.classNo}班`, p.mother, '母亲', `${p.mum}/${p.dad}`],
      child: child(p, [mother(p, { other: p.dad })]),
    }),
  ),
  roster(
    'parent 1 and parent 2',
    'junior',
    [
      [
        '姓名',
        '性别',
        '出生年月日',
        '班级',
        '家长1姓名',
        '家长1关系',
        '家长1电话',
        '家长2姓名',
        '家长2关系',
        '家长2电话',
      ],
    ],
    (p) => ({
      cells: [
        p.name,
        sexOf(p),
        p.birth.replaceAll('-', ''),
        `初一${p.classNo}班`,
        p.mother,
        '妈妈',
        p.mum,
        p.father,
        '爸爸',
        p.dad,
      ],
      child: child(p, [mother(p), father(p)], { idNo: undefined as never }),
    }),
  ),
  roster(
    'two-row headings',
    'senior',
    [
      ['序号', '学生信息', '', '', '班级', '父亲', '', '母亲', ''],
      ['', '姓名', '性别', '身份证号', '', '姓名', '电话', '姓名', '电话'],
    ],
    (p) => ({
      cells: [String(p.no), p.name, sexOf(p), p.idNo, `高一（${p.classNo}）班`, p.father, p.dad, p.mother, p.mum],
      child: child(p, [father(p), mother(p)]),
    }),
  ),
  roster(
    'a year of entry',
    'senior',
    [['姓名', '性别', '证件号码', '行政班', '住校', '联系人', '联系人电话']],
    (p) => ({
      cells: [p.name, sexOf(p), p.idNo, `高2026级${p.classNo}班`, p.no % 2 ? '是' : '否', p.father, p.dad],
      child: child(p, [{ name: p.father, relation: null, mobile: p.dad }], { own: { studyWay: p.no % 2 ? '2' : '1' } }),
    }),
  ),
  roster(
    'a telephone of nobody in particular, and empty cells of every kind',
    'primary',
    [['姓名', '性别', '出生日期', '班级', '民族', '政治面貌', '联系电话', '备注']],
    (p) => ({
      cells: [
        p.name,
        sexOf(p),
        p.birth.replaceAll('-', '/'),
        `3-${p.classNo}`,
        p.no % 2 ? '汉' : '回族',
        '少先队员',
        p.mum,
        ['无', '—', '暂无', 'n/a'][p.no % 4]!,
      ],
      child: child(p, [{ name: null, relation: null, mobile: p.mum }], {
        idNo: undefined as never,
        own: { nation: p.no % 2 ? '01' : '03', politics: '90', remark: null, phone: null },
      }),
    }),
  ),
  roster(
    'English',
    'primary',
    [
      [
        'No.',
        'Name',
        'Gender',
        'Date of Birth',
        'Class',
        "Father's Name",
        "Father's Phone",
        "Mother's Name",
        "Mother's Phone",
      ],
    ],
    (p) => ({
      cells: [
        String(p.no),
        p.name,
        p.sex === '1' ? 'M' : 'F',
        p.birth,
        `Grade 3 Class ${p.classNo}`,
        p.father,
        p.dad,
        p.mother,
        p.mum,
      ],
      child: child(p, [father(p), mother(p)], { idNo: undefined as never }),
    }),
  ),
  roster(
    'a number for each after the name',
    'junior',
    [['姓名', '身份证号', '班级', '父亲', '联系电话', '母亲', '联系电话']],
    (p) => ({
      cells: [p.name, p.idNo, `七年级（${p.classNo}）班`, p.father, p.dad, p.mother, p.mum],
      child: child(p, [father(p), mother(p)]),
    }),
  ),
  roster(
    'a grandparent',
    'primary',
    [['姓名', '身份证号', '班级', '父亲姓名', '父亲手机号码', '母亲姓名', '母亲手机号码', '爷爷姓名', '爷爷电话']],
    (p) => ({
      cells: [
        p.name,
        p.idNo,
        `小三${p.classNo}班`,
        p.father,
        p.dad,
        p.mother,
        p.mum,
        `赵老${'零一二三四'[p.no]}`,
        `0512-6281${String(p.no).padStart(4, '0')}`,
      ],
      child: child(p, [
        father(p),
        mother(p),
        { name: `赵老${'零一二三四'[p.no]}`, relation: '61', mobile: `0512-6281${String(p.no).padStart(4, '0')}` },
      ]),
    }),
  ),
  roster(
    'headings with notes and stars',
    'primary',
    [
      [
        '★姓名*',
        '性别(男/女)',
        '出生日期（年/月/日）',
        '身份证号*',
        '班级\n（如三1班）',
        '家庭住址',
        '户口性质',
        '监护人姓名',
        '监护人电话',
        '监护人关系',
      ],
    ],
    (p) => ({
      cells: [
        p.name,
        `${sexOf(p)}性`,
        p.birth,
        p.idNo.toLowerCase(),
        `三年级${p.classNo}班`,
        '江苏省苏州市姑苏区平江路1号',
        '非农业家庭户口',
        p.mother,
        p.mum,
        '母女',
      ],
      child: child(p, [mother(p)], {
        detail: { familyAddress: '江苏省苏州市姑苏区平江路1号', hukouType: '2', isOnlyChild: null, homeAddress: null },
      }),
    }),
  ),
  roster(
    'flags and choices as ticks',
    'junior',
    [
      [
        '姓名',
        '身份证号',
        '班级',
        '是否独生子女',
        '是否留守儿童',
        '是否随迁子女',
        '健康状况',
        '就读方式',
        '籍贯',
        '户籍所在地',
      ],
    ],
    (p) => ({
      cells: [
        p.name,
        p.idNo,
        `70${p.classNo}`,
        '√',
        '否',
        '×',
        '良好',
        '住宿',
        '江苏苏州',
        '江苏省苏州市姑苏区十全街2号',
      ],
      child: child(p, [], {
        own: { health: '10', studyWay: '2' },
        detail: {
          isOnlyChild: 1,
          leftBehind: '0',
          isMigrantChild: 0,
          isOrphan: null,
          nativePlaceCode: '320500',
          hukouRegionCode: '320508',
          hukouAddress: '江苏省苏州市姑苏区十全街2号',
        },
      }),
    }),
  ),
  roster(
    'a telephone of the pupil',
    'senior',
    [['姓名', '身份证号', '班级', '本人电话', '家长姓名', '家长联系方式']],
    (p) => ({
      cells: [p.name, p.idNo, `高一${p.classNo}班`, p.mum, p.father, p.dad],
      child: child(p, [{ name: p.father, relation: null, mobile: p.dad }], { own: { phone: p.mum } }),
    }),
  ),
  roster(
    'the parents share a number',
    'primary',
    [['姓名', '身份证号', '班级', '父亲姓名', '父亲电话', '母亲姓名', '母亲电话']],
    (p) => ({
      cells: [p.name, p.idNo, `三.${p.classNo}`, p.father, p.dad, p.mother, p.dad],
      child: child(p, [father(p), mother(p, { mobile: null, other: p.dad })]),
    }),
  ),
  roster(
    'columns that mean nothing to us',
    'primary',
    [['学校', '姓名', '曾用名', '身份证号', '班级', '鞋码', '校服尺寸', '年龄', '监护人', '关系', '手机号码']],
    (p) => ({
      cells: ['实验小学', p.name, '无', p.idNo, `三(${p.classNo})`, '34', 'M', '9', p.father, '父子', p.dad],
      child: child(p, [father(p)]),
    }),
  ),
  roster('a telephone behind the relation', 'junior', [['姓名', '身份证号', '班级', '家长联系电话']], (p) => ({
    cells: [p.name, p.idNo, `七${p.classNo}班`, `爸爸${p.dad} 妈妈${p.mum}`],
    child: child(p, [father(p, { name: null }), mother(p, { name: null })]),
  })),
  roster(
    'the emergency contact said',
    'primary',
    [['姓名', '身份证号', '班级', '父亲姓名', '父亲电话', '紧急联系人', '紧急联系电话']],
    (p) => ({
      cells: [p.name, p.idNo, `三年${p.classNo}班`, p.father, p.dad, p.mother, p.mum],
      child: child(p, [father(p)], { detail: { emergencyName: p.mother, emergencyPhone: p.mum } }),
    }),
  ),
  roster(
    'an uncle',
    'junior',
    [['姓名', '身份证号', '班级', '监护人姓名', '与监护人关系', '监护人电话']].map((row) =>
      row.map((cell) => cell.replace('与监护人关系', '监护人与学生关系')),
    ),
    (p) => ({
      cells: [p.name, p.idNo, `七年级${'零一二'[p.classNo]}班`, p.father, '叔叔', p.dad],
      child: child(p, [{ name: p.father, relation: '97', mobile: p.dad }]),
    }),
  ),
  roster(
    'the class that is read now, who the parent is to the child, and from when until when a paper holds',
    'primary',
    [['现读班级', '学生姓名', '公民身份号码', '民族', '身份证有效期', '监护人', '与幼儿关系', '监护人电话']],
    (p) => ({
      cells: [
        `三（${p.classNo}）`,
        p.name,
        p.idNo,
        p.no % 2 ? '维族' : '蒙族',
        p.no % 2 ? '20250901-20300901' : '2025.09.01—长期',
        p.no % 3 ? p.father : p.mother,
        p.no % 3 ? (p.sex === '1' ? '父子' : '父女') : p.sex === '1' ? '母子' : '母女',
        p.dad,
      ],
      child: child(p, [p.no % 3 ? father(p) : mother(p, { mobile: p.dad })], {
        own: { nation: p.no % 2 ? '05' : '02', idExpire: p.no % 2 ? '2030-09-01' : null },
      }),
    }),
  ),
  roster(
    'a questionnaire that asks the parent',
    'primary',
    [
      [
        ...['提交时间', '1、您孩子的姓名：', '2、您孩子的身份证号码：', '3、您孩子所在的班级：'],
        ...['4、您的姓名：', '5、您与孩子的关系：', '6、请填写您的手机号码：'],
        ...['7、性别', '8、是否独生子女'],
      ],
    ],
    (p) => ({
      cells: [
        '2026/9/1 8:05',
        p.name,
        p.idNo,
        `三年级${p.classNo}班`,
        p.mother,
        '妈妈',
        p.mum,
        p.sex === '1' ? 'A.男' : 'B、女',
        'A.是',
      ],
      child: child(p, [mother(p)], { detail: { isOnlyChild: 1 } }),
    }),
  ),
  roster(
    'a month of birth before the number that says the day, and classes under the heading of grades',
    'primary',
    [['年级', '姓名', '性别', '出生年月', '身份证号码']],
    (p) => ({
      cells: [
        `三年级（${p.classNo}）班`,
        p.name,
        p.sex === '1' ? '男' : '女',
        p.birth.slice(0, 7).replace('-', '.'),
        p.idNo,
      ],
      child: child(p, []),
    }),
  ),
  roster(
    'both parents in one column and both numbers in another',
    'primary',
    [['学籍主号', '姓名', '身份证号', '班级', '父母姓名', '父母电话']],
    (p) => ({
      cells: [`G${p.idNo}`, p.name, p.idNo, `三${p.classNo}班`, `${p.father}、${p.mother}`, `${p.dad}/${p.mum}`],
      child: child(p, [father(p), mother(p)], {
        own: { nationalCode: `G${p.idNo}` },
      }),
    }),
  ),
  roster(
    'whoever really cares for the child, behind the parents',
    'primary',
    [
      [
        '姓名',
        '身份证号',
        '班级',
        '父亲姓名',
        '父亲电话',
        '母亲姓名',
        '母亲电话',
        '实际监护人',
        '与学生关系',
        '监护人电话',
      ],
    ],
    (p) => ({
      cells: [
        ...[p.name, p.idNo, `三${p.classNo}`, p.father, p.dad, p.mother, p.mum],
        ...['祖建华', '爷爷', `136${p.dad.slice(3)}`],
      ],
      child: child(p, [father(p), mother(p), { name: '祖建华', relation: '61', mobile: `136${p.dad.slice(3)}` }]),
    }),
  ),
  roster(
    'a place of registration that is a street, of which no county is known',
    'primary',
    [['序', '姓名', '身份证', '班级', '户口所在地']],
    (p) => ({
      cells: [String(p.no), p.name, p.idNo, `三${p.classNo}班`, `文昌路${p.no}号${p.no + 3}幢11${p.no}室`],
      child: child(p, [], {
        detail: { hukouAddress: `文昌路${p.no}号${p.no + 3}幢11${p.no}室`, hukouRegionCode: null },
      }),
    }),
  ),
  roster(
    'a guardian with the relation in brackets, whose number is called a parent’s',
    'primary',
    [['姓名', '身份证号', '班级', '监护人', '家长电话']],
    (p) => ({
      cells: [p.name, p.idNo, `三${p.classNo}班`, `${p.father}（父亲）`, p.dad],
      child: child(p, [father(p)]),
    }),
  ),
  roster(
    'the first guardian’s name, with a relation and a number that leave the order out',
    'primary',
    [['姓名', '身份证号', '班级', '第一监护人姓名', '监护人关系', '监护人联系电话']],
    (p) => ({
      cells: [p.name, p.idNo, `三${p.classNo}班`, p.mother, '母亲', p.mum],
      child: child(p, [mother(p)]),
    }),
  ),
  roster(
    'a class that the title names without 班',
    'senior',
    [['城关高级中学2026年秋季高一.2学生名单'], ['序号', '学生姓名', '性 别', '身份证号码', '家长姓名', '家长手机']],
    (p) => ({
      cells: [String(p.no), p.name, p.sex === '1' ? '男' : '女', p.idNo, p.father, p.dad],
      child: { ...child(p, [father(p, { relation: null })]), classNo: 2 },
    }),
  ),
]
