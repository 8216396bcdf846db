import { readEnvironment } from './environment.ts'
import { start } from './start.ts'
import { StartError } from './start-error.ts'

/** Starts the product and says so in one line that begins `ready http://`. Ctrl-C stops everything. */
async function main(): Promise<void> {
  const environment = readEnvironment()
  const running = await start(environment)
  let stopping = false
  const stop = (): void => {
    if (stopping) process.exit(1)
    stopping = true
    running.stop().then(
      () => process.exit(process.exitCode ?? 0),
      (error: Error) => {
        console.error(error.message)
        process.exit(1)
      },
    )
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  const address = await running.http
    .listen({ port: environment.port, host: environment.host })
    .catch(async (error: Error & { code?: string }) => {
      await running.stop()
      if (error.code === 'EADDRINUSE')
        throw new StartError(
          `端口 ${environment.port} 已被占用,请用 PORT 指定其他端口`,
          `Port ${environment.port} is in use: choose another with PORT`,
        )
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
}

main().catch((error: Error) => {
  console.error(error instanceof StartError || !error.stack ? error.message : error.stack)
  process.exit(1)
})
