import type { Costs } from './timetable-xhstt-direct.ts'
import {
  type ArchiveDraft,
  always,
  appliesTo,
  archive,
  constraint,
  type EventDraft,
  limits,
  rowGroups,
  timeGroups,
  timeList,
} from './timetable-xhstt-xml.ts'

export interface Instance {
  readonly title: string
  readonly text: string
  /** What XHSTT says that the solution costs. */
  readonly costs: Costs
  /** What the evaluator says of it: the same, but where the comment tells a difference in counting. */
  readonly evaluated: { readonly hard: number; readonly soft: number }
}

const lesson = (id: string, resources: string, more: Partial<EventDraft> = {}): EventDraft => ({
  id,
  resources: resources.split(' '),
  ...more,
})

const school = { teachers: ['T1', 'T2'], classes: ['C1', 'C2'] }
const days = ['Mo', 'Tu']
const daily = timeGroups(days)
const on = (...ids: string[]): string => appliesTo({ Resource: ids })
const groups = (...ids: string[]): string => appliesTo({ EventGroup: ids })
const eachDay = (minimum: number, maximum: number, of = days): string => timeGroups(of, limits(minimum, maximum))
const threeDays: Partial<ArchiveDraft> = { days: ['Mo', 'Tu', 'We'], perDay: 2 }
const halves: Partial<ArchiveDraft> = { perDay: 6, afternoon: 4 }

/** Small archives whose costs are worked out by hand, step by step, beside each. */
export const instances: readonly Instance[] = [
  {
    // Both lessons of C1 are on days of their own; T1 has one lesson a day, at a time that is free: nothing deviates.
    title: 'nothing wrong',
    text: archive({
      ...school,
      events: [lesson('a', 'T1 C1', { groups: ['g'] }), lesson('b', 'T1 C1', { groups: ['g'] }), lesson('c', 'T2 C2')],
      constraints: [
        ...always(),
        constraint('SpreadEvents', '5 hard', groups('g') + eachDay(0, 1)),
        constraint('LimitIdleTimes', '5 soft', on('T1', 'C1') + daily + limits(0, 0)),
        constraint('AvoidUnavailableTimes', '5 soft', on('T1') + timeList(['Mo1'])),
      ],
      solution: ['a Mo2', 'b Tu1', 'c Mo2'],
    }),
    costs: { infeasibility: 0, objective: 0 },
    evaluated: { hard: 0, soft: 0 },
  },
  {
    // AssignTime has weight 2. b (1 time) has no time: 1. Of d (3 times) 1 is placed and a rest of 2 is not: 2.
    // Infeasibility 2·1 + 2·2 = 6. We tell each missing lesson, of whatever length: b and the rest of d, 2.
    title: 'lessons without a time',
    text: archive({
      ...school,
      events: [lesson('a', 'T1 C1'), lesson('b', 'T1 C1'), lesson('d', 'T2 C2', { duration: 3 })],
      constraints: [
        constraint('AssignTime', '2 hard', groups('AllEvents')),
        constraint('AvoidClashes', '1 hard', appliesTo({ ResourceGroup: ['Teachers', 'Classes'] })),
      ],
      solution: ['a Mo1', 'd Tu1 - 1'],
    }),
    costs: { infeasibility: 6, objective: 0 },
    evaluated: { hard: 2, soft: 0 },
  },
  {
    // At Mo1 T1 has a, b and c: 3 − 1 = 2. At Mo1 C1 has a and b: 1. At Tu2 C2 has d, of Tu1 and Tu2, and e: 1.
    // Infeasibility 2 + 1 + 1 = 4. We tell pairs: of T1 ab, ac and bc, 3; of C1 ab; of C2 de. 5.
    title: 'clashes of two and of three lessons',
    text: archive({
      ...school,
      events: [
        ...[lesson('a', 'T1 C1'), lesson('b', 'T1 C1'), lesson('c', 'T1')],
        ...[lesson('d', 'T2 C2', { duration: 2 }), lesson('e', 'C2')],
      ],
      constraints: always(),
      solution: ['a Mo1', 'b Mo1', 'c Mo1', 'd Tu1', 'e Tu2'],
    }),
    costs: { infeasibility: 4, objective: 0 },
    evaluated: { hard: 5, soft: 0 },
  },
  {
    // T1 must not be taught at Mo1 and Mo2: a (Mo1, Mo2) takes both, 2. Infeasibility 2.
    // C1 would be free on Tu (weight 3): b and c, 2 times, 6. C2 as well: d at Tu4, 3. T2 at Mo3 (weight 5): nothing.
    // Objective 6 + 3 = 9.
    title: 'times at which somebody is not available, of several resources',
    text: archive({
      ...school,
      events: [
        ...[lesson('a', 'T1 C1', { duration: 2 }), lesson('b', 'T1 C1'), lesson('c', 'T2 C1'), lesson('d', 'T2 C2')],
      ],
      constraints: [
        ...always(),
        constraint('AvoidUnavailableTimes', '1 hard', on('T1') + timeList(['Mo1', 'Mo2'])),
        constraint('AvoidUnavailableTimes', '3 soft', on('C1', 'C2') + timeGroups(['Tu'])),
        constraint('AvoidUnavailableTimes', '5 soft', on('T2') + timeList(['Mo3'])),
      ],
      solution: ['a Mo1', 'b Tu1', 'c Tu2', 'd Tu4'],
    }),
    costs: { infeasibility: 2, objective: 9 },
    evaluated: { hard: 2, soft: 9 },
  },
  {
    // Mornings are times 1 to 3 of 6. a (2 times) and b (1) are asked for in the morning, weight 4: a begins at Mo4 and
    // is charged with both of its times, 2; b is at Mo3, 0. 4·2 = 8.
    // c should be at Tu1 or Tu6, weight 2, and is at Tu5: 1. 2·1 = 2. d, hard, at Mo1, is there. Objective 10.
    title: 'preferred times, and halves of the day',
    text: archive({
      ...{ ...school, ...halves },
      events: [lesson('a', 'T1 C1', { duration: 2 }), lesson('b', 'T1 C1'), lesson('c', 'T2 C2'), lesson('d', 'T2 C2')],
      constraints: [
        ...always(),
        constraint('PreferTimes', '4 soft', appliesTo({ Event: ['a', 'b'] }) + timeGroups(['am'])),
        constraint('PreferTimes', '2 soft', appliesTo({ Event: ['c'] }) + timeList(['Tu1', 'Tu6'])),
        constraint('PreferTimes', '1 hard', appliesTo({ Event: ['d'] }) + timeList(['Mo1'])),
      ],
      solution: ['a Mo4', 'b Mo3', 'c Tu5', 'd Mo1'],
    }),
    costs: { infeasibility: 0, objective: 10 },
    evaluated: { hard: 0, soft: 10 },
  },
  {
    // T1 has Mo1 and Mo4: Mo2 and Mo3 are idle, 2; on Tu 1 and 3: Tu2, 1. Weight 2: 2·3 = 6.
    // C2 has Mo2 and Mo4: 1 idle, hard. It may have 1 on each day, as one constraint for each day says, weight 7: 0.
    // C1 may have 1 on each day as well: Mo1, Mo4 has 2, 1 above; Tu 1. 7·1 = 7. Objective 13, infeasibility 1.
    title: 'idle times, none at all and one a day',
    text: archive({
      ...school,
      events: ['a', 'b', 'c', 'd']
        .map((id) => lesson(id, 'T1 C1'))
        .concat([lesson('e', 'T2 C2'), lesson('f', 'T2 C2')]),
      constraints: [
        ...always(),
        constraint('LimitIdleTimes', '2 soft', on('T1') + daily + limits(0, 0)),
        constraint('LimitIdleTimes', '1 hard', on('C2') + daily + limits(0, 0)),
        ...days.map((day) => constraint('LimitIdleTimes', '7 soft', on('C1', 'C2') + timeGroups([day]) + limits(0, 1))),
      ],
      solution: ['a Mo1', 'b Mo4', 'c Tu1', 'd Tu3', 'e Mo2', 'f Mo4'],
    }),
    costs: { infeasibility: 1, objective: 13 },
    evaluated: { hard: 1, soft: 13 },
  },
  {
    // T1 is taught on Mo, Tu and We and may be on 2 days, hard, weight 1: 1. T2 is on 3 days and should be on 1: 2 above;
    // Quadratic: 2² = 4, weight 3: 12. We count days alone: 2·3 = 6.
    title: 'days with lessons, by a quadratic cost',
    text: archive({
      ...{ ...school, ...threeDays },
      events: [
        ...['a', 'b', 'c'].map((id) => lesson(id, 'T1 C1')),
        ...['d', 'e', 'f'].map((id) => lesson(id, 'T2 C2')),
      ],
      constraints: [
        ...always(),
        constraint('ClusterBusyTimes', '1 hard', on('T1') + timeGroups(['Mo', 'Tu', 'We']) + limits(0, 2)),
        constraint('ClusterBusyTimes', '3 soft Quadratic', on('T2') + timeGroups(['Mo', 'Tu', 'We']) + limits(0, 1)),
      ],
      solution: ['a Mo1', 'b Tu1', 'c We2', 'd Mo2', 'e Tu2', 'f We1'],
    }),
    costs: { infeasibility: 1, objective: 12 },
    evaluated: { hard: 1, soft: 6 },
  },
  {
    // Halves are times 1–3 and 4–6. T1 has Mo 1, 2, 3, 4: 4 times where 2 are allowed, 2 above, hard; Tu 1: 0. 2.
    // No more than 2 in a row, as groups of 3 times that follow each other in a half with 2 of them at most: of Mo1–3 all
    // are busy, 1; Mo4–6 have 1. Weight 5: 5. T2 has Tu 2, 3, 4, 5: neither half has 3 in a row. 0.
    title: 'times of a day, and in a row, which a break ends',
    text: archive({
      ...{ ...school, ...halves },
      events: [
        ...['a', 'b', 'c', 'd', 'e'].map((id) => lesson(id, 'T1 C1')),
        ...['f', 'g'].map((id) => lesson(id, 'T2 C2', { duration: 2 })),
      ],
      constraints: [
        ...always(),
        constraint('LimitBusyTimes', '1 hard', on('T1') + daily + limits(0, 2)),
        constraint(
          'LimitBusyTimes',
          '5 soft',
          on('T1', 'T2') +
            timeGroups(rowGroups({ ...school, ...halves, events: [], constraints: [], solution: [] }, 3)) +
            limits(0, 2),
        ),
      ],
      solution: ['a Mo1', 'b Mo2', 'c Mo3', 'd Mo4', 'e Tu1', 'f Tu2', 'g Tu4'],
    }),
    costs: { infeasibility: 2, objective: 5 },
    evaluated: { hard: 2, soft: 5 },
  },
  {
    // Three days. g: 2 lessons, at most one a day; both on Mo: 1 above, weight 4: 4. h: 4 lessons, at least one on each
    // day; Mo 3, Tu 1, We none: 1 below, hard: 1. h as well: at most 2 a day, weight 3: Mo 1 above: 3. Objective 7.
    title: 'lessons spread over days',
    text: archive({
      ...{ ...school, days: ['Mo', 'Tu', 'We'] },
      events: [
        ...['a', 'b'].map((id) => lesson(id, 'T1 C1', { groups: ['g'], course: 'music' })),
        ...['c', 'd', 'e', 'f'].map((id) => lesson(id, 'T2 C2', { groups: ['h'], course: 'maths' })),
      ],
      constraints: [
        ...always(),
        constraint('SpreadEvents', '4 soft', groups('g') + eachDay(0, 1, ['Mo', 'Tu', 'We'])),
        constraint('SpreadEvents', '1 hard', groups('h') + eachDay(1, 9, ['Mo', 'Tu', 'We'])),
        constraint('SpreadEvents', '3 soft', groups('h') + eachDay(0, 2, ['Mo', 'Tu', 'We'])),
      ],
      solution: ['a Mo1', 'b Mo4', 'c Mo1', 'd Mo2', 'e Mo3', 'f Tu1'],
    }),
    costs: { infeasibility: 1, objective: 7 },
    evaluated: { hard: 1, soft: 7 },
  },
  {
    // g: a at Mo1 and b at Mo2: at each of the two times one of them runs alone, 2, hard. We count one beginning too many.
    // h: c and d together, 0. k: e (2 times) at Tu1 and f (2 times) at Tu3: 4 times; by Step 1, weight 6: 6.
    // l: i at Mo3 and j at Tu4, Linear, weight 5: 2 times, 10; for which we give our one unit a weight of 10.
    title: 'linked lessons',
    text: archive({
      teachers: ['T1', 'T2'],
      classes: ['C1', 'C2'],
      events: [
        ...[lesson('a', 'T1 C1', { groups: ['g'] }), lesson('b', 'T2 C2', { groups: ['g'] })],
        ...[lesson('c', 'T1 C1', { groups: ['h'] }), lesson('d', 'T2 C2', { groups: ['h'] })],
        ...[lesson('e', 'T1 C1', { groups: ['k'], duration: 2 }), lesson('f', 'T2 C2', { groups: ['k'], duration: 2 })],
        ...[lesson('i', 'C1', { groups: ['l'] }), lesson('j', 'C1', { groups: ['l'] })],
      ],
      constraints: [
        ...always(),
        constraint('LinkEvents', '1 hard', groups('g', 'h')),
        constraint('LinkEvents', '6 soft Step', groups('k')),
        constraint('LinkEvents', '5 soft', groups('l')),
      ],
      solution: ['a Mo1', 'b Mo2', 'c Mo4', 'd Mo4', 'e Tu1', 'f Tu3', 'i Mo3', 'j Tu4'],
    }),
    costs: { infeasibility: 2, objective: 16 },
    evaluated: { hard: 1, soft: 16 },
  },
  {
    // Assigning a room has weight 3, the right room 2. a is in R1 as it should; b (2 times) is in R2 and should be in R1:
    // 2·2 = 4. c has none: 3·1 = 3. d and e are both in R2 at Mo3: 1. R2 is closed at Tu2, which b takes: 1.
    // Infeasibility 4 + 3 + 1 + 1 = 9. We tell each: b, c, the room twice, the room closed. 4.
    title: 'rooms',
    text: archive({
      ...{ ...school, teachers: ['T1', 'T2', 'T3'], rooms: ['R1', 'R2'] },
      events: [
        ...[lesson('a', 'T1 C1', { needsRoom: true }), lesson('b', 'T1 C1', { needsRoom: true, duration: 2 })],
        ...[lesson('c', 'T1 C1', { needsRoom: true }), lesson('d', 'T2 C1', { needsRoom: true })],
        lesson('e', 'T3 C2', { needsRoom: true }),
      ],
      constraints: [
        ...always(true),
        constraint('AssignResource', '3 hard', `${groups('AllEvents')}<Role>Room</Role>`),
        constraint(
          'PreferResources',
          '2 hard',
          `${appliesTo({ Event: ['a', 'b'] })}<Resources><Resource Reference="R1"/></Resources><Role>Room</Role>`,
        ),
        constraint('AvoidUnavailableTimes', '1 hard', on('R2') + timeList(['Tu2', 'Tu4'])),
      ],
      solution: ['a Mo1 R1', 'b Tu1 R2', 'c Mo2', 'd Mo3 R2', 'e Mo3 R2'],
    }),
    costs: { infeasibility: 9, objective: 0 },
    evaluated: { hard: 4, soft: 0 },
  },
  {
    // Four weeks. T1: a in weeks 1 and 3 at Mo1, b in weeks 2 and 4 at Mo1, which is no clash; c always at Mo3.
    // Idle in every week: Mo2, 1. Weight 4: 4. d in weeks 1 and 3 at Mo4 of C2, where it should not be, weight 6:
    // in half of the weeks 1, 3. T2 may have one day: Mo for d and e, Tu for f, which is held in week 1 only: in week 1 two
    // days, 1 above; a quarter of the weeks, weight 8: 2. Objective 4 + 3 + 2 = 9.
    // C2: e at Tu1 in all weeks and f at Tu1 in week 1 clash in a quarter of the weeks: infeasibility 0.25. We tell the pair: 1.
    title: 'odd and even weeks, of which the mean counts (XHSTT knows one week: this is an extension)',
    text: archive({
      ...{ ...school, weeks: 4 },
      events: [
        ...[lesson('a', 'T1 C1', { weeks: [1, 3] }), lesson('b', 'T1 C1', { weeks: [2, 4] }), lesson('c', 'T1 C1')],
        ...[lesson('d', 'T2 C2', { weeks: [1, 3] }), lesson('e', 'T1 C2'), lesson('f', 'T2 C2', { weeks: [1] })],
      ],
      constraints: [
        ...always(),
        constraint('LimitIdleTimes', '4 soft', on('T1') + daily + limits(0, 0)),
        constraint('AvoidUnavailableTimes', '6 soft', on('C2') + timeList(['Mo4'])),
        constraint('ClusterBusyTimes', '8 soft', on('T2') + daily + limits(0, 1)),
      ],
      solution: ['a Mo1', 'b Mo1', 'c Mo3', 'd Mo4', 'e Tu1', 'f Tu1'],
    }),
    costs: { infeasibility: 0.25, objective: 9 },
    evaluated: { hard: 1, soft: 9 },
  },
  {
    // d has 4 times, in 2 to 3 parts of 1 to 2 each: 2 + 1 + 1 are kept. They are asked for on days of their own: the two
    // that begin on Mo are 1 above, weight 3: 3. The part of 2 should begin at Mo1 or Mo2, and does.
    title: 'an event that is split',
    text: archive({
      ...{ ...school, days: ['Mo', 'Tu', 'We'] },
      events: [lesson('d', 'T1 C1', { duration: 4, groups: ['g'] })],
      constraints: [
        ...always(),
        constraint(
          'SplitEvents',
          '1 hard',
          `${groups('g')}<MinimumDuration>1</MinimumDuration><MaximumDuration>2</MaximumDuration><MinimumAmount>2</MinimumAmount><MaximumAmount>3</MaximumAmount>`,
        ),
        constraint('SpreadEvents', '3 soft', groups('g') + eachDay(0, 1, ['Mo', 'Tu', 'We'])),
        constraint(
          'PreferTimes',
          '9 soft',
          `${appliesTo({ Event: ['d'] })}${timeGroups(['Mo'])}<Duration>2</Duration>`,
        ),
      ],
      solution: ['d Mo1 - 2', 'd Mo4 - 1', 'd Tu1 - 1'],
    }),
    costs: { infeasibility: 0, objective: 3 },
    evaluated: { hard: 0, soft: 3 },
  },
  {
    // Each kind once. Hard, each of weight 1: z has no time, 1. a and b clash at Mo1 for C1, 1 (the teachers are two).
    // T1 is not available at Mo4: c, 1. The linked a and d are at Mo1 and Tu1: 2 times, 2; we count 1. e is in R2, not R1: 1.
    // Infeasibility 1 + 1 + 1 + 2 + 1 = 6; ours 5.
    // Soft. T1 has Mo 1 and 4: 2 idle, weight 2: 4. T1 has 2 times on Mo (a, c) and may have 1: 1 above; Tu 1 (d): 0;
    // weight 3: 3. T1 is on 2 days and may be on 1: 1, weight 5: 5. a and c, of one course, are both on Mo: 1 above, weight 7:
    // 7. e, at Tu4, should be at Mo2: 1, weight 11: 11. Objective 4 + 3 + 5 + 7 + 11 = 30.
    title: 'every kind broken at once',
    text: archive({
      ...{ ...school, rooms: ['R1', 'R2'] },
      events: [
        ...[lesson('a', 'T1 C1', { groups: ['g', 'link'] }), lesson('b', 'T2 C1', { course: 'music' })],
        ...[lesson('c', 'T1 C1', { groups: ['g'] }), lesson('d', 'T1 C2', { groups: ['link'] })],
        ...[lesson('e', 'T2 C2', { needsRoom: true }), lesson('z', 'T2 C2')],
      ],
      constraints: [
        ...always(true),
        constraint('AssignResource', '1 hard', `${appliesTo({ Event: ['e'] })}<Role>Room</Role>`),
        constraint(
          'PreferResources',
          '1 hard',
          `${appliesTo({ Event: ['e'] })}<Resources><Resource Reference="R1"/></Resources><Role>Room</Role>`,
        ),
        constraint('AvoidUnavailableTimes', '1 hard', on('T1') + timeList(['Mo4'])),
        constraint('LinkEvents', '1 hard', groups('link')),
        constraint('LimitIdleTimes', '2 soft', on('T1') + daily + limits(0, 0)),
        constraint('LimitBusyTimes', '3 soft', on('T1') + daily + limits(0, 1)),
        constraint('ClusterBusyTimes', '5 soft', on('T1') + daily + limits(0, 1)),
        constraint('SpreadEvents', '7 soft', groups('g') + eachDay(0, 1)),
        constraint('PreferTimes', '11 soft', appliesTo({ Event: ['e'] }) + timeList(['Mo2'])),
      ],
      solution: ['a Mo1', 'b Mo1', 'c Mo4', 'd Tu1', 'e Tu4 R2'],
    }),
    costs: { infeasibility: 6, objective: 30 },
    evaluated: { hard: 5, soft: 30 },
  },
]
