import { type AnswerOf, defineCall } from '../call.ts'
import { historyEntryShape } from '../generic.ts'
import {
  dateValue,
  flagValue,
  idOf,
  instantValue,
  integerValue,
  listOf,
  mapOf,
  objectOf,
  oneOf,
  textValue,
  truthValue,
} from '../shape.ts'

const of = 'search'

/** How many rows a list has that shows exactly these. */
const figure = objectOf(
  {
    // What is counted; the console knows its words.
    key: textValue(),
    // The code of the menu entry whose page shows them, and the filters of that page as its address takes them.
    code: textValue(),
    query: mapOf(textValue()),
    count: integerValue(),
  },
  { name: 'Figure' },
)
const figures = listOf(figure)

export const waiting = defineCall({
  method: 'GET',
  path: 'blade-desk/todo',
  of,
  access: 'session',
  summary: { zh: '首页待办：需要处理的事项与数量', en: 'What waits for the caller, counted' },
  answer: figures,
})

/** A lesson of the week that it is. */
const lesson = {
  // 1 is Monday.
  day: integerValue(),
  periodNo: integerValue(),
  span: integerValue(),
  subjectName: textValue(),
  color: textValue(),
} as const

const named = { id: textValue(), name: textValue() } as const

const grades = listOf(objectOf({ ...named, boys: integerValue(), girls: integerValue(), total: integerValue() }))
const full = listOf(
  objectOf({
    ...named,
    schoolName: textValue(),
    count: integerValue(),
    maxSize: integerValue(),
  }),
)

const kind = oneOf(['teacher', 'office', 'bureau', 'admin'])

const teacher = objectOf(
  {
    ...named,
    // All classes that the person heads or helps to head.
    classes: listOf(objectOf(named)),
    pupils: listOf(
      objectOf({
        ...named,
        sex: textValue(),
        // MM-dd
        birthday: textValue(),
        // Whether no parent is on file, as far as the reader may know.
        alone: flagValue(),
      }),
    ),
    gaps: figures,
    week: listOf(objectOf({ ...lesson, teacherName: textValue({ nullable: true }) }), { nullable: true }),
  },
  { nullable: true },
)

const office = objectOf(
  {
    figures,
    gaps: figures,
    grades,
    schools: listOf(objectOf({ ...named, total: integerValue() })),
    // Of several schools.
    full,
    // Of an only school: the classes of each grade, with their pupils and the most that they may have.
    sizes: listOf(
      objectOf({
        ...named,
        classes: listOf(
          objectOf({
            ...named,
            no: integerValue(),
            count: integerValue(),
            maxSize: integerValue(),
          }),
        ),
      }),
    ),
    // The newest imports of students.
    imports: listOf(
      objectOf({
        id: textValue(),
        fileName: textValue(),
        state: oneOf([
          'reading',
          'mapping',
          'checking',
          'checked',
          'committing',
          'done',
          'undoing',
          'undone',
          'failed',
        ]),
        userName: textValue({ nullable: true }),
        time: instantValue(),
        added: integerValue(),
        updated: integerValue(),
        bad: integerValue(),
      }),
      { nullable: true },
    ),
  },
  { nullable: true },
)

const bureau = objectOf(
  {
    figures,
    gaps: figures,
    grades,
    full,
    // Whether the reader may open the list of semesters.
    semesters: truthValue(),
    schools: listOf(
      objectOf({
        ...named,
        semesterName: textValue({ nullable: true }),
        semesterEnd: dateValue({ nullable: true }),
        overdue: flagValue(),
        pupils: integerValue(),
        noClass: integerValue(),
        noPhoto: integerValue(),
        classes: integerValue({ optional: true }),
        noTeacher: integerValue({ optional: true }),
      }),
    ),
    notices: listOf(
      objectOf({
        id: textValue(),
        title: textValue(),
        read: integerValue(),
        unread: integerValue(),
        confirmed: integerValue(),
        unconfirmed: integerValue(),
      }),
      { nullable: true },
    ),
  },
  { nullable: true },
)

const admin = objectOf(
  {
    figures,
    // Accounts that wrong passwords keep out at present, with the minutes until they open by themselves.
    locked: listOf(objectOf({ ...named, account: textValue(), minutes: integerValue() }), { nullable: true }),
    // Of the last days, oldest first.
    signIns: listOf(objectOf({ day: dateValue(), good: integerValue(), failed: integerValue() }), { nullable: true }),
  },
  { nullable: true },
)

export const home = defineCall({
  method: 'GET',
  path: 'blade-desk/home',
  of,
  access: 'session',
  summary: { zh: '首页：按权限与所任班级汇总', en: 'The first page, by what the caller may and has' },
  input: { kind: textValue({ max: 16 }), classId: idOf('schoolclass') },
  // What the caller may not look at is null.
  answer: objectOf({
    today: dateValue(),
    term: objectOf(
      {
        name: textValue(),
        begin: dateValue(),
        end: dateValue(),
        week: integerValue(),
        weeks: integerValue(),
      },
      { nullable: true },
    ),
    kinds: listOf(kind),
    kind: { ...kind, nullable: true },
    // The lessons that the caller gives.
    week: listOf(
      objectOf({
        id: textValue(),
        ...lesson,
        className: textValue({ nullable: true }),
        roomName: textValue({ nullable: true }),
      }),
      { nullable: true },
    ),
    // What somebody teaches who has no home of another kind.
    taught: listOf(
      objectOf({
        ...named,
        // A teaching group, and no class.
        grouped: flagValue(),
        subjects: textValue(),
        hours: integerValue(),
      }),
      { nullable: true },
    ),
    teacher,
    office,
    bureau,
    admin,
    changes: listOf(
      objectOf({
        id: textValue(),
        entity: textValue(),
        entityName: textValue(),
        rowId: textValue(),
        rowName: textValue({ nullable: true }),
        action: historyEntryShape.fields.action,
        userName: textValue({ nullable: true }),
        time: instantValue(),
      }),
      { nullable: true },
    ),
  }),
})

export type Figure = AnswerOf<typeof waiting>[number]
export type Home = AnswerOf<typeof home>
export type HomeKind = Home['kinds'][number]
