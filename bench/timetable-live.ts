// What a timetable of 60 classes costs the running product: the generator makes it while lists are asked for, every slot of a
// lesson in hand is judged, and 2,100 lessons are published. One server process with its own database.
//   npm run bench:timetable-live
import { password, startAlone } from './alone.ts'
import { prepare } from './import-steps.ts'
import { judge, table, type Verdict } from './report.ts'

const { call, end } = await startAlone()
/** Weekly lessons of a class: 60 classes have 2,100. */
const hours: readonly (readonly [string, number])[] = [
  ...([
    ['语文', 6],
    ['数学', 6],
    ['英语', 6],
    ['物理', 3],
    ['历史', 3],
  ] as const),
  ...([
    ['地理', 3],
    ['体育', 3],
    ['音乐', 2],
    ['美术', 2],
    ['班会', 1],
  ] as const),
]
/** Lessons a week of a teacher. */
const load = 18
const asks = 200

interface Row {
  readonly id: string
}
const add = (entity: string, draft: object): Promise<Row> => call('POST', `blade-user/${entity}/submit`, {}, draft)
const list = async (entity: string, query: Record<string, string | number> = {}): Promise<readonly Row[]> =>
  (await call<{ records: Row[] }>('GET', `blade-user/${entity}/list`, { size: 200, ...query })).records

/** Subjects, teachers and who teaches what, and a plan without lessons; answers the plan. */
async function staff(schoolId: string): Promise<string> {
  const [semester] = await list('schoolsemester', { schoolId })
  const classes = await list('schoolclass', { schoolId })
  const teachers = new Map<string, { id: string; left: number }>()
  let hired = 0
  for (const [name, wanted] of hours) {
    const subject = await add('schoolsubject', {
      schoolId,
      subjectName: name,
      shortName: name.slice(0, 2),
      category: '1',
    })
    for (const { id: classId } of classes) {
      let teacher = teachers.get(name)
      if (!teacher || teacher.left < wanted) {
        hired += 1
        const draft = { account: `t${hired}`, staffNo: `T${hired}`, realName: `${name}老师`, password }
        teacher = { id: (await call<Row>('POST', 'blade-user/submit', {}, draft)).id, left: load }
        teachers.set(name, teacher)
      }
      teacher.left -= wanted
      await add('teacherclass', {
        ...{ schoolId, semesterId: semester!.id, classId, subjectId: subject.id, userId: teacher.id, role: '1' },
        ...{ weekHours: wanted, beginDate: '2026-09-01', endDate: '2027-01-31' },
      })
    }
  }
  return (await add('timetableplan', { schoolId, semesterId: semester!.id, planName: '测试' })).id
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}
async function many(count: number, work: (n: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < count; n += 1) times.push(await timed(() => work(n)))
  return times.toSorted((a, b) => a - b)
}

async function measure(): Promise<Verdict[]> {
  const { schoolId } = await prepare(call)
  const id = await staff(schoolId)
  const lists = (n: number) => call('GET', 'blade-user/teacherclass/list', { current: 1 + (n % 20), size: 20 })
  await many(asks, lists)
  const quiet = await many(asks, lists)
  const { jobId } = await call<{ jobId: string }>('POST', 'blade-user/timetableplan/generate', {
    id,
    seed: 1,
    seconds: 20,
  })
  const busy: number[] = []
  const jobOf = () =>
    call<{ state: string; result: { lessons: number; missing: number } | null }>('GET', 'blade-system/job/own', {
      id: jobId,
    })
  let job = await jobOf()
  for (let n = 0; job.state === 'waiting' || job.state === 'running'; n += 1) {
    busy.push(await timed(() => lists(n)))
    if (n % 50 === 0) job = await jobOf()
  }
  busy.sort((a, b) => a - b)
  const lessons = await list('classschedule', { planId: id })
  const slots = await many(asks, (n) =>
    call('GET', 'blade-user/timetableplan/slots', { id, lessonId: lessons[n % lessons.length]!.id }),
  )
  const publish = await timed(() => call('POST', 'blade-user/timetableplan/publish', { id, fromWeek: 1 }))
  console.log(
    table([
      ['', 'median ms', 'p95 ms', 'p99 ms'],
      ...(
        [
          ['a list, nothing beside it', quiet],
          [`a list while the generator runs (${busy.length} asked)`, busy],
          ['slots of a lesson in hand', slots],
        ] as const
      ).map(([what, times]) => [what, ...[0.5, 0.95, 0.99].map((share) => at(times, share).toFixed(1))]),
    ]),
  )
  console.log(
    `\n${job.result?.lessons} lessons placed, ${job.result?.missing} not; published in ${(publish / 1000).toFixed(2)} s\n`,
  )
  return [
    judge('lessons without a place', job.result?.missing ?? Number.NaN, 0, ''),
    judge('slots, p95', at(slots, 0.95), 30, ' ms', 'at most', 1),
    judge('publishing 2,100 lessons', publish / 1000, 3, ' s', 'at most', 2),
    judge('lists while a generator runs, p99', at(busy, 0.99), 50, ' ms', 'at most', 1),
  ]
}

try {
  const verdicts = await measure()
  console.log(
    table([
      ['goal', 'measured', 'wanted', ''],
      ...verdicts.map(({ what, measured, goal, met }) => [what, measured, goal, met ? 'met' : 'MISSED']),
    ]),
  )
} finally {
  await end()
}
