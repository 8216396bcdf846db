import { codeOf, socialprovider, type Words } from '@data-brain/contract'
import type { AnswerOf, InputOf } from '@data-brain/contract/call'
import { checkProvider } from '@data-brain/contract/calls/social'
import { rowsOf } from '../../entity/routes.ts'
import { onDetached } from '../../entity/serve-call.ts'
import { OutboundError } from '../../kernel/outbound.ts'
import { Problem } from '../../kernel/problem.ts'
import type { DetachedCall } from '../../kernel/route.ts'
import { gatedFetch } from './fetch.ts'
import { redirectUri } from './flow.ts'
import type { Kind } from './provider.ts'

const refuse = (reason: Words): Problem => new Problem('rule_broken', { reason })

const noAddress: Words = {
  zh: '尚未设置网站地址，请运维人员设置环境变量 PUBLIC_URL',
  en: 'The product does not know its own address: the operator sets PUBLIC_URL',
}
const noProvider: Words = {
  zh: '该地址没有给出有效的 OpenID Connect 配置',
  en: 'That address does not answer with a valid description of OpenID Connect',
}

/**
 * Asks a provider whether it is there, anew, and answers the address to register with it. What is wrong is told in words;
 * whether the client's id and secret are right shows only when somebody logs in.
 */
async function check(
  { id }: InputOf<typeof checkProvider>,
  call: DetachedCall,
): Promise<AnswerOf<typeof checkProvider>> {
  const { services, circumstance } = call
  const { row, tenantId } = await call.as(async ({ tx, actor }) => ({
    tenantId: actor.tenantId,
    row: await rowsOf(socialprovider, { services, circumstance, tx, actor }).before(id, {
      codes: [codeOf(socialprovider, 'edit')],
    }),
  }))
  const { publicUrl } = services.environment
  if (publicUrl === null) throw refuse(noAddress)
  const provider = {
    tenantId,
    id,
    source: row.source,
    kind: row.kind as Kind,
    issuer: row.issuer,
    clientId: row.clientId,
    clientSecret: null,
    scopes: null,
    version: row.version,
  }
  try {
    const { serverOf } = await import('./ask.ts')
    const server = await serverOf(services, provider, true)
    // Those that describe themselves have answered by now.
    if (provider.kind !== 'oidc') await gatedFetch(services)(server.authorization_endpoint ?? '')
  } catch (error) {
    const { cause } = error as Error
    const fault = [error, cause].find((each) => each instanceof OutboundError)
    throw refuse(fault?.words ?? noProvider)
  }
  return { redirectUri: redirectUri(publicUrl, provider.source) }
}

export const checkRoute = onDetached(checkProvider, check)
