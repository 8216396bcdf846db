import { connect, type Socket } from 'node:net'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeApp } from '../src/app.ts'
import { Problem } from '../src/kernel/problem.ts'
import { endStalled } from '../src/kernel/stalled-clients.ts'
import { TurnQueue } from '../src/kernel/turn-queue.ts'
import { writeBook } from '../src/modules/import/file/output-workbook.ts'
import { makeWorld, type Person, type World } from './world.ts'

/* What one person or one tenant may take of the server, with real sockets that do not read. */

let world: World
let port = 0
let http: ReturnType<typeof makeApp>
beforeAll(async () => {
  world = await makeWorld()
  http = makeApp(world.services)
  port = Number(new URL(await http.listen({ port: 0, host: '127.0.0.1' })).port)
})
afterAll(async () => {
  await http.close()
  await world.close()
})

/** Asks and reads nothing of the answer. */
async function askAndLeave(who: Person, path: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' })
  socket.on('error', () => {})
  await new Promise<void>((ready) => socket.once('connect', ready))
  socket.pause()
  socket.write(`GET /api/${path} HTTP/1.1\r\nHost: a\r\nBlade-Auth: bearer ${who.token}\r\n\r\n`)
  return socket
}

const ask = async (who: Person, path: string): Promise<number> => {
  const answer = await fetch(`http://127.0.0.1:${port}/api/${path}`, {
    headers: { 'blade-auth': `bearer ${who.token}` },
  })
  await answer.arrayBuffer()
  return answer.status
}

describe('templates asked for by 30 sockets that read nothing', () => {
  it('take neither the memory nor the connections of everybody else', async () => {
    const [rude, other] = [await world.tenant(), await world.tenant()]
    const path = 'blade-user/import-schoolclass/template'
    expect(await ask(rude, path)).toBe(200)
    const before = process.memoryUsage().rss
    let most = before
    const look = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss)
    }, 20)
    const sockets = await Promise.all(Array.from({ length: 30 }, () => askAndLeave(rude, path)))
    const statuses = await Promise.all([
      ask(other, path),
      ...Array.from({ length: 40 }, () => ask(other, 'blade-user/school/list')),
    ])
    clearInterval(look)
    for (const socket of sockets) socket.destroy()
    expect([...new Set(statuses)]).toEqual([200])
    // Two threads at once, where thirty took more than a gigabyte.
    expect(Math.round((most - before) / 1_048_576)).toBeLessThan(300)
  }, 60_000)
})

describe('workbooks', () => {
  it('ISSUE-13-C10 are made up when their turn has come: who waits for one holds no connection', async () => {
    const holder = { tenantId: '999999', userId: '1' }
    const book = { sheets: [{ name: '一', columns: [{ width: 10 }], rows: [['一']] }] }
    let [now, most] = [0, 0]
    const make = async () => {
      now += 1
      most = Math.max(most, now)
      await new Promise((done) => setImmediate(done))
      now -= 1
      return book
    }
    const made = await Promise.all(Array.from({ length: 4 }, () => writeBook(holder, make)))
    expect([made.length, most]).toEqual([4, 1])
  }, 60_000)
})

describe('exports that are not fetched', () => {
  it('keep nobody else from theirs', async () => {
    const [rude, other] = [await world.tenant(), await world.tenant()]
    // Thirty megabytes: no connection holds them in its buffers.
    await world.owner.query(
      `insert into post (tenant_id, id, category, post_code, post_name, remark)
       select $1, 7000000 + n, '1', 'code' || n, 'post' || n, repeat('长', 500) from generate_series(1, 20000) n`,
      [rude.tenantId],
    )
    const path = 'blade-system/post/export?format=csv&columns=postName,remark'
    const colleagues = [rude, await world.as(rude.tenantId, 'admin'), await world.as(rude.tenantId, 'admin')]
    const sockets = await Promise.all(colleagues.map((who) => askAndLeave(who, path)))
    // They are being written, or written and not fetched.
    await new Promise((done) => sockets[0]!.once('readable', done))
    expect(await ask(other, 'blade-user/school/export')).toBe(200)
    expect(await ask(rude, 'blade-user/school/export')).toBe(200)
    for (const socket of sockets) socket.destroy()
  }, 60_000)
})

describe('an answer that is not taken', () => {
  it('is given up with its connection, and one that is taken slowly but steadily is not', async () => {
    const server = Fastify()
    let open = 0
    const givenUp = Promise.withResolvers<void>()
    server.addHook('onRequest', async (request, reply) => {
      open += 1
      reply.raw.once('close', () => {
        open -= 1
        if (request.url === '/file?stalled') givenUp.resolve()
      })
    })
    // Longer than a busy machine holds up the steady one.
    endStalled(server, { least: 65_536, within: 3_000, look: 50 })
    server.get('/file', (_request, reply) => reply.send(Buffer.alloc(64 * 1_048_576)))
    server.get('/quiet', async () => {
      await givenUp.promise
      return 'late'
    })
    const address = new URL(await server.listen({ port: 0, host: '127.0.0.1' }))
    const get = (path: string, read: (socket: Socket) => void): Promise<number> =>
      new Promise((done) => {
        let bytes = 0
        const socket = connect({ port: Number(address.port), host: '127.0.0.1' })
        socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
        socket.on('data', (part) => {
          bytes += part.length
        })
        read(socket)
        socket.on('error', () => {})
        socket.on('close', () => done(bytes))
      })
    const whole = 64 * 1_048_576
    const taken = await Promise.all([
      // Reads nothing until it has been given up.
      get('/file?stalled', (socket) => {
        socket.pause()
        void givenUp.promise.then(() => socket.resume())
      }),
      get('/file', (socket) => {
        let on = true
        const beat = setInterval(() => {
          on = !on
          if (on) socket.resume()
          else socket.pause()
        }, 20)
        socket.once('close', () => clearInterval(beat))
      }),
      get('/quiet', () => {}),
    ])
    expect(taken[0]).toBeLessThan(whole)
    expect(taken[1]).toBeGreaterThan(whole)
    expect(taken[2]).toBeGreaterThan(4)
    expect(open).toBe(0)
    await server.close()
  }, 60_000)
})

describe('turns', () => {
  const room = { atOnce: 3, perTenant: 2, perUser: 1, waitingOfUser: 2, waitingOfTenant: 3, longest: 100 }
  const of = (tenantId: string, userId: string) => ({ tenantId, userId })

  it('are given in order, past those who have as many as they may', async () => {
    const turns = new TurnQueue(room)
    const told: string[] = []
    const take = (tenantId: string, userId: string) =>
      turns.take(of(tenantId, userId)).then((end) => {
        told.push(`${tenantId}${userId}`)
        return end
      })
    const first = await take('a', '1')
    const again = take('a', '1')
    const second = await take('a', '2')
    const third = take('a', '3')
    const other = await take('b', '1')
    expect(told).toEqual(['a1', 'a2', 'b1'])
    second()
    await third
    expect(told.at(-1)).toBe('a3')
    first()
    first()
    await again
    expect(told).toEqual(['a1', 'a2', 'b1', 'a3', 'a1'])
    other()
  })

  it('are refused to whoever has too many waiting, or has waited too long', async () => {
    const turns = new TurnQueue(room)
    const end = await turns.take(of('a', '1'))
    const refused = expect.objectContaining({ problem: 'too_many' })
    const waiting = [turns.take(of('a', '1')), turns.take(of('a', '1'))].map((each) => each.catch((error) => error))
    await expect(turns.take(of('a', '1'))).rejects.toThrow(Problem)
    expect(await Promise.all(waiting)).toEqual([refused, refused])
    end()
    const free = await turns.take(of('a', '1'))
    free()
  })
})
