import { readNote } from '@data-brain/contract/rules/note-words'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AscSchool, asc2008, asc2012, type TaughtLesson, tag } from './asc-parts.ts'
import { type EntityBatch, importer, listOf, type School, schoolWith, teachers } from './import-entity-parts.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

let world: World
let admin: Person
let place: School
beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  place = await schoolWith(admin, [
    ['13', 1],
    ['13', 2],
  ])
  await teachers(admin, ['王芳', '李强', '赵敏'])
  for (const [subjectName, shortName] of [
    ['语文', '语'],
    ['数学', '数'],
    ['英语', '英'],
    ['体育', '体'],
  ])
    await add('schoolsubject', { subjectName, shortName, category: '1' })
  const floor = await add('schoolfloor', {
    ...{ campusId: place.campusId, floorNo: 1, buildingName: 'A楼', buildingCode: 'A', floorName: 'A楼1层' },
  })
  await add('schoolclassroom', {
    ...{ campusId: place.campusId, floorId: floor.id, roomName: '操场', roomCode: 'F1', roomType: '1', capacity: 100 },
  })
}, 60_000)
afterAll(() => world.close())

const add = async (path: string, draft: object): Promise<Row> => {
  const answer = await admin.post<Row>(`blade-user/${path}/submit`, { schoolId: place.schoolId, ...draft })
  if (answer.code !== 200) throw new Error(`${path}: ${answer.msg}`)
  return answer.data
}
const importing = () => importer(world, admin, 'classschedule')

const first = { className: '三（1）班', teacher: '王芳' }
const second = { className: '三（2）班', teacher: '李强' }
/** Lessons of every week: what all programs can say. */
const plain: readonly TaughtLesson[] = [
  { ...first, subject: '语文', day: 1, period: 1 },
  { ...first, subject: '语文', day: 2, period: 3, span: 2 },
  { ...first, subject: '体育', teacher: '赵敏', day: 5, period: 6, room: '操场' },
  { ...second, subject: '数学', day: 1, period: 1 },
  { ...second, subject: '英语', day: 4, period: 8 },
]
const turns: readonly TaughtLesson[] = [
  { ...first, subject: '英语', day: 3, period: 2, weeks: 'odd' },
  { ...first, subject: '数学', day: 3, period: 2, weeks: 'even' },
]
const schoolOf = (lessons: readonly TaughtLesson[]): AscSchool => ({
  classes: ['三（1）班', '三（2）班'],
  subjects: ['语文', '数学', '英语', '体育'],
  teachers: ['王芳', '李强', '赵敏'],
  ...{ rooms: ['操场'], periods: 8, lessons },
})

/** A lesson in one line: what a person would compare. */
const line = ({ className, subject, teacher, day, period, span = 1, weeks, room = '' }: TaughtLesson): string =>
  [`三年级${className.slice(1)}`, day, period, span, subject, teacher, weeks ?? '', room].join(' ')
const lines = (lessons: readonly TaughtLesson[]): string[] => lessons.map(line).toSorted()

/** The lessons of the plan that an import made, read back through the calls. */
async function lessonsOf(planId: string): Promise<string[]> {
  const board = await admin.get<{ lessons: Row[] }>('blade-user/timetableplan/board', { id: planId, by: 'school' })
  return board.data.lessons
    .map((row) =>
      [
        ...[row.className, row.weekday, row.periodNo, row.span, row.subjectName, row.teacherName],
        ...[['', 'odd', 'even', 'chosen'][Number(row.weekType)], row.roomName ?? row.classroomName ?? ''],
      ].join(' '),
    )
    .toSorted()
}

const read = (file: string | Buffer, name = 'school.xml'): Promise<EntityBatch> =>
  importing().read(place, Buffer.isBuffer(file) ? file : Buffer.from(file), name)
/** What the check page tells as not taken. */
const notesOf = (batch: EntityBatch): string[] =>
  (batch as unknown as { source: { notes: { kind: string; text?: string }[] } }).source.notes.flatMap(({ text }) =>
    text ? [readNote(text)?.zh ?? `other: ${text}`] : [],
  )
const plans = () => listOf(admin, 'timetableplan', { schoolId: place.schoolId })

/** Reads, checks and stores a file of which nothing is wrong; answers the plan that it made. */
async function bring(file: string | Buffer, name?: string): Promise<{ plan: Row; batch: EntityBatch }> {
  const before = new Set((await plans()).map(({ id }) => id))
  const batch = await read(file, name)
  expect(batch).toMatchObject({ failure: null, missing: [] })
  await importing().check(batch)
  expect(await importing().faults(batch.id)).toEqual([])
  expect(await importing().commit(batch.id)).toMatchObject({ state: 'done' })
  const [plan, ...others] = (await plans()).filter(({ id }) => !before.has(id))
  expect(others).toEqual([])
  return { plan: plan!, batch }
}

/** Letters of one byte, by the encoding's own order of its upper half. */
function inBytes(text: string, encoding: string): Buffer {
  const upper = new TextDecoder(encoding).decode(Uint8Array.from({ length: 128 }, (_each, at) => at + 128))
  return Buffer.from([...text].map((sign) => (sign < '\x80' ? sign.charCodeAt(0) : 128 + [...upper].indexOf(sign))))
}
const utf16 = (text: string): Buffer => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])

describe('ISSUE-15-5 a timetable of aSc', () => {
  it.each([
    ['as of 2012', () => asc2012(schoolOf([...plain, ...turns])), [...plain, ...turns]],
    [
      'with a mark of UTF-8 and line ends of Windows',
      () => `\ufeff${asc2012(schoolOf(plain)).replace(/\n/g, '\r\n')}`,
      plain,
    ],
    ['in UTF-16', () => utf16(asc2012(schoolOf(plain), { encoding: 'UTF-16' })), plain],
    ['as before 2012, with numbers of days', () => asc2008(schoolOf(plain)), plain],
    [
      'by a program that speaks German',
      () =>
        asc2012(schoolOf(plain), {
          days: ['Montag', 'Dienstag', 'Mittwoch', 'Donnerstag', 'Freitag'],
          wholeClass: 'Ganze Klasse',
        }),
      plain,
    ],
  ])('becomes a draft of the same lessons: %s', async (_what, file, expected) => {
    const { plan } = await bring(file())
    expect(plan).toMatchObject({ status: 0 })
    expect(await lessonsOf(plan.id)).toEqual(lines(expected))
  })

  it('is the same timetable as the file of FET that the product writes of it', async () => {
    const { plan } = await bring(asc2012(schoolOf(plain)))
    const fet = await world.http.inject({
      url: '/api/blade-user/timetableplan/fet',
      query: { id: plan.id, placed: '1' },
      headers: { 'blade-auth': `bearer ${admin.token}`, 'accept-language': 'zh-CN' },
    })
    const back = await bring(fet.body, 'x_data_and_timetable.fet')
    expect(await lessonsOf(back.plan.id)).toEqual(await lessonsOf(plan.id))
    expect(await lessonsOf(back.plan.id)).toEqual(lines(plain))
  })

  it('starts its week with the day that it names first, in whatever language', async () => {
    const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday']
    const { plan } = await bring(asc2012(schoolOf([{ ...first, subject: '语文', day: 2, period: 1 }]), { days }))
    expect(await lessonsOf(plan.id)).toEqual([line({ ...first, subject: '语文', day: 1, period: 1 })])
    const arabic = ['الأحد', 'الإثنين', 'الثلاثاء', 'الأربعاء', 'الخميس']
    const other = await bring(asc2012(schoolOf([{ ...first, subject: '语文', day: 2, period: 1 }]), { days: arabic }))
    expect(await lessonsOf(other.plan.id)).toEqual([line({ ...first, subject: '语文', day: 1, period: 1 })])
  })

  it.each([
    ['windows-1250', ['Łukasz Żak', 'Ćwikła Ewa', 'Świerk'], 'Piątek'],
    ['windows-1251', ['Иванов Иван', 'Щукина Яна', 'Юсупов'], 'Пятница'],
    ['windows-1252', ['Jérémie Roux', 'Zoé Noël', 'Éloi'], 'Vendredi'],
  ])('is read in the encoding that it declares: %s', async (encoding, names, friday) => {
    const people = plain.map((each, at) => ({
      ...each,
      className: '3.1',
      subject: 'X',
      teacher: names[at % 3]!,
      period: at + 1,
      room: '',
    }))
    const file = asc2012(
      { ...schoolOf(people), classes: ['3.1'], subjects: ['X'], teachers: names, rooms: [] },
      { encoding, days: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', friday], wholeClass: 'Entire class' },
    )
    const batch = await read(inBytes(file, encoding))
    expect(batch).toMatchObject({ failure: null, missing: [] })
    const teacherAt = batch.columns.find(({ key }) => key === 'classschedule.teacherId')!
    expect([...new Set(teacherAt.samples)].toSorted()).toEqual(names.toSorted())
    expect(notesOf(batch)).toEqual([])
  })

  it('asks after the names of days that no language has', async () => {
    const days = ['D1', 'D2', 'D3', 'D4', 'D5']
    const { batch } = await bring(asc2012(schoolOf(plain), { days }))
    expect(notesOf(batch)).toEqual([
      expect.stringContaining('看不出星期的名称（D1、D2、D3、D4、D5），按从星期一起的次序读取'),
    ])
  })

  it('can be taken back whole', async () => {
    const { plan, batch } = await bring(asc2012(schoolOf(plain)))
    expect(await importing().undo(batch.id)).toMatchObject({ state: 'undone' })
    expect((await plans()).map(({ id }) => id)).not.toContain(plan.id)
  })
})

describe('ISSUE-15-5 what a timetable of aSc holds beyond that', () => {
  it('is told by name and count: lessons without a place, groups, turns, other contents', async () => {
    const text = asc2012(
      schoolOf([...plain, ...turns, { ...second, subject: '体育', teacher: '赵敏', day: 2, period: 5, group: '男生' }]),
      {
        more: `<students options="">${tag('student', { id: 'S1', name: 'x' })}${tag('student', { id: 'S2', name: 'y' })}</students><cardrelations>${tag('cardrelation', { id: 'R1' })}</cardrelations>`,
      },
    ).replace(/<card [^>]*days="00010"[^>]*>/, '')
    const batch = await read(text)
    const notes = notesOf(batch)
    expect(notes).toEqual([
      '1节课在 aSc 中没有排，没有导入：三（2）班 英语 李强 1',
      '1节课属于不是整班的组，学校有同名教学班的才能导入：男生（三（2）班） 1',
      '2节课两周轮换：aSc 的第一周作为单周、第二周作为双周，请核对',
      '3项其他内容未读取：学生 2、课的关系 1',
    ])
    // The lesson of the group is asked about, and never taken for one of the whole class.
    await importing().check(batch)
    expect(await importing().faults(batch.id)).toEqual([expect.stringContaining('classschedule.classId')])
  })

  it('takes the lesson of a group that the school has as a teaching class', async () => {
    const [grade] = await listOf(admin, 'sysgrade', { gradeCode_equal: '13' })
    const [teacher] = (await admin.get<{ records: Row[] }>('blade-user/list', { realName: '王芳' })).data.records
    const [subject] = await listOf(admin, 'schoolsubject', { schoolId: place.schoolId, subjectName: '英语' })
    await add('schoolteachclass', {
      ...{ semesterId: place.semesterId, subjectId: subject!.id, teachClassName: '英语提高组' },
      ...{ gradeIds: [grade!.id], teachClassCode: 'EN1', kind: '3', teacherId: teacher!.id, weekHours: 2 },
    })
    const lesson = { ...first, subject: '英语', day: 2, period: 1, group: '英语提高组' }
    const { plan } = await bring(asc2012(schoolOf([lesson])))
    expect(await lessonsOf(plan.id)).toEqual([expect.stringMatching(/ 2 1 1 英语 王芳/)])
  })

  it('never takes a group for its whole class, though each class has one of that name', async () => {
    const groups = [first, second].map((each) => ({ ...each, subject: '体育', day: 2, period: 5, group: '男生' }))
    const batch = await read(asc2012(schoolOf(groups)))
    expect(notesOf(batch)).toEqual([expect.stringContaining('男生（三（1）班） 1、男生（三（2）班） 1')])
    await importing().check(batch)
    expect(await importing().faults(batch.id)).toHaveLength(2)
    // Two questions, and not one that answers both.
    expect((await importing().groups(batch.id)).filter(({ key }) => key === 'classschedule.classId')).toHaveLength(2)
  })

  it('counts lessons of which only some have a place', async () => {
    const twice = asc2012(schoolOf([plain[0]!, { ...plain[0]!, day: 4 }])).replace(/<card [^>]*days="00010"[^>]*>/, '')
    expect(notesOf(await read(twice))).toEqual(['1节课在 aSc 中没有排，没有导入：三（1）班 语文 王芳 1'])
    // What takes turns by weeks is owed half a lesson a week.
    expect(notesOf(await read(asc2012(schoolOf(turns))))).toEqual([expect.stringContaining('2节课两周轮换')])
  })

  it.each([
    [
      'a teacher',
      /teacherids="[^"]*"/,
      'teacherids="*99"',
      'classschedule.teacherId',
      '未知的教师（*99）',
      '教师 *99 1',
    ],
    ['a subject', /subjectid="[^"]*"/, 'subjectid="*98"', 'classschedule.subjectId', '未知的学科（*98）', '学科 *98 1'],
    [
      'a class',
      /(<group [^>]*)classid="[^"]*"/,
      '$1classid="*97"',
      'classschedule.classId',
      '未知的班级（*97）',
      '班级 *97 1',
    ],
    [
      'a room',
      /classroomids="[^"]+"/,
      'classroomids="*96"',
      'classschedule.classroomId',
      '未知的教室（*96）',
      '教室 *96 1',
    ],
  ])('names an id of %s that the file does not hold, and asks', async (_what, from, to, field, text, told) => {
    const batch = await read(asc2012(schoolOf([plain[2]!])).replace(from, to))
    expect(notesOf(batch)).toEqual([`1处编号在文件中没有：${told}`])
    await importing().check(batch)
    expect((await importing().faults(batch.id)).join()).toContain(field)
    expect(JSON.stringify(await importing().groups(batch.id))).toContain(text)
    expect(
      (await importing()
        .commit(batch.id)
        .catch((error: Error) => error)) instanceof Error,
    ).toBe(true)
  })

  it('names a card without its lesson', async () => {
    const text = asc2012(schoolOf(plain)).replace(/(<card [^>]*)lessonid="[^"]*"/, '$1lessonid="*95"')
    expect(notesOf(await read(text))).toContain('1个排课位置指向文件中没有的课，没有导入')
  })

  it.each([
    ['a period beyond the day', 'period="8" classroomids', 'period="11" classroomids', 'classschedule.periodNo'],
    ['a double lesson that the day has no room for', 'periodspercard="1"', 'periodspercard="2"', 'classschedule.span'],
    ['weeks that come round every fourth week', 'weeks="11" days', 'weeks="0100" days', 'classschedule.weekType'],
    [
      'weeks beyond the term',
      'weeks="11" days',
      `weeks="${'0'.repeat(24)}1" days`,
      'classschedule.weekType 第25周超出学期（共20周）',
    ],
  ])('refuses %s at its row', async (_what, from, to, field) => {
    const text = asc2012(schoolOf([plain[4]!])).replace(from, to)
    const batch = await read(text)
    await importing().check(batch)
    expect((await importing().faults(batch.id)).join()).toContain(field)
    const before = await plans()
    await importing()
      .commit(batch.id)
      .catch(() => undefined)
    expect(await plans()).toEqual(before)
  })
})

describe('ISSUE-15-5 a file of another program that is no good', () => {
  const good = () => asc2012(schoolOf(plain))
  const laughs = `<!DOCTYPE timetable [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>`
  it.each([
    [
      'with entities that unfold',
      () => good().replace('<timetable', `${laughs}<timetable`),
      '不允许的 XML 声明：第2行',
    ],
    [
      'with an entity that leads out of it',
      () => good().replace('<timetable', '<!DOCTYPE timetable [<!ENTITY x SYSTEM "file:///etc/passwd">]><timetable'),
      '不允许的 XML 声明',
    ],
    [
      'with a declaration far behind its beginning',
      () => good().replace('</timetable>', `<!-- ${'x'.repeat(5_000)} --><!ENTITY a "b"></timetable>`),
      '不允许的 XML 声明',
    ],
    ['that is cut off', () => good().slice(0, 3_000), 'XML 文件已损坏：第'],
    ['whose elements do not end', () => good().replace('</groups>', ''), 'XML 文件已损坏：第'],
    [
      'with an attribute that does not end',
      () => good().replace('name="语文"', 'name="语文'),
      'XML 文件已损坏：第27行',
    ],
    ['with a name that nothing declares', () => good().replace('name="语文"', 'name="&xxe;"'), '第27行有无法识别的“&”'],
    [
      'nested ten thousand deep',
      () => `<timetable importtype="database">${'<a>'.repeat(10_000)}${'</a>'.repeat(10_000)}</timetable>`,
      '嵌套超过64层',
    ],
    ['without placed lessons', () => good().replace(/<card .*>/g, ''), '这个 aSc 文件中没有排好的课'],
  ])('is refused in words: %s', async (_what, file, words) => {
    const before = await plans()
    const batch = await read(file())
    expect(batch.state).toBe('failed')
    expect(String(batch.failure)).toContain(words)
    expect(await plans()).toEqual(before)
  })

  it.each(['big.fet', 'big.xml'])('of 50 MB is refused before it is read: %s', async (name) => {
    await expect(read(Buffer.alloc(50 * 1_048_576, 'x'), name)).rejects.toThrow('20 MB')
  })
})

describe('ISSUE-15-5 what a file of FET holds beyond lessons', () => {
  const one = (name: string, value: string | number): string => `<${name}>${value}</${name}>\n`
  const activity = (id: number, subject: string, active = true): string =>
    `<Activity>${one('Teacher', '王芳')}${one('Subject', subject)}${one('Students', '三（1）班')}${one('Duration', 1)}${one('Id', id)}${one('Active', String(active))}</Activity>\n`
  const constraint = (name: string, within: string, weight = 100, active = true): string =>
    `<Constraint${name}>${one('Weight_Percentage', weight)}${within}${one('Active', String(active))}</Constraint${name}>\n`
  const at = (id: number, weight = 100) =>
    constraint(
      'ActivityPreferredStartingTime',
      one('Activity_Id', id) + one('Preferred_Day', 'Dienstag') + one('Preferred_Hour', '2'),
      weight,
    )
  const file = `<?xml version="1.0" encoding="UTF-8"?>
<fet version="6.8.5">
<Days_List>${['Montag', 'Dienstag'].map((name) => `<Day>${one('Name', name)}</Day>`).join('')}</Days_List>
<Hours_List>${['1', '2', '3'].map((name) => `<Hour>${one('Name', name)}</Hour>`).join('')}</Hours_List>
<Activities_List>${activity(1, '语文')}${activity(2, '数学')}${activity(3, '数学')}${activity(4, '英语', false)}${activity(5, '体育')}</Activities_List>
<Time_Constraints_List>${constraint('BasicCompulsoryTime', '')}${at(1)}${at(5, 90)}${constraint('TeacherMaxGapsPerDay', one('Teacher_Name', '王芳'))}${constraint('TeacherMaxGapsPerDay', one('Teacher_Name', '李强'))}${constraint('TeachersMaxSpanPerDay', one('Max_Span', 8))}${constraint('BreakTimes', '', 100, false)}</Time_Constraints_List>
<Space_Constraints_List>${constraint('BasicCompulsorySpace', '')}</Space_Constraints_List>
</fet>`

  it('is told: lessons without a place, lessons that are switched off, constraints by kind', async () => {
    const { plan, batch } = await bring(file, 'x_data_and_timetable.fet')
    expect(await lessonsOf(plan.id)).toEqual([line({ ...first, subject: '语文', day: 2, period: 2 })])
    expect(notesOf(batch)).toEqual([
      '3节课在 FET 中没有排，没有导入：三（1）班 数学 王芳 2、三（1）班 体育 王芳 1',
      '1节课在 FET 中已停用，没有导入：三（1）班 英语 王芳 1',
      '4个约束未读取：教师每日空节上限 2、活动的首选开始时间（非必须） 1、TeachersMaxSpanPerDay 1',
    ])
  })

  it('that is broken is refused with its line', async () => {
    const batch = await read(file.replace('</Hours_List>', '</Hours>'), 'a.fet')
    expect(String(batch.failure)).toContain('XML 文件已损坏：第9行应以 </Hours_List> 结束第6行开始的元素')
  })
})
