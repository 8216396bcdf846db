// Opens live channels on a real server of its own, and prints what they cost and how fast a mark reaches them all.
//   npm run bench:live -- [channels]
import { request } from 'node:http'
import { entityOf } from '@data-brain/contract'
import { newId } from '../server/src/database/id.ts'
import { inPlatform, inTenant } from '../server/src/database/transaction.ts'
import { writeMany } from '../server/src/entity/bulk.ts'
import { modelOf } from '../server/src/entity/model.ts'
import { system } from '../server/src/kernel/actor.ts'
import { announce } from '../server/src/kernel/announce.ts'
import type { Services } from '../server/src/kernel/services.ts'
import { channelsMost, personMost } from '../server/src/modules/desk/channel-hub.ts'
import { addTenantRow, fillTenant } from '../server/src/seed/tenant.ts'
import { judge, verdicts } from './report.ts'
import { benchPassword } from './school.ts'
import { cpuOf, memoryOf, startProduct } from './servers.ts'
import { benchTenant, onStage, type Stage, sessionOf } from './stage.ts'

const channels = Number(process.argv[2] ?? 1_000)
const goal = { megabytes: 60, milliseconds: 1_000 }
const settle = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))

/** Opens a channel; `heard` is called for each event. */
function open(port: number, token: string, heard: (event: string) => void): Promise<() => void> {
  return new Promise((done, fail) => {
    const asked = request(
      {
        host: '127.0.0.1',
        port,
        path: '/api/blade-desk/live?seconds=3600',
        headers: { 'Blade-Auth': `bearer ${token}` },
        agent: false,
      },
      (answer) => {
        if (answer.statusCode !== 200) return fail(new Error(`a channel was answered by ${answer.statusCode}`))
        answer.setEncoding('utf8')
        answer.on('data', (text: string) => {
          for (const [, event] of text.matchAll(/^event: (\w+)$/gm)) heard(event!)
        })
        answer.on('error', () => {})
        done(() => asked.destroy())
      },
    )
    asked.on('error', fail)
    asked.end()
  })
}

/** Sessions of as many people as may hold that many channels. */
async function manySessions(services: Services, count: number): Promise<string[]> {
  const each = Math.floor(personMost / channelsMost)
  const people = Array.from({ length: Math.ceil(count / each) }, (_, nth) => ({
    id: newId(),
    values: { account: `bench${nth}`, realName: 'bench', userType: '1', staffStatus: '1' },
  }))
  await inTenant(services.pool, benchTenant, (tx) =>
    writeMany(
      modelOf(entityOf('user')),
      {
        ...{ tx, actor: system('bench', benchTenant), cipher: services.cipher },
        circumstance: { requestId: '0', language: 'zh' },
      },
      people,
    ),
  )
  const tokens: string[] = []
  for (let n = 0; n < count; n += 1)
    tokens.push(await sessionOf(services, benchTenant, people[Math.floor(n / each)]!.id))
  return tokens
}

async function measure(stage: Stage): Promise<void> {
  const { services } = stage
  await inTenant(services.pool, benchTenant, (tx) =>
    fillTenant(
      tx,
      {
        tenantId: benchTenant,
        name: 'bench',
        account: 'admin',
        realName: 'bench',
        password: benchPassword,
        mustChange: false,
      },
      services.secrets.pepper,
    ),
  )
  await inPlatform(services.platform, (tx) => addTenantRow(tx, { tenantId: benchTenant, name: 'bench' }))
  const tokens = await manySessions(services, Math.ceil(channels / channelsMost))
  const product = await startProduct({
    env: { DATA_DIR: stage.dataDir, DATABASE_URL: stage.url },
  })
  let notices = 0
  let ready = 0
  const hear = (event: string): void => {
    if (event === 'notice') notices += 1
    if (event === 'ready') ready += 1
  }
  // What the first calls load is no part of what channels cost.
  const first = await open(product.port, tokens[0]!, hear)
  await settle(2_000)
  first()
  await settle(500)
  ready = 0
  const before = memoryOf(product).now
  const begin = performance.now()
  const closers: (() => void)[] = []
  for (let n = 0; n < channels; n += 50)
    closers.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(50, channels - n) }, (_, at) =>
          open(product.port, tokens[Math.floor((n + at) / channelsMost)]!, hear),
        ),
      )),
    )
  while (ready < channels) await settle(10)
  const opened = performance.now() - begin
  await settle(3_000)
  const after = memoryOf(product).now
  const cpu = cpuOf(product)
  const said = performance.now()
  await inTenant(services.pool, benchTenant, (tx) => announce(tx, benchTenant, 'notice'))
  while (notices < channels && performance.now() - said < 30_000) await settle(2)
  const reached = performance.now() - said
  console.log(`channels                 ${channels} (${tokens.length} sessions)`)
  console.log(`opened in                ${opened.toFixed(0)} ms`)
  console.log(`memory before, after     ${before.toFixed(1)}, ${after.toFixed(1)} MB (+${(after - before).toFixed(1)})`)
  console.log(
    `a mark reached ${notices}     in ${reached.toFixed(0)} ms, ${((cpuOf(product) - cpu) * 1_000).toFixed(0)} ms of processor`,
  )
  console.log(
    `\n${verdicts([
      judge('memory of the channels', after - before, goal.megabytes, ' MB'),
      judge('a mark reaches them all', reached, goal.milliseconds, ' ms'),
    ])}`,
  )
  for (const close of closers) close()
}

await onStage(measure)
