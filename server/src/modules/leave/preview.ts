import { previewLeave } from '@data-brain/contract/calls/leave'
import { needsProof } from '@data-brain/contract/rules/leave'
import { on } from '../../entity/serve-call.ts'
import type { Route } from '../../kernel/route.ts'
import { nameOfStep } from './approvers.ts'
import { judgeRequest } from './judge.ts'
import { toldLesson } from './missed.ts'

/** What a request would come to; nothing is kept. */
export const previewRoute: Route = on(previewLeave, async (asked, call) => {
  const { subject, startTime, endTime, days, lessons, route, faults } = await judgeRequest(call, asked)
  const { language } = call.circumstance
  return {
    startTime: startTime ?? null,
    endTime: endTime ?? null,
    days: days ?? null,
    lessons: lessons.map((lesson) => toldLesson(lesson, subject.id)),
    approvers: route.map((step) => ({ name: nameOfStep(step, language), people: step.people })),
    needsProof: needsProof(asked.leaveType, days),
    problems: faults,
  }
})
