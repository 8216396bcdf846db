import { dept } from '@data-brain/contract'
import { inTenant } from '../server/src/database/transaction.ts'
import { Repository } from '../server/src/entity/repository.ts'
import { system } from '../server/src/kernel/actor.ts'
import type { Services } from '../server/src/kernel/services.ts'

/** Makes a department with so many below it, by the product's own write path. They are called `<name> 0001` and so on. */
export async function fillBranch(services: Services, tenantId: string, name: string, count: number): Promise<void> {
  await inTenant(services.pool, tenantId, async (tx) => {
    const departments = new Repository(dept, {
      tx,
      actor: system('bench', tenantId),
      circumstance: { requestId: '0', language: 'zh' },
      cipher: services.cipher,
    })
    const branch = await departments.save({ deptName: name, deptCategory: '1', sort: 1 })
    for (let nth = 1; nth <= count; nth += 1)
      await departments.save({
        deptName: `${name} ${String(nth).padStart(4, '0')}`,
        deptCategory: '3',
        parentId: branch.id,
        sort: nth,
      })
  })
}
