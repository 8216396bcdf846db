import { socialprovider, type Words } from '@data-brain/contract'
import { sql } from '../../database/statement.ts'
import { addRules, type Saving } from '../../entity/rules.ts'
import { pluralize } from '../../kernel/pluralize.ts'
import { type FieldFault, fieldProblem, Problem } from '../../kernel/problem.ts'

const needed: Words = { zh: '不能为空', en: 'is required' }

/** The base of addresses: no query, nothing behind it. */
const isBase = (address: string): boolean => {
  const url = URL.parse(address)
  return url !== null && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username && !url.password
}

async function check({ context, whole }: Saving<typeof socialprovider>): Promise<void> {
  const faults: FieldFault[] = []
  const fault = (field: 'issuer' | 'clientSecret' | 'scopes', reason: Words): void => {
    faults.push({ field, label: socialprovider.fields[field].label, reason })
  }
  const issuer = whole.issuer ?? ''
  if (whole.kind === 'oidc' && !issuer) fault('issuer', needed)
  if (issuer && !isBase(issuer))
    fault('issuer', {
      zh: '须为不带参数的 https 地址',
      en: 'must be an https address without a query',
    })
  if (whole.kind !== 'oidc' && !whole.clientSecret) fault('clientSecret', needed)
  // RFC 6749, 3.3: words of visible signs without quotes and backslashes.
  if (whole.scopes && !/^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/.test(whole.scopes))
    fault('scopes', { zh: '须为以单个空格分隔的名称', en: 'must be names separated by single spaces' })
  if (faults.length > 0) throw fieldProblem(faults, context.circumstance.language)
}

/** What is special about providers. */
export function addProviderRules(): void {
  addRules(socialprovider, {
    beforeSave: check,
    beforeRemove: async ({ context: { tx, actor }, id }) => {
      const used = await tx.one<{ linked: number; waiting: number }>(
        sql`select (select count(*)::int from social_identity where tenant_id = ${actor.tenantId} and provider_id = ${id}) as linked,
              (select count(*)::int from guest_secret where tenant_id = ${actor.tenantId} and provider_id = ${id}) as waiting`,
      )
      const [linked, waiting] = [used?.linked ?? 0, used?.waiting ?? 0]
      if (linked + waiting > 0)
        throw new Problem('rule_broken', {
          reason: {
            zh: `已有${linked}个用户关联、${waiting}个注册申请待审批，不能删除；如不再使用，请停用`,
            en: `linked to it: ${pluralize(linked, 'user')}; waiting: ${pluralize(waiting, 'registration')}. Disable it instead`,
          },
        })
    },
  })
}
