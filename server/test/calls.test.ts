import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe as describeSuite, expect, it } from 'vitest'
import { allRoutes } from '../src/app.ts'
import { describe } from '../src/openapi.ts'

/**
 * Calls of the specification that belong to parts of the product which are not built yet. A call that is served must
 * leave this list, so the list can only shrink.
 */
const notYet = [
  'GET /api/blade-auth/oauth/captcha',
  'POST /api/blade-auth/oauth/logout',
  'POST /api/blade-user/register-guest',
  'POST /api/blade-user/selectTenantByAccount',
  'POST /api/blade-system/menu/remove',
  'POST /api/blade-system/menu/submit',
  'GET /api/blade-system/topmenu/',
  'POST /api/blade-system/topmenu/',
  'GET /api/blade-system/tenant/',
  'POST /api/blade-system/tenant',
  'GET /api/blade-system/client/',
  'POST /api/blade-system/client/',
  'GET /api/blade-system/userclientrelevance/',
  'POST /api/blade-system/userclientrelevance/',
  'GET /api/blade-system/param/',
  'POST /api/blade-system/param/',
  'GET /api/blade-system/data-scope/',
  'POST /api/blade-system/data-scope/',
  'GET /api/blade-system/api-scope/',
  'POST /api/blade-system/api-scope/',
  'POST /api/blade-system/dict/',
  'POST /api/blade-system/region/',
  'GET /api/blade-resource/sms/',
  'POST /api/blade-resource/sms/',
  'GET /api/blade-resource/oss/',
  'POST /api/blade-resource/oss/remove',
  'POST /api/blade-resource/oss/submit',
  'POST /api/blade-resource/oss/enable',
  'GET /api/blade-desk/',
  'POST /api/blade-desk/',
  'GET /api/blade-flow/',
  'POST /api/blade-flow/',
  'GET /api/blade-log/',
  'GET /api/blade-report/',
  'POST /api/blade-report/',
  'GET /api/blade-develop/',
  'POST /api/blade-develop/',
]

const file = readFileSync(join(import.meta.dirname, '..', '..', 'contract', 'calls.tsv'), 'utf8')
const calls = [
  ...new Set(
    file
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split('\t').slice(0, 2).join(' ')),
  ),
]
const served = new Set(allRoutes().map((route) => `${route.method} /api${route.path}`))
const waits = (call: string): boolean =>
  notYet.some((begin) => call === begin || (/[/]$|tenant$/.test(begin) && call.startsWith(begin)))

describeSuite('R-CALL-1 the calls of the specification', () => {
  it('are all served, but for the parts that are not built yet', () => {
    expect(calls.length).toBeGreaterThan(200)
    expect(calls.filter((call) => !served.has(call) && !waits(call))).toEqual([])
  })

  it('leave the list of those not built yet as soon as they are served', () => {
    expect(calls.filter((call) => served.has(call) && waits(call))).toEqual([])
    expect(notYet.filter((begin) => !calls.some((call) => call.startsWith(begin)))).toEqual([])
  })

  it('are declared once each', () => {
    const all = allRoutes().map((route) => `${route.method} ${route.path}`)
    expect(all.filter((call, index) => all.indexOf(call) !== index)).toEqual([])
  })

  it('are described by the committed server/openapi.json, which `npm run openapi` writes', () => {
    const committed = readFileSync(join(import.meta.dirname, '..', 'openapi.json'), 'utf8')
    expect(JSON.parse(committed)).toEqual(JSON.parse(JSON.stringify(describe(allRoutes()))))
  })
})
