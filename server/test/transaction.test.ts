import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../src/database/statement.ts'
import { openTransaction } from '../src/database/transaction.ts'
import { makeWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.close())

describe('the last statement of a reading transaction', () => {
  it('takes the commit with it: the rows are answered, and nothing more can be asked', async () => {
    const { tx, commit } = await openTransaction(world.services.pool, '000000')
    expect(await tx.run(sql`select count(*)::int as n from app_user where tenant_id = '000000'`, true)).toHaveLength(1)
    await expect(tx.run(sql`select 1 as one`)).rejects.toThrow('after its last statement')
    await commit()
    // The connection is free and names no tenant any more.
    const again = await openTransaction(world.services.pool, '000001')
    expect(await again.tx.one(sql`select current_setting('app.tenant_id') as code`)).toEqual({ code: '000001' })
    await again.rollback()
  })

  it('leaves a clean connection where it fails', async () => {
    for (let round = 0; round < 30; round += 1) {
      const { tx, rollback } = await openTransaction(world.services.pool, '000000')
      await expect(tx.run(sql`select 1 / 0 as none`, true)).rejects.toThrow('division by zero')
      await rollback()
    }
    const { tx, commit } = await openTransaction(world.services.pool, '000000')
    expect(await tx.one(sql`select 1 as one`)).toEqual({ one: 1 })
    await commit()
    expect(world.services.pool.waitingCount).toBe(0)
    expect(world.services.pool.idleCount).toBe(world.services.pool.totalCount)
  })
})

describe('R-PROD-2 a transaction', () => {
  it.each(['', '00001', '0000001', '000001 ', '０００００１', "000001'; reset role; --"])(
    'is opened for no tenant called “%s”, and takes no connection',
    async (odd) => {
      const free = world.services.pool.idleCount
      await expect(openTransaction(world.services.pool, odd)).rejects.toThrow('six digits')
      expect(world.services.pool.idleCount).toBe(free)
    },
  )
})
