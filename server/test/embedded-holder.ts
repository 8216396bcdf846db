// A process of its own that holds a data folder until it is told to end: what embedded.test.ts kills and questions.
import { Client } from 'pg'
import { startEmbedded } from '../src/database/embedded.ts'

const [dataDir = '', ...statements] = process.argv.slice(2)
try {
  const server = await startEmbedded({ dataDir, log: (line) => console.log(`log ${line}`) })
  const client = new Client(server.url)
  await client.connect()
  for (const statement of statements) console.log(`answer ${JSON.stringify((await client.query(statement)).rows)}`)
  await client.end()
  const finish = async () => {
    await server.stop()
    console.log('stopped')
    process.exit(0)
  }
  process.on('SIGTERM', finish)
  console.log('ready')
} catch (error) {
  console.error((error as Error).message)
  process.exit(3)
}
