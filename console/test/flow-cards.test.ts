import type { CardModel } from '@data-brain/contract/flow/cards'
import { opsOf } from '@data-brain/contract/rules/condition'
import { describe, expect, it } from 'vitest'
import { flowDesignWords } from '../src/locales/flow-design.ts'
import { faultsOfCards } from '../src/pages/flow/designer/card-faults.ts'
import { comparable, factsEntity, groupOfText, isWhole, textOfGroup } from '../src/pages/flow/designer/condition.ts'
import {
  addWay,
  allCards,
  approvalsBefore,
  beginModel,
  insertAfter,
  moveBy,
  newCard,
  removeAt,
  stops,
  wayKey,
} from '../src/pages/flow/designer/edit.ts'
import { beginSteps, takeStep } from '../src/pages/flow/designer/steps.ts'
import { durationOf, roundDays, roundOf, roundTimer, timerOf, timeUnits } from '../src/pages/flow/designer/timer.ts'
import { stopOfElement } from '../src/pages/flow/designer/work.ts'
import { addWords, translate } from '../src/ui/words.ts'

addWords(flowDesignWords)

const names = { approval: '审批', copy: '抄送', branch: '条件分支', way: '条件1', otherwise: '其他情况' }
const add = (model: CardModel, after: string, kind: 'approval' | 'copy' | 'branch') =>
  insertAfter(model, after, newCard(model, kind, names))

/** An approval, a branch whose first way has one more, and a copy. */
function sample(): CardModel {
  let model = beginModel('leave', '请假', '班主任')
  model = add(model, 'approval_1', 'branch')
  model = add(model, wayKey('branch_1', 0), 'approval')
  return add(model, 'branch_1', 'copy')
}
const keysOf = (model: CardModel) => stops(model).map(({ key }) => key)

describe('R-FLOW-1 cards of a process', () => {
  it('begin with one approval, and are walked in the order in which they are read', () => {
    expect(keysOf(beginModel('k', 'n', '审批'))).toEqual(['start', 'approval_1', 'end'])
    expect(keysOf(sample())).toEqual([
      'start',
      'approval_1',
      'branch_1',
      'branch_1/0',
      'approval_2',
      'branch_1/1',
      'copy_1',
      'end',
    ])
  })

  it('have ids of their own, wherever they stand', () => {
    const ids = allCards(add(sample(), wayKey('branch_1', 1), 'approval').cards).map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('go with their ways; a branch of one way only goes, and its cards stay', () => {
    expect(keysOf(removeAt(sample(), 'branch_1'))).toEqual(['start', 'approval_1', 'copy_1', 'end'])
    const three = addWay(sample(), 'branch_1', '条件2')
    expect(three.key).toBe('branch_1/1')
    expect(keysOf(removeAt(three.model, 'branch_1/0'))).not.toContain('approval_2')
    const gone = removeAt(removeAt(three.model, 'branch_1/1'), 'branch_1/0')
    expect(keysOf(gone)).toEqual(['start', 'approval_1', 'copy_1', 'end'])
    // The way without a condition goes with its branch alone.
    expect(keysOf(removeAt(sample(), 'branch_1/1'))).toEqual(keysOf(sample()))
  })

  it('move within their list, and no further than its ends', () => {
    const moved = moveBy(sample(), 'copy_1', -1).model
    expect(moved.cards.map(({ id }) => id)).toEqual(['approval_1', 'copy_1', 'branch_1'])
    expect(moveBy(sample(), 'approval_1', -1).model).toEqual(sample())
    const { model } = addWay(sample(), 'branch_1', '条件2')
    expect(moveBy(model, 'branch_1/0', 1).key).toBe('branch_1/1')
    expect(moveBy(model, 'branch_1/1', 1).key).toBe('branch_1/1')
  })

  it('name for going back and for “whoever did it” the approvals that come before, and none of another way', () => {
    const model = add(sample(), wayKey('branch_1', 1), 'approval')
    const before = (key: string) => approvalsBefore(model.cards, key).map(({ id }) => id)
    expect(before('approval_2')).toEqual(['approval_1'])
    expect(before('approval_3')).toEqual(['approval_1'])
    expect(before('copy_1')).toEqual(['approval_1', 'approval_2', 'approval_3'])
  })

  it('are led to from elements of the BPMN that is made of them', () => {
    const keys = keysOf(sample())
    expect(stopOfElement('approval_2', keys)).toBe('approval_2')
    expect(stopOfElement('branch_1_to_approval_2', keys)).toBe('branch_1')
    expect(stopOfElement('branch_1_join', keys)).toBe('branch_1')
    expect(stopOfElement('else', keys)).toBeUndefined()
  })
})

describe('R-FLOW-1 steps of designing', () => {
  it('are taken back one by one, letters of one field as one, and done again', () => {
    let steps = beginSteps('')
    for (const next of ['a', 'ab']) steps = takeStep(steps, { do: 'put', next, mark: 'name' })
    steps = takeStep(steps, { do: 'put', next: 'ab!', mark: 'other' })
    steps = takeStep(steps, { do: 'undo' })
    expect(steps.now).toBe('ab')
    steps = takeStep(steps, { do: 'undo' })
    expect(steps.now).toBe('')
    steps = takeStep(takeStep(steps, { do: 'redo' }), { do: 'redo' })
    expect(steps.now).toBe('ab!')
    expect(takeStep(steps, { do: 'redo' }).now).toBe('ab!')
  })
})

const facts = factsEntity(
  [
    { name: 'days', label: '天数', kind: 'decimal' },
    { name: 'kind', label: '类别', kind: 'choice', options: [{ key: '1', label: '事假' }] },
    { name: 'urgent', label: '紧急', kind: 'flag' },
    { name: 'reason', label: '事由', kind: 'longText' },
    { name: 'proof', label: '证明', kind: 'files' },
  ],
  undefined,
)

describe('R-FLOW-2 conditions without code', () => {
  it.each([
    ['days > 3', { all: [{ field: 'days', op: 'gt', value: 3 }] }],
    [
      "days >= 1.5 && kind == '1'",
      {
        all: [
          { field: 'days', op: 'ge', value: 1.5 },
          { field: 'kind', op: 'equal', value: '1' },
        ],
      },
    ],
    ['urgent == true', { all: [{ field: 'urgent', op: 'equal', value: 1 }] }],
    ['empty reason', { all: [{ field: 'reason', op: 'null' }] }],
    ['!empty reason', { all: [{ field: 'reason', op: 'notnull' }] }],
    [
      "days > 3 || kind != '1'",
      {
        any: [
          { field: 'days', op: 'gt', value: 3 },
          { field: 'kind', op: 'notequal', value: '1' },
        ],
      },
    ],
    [
      "days > 3 && (kind == '1' || applicant.deptId == '7')",
      {
        all: [
          { field: 'days', op: 'gt', value: 3 },
          {
            any: [
              { field: 'kind', op: 'equal', value: '1' },
              { field: 'applicant.deptId', op: 'equal', value: '7' },
            ],
          },
        ],
      },
    ],
  ])('%s is read, and written as it was', (text, group) => {
    expect(groupOfText(facts, text)).toEqual(group)
    expect(textOfGroup(facts, group as never)).toBe(text)
  })

  it('as files of other engines write them mean the same', () => {
    expect(groupOfText(facts, '3 < days')).toEqual({ all: [{ field: 'days', op: 'gt', value: 3 }] })
    expect(groupOfText(facts, '!urgent')).toEqual({ all: [{ field: 'urgent', op: 'equal', value: 0 }] })
    expect(groupOfText(facts, 'reason == null')).toEqual({ all: [{ field: 'reason', op: 'null' }] })
  })

  it.each(['days * 2 > 3', 'unknown == 1', "days == '3'", 'days > ', 'a.b.c', 'days > hours'])(
    '%s stays as it is written',
    (text) => expect(groupOfText(facts, text)).toBeUndefined(),
  )

  it('that lack a value are not written yet', () => {
    const group = {
      all: [
        { field: 'days', op: 'gt' as const },
        { field: 'urgent', op: 'equal' as const, value: 1 },
      ],
    }
    expect(isWhole(group)).toBe(false)
    expect(textOfGroup(facts, group)).toBe('urgent == true')
  })

  it('offer the comparisons that the written form has, and no field that is not compared', () => {
    expect(Object.keys(facts.fields)).not.toContain('proof')
    const text = comparable({ ...facts.fields.reason!, name: 'reason', ops: opsOf('text') })
    expect(text.ops).not.toContain('like')
    expect(text.ops).toContain('equal')
  })
})

describe('R-FLOW-2 time limits', () => {
  it.each(timeUnits)('in units of a %s are read as they were written', (unit) => {
    expect(durationOf(timerOf({ count: 3, unit }))).toEqual({ count: 3, unit })
  })
  it.each(roundDays)('that come round (%s) are read as they were written, and begin on such a day', (on) => {
    expect(roundOf(roundTimer({ on, at: '08:00' }))).toEqual({ on, at: '08:00' })
  })
  it('that come round begin after today, on the day of the week', () => {
    const value = (on: (typeof roundDays)[number]) => roundTimer({ on, at: '08:00' }, '2026-11-28').value
    expect([value('day'), value('1'), value('6'), value('7')]).toEqual([
      'R/2026-11-29T08:00/P1D',
      'R/2026-11-30T08:00/P7D',
      'R/2026-12-05T08:00/P7D',
      'R/2026-11-29T08:00/P7D',
    ])
    expect(roundOf({ kind: 'cycle', value: 'R3/2026-11-30T08:00/P7D', by: 'clock' })).toBeUndefined()
    expect(roundOf({ kind: 'cycle', value: 'R/P7D', by: 'clock' })).toBeUndefined()
  })
  it('written in another way are left as they are', () => {
    expect(durationOf({ kind: 'duration', value: 'P1DT12H', by: 'clock' })).toBeUndefined()
    expect(durationOf({ kind: 'date', value: 'field:begin', by: 'clock' })).toBeUndefined()
  })
})

describe('R-FLOW-1 what stands against deploying cards', () => {
  it('is said in words of the cards, at the very card, and not of gateways that nobody has drawn', () => {
    const found = [
      { element: 'branch_1', message: '排他网关“条件分支”有多条没有条件的连线' },
      { element: 'approval_1', message: '用户任务“班主任”的人员不存在' },
      { element: null, message: '流程没有名称' },
    ]
    expect(faultsOfCards(sample(), found, translate)).toEqual([
      { element: 'branch_1/0', message: '“条件1”还没有条件' },
      ...found.slice(1),
    ])
  })
})
