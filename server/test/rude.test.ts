import { connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { entities, entityOf } from '@data-brain/contract'
import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeApp } from '../src/app.ts'
import { registerRoutes } from '../src/kernel/handlers.ts'
import type { Route } from '../src/kernel/route.ts'
import { oneOfEach } from './sample.ts'
import { makeWorld, type Person, type World } from './world.ts'

/** What a rude client tries, and the clear answer it gets. */

let world: World
let admin: Person
/** One row of each entity. */
let states: Promise<Map<string, string>>
beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  states = oneOfEach(world, admin, '甲')
  await states
})
afterAll(() => world.close())

const inject = (options: InjectOptions) =>
  world.http.inject({ ...options, headers: { 'blade-auth': `bearer ${admin.token}`, ...options.headers } } as never)

describe('R-ERR-5 bad input gets a clear answer', () => {
  it.each([
    ['broken JSON', { payload: '{"a":', headers: { 'content-type': 'application/json' } }, 400],
    ['an array instead of an object', { payload: '[]', headers: { 'content-type': 'application/json' } }, 400],
    ['a bare text', { payload: '"x"', headers: { 'content-type': 'application/json' } }, 400],
    ['nothing', { headers: { 'content-type': 'application/json' } }, 400],
    ['a prototype', { payload: '{"__proto__":{"x":1}}', headers: { 'content-type': 'application/json' } }, 400],
    ['a type that nobody reads', { payload: 'x', headers: { 'content-type': 'text/xml' } }, 415],
    [
      'a body of 2 MB',
      { payload: JSON.stringify({ remark: 'x'.repeat(2_000_000) }), headers: { 'content-type': 'application/json' } },
      413,
    ],
    [
      '100,000 nested arrays',
      {
        payload: `{"remark":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
        headers: { 'content-type': 'application/json' },
      },
      400,
    ],
  ])('%s', async (_name, options, status) => {
    const answer = await inject({ method: 'POST', url: '/api/blade-user/syssubject/submit', ...options })
    expect(answer.statusCode).toBe(status)
    const body = JSON.parse(answer.payload)
    expect(body).toMatchObject({ code: status, success: false, msg: expect.any(String) })
    expect(answer.payload).not.toMatch(/SELECT|insert into|\.ts:|node_modules/)
  })

  it.each([
    ['no boundary', 'multipart/form-data', 'x'],
    ['a boundary that is too long', `multipart/form-data; boundary=${'b'.repeat(300)}`, 'x'],
    [
      'no end',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"',
    ],
    [
      'half a file',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nhal',
    ],
    ['nothing', 'multipart/form-data; boundary=b', ''],
    [
      'a file without a name',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="file"; filename=""\r\nContent-Type: application/octet-stream\r\n\r\nx\r\n--b--\r\n',
    ],
  ])('a form of parts with %s', async (_name, type, payload) => {
    for (const url of ['/api/blade-resource/oss/endpoint/put-file', '/api/blade-auth/oauth/token']) {
      const answer = await inject({ method: 'POST', url, payload, headers: { 'content-type': type } })
      expect([url, answer.statusCode], answer.payload).toEqual([url, 400])
      expect(JSON.parse(answer.payload).msg).toEqual(expect.any(String))
    }
  })

  it('names the limit that a body has passed', async () => {
    const form = await inject({
      method: 'POST',
      url: '/api/blade-auth/oauth/token',
      payload: `x=${'x'.repeat(70_000)}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect([form.statusCode, JSON.parse(form.payload).msg]).toEqual([413, '内容太大，上限为 64 kB'])
    const logs = await inject({
      method: 'POST',
      url: '/api/blade-auth/oauth/logout',
      payload: JSON.stringify([{ type: 'error', message: 'x'.repeat(70_000) }]),
      headers: { 'content-type': 'application/json' },
    })
    expect([logs.statusCode, JSON.parse(logs.payload).msg]).toEqual([413, '内容太大，上限为 64 kB'])
  })

  it('answers in an envelope what is no address, and what is no request', async () => {
    const odd = await inject({ method: 'GET', url: '/api/%' })
    expect([odd.statusCode, JSON.parse(odd.payload)]).toEqual([
      400,
      { code: 400, success: false, data: null, msg: '请求无法识别' },
    ])
    const http = makeApp(world.services)
    try {
      const { port } = new URL(await http.listen({ port: 0, host: '127.0.0.1' }))
      const say = async (text: string): Promise<string> => {
        const socket = connect(Number(port), '127.0.0.1')
        socket.write(text)
        return String(await buffer(socket))
      }
      const long = await say(`GET /api/blade-user/list?ids=${'1'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`)
      expect(long).toMatch(/^HTTP\/1\.1 431 /)
      expect(JSON.parse(long.split('\r\n\r\n')[1]!)).toMatchObject({
        code: 431,
        success: false,
        msg: '内容太大，上限为 16 kB / Too large: the limit is 16 kB',
      })
      expect(await say('nonsense\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 [\s\S]*请求无法识别/)
    } finally {
      await http.close()
    }
  })

  it('says which id is none, which page is none and which parameter came twice', async () => {
    for (const id of ['0', '-1', 'x', '1.5', '9223372036854775808', '99999999999999999999', "1' or '1'='1", '١'])
      expect((await admin.get('blade-user/school/detail', { id })).status, id).toBe(400)
    for (const query of [
      { size: '-1' },
      { size: '0' },
      { size: '201' },
      { current: '0' },
      { current: 'x' },
      { size: '1e3' },
    ])
      expect((await admin.get('blade-user/school/list', query)).status, JSON.stringify(query)).toBe(400)
    const twice = await inject({ method: 'GET', url: '/api/blade-user/school/list?size=10&size=20' })
    expect([twice.statusCode, JSON.parse(twice.payload).data.field]).toEqual([400, 'size'])
    const missing = await admin.get('blade-user/school/detail', {}, { language: 'en' })
    expect([missing.status, missing.msg]).toEqual([400, 'Missing parameter: id'])
    const nul = await inject({ method: 'GET', url: '/api/blade-user/school/list?schoolName=%00' })
    expect(nul.statusCode).toBe(400)
  })

  it('says of every odd id and version in the body of any submit that it is none', async () => {
    const rows = await states
    const odd: unknown[] = [
      '2027-02-30',
      'NaN',
      '😀',
      '9'.repeat(40),
      '-1',
      '1e3',
      ' 1',
      true,
      {},
      [],
      ['1'],
      1.5,
      { toString: 1 },
    ]
    const wrong: string[] = []
    for (const { name, path } of entities)
      for (const id of odd) {
        const drafts = [
          { id, status: 1, version: 1 },
          { id: rows.get(name), status: 2, version: typeof id === 'string' ? id : [id] },
        ]
        for (const draft of drafts) {
          const { status, msg } = await admin.post(`${path}/submit`, draft)
          if (status >= 500) wrong.push(`${path} ${JSON.stringify(draft)}: ${status} ${msg}`)
        }
      }
    expect(wrong).toEqual([])
  })

  it('says of an id in a body that it is none', async () => {
    for (const id of ['x', '1.5', '99999999999999999999', "1' or '1'='1", { a: 1 }]) {
      const answer = await admin.post<{ field: string }>('blade-user/school/submit', { id })
      expect([answer.status, answer.data.field], JSON.stringify(id)).toEqual([400, 'id'])
    }
  })

  it('R-PERM-2 says in words which right is missing: to change where a row is changed, to add where one is added', async () => {
    const viewer = await world.colleague(admin, ['student_view'])
    const id = (await states).get('student')
    const said = async (draft: object, language: 'zh' | 'en' = 'zh') => {
      const { status, msg } = await viewer.post('blade-user/student/submit', draft, { language })
      return [status, msg]
    }
    expect(await said({ id, name: '改' })).toEqual([403, '没有权限：学生 · 修改（student_edit）'])
    expect(await said({ name: '新' })).toEqual([403, '没有权限：学生 · 新增（student_add）'])
    expect(await said({ id, name: 'x' }, 'en')).toEqual([403, 'Permission missing: Students · Edit (student_edit)'])
  })

  it('refuses what does not fit the filter, and never lets it reach SQL', async () => {
    for (const [name, value] of [
      ['id', '1)or(1=1'],
      ['schoolId', 'x'],
      ['createTime_dategt', "2026-01-01' or '1'='1"],
      ['createTime_dategt', '2026-02-30 00:00:00'],
      ['status', '1;drop table school'],
    ] as const)
      expect((await admin.get('blade-user/schoolcampus/list', { [name]: value })).status, `${name}=${value}`).toBe(400)
    for (const value of ["%' or 1=1 --", '\\', '_', '%', "'; select pg_sleep(3); --"])
      expect(
        (await admin.get<{ total: number }>('blade-user/syssubject/list', { subjectName: value })).data.total,
        value,
      ).toBe(0)
  })

  it('knows no call that it does not serve, and says so in an envelope', async () => {
    for (const url of [
      '/api/',
      '/api/nope',
      '/api/blade-user/feign/x',
      '/api/actuator',
      '/api/v3/api-docs',
      '/api/blade-user/school/list/',
      '/api/BLADE-USER/school/list',
    ]) {
      const answer = await inject({ method: 'GET', url })
      expect([url, answer.statusCode, JSON.parse(answer.payload).success]).toEqual([url, 404, false])
    }
    expect((await inject({ method: 'GET', url: '/api/blade-user/school/submit' })).statusCode).toBe(404)
    expect((await inject({ method: 'DELETE', url: '/api/blade-user/school/remove' })).statusCode).toBe(404)
  })

  it('takes a token from the Blade-Auth header alone', async () => {
    for (const headers of [
      { authorization: `Bearer ${admin.token}` },
      { cookie: `Blade-Auth=${admin.token}` },
      { 'x-access-token': admin.token },
    ])
      expect(
        (
          await world.http.inject({
            method: 'GET',
            url: `/api/blade-user/school/list?blade-auth=bearer%20${admin.token}`,
            headers,
          })
        ).statusCode,
      ).toBe(401)
    expect(
      (
        await world.http.inject({
          method: 'GET',
          url: '/api/blade-user/school/list',
          headers: { 'blade-auth': `bearer ${admin.token}, bearer ${admin.token}` },
        })
      ).statusCode,
    ).toBe(401)
  })

  it('keeps the tenant of the token, whatever the headers or the body say', async () => {
    const other = await world.tenant()
    const made = await admin.post<{ id: string; tenantId: string }>(
      'blade-user/syssubject/submit',
      {
        subjectCode: 'RUDE',
        subjectName: '粗鲁',
        shortName: '粗',
        category: '1',
        gradeIds: [],
        tenantId: other.tenantId,
      },
      { headers: { 'tenant-id': other.tenantId } },
    )
    expect(made.status).toBe(400)
    expect(made.msg).toContain('适用年级')
  })
})

describe('R-ERR-5 a state that is none', () => {
  const withStates = entities.filter((entity) => entity.status && entity.ownership !== 'platform' && !entity.readOnly)

  it.each(withStates.map((entity) => entity.name))('of %s is refused by name, and what stood stays', async (name) => {
    const entity = entityOf(name)
    const ids = await states
    const before = (await admin.get<{ status: number }>(`${entity.path}/detail`, { id: ids.get(name)! })).data
    const answer = await admin.post<{ field: string } | null>(`${entity.path}/submit`, {
      id: ids.get(name)!,
      status: 777,
    })
    // What is enabled by a call of its own is refused in other words.
    expect([answer.status, answer.data?.field ?? 'status']).toEqual([400, 'status'])
    const after = (await admin.get<{ status: number }>(`${entity.path}/detail`, { id: ids.get(name)! })).data
    expect(after.status).toBe(before.status)
  })
})

describe('the boot', () => {
  it('stops at a route that does not say who may call it', () => {
    const silent = {
      method: 'GET',
      path: '/silent',
      summary: { zh: '', en: '' },
      handler: async () => null,
    } as unknown as Route
    expect(() => registerRoutes(world.http, world.services, [silent])).toThrow(/does not say who may call it/)
    expect(() =>
      registerRoutes(world.http, world.services, [{ ...silent, access: { codes: [] } } as unknown as Route]),
    ).toThrow(/does not say who may call it/)
  })
})
