import { isIP } from 'node:net'
import { mail } from '@data-brain/contract'
import { sql } from '../../database/statement.ts'
import { addRules, changesField, refuseField } from '../../entity/rules.ts'
import { Problem } from '../../kernel/problem.ts'

const refuse = (zh: string, en: string): Problem => new Problem('rule_broken', { reason: { zh, en } })

const hostName =
  /^(?=.{1,253}$)[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/

/** What is special about the services that send mail. */
export function addMailRules(): void {
  addRules(mail, {
    beforeSave: async (saving) => {
      const { before, whole } = saving
      if (!isIP(whole.host) && !hostName.test(whole.host))
        refuseField(
          saving,
          mail,
          'host',
          '须为主机名或IP地址，不含协议、端口和路径',
          'must be a host name or IP address, without protocol, port or path',
        )
      if (whole.password && !whole.account)
        refuseField(saving, mail, 'account', '填写了密码时不能为空', 'is required where a password is entered')
      // A password goes where it was entered for: not to another server, nor in the clear where it went encrypted.
      if (
        before?.password &&
        changesField(saving, 'host', 'port', 'encryption', 'account') &&
        !changesField(saving, 'password')
      )
        refuseField(
          saving,
          mail,
          'password',
          '服务器、端口、加密方式或账号已改变，请重新填写',
          'has to be entered anew: host, port, encryption or account have changed',
        )
    },
    // Whoever changes a service has perhaps put right what was wrong with it.
    afterSave: async ({ context, id }) => {
      await context.tx.run(
        sql`update mail set fault = null, paused_until = null where tenant_id = ${context.actor.tenantId} and id = ${id} and fault is not null`,
      )
    },
    beforeRemove: async ({ context, id, before }) => {
      const { tx, actor } = context
      if (before.status === 2) throw refuse('该配置已启用，请先停用', 'This service is enabled: turn it off first')
      const under = await tx.one(
        sql`select 1 from mail_log where tenant_id = ${actor.tenantId} and mail_id = ${id} and leased_until > now() limit 1`,
      )
      if (under) throw refuse('该配置正在发送邮件，请稍后再删除', 'This service is sending mail: remove it shortly')
      // What was sent lets go of its row; what waits goes by the service that is enabled then.
      await tx.run(sql`update mail_log set mail_id = null where tenant_id = ${actor.tenantId} and mail_id = ${id}`)
    },
  })
}
