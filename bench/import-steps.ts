// What the benchmarks of imports do as the console does it: a school is entered, and a batch is waited for.

export type Call = <T>(
  method: 'GET' | 'POST',
  to: string,
  query?: Record<string, string | number>,
  body?: unknown,
) => Promise<T>

export interface Batch {
  id: string
  state: string
  failure: string | null
  progress: number
  total: number
  counts: Record<string, number>
  columns: { index: number; key: string | null }[]
}

/** Waits as the page does, and counts how often it saw the progress move and how long it ever waited for an answer. */
export async function until(
  call: Call,
  path: string,
  id: string,
  states: readonly string[],
): Promise<{ batch: Batch; seen: number; slowest: number }> {
  const seen = new Set<number>()
  let slowest = 0
  for (;;) {
    const asked = performance.now()
    const batch = await call<Batch>('GET', `${path}/batch`, { id })
    slowest = Math.max(slowest, performance.now() - asked)
    if (batch.progress > 0) seen.add(batch.progress)
    if (batch.failure) throw new Error(batch.failure)
    if (states.includes(batch.state)) return { batch, seen: seen.size, slowest }
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

/** A school with sixty classes, and its year, as a clerk enters them. */
export async function prepare(call: Call): Promise<{ schoolId: string; classes: { grade: string; name: string }[] }> {
  const add = async (entity: string, draft: object): Promise<string> =>
    (await call<{ id: string }>('POST', `blade-user/${entity}/submit`, {}, draft)).id
  const schoolId = await add('school', {
    schoolCode: '3132000001',
    schoolName: '第一中学',
    schoolType: '31',
    stages: ['3'],
    regionCode: '320102',
  })
  const yearId = await add('schoolyear', {
    schoolId,
    yearName: '2026-2027',
    startYear: 2026,
    beginDate: '2026-09-01',
    endDate: '2027-08-31',
    isCurrent: 1,
  })
  await add('schoolsemester', {
    ...{ schoolId, yearId, semesterName: '第一学期', semesterNo: 1, isCurrent: 1, weekCount: 20 },
    ...{ beginDate: '2026-09-01', endDate: '2027-01-31', firstWeekMonday: '2026-08-31' },
  })
  const campusId = await add('schoolcampus', { schoolId, campusCode: 'A', campusName: '本部', isMain: 1 })
  const { records } = await call<{ records: { id: string; gradeName: string; stage: string }[] }>(
    'GET',
    'blade-user/sysgrade/list',
    { stage: '3' },
  )
  const classes: { grade: string; name: string }[] = []
  for (const grade of records)
    for (let classNo = 1; classNo <= 20; classNo += 1) {
      const name = `${grade.gradeName}(${classNo})班`
      await add('schoolclass', {
        schoolId,
        campusId,
        yearId,
        gradeId: grade.id,
        classNo,
        className: name,
        cohortYear: 2026,
        classType: '20',
      })
      classes.push({ grade: grade.gradeName, name })
    }
  return { schoolId, classes }
}
