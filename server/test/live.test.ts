import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { changeAddress } from '../src/database/address.ts'
import { callServer, logInTo, type Server, startServer, startTwo, stopServer, type TwoServers } from './two-servers.ts'

/** R-BAR-10: what is new is pushed, whichever process it was made in, to those it is for and nobody else. */

let two: TwoServers
let servers: TwoServers['servers']
let owner: pg.Client
let top: string

beforeAll(async () => {
  two = await startTwo()
  ;({ servers, owner } = two)
  top = (await logInTo(two, servers[0], '000000', 'admin')).access_token
}, 60_000)
afterAll(() => two?.stop(), 60_000)

interface Channel {
  readonly status: number
  readonly events: string[]
  /** What came with the first of them. */
  readonly greeting: () => { readonly rightsStamp?: string }
  /** Settles when the server has ended it. */
  readonly ended: Promise<void>
  readonly isOpen: () => boolean
  close(): void
}

const opened: Channel[] = []
afterEach(() => {
  for (const channel of opened.splice(0)) channel.close()
})

/** A channel as the console opens it. */
async function channel(server: Server, token: string, seconds = 60): Promise<Channel> {
  const stop = new AbortController()
  const answer = await fetch(`${server.url}/api/blade-desk/live?seconds=${seconds}`, {
    headers: { 'Blade-Auth': `bearer ${token}` },
    signal: stop.signal,
  })
  const events: string[] = []
  let greeting = {}
  let open = true
  const ended = (async () => {
    const decoder = new TextDecoder()
    let text = ''
    try {
      for await (const bytes of answer.body!) {
        text += decoder.decode(bytes, { stream: true })
        for (let at = text.indexOf('\n\n'); at >= 0; at = text.indexOf('\n\n')) {
          const event = /^event: (\w+)$/m.exec(text.slice(0, at))?.[1]
          if (event === 'ready') greeting = JSON.parse(/^data: (.*)$/m.exec(text.slice(0, at))![1]!)
          if (event) events.push(event)
          text = text.slice(at + 2)
        }
      }
    } catch {
      // Closed by this side.
    }
    open = false
  })()
  const made = {
    status: answer.status,
    events,
    greeting: () => greeting,
    ended,
    isOpen: () => open,
    close: () => stop.abort(),
  }
  opened.push(made)
  return made
}

const has = (each: Channel, event: string) =>
  expect.poll(() => each.events, { timeout: 5_000, interval: 20 }).toContain(event)
const over = (each: Channel) => expect.poll(each.isOpen, { timeout: 5_000, interval: 20 }).toBe(false)
const quiet = () => new Promise((done) => setTimeout(done, 500))

async function ok<T>(
  server: Server,
  path: string,
  token: string,
  options: { query?: Record<string, string>; body?: object },
) {
  const answer = await callServer<T>(two, server, 'POST', path, token, options)
  expect(answer.status, answer.msg).toBe(200)
  return answer.data
}

/** Somebody of the platform's tenant with a role of their own. */
async function somebody(): Promise<{
  token: string
  userId: string
  roleId: string
  sessionId: string
  account: string
  password: string
}> {
  const mark = randomBytes(3).toString('hex')
  const password = 'Tall-Birch-91'
  const [first] = servers
  const role = await ok<{ id: string }>(first, 'blade-system/role/submit', top, {
    body: { roleName: mark, roleAlias: mark, sort: 1 },
  })
  const user = await ok<{ id: string }>(first, 'blade-user/submit', top, {
    body: { account: mark, realName: '某人', roleId: role.id, password },
  })
  const session = await logInTo(two, first, '000000', mark, password)
  return {
    account: mark,
    password,
    token: session.access_token,
    userId: user.id,
    roleId: role.id,
    sessionId: session.jti,
  }
}

async function notice(server: Server, token: string): Promise<string> {
  const { id } = await ok<{ id: string }>(server, 'blade-desk/notice/submit', token, {
    body: { title: '停课', category: '1', releaseTime: '2026-01-01 08:00:00', content: '<p>明天停课</p>' },
  })
  await ok(server, 'blade-desk/notice/publish', token, { query: { ids: id } })
  return id
}

describe('R-BAR-10 live push', () => {
  it('crosses from the process where a notice is published to those whose consoles are elsewhere', async () => {
    const [first, second] = servers
    const ann = await somebody()
    const [here, there] = [await channel(first, ann.token), await channel(second, ann.token)]
    await Promise.all([has(here, 'ready'), has(there, 'ready')])
    const id = await notice(first, top)
    await Promise.all([has(here, 'notice'), has(there, 'notice')])
    // Reading it in one place tells the other.
    there.events.length = 0
    const read = await callServer(two, first, 'GET', 'blade-desk/notice/read', ann.token, { query: { id } })
    expect(read.status, read.msg).toBe(200)
    await has(there, 'notice')
  })

  it('tells a message to whom it is for, and says nothing of what it is', async () => {
    const [first, second] = servers
    const [ann, bob] = [await somebody(), await somebody()]
    const another = await logInTo(
      two,
      first,
      '000000',
      (await owner.query('select account from app_user where id = $1', [ann.userId])).rows[0].account,
      'Tall-Birch-91',
    )
    const [hers, his] = [await channel(second, another.access_token), await channel(second, bob.token)]
    await Promise.all([has(hers, 'ready'), has(his, 'ready')])
    await ok(first, 'blade-system/session/end', top, { query: { ids: ann.sessionId } })
    await has(hers, 'message')
    await quiet()
    expect(his.events).toEqual(['ready'])
  })

  it('says nothing to another tenant', async () => {
    const [first, second] = servers
    const made = await ok<{ tenantId: string; account: string; password: string }>(
      first,
      'blade-system/tenant/submit',
      top,
      {
        body: { tenantName: '别处', linkman: '王小明', contactNumber: '13800000000' },
      },
    )
    const there = await logInTo(two, first, made.tenantId, made.account, made.password)
    await owner.query('update credential set must_change = 0 where tenant_id = $1', [made.tenantId])
    await callServer(two, second, 'GET', 'blade-auth/oauth/clear-cache', there.access_token)
    const foreign = await channel(second, there.access_token)
    const own = await channel(second, top)
    await Promise.all([has(foreign, 'ready'), has(own, 'ready')])
    await notice(first, top)
    await has(own, 'notice')
    await quiet()
    expect(foreign.events).toEqual(['ready'])
  })

  it('ends at once with the session, and when the call is kept from its holder', async () => {
    const [first, second] = servers
    const [ann, bob, eve] = [await somebody(), await somebody(), await somebody()]
    const [hers, his, out] = [
      await channel(second, ann.token),
      await channel(second, bob.token),
      await channel(second, eve.token),
    ]
    await Promise.all([has(hers, 'ready'), has(his, 'ready'), has(out, 'ready')])
    await ok(first, 'blade-system/session/end', top, { query: { ids: ann.sessionId } })
    await over(hers)
    expect(his.isOpen()).toBe(true)
    await callServer(two, first, 'GET', 'blade-auth/oauth/logout', eve.token)
    await over(out)
    // A scope that governs the call and that nobody was granted: at the next event the channel is closed unheard.
    const menu = (await owner.query(`select id::text from menu where code = 'notice'`)).rows[0].id
    const scope = await ok<{ id: string }>(first, 'blade-system/api-scope/submit', top, {
      body: {
        menuId: menu,
        scopeName: '推送',
        resourceCode: 'live',
        scopePath: 'GET /api/blade-desk/live',
        scopeType: '2',
      },
    })
    await notice(first, top)
    await over(his)
    expect(his.events).toEqual(['ready'])
    await ok(first, 'blade-system/api-scope/remove', top, { query: { ids: scope.id } })
  })

  it('R-AUTH-8 greets with the stamp of the rights, so that what changed before it stood is noticed', async () => {
    const [first, second] = servers
    const ann = await somebody()
    const read = async () => {
      const answer = await callServer<{ rightsStamp: string }>(
        two,
        first,
        'GET',
        'blade-auth/oauth/user-info',
        ann.token,
      )
      return Number(answer.data.rightsStamp)
    }
    const before = await read()
    const early = await channel(second, ann.token)
    await has(early, 'ready')
    expect(Number(early.greeting().rightsStamp)).toBe(before)
    await ok(first, 'blade-system/role/grant', top, {
      body: { roleIds: [ann.roleId], menuIds: [], dataScopeIds: [], apiScopeIds: [] },
    })
    const late = await channel(second, ann.token)
    await has(late, 'ready')
    expect(Number(late.greeting().rightsStamp)).toBeGreaterThan(before)
    expect(Number(late.greeting().rightsStamp)).toBe(await read())
  })

  it('is open to a session three times in a process, and to nobody without one', async () => {
    const [first] = servers
    const ann = await somebody()
    for (let n = 0; n < 3; n += 1) expect((await channel(first, ann.token)).status).toBe(200)
    expect((await channel(first, ann.token)).status).toBe(429)
    opened.at(0)!.close()
    await expect.poll(async () => (await channel(first, ann.token)).status, { timeout: 5_000 }).toBe(200)
    expect((await channel(first, 'nothing')).status).toBe(401)
    expect((await channel(first, ann.token, 0)).status).toBe(400)
  })

  it('is open to a person thirty times in a process, by however many sessions', async () => {
    const [first] = servers
    const ann = await somebody()
    const tokens = [ann.token]
    while (tokens.length < 11)
      tokens.push((await logInTo(two, first, '000000', ann.account, ann.password)).access_token)
    const all = await Promise.all(tokens.flatMap((token) => [1, 2, 3].map(() => channel(first, token))))
    expect(all.filter((each) => each.status === 200)).toHaveLength(30)
    expect((await channel(first, (await somebody()).token)).status).toBe(200)
  })

  it('lasts as long as was asked for, and hears on after its connection to the database was cut', async () => {
    const [, second] = servers
    const ann = await somebody()
    const short = await channel(second, ann.token, 1)
    await over(short)
    const long = await channel(second, ann.token)
    await has(long, 'ready')
    const cut = await owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query ilike 'listen%' and pid <> pg_backend_pid()`,
    )
    expect(cut.rowCount).toBeGreaterThan(0)
    // Whatever was said meanwhile: everybody is told to look.
    await Promise.all([has(long, 'notice'), has(long, 'message')])
    long.events.length = 0
    await notice(servers[0], top)
    await has(long, 'notice')
  })

  it('does not keep a server from stopping', async () => {
    const database = inject('database')
    const name = (await owner.query('select current_database() as name')).rows[0].name as string
    const third = await startServer(changeAddress(database.owner, { database: name }), database.keys)
    const long = await channel(third, top)
    await has(long, 'ready')
    // A connection that a client has opened ahead of time, and not asked anything on, does not either.
    const unasked = connect(Number(new URL(third.url).port), new URL(third.url).hostname)
    await once(unasked, 'connect')
    const since = Date.now()
    expect(await stopServer(third)).toBe(0)
    expect(Date.now() - since).toBeLessThan(5_000)
    await over(long)
  })
})
