import { type Environment, readEnvironment } from './environment.ts'
import { type RunningServer, start } from './start.ts'
import { inWords, StartError } from './start-error.ts'
import { waitOnPort } from './startup-responder.ts'

/** Beyond the time for requests: the database and what else runs beside them end in it, or are left to themselves. */
const leaveMs = 25_000

/** Ends everything once: at a signal, and at an error that nobody caught, after which nothing can be relied on. */
function endWell(running: RunningServer, { stopSeconds }: Environment): void {
  const { log } = running.services
  let stopping = false
  const stop = (): void => {
    // Asked twice: at once.
    if (stopping) process.exit(1)
    stopping = true
    setTimeout(
      () => {
        log.error('the stop took too long')
        process.exit(1)
      },
      stopSeconds * 1000 + leaveMs,
    ).unref()
    running.stop().then(
      () => process.exit(process.exitCode ?? 0),
      (error: Error) => {
        log.error('the stop failed', { error })
        process.exit(1)
      },
    )
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  process.on('uncaughtException', (error) => {
    log.error('nobody caught an error: the server ends', { error })
    process.exitCode = 1
    if (!stopping) stop()
  })
}

/** Starts the product and says so in one line that begins `ready http://`. Ctrl-C stops everything. */
async function main(): Promise<void> {
  const began = performance.now()
  const environment = readEnvironment()
  const leavePort = await waitOnPort(environment.port, environment.host)
  const running = await start(environment)
  endWell(running, environment)
  await leavePort()
  const address = await running.http
    .listen({ port: environment.port, host: environment.host })
    .catch(async (error: Error) => {
      await running.stop()
      throw error
    })
  for (const { tenantId, account, password, note } of running.told)
    console.log(
      [
        `tenant 租户   ${tenantId}`,
        `account 账号  ${account}`,
        `password 密码 ${password}`,
        `             ${note.en} / ${note.zh}`,
        '',
      ].join('\n'),
    )
  console.log(`ready ${environment.publicUrl ?? address}`)
  running.services.log.info('ready', { address, milliseconds: Math.round(performance.now() - began) })
  await running.work().catch(async (error: Error) => {
    await running.stop()
    throw error
  })
}

main().catch((failure: Error) => {
  const error = inWords(failure)
  console.error(error instanceof StartError || !error.stack ? error.message : error.stack)
  process.exit(1)
})
