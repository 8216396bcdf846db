import { studentgroup } from '@data-brain/contract'
import { importOf } from '@data-brain/contract/import/entity-form'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../src/database/id.ts'
import { Repository } from '../src/entity/repository.ts'
import { system } from '../src/kernel/actor.ts'
import type { Batch, StoredRow } from '../src/modules/import/batch/batch.ts'
import { benchOf, judgeEntityRows } from '../src/modules/import/entity/judge.ts'
import { makeSchool, type Place } from './import-parts.ts'
import { makeWorld, type Person, type World } from './world.ts'

/* An entity that no code of the import names: a list of its columns suffices, and its definition says the rest. */

const groups = importOf(studentgroup, {
  columns: {
    groupCode: ['编号', 'code'],
    groupName: [],
    groupType: [],
    yearId: [],
    ownerId: [],
    maxSize: [],
    beginDate: [],
  },
})

let world: World
let admin: Person
let place: Place
beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  place = await makeSchool(admin)
})
afterAll(() => world.close())

const lineOf = (no: number, cells: string[]): StoredRow => ({
  ...{ no, kept: { cells }, faults: [], state: 'read', rowId: null },
})

/** Judges lines in the order of the form's columns, and stores those that are right. */
const bring = (...lines: string[][]) =>
  world.inTenant(admin.tenantId, async (tx) => {
    const context = {
      ...{ tx, actor: system('test', admin.tenantId), cipher: world.services.cipher, unscoped: true },
      circumstance: { requestId: newId(), language: 'zh' as const },
    }
    const batch = {
      id: newId(),
      mapping: Object.fromEntries(groups.columns.map(({ key }, at) => [String(at), key])),
      columns: groups.columns.map(({ label }) => ({ heading: label.zh })),
      settings: { duplicates: 'skip', schoolId: place.schoolId, yearId: place.yearId },
    } as unknown as Batch
    const bench = await benchOf(groups, context, batch)
    const judged = await judgeEntityRows(
      bench,
      lines.map((cells, at) => lineOf(at + 2, cells)),
    )
    for (const { state, items } of judged)
      if (state === 'good') await new Repository(studentgroup, context).add(items[0]!.values)
    return judged.map(({ state, faults }) => [state, faults.map(({ key, zh }) => `${key} ${zh}`)])
  })

describe('R-IMP-2 an entity by a list of its columns', () => {
  it('reads words, numbers, days and the rows that cells name, and knows what stands', async () => {
    const { data } = await admin.get<{ realName: string }>('blade-user/detail', { id: admin.userId })
    const line = ['G1', '合唱队', '社团', '2026-2027学年', data.realName, '40人', '2026年9月1日']
    expect(await bring(line)).toEqual([['good', []]])
    const found = await admin.get<{ records: { id: string }[] }>('blade-user/studentgroup/list', {
      groupCode_equal: 'G1',
    })
    const [{ id }] = found.data.records as [{ id: string }]
    expect((await admin.get('blade-user/studentgroup/detail', { id })).data).toEqual(
      expect.objectContaining({
        ...{ groupName: '合唱队', groupType: '2', yearId: place.yearId, ownerId: admin.userId },
        ...{ schoolId: place.schoolId, maxSize: 40, beginDate: '2026-09-01' },
      }),
    )
    expect(await bring(line)).toEqual([['duplicate', []]])
  })

  it('tells at each column what its definition refuses', async () => {
    expect(await bring(['G2', '', '没有的', '2001-2002学年', '没有这人', '0', '昨天'])).toEqual([
      [
        'bad',
        expect.arrayContaining([
          expect.stringContaining('studentgroup.groupName'),
          expect.stringContaining('studentgroup.groupType'),
          'studentgroup.yearId 没有这个学年',
          expect.stringContaining('studentgroup.ownerId'),
          expect.stringContaining('studentgroup.maxSize'),
          expect.stringContaining('studentgroup.beginDate'),
        ]),
      ],
    ])
  })
})
