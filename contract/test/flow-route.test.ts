import { expect, it } from 'vitest'
import { dictionaryOf } from '../src/dictionaries.ts'
import { flowRouteOf, flowRoutesOf } from '../src/flow-route.ts'

it('R-DICT-4 an entry’s code joined with its key is the route key, its remark the route value', () => {
  expect(flowRouteOf({ code: 'flow', dictKey: '1', remark: 'leave' })).toEqual({
    routeKey: 'flow_1',
    routeValue: 'leave',
  })
  // A few keys travel as numbers.
  expect(flowRouteOf({ code: 'flow', dictKey: 12, remark: ' expense ' })).toEqual({
    routeKey: 'flow_12',
    routeValue: 'expense',
  })
})

it('R-DICT-4 the dictionary itself, and an entry without a remark, lead nowhere', () => {
  const dictionary = { code: 'flow', dictKey: '-1', remark: 'where the keys come from' }
  expect(
    flowRoutesOf([dictionary, { code: 'flow', dictKey: '2' }, { code: 'flow', dictKey: '3', remark: null }]),
  ).toEqual([])
})

it('R-DICT-4 the shipped workflow categories have the route of the leave', () => {
  const { code, items } = dictionaryOf('flow')!
  const routes = flowRoutesOf(items.map(({ key, remark }) => ({ code, dictKey: key, remark: remark ?? null })))
  expect(routes).toContainEqual({ routeKey: 'flow_1', routeValue: 'leave' })
  expect(new Set(routes.map(({ routeKey }) => routeKey)).size).toBe(routes.length)
})
