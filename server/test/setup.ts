import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { temporaryInMemory } from '../../scripts/memory-folder.mts'
import { allRoutes } from '../src/app.ts'
import { changeAddress } from '../src/database/address.ts'
import { startEmbedded } from '../src/database/embedded.ts'
import { rolesOf } from '../src/database/roles.ts'
import { readEnvironment } from '../src/environment.ts'
import { describe } from '../src/openapi.ts'
import { start } from '../src/start.ts'
import type { TestDatabase } from './world.ts'

/**
 * One PostgreSQL for the whole run (the embedded one, or DATABASE_URL), with a database that has been migrated and
 * seeded once by the product's own start; every test file works on a copy of it.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Tests start the product a hundred times from its sources: types are stripped, and code compiled, once.
  process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../../.runtime/compile-cache')
  const leaveMemory = temporaryInMemory()
  const folder = mkdtempSync(join(tmpdir(), 'data-brain-test-'))
  // The unprivileged account that PostgreSQL runs under must be able to pass.
  chmodSync(folder, 0o711)
  // What this cluster wrote need not outlive the machine: tests of crashes start servers of their own.
  const embedded = process.env.DATABASE_URL
    ? undefined
    : await startEmbedded({ dataDir: join(folder, 'pg'), log: () => {}, isThrownAway: true })
  const owner = process.env.DATABASE_URL ?? embedded!.url
  const template = `template_${process.pid}`
  const admin = new pg.Client({ connectionString: owner })
  await admin.connect()
  await admin.query(`create database ${template}`)
  const url = changeAddress(owner, { database: template })
  const running = await start(
    readEnvironment({
      DATABASE_URL: url,
      DATA_DIR: join(folder, 'keys'),
      ADMIN_PASSWORD: 'Correct-Horse-9',
      DEMO: 'off',
      LOG_LEVEL: 'silent',
    }),
  )
  // The queues of what comes round are laid with the first work.
  await running.work()
  await running.stop()
  // As files, which costs checkpoints: no waiting where nothing waits for the disk.
  const copy = embedded ? 'file_copy' : 'wal_log'
  const stated = join(folder, 'stated.json')
  writeFileSync(stated, JSON.stringify(statedStatuses()))
  project.provide('database', { owner, template, keys: join(folder, 'keys'), copy, stated } satisfies TestDatabase)
  return async () => {
    const left = await admin.query<{ datname: string }>(`select datname from pg_database where datname like $1`, [
      `${template}%`,
    ])
    for (const { datname } of left.rows) await admin.query(`drop database if exists ${datname} with (force)`)
    for (const role of Object.values(rolesOf(template)))
      await admin.query(`drop role if exists ${role}`).catch(() => {})
    await admin.end()
    await embedded?.stop()
    rmSync(folder, { recursive: true, force: true })
    leaveMemory()
  }
}

/** What the description states of each call, which every answer of every test is held to (conform.ts). */
function statedStatuses(): Record<string, string[]> {
  const routes = allRoutes()
  const { paths } = describe(routes) as { paths: Record<string, Record<string, { responses: object }>> }
  return Object.fromEntries(
    routes.flatMap(({ method, path }) => {
      const described = paths[`/api${path.replaceAll(/:(\w+)/g, '{$1}')}`]?.[method.toLowerCase()]
      return described ? [[`${method} ${path}`, Object.keys(described.responses)]] : []
    }),
  )
}
