import { describe, expect, expectTypeOf, it } from 'vitest'
import {
  type Draft,
  type Entity,
  type ListedRow,
  nameOf,
  type PickedRow,
  type Row,
  schoolclassroom,
  student,
  user,
  type ValuesOf,
} from '../src/index.ts'

/* What a type is the compiler judges, so that `npm run check` fails; what a definition says of it is looked at besides. */
describe('ISSUE-14-2 a row is typed from its definition', () => {
  it('ISSUE-14-2 says of a whole row what each field holds, and of what it can be without', () => {
    type User = Row<typeof user>
    expectTypeOf<User['realName']>().toEqualTypeOf<string>()
    expectTypeOf<User['email']>().toEqualTypeOf<string | null>()
    expectTypeOf<User['maxWeekHours']>().toEqualTypeOf<number | null>()
    expectTypeOf<Row<typeof schoolclassroom>['homeClassId']>().toEqualTypeOf<string | null>()
    expect(schoolclassroom.guards).toContain('homeClassId')
    // @ts-expect-error what the definition has not, the row has not
    expectTypeOf<User['salary']>()
  })

  it('ISSUE-14-2 says of several values whether they travel as a list or as one text, and how they are stored', () => {
    expectTypeOf<Row<typeof user>['roleId']>().toEqualTypeOf<string>()
    expect([user.fields.roleId.comma, 'comma' in user.fields.subjectIds]).toEqual([true, false])
    expectTypeOf<Row<typeof user>['subjectIds']>().toEqualTypeOf<string[]>()
    expectTypeOf<ValuesOf<typeof user>['roleId']>().toEqualTypeOf<string[] | null>()
    expectTypeOf<Draft<typeof user>['roleId']>().toEqualTypeOf<readonly string[] | string | null | undefined>()
  })

  it('ISSUE-14-2 names beside a row what its references point at, by the names that the server gives them', () => {
    expectTypeOf<Row<typeof user>['homeCampusName']>().toEqualTypeOf<string | null | undefined>()
    expectTypeOf<Row<typeof user>['subjectNames']>().toEqualTypeOf<readonly string[] | undefined>()
    expectTypeOf<Row<typeof user>['roleName']>().toEqualTypeOf<string | undefined>()
    expect(['homeCampusId', 'subjectIds', 'roleId'].map(nameOf)).toEqual(['homeCampusName', 'subjectNames', 'roleName'])
  })

  it('ISSUE-14-2 says of a row of a list that fields beyond its columns are there only where they are asked for', () => {
    type Listed = ListedRow<typeof user>
    expect(user.list).not.toContain('email')
    expectTypeOf<Listed['realName']>().toEqualTypeOf<string>()
    expectTypeOf<Listed['email']>().toEqualTypeOf<string | null | undefined>()
    expectTypeOf<Row<typeof user>>().toExtend<Listed>()
    expectTypeOf<PickedRow<typeof user, 'account'>['account']>().toEqualTypeOf<string>()
    // @ts-expect-error it was not picked
    expectTypeOf<PickedRow<typeof user, 'account'>['email']>()
  })

  it('ISSUE-14-2 takes a row of one entity for a row of any, whose fields are unknown', () => {
    expectTypeOf<Row<typeof student>>().toExtend<Row<Entity>>()
    expectTypeOf<ListedRow<typeof student>>().toExtend<ListedRow<Entity>>()
    const any: ListedRow<Entity> = { ...({} as ListedRow<typeof student>), id: '7' }
    expect(any.anything).toBeUndefined()
    expectTypeOf<Row<Entity>['anything']>().toEqualTypeOf<unknown>()
  })

  it('ISSUE-14-2 leaves what the server computes out of what is sent', () => {
    expect(student.fields.custom.computed).toBe(true)
    expectTypeOf<Draft<typeof student>>().not.toHaveProperty('custom')
    expectTypeOf<{ realName: string; version: number }>().toExtend<Draft<typeof user>>()
    expectTypeOf<{ realName: number }>().not.toExtend<Draft<typeof user>>()
  })
})
