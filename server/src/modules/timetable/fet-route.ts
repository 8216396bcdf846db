import { classschedule, codeOf } from '@data-brain/contract'
import { exportFet } from '@data-brain/contract/calls/timetable'
import { dayOfWeek } from '@data-brain/contract/rules/value-parts'
import { on } from '../../entity/serve-call.ts'
import { contentDisposition } from '../../kernel/disposition.ts'
import { type Language, Problem } from '../../kernel/problem.ts'
import { RawResponse, type Route } from '../../kernel/route.ts'
import { judgeOf, planFor } from './board.ts'
import { type FetLeft, fetOf } from './fet.ts'
import { namesOf } from './generate.ts'
import type { PlanLesson } from './lessons.ts'
import { problemOfPlan } from './problem-of-plan.ts'
import type { Demand } from './solver/problem.ts'

/** A plan as a FET file, for schools that leave, that come back, or that would see what FET makes of it. */
export const fetRoute: Route = on(exportFet, async ({ id, placed }, call) => {
  const { tx, actor, circumstance } = call
  const { language } = circumstance
  const plan = await planFor(call, id, [codeOf(classschedule, 'edit')])
  const { lessons, seen, around, shape, periods } = await judgeOf(call, plan)
  // It names all classes and teachers of the plan.
  if (seen.length < lessons.length) throw new Problem('out_of_scope')
  const standing = placed === 1 ? lessons.map((lesson) => ({ ...lesson, isLocked: true })) : lessons
  const { problem } = await problemOfPlan(tx, actor.tenantId, plan, { lessons: standing, around, shape })
  // Whoever gives a lesson is named, assigned or not.
  const names = new Map([
    ...lessons.map(({ teacherId, teacherName }) => [teacherId, teacherName] as const),
    ...(await namesOf(tx, actor.tenantId, plan, around)),
  ])
  const byId = new Map(lessons.map((lesson) => [lesson.id, lesson]))
  const file = fetOf(problem, {
    title: plan.planName,
    day: (day) => dayOfWeek(day, language),
    period: (no) => periods.find(({ periodNo }) => periodNo === no)?.name || String(no),
    of: (each) => names.get(each) ?? each,
    comments: (left) =>
      told(
        left,
        left.activities.flatMap((each) => byId.get(each.id) ?? []),
        language,
      ),
  })
  return new RawResponse(Buffer.from(file.text), 200, {
    'Content-Type': 'application/xml; charset=utf-8',
    'Content-Disposition': contentDisposition('attachment', `${plan.planName}.fet`),
    'X-Content-Type-Options': 'nosniff',
  })
})

/** What rules are called where the file does not hold them. */
const ruleWords: Readonly<Record<Demand['kind'], { readonly zh: string; readonly en: string }>> = {
  unavailable: { zh: '不排课时段', en: 'closed periods' },
  half: { zh: '上午或下午', en: 'mornings or afternoons' },
  perDay: { zh: '每天节数', en: 'lessons a day' },
  inRow: { zh: '连续节数', en: 'lessons in a row' },
  windows: { zh: '空课', en: 'free periods between lessons' },
  daysPerWeek: { zh: '每周上课天数', en: 'days a week' },
  subjectPerDay: { zh: '同一学科每天节数', en: 'lessons of a subject a day' },
  spread: { zh: '分布均匀', en: 'spread over the week' },
  daysBetween: { zh: '间隔天数', en: 'days between lessons' },
  sameTime: { zh: '同时上课', en: 'lessons at the same time' },
  apart: { zh: '不同时上课', en: 'lessons that are apart' },
  stay: { zh: '保持原位', en: 'lessons that stay where they were' },
  travel: { zh: '跨校区间隔', en: 'time to travel between campuses' },
}

/** The comments of the file: what of the plan it does not hold. */
function told({ rules }: FetLeft, lessons: readonly PlanLesson[], language: Language): string {
  const kinds = [...new Set(rules.map(({ kind }) => ruleWords[kind][language]))]
  const shown = lessons.map(({ className, subjectName, teacherName, weekday, periodNo }) =>
    language === 'zh'
      ? `${className}${subjectName}（${teacherName}，${dayOfWeek(weekday, 'zh')}第${periodNo}节）`
      : `${subjectName} of ${className} (${teacherName}, ${dayOfWeek(weekday, 'en')}, period ${periodNo})`,
  )
  const [zh, en] = [
    [
      ...(kinds.length > 0 ? [`未导出的规则：${kinds.join('、')}`] : []),
      ...(shown.length > 0 ? [`未导出的课（与其他课冲突）：${shown.join('；')}`] : []),
    ],
    [
      ...(kinds.length > 0 ? [`Rules that are not in this file: ${kinds.join(', ')}`] : []),
      ...(shown.length > 0 ? [`Lessons that are not in this file, as they collide: ${shown.join('; ')}`] : []),
    ],
  ]
  return (language === 'zh' ? zh : en).join('\n')
}
