// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what is broken is code, templates too.
// npm run test:mutation:paths: breaks, one after the other, what refuses people in code that needs the database, and runs
// the test that is said to notice. A change that no test notices fails the run, and so does one that finds no such code any
// more. What needs no database is changed by Stryker (stryker.config.mjs).
//   npm run test:mutation:paths -- repository     those whose file or name has this in it
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from './root.mjs'
import { node, run } from './setup.mjs'

/** What is broken: the file below server/src, the code, what stands there instead, and the tests that notice. */
export const mutations = [
  ['kernel/authenticate.ts', ' and s.revoked_at is null\n', '\n', 'auth-session'],
  [
    'kernel/authenticate.ts',
    'and t.status in (1, 2) and (t.expire_time is null or t.expire_time > now())\n',
    '\n',
    'tenant',
  ],
  [
    'kernel/authenticate.ts',
    'and exists (select 1 from client c where c.client_id = s.client_id and c.status = 1)',
    '',
    'client',
  ],
  ['kernel/authenticate.ts', ' and s.access_expires > now()', '', 'auth-session auth-refresh auth'],
  ['kernel/authenticate.ts', ' and s.prev_access_until > now()', '', 'auth-refresh auth-session'],
  ['kernel/authenticate.ts', 'if (row.locked && !whileLocked)', 'if (false)', 'lock'],
  ['kernel/authenticate.ts', 'if (kept?.stamp === stamp && ', 'if (kept && ', 'data-scope'],
  ['kernel/load-actor.ts', 'if (user?.status !== 1) return null', 'if (!user) return null', 'auth-session'],
  [
    'kernel/load-actor.ts',
    'narrowed.roleId ? held.filter((role) => role.id === narrowed.roleId) : held',
    'held',
    'auth-session auth-password auth switch-mode',
  ],
  ['kernel/load-actor.ts', '.filter((scope) => !scope.granted)', '.filter(() => false)', 'scope-rules'],
  ['database/transaction.ts', 'if (!isTenantCode(tenantId)) throw', 'if (false) throw', 'transaction'],
  [
    'entity/repository.ts',
    "if (reach && !(await this.lies(id, reach))) throw new Problem('out_of_scope')",
    '',
    'data-scope',
  ],
  [
    'entity/repository.ts',
    "if (reach && !(await this.lies(id, reach))) throw new Problem('not_found')",
    '',
    'data-scope history narrow-walk',
  ],
  [
    'entity/repository.ts',
    "this.#whole(id, await this.reach(this.#code('view')))",
    'this.#whole(id, undefined)',
    'data-scope',
  ],
  [
    'entity/repository.ts',
    'const reach = codes && (await this.reach(codes))',
    'const reach = undefined as Reach | undefined',
    'data-scope',
  ],
  ['entity/repository.ts', '          ...(reach ? [reach.sql] : []),\n', '', 'data-scope'],
  [
    'entity/repository.ts',
    'where ${ownedBy(model)} ${reach ? sql`and ${reach.sql}` : sql``} order by o.ord`',
    'where ${ownedBy(model)} order by o.ord`',
    'narrow-walk',
  ],
  [
    'entity/repository.ts',
    "if (!this.maySeePersonal() || !all) throw new Problem('forbidden', { code })",
    '',
    'masks data-scope',
  ],
  ['entity/repository.ts', 'Number(plainText(version)) !== before.version', 'false', 'every-entity'],
  ['entity/choices.ts', '          ...(reach ? [reach.sql] : []),\n', '', 'data-scope'],
  ['entity/link-scope.ts', 'if (reached && added.some((id) => !reached.has(id)))', 'if (false)', 'narrow-walk'],
  ['entity/link-scope.ts', 'if (!seen) continue\n', 'continue\n', 'narrow-walk'],
  ['entity/routes.ts', 'if (!holdsCode(call.actor, needed))', 'if (false)', 'history-back'],
  ['entity/restore.ts', 'if (!holdsCode(context.actor, needed))', 'if (false)', 'history-back history'],
  ['modules/history/undo.ts', "if (!own && !holdsCode(actor, 'history_undo'))", 'if (false)', 'history history-back'],
  [
    'modules/history/undo.ts',
    "if (await tx.one(outside)) throw new Problem('out_of_scope')",
    '',
    'narrow-walk history history-back',
  ],
  [
    'modules/history/list.ts',
    'if (!found || !viewableEntities(actor).includes(found.entity))',
    'if (!found)',
    'region-edit',
  ],
  ['modules/system/own-classes.ts', 'if (!(await within(kind)))', 'if (false)', 'own-scope'],
  ['modules/system/scopes.ts', 'if (!isAdmin(context.actor))', 'if (false)', 'scope-rules'],
  ['modules/student/message-targets.ts', 'if (isNarrowed && wide.has(type))', 'if (false)', 'narrow-walk'],
  ['modules/student/message-targets.ts', 'if (found.length < new Set(ids).size)', 'if (false)', 'narrow-walk'],
  [
    'modules/school/routes.ts',
    '        ? sql`and ${sql.raw(id)} in',
    '        ? sql`and true or ${sql.raw(id)} in',
    'every-scope',
  ],
  [
    'modules/resource/put.ts',
    'if (!maySaveFiles(actor) && !(picture && size <= ownMost))',
    'if (false)',
    'storage-files',
  ],
  [
    'modules/resource/read.ts',
    "const [file] = await readable(ground, [id])\n    if (!file) throw new Problem('not_found')",
    "const file = (await readable(ground, [id]))[0] ?? (await tx.one<Stored>(sql`select ${storedColumns} from attach a where a.tenant_id = ${actor.tenantId} and a.id = ${id}`))\n    if (!file) throw new Problem('not_found')",
    'resource',
  ],
  ['modules/tenant/quota.ts', 'if ((held?.n ?? 0) + adding > quota)', 'if (false)', 'user tenant tenant-life'],
  [
    'modules/oneroster/rest/index.ts',
    'if (!resource.scopes.some((scope) => client.scopes.includes(scope)))',
    'if (false)',
    'oneroster-rest',
  ],
  ['modules/oneroster/rest/index.ts', 'children.map((id) => ({ id, childId: id })),', '[],', 'oneroster-rest'],
  [
    'modules/oneroster/rest/client.ts',
    'and k.expires > now() and ${usable}`',
    'and k.expires > now()`',
    'oneroster-rest',
  ],
  ['modules/oneroster/rest/client.ts', 'and k.expires > now() and', 'and', 'oneroster-rest'],
  [
    'modules/oneroster/rest/client.ts',
    ' || !timingSafeEqual(row.hash, services.cipher.token(given.secret))',
    '',
    'oneroster-rest',
  ],
  ['modules/oneroster/rest/client.ts', '|| granted.some((scope) => !row.scopes.includes(scope))', '', 'oneroster-rest'],
]

function breakEach() {
  const only = process.argv[2] ?? ''
  const program = node()
  const survivors = []
  let killed = 0
  let restore = () => {}
  for (const signal of ['SIGINT', 'SIGTERM', 'exit']) process.on(signal, () => restore())

  for (const [file, code, instead, tests] of mutations) {
    if (!`${file} ${code} ${tests}`.includes(only)) continue
    const name = `${file}: ${code.trim().slice(0, 90)}`
    const place = path.join(root, 'server/src', file)
    const whole = readFileSync(place, 'utf8')
    if (!whole.includes(code)) {
      survivors.push(`${name} (no such code)`)
      continue
    }
    restore = () => writeFileSync(place, whole)
    writeFileSync(
      place,
      whole.replace(code, () => instead),
    )
    const { status } = run(
      program,
      [
        'node_modules/vitest/vitest.mjs',
        'run',
        '--project=server',
        '--bail=1',
        '--reporter=dot',
        ...tests.split(' ').map((test) => `server/test/${test}.test.ts`),
      ],
      { stdio: 'ignore' },
    )
    restore()
    restore = () => {}
    if (status === 0) survivors.push(name)
    else killed += 1
    console.log(`${status === 0 ? 'SURVIVED' : 'killed  '}  ${name}`)
  }
  console.log(`\n${killed} killed, ${survivors.length} survived`)
  for (const name of survivors) console.log(`SURVIVED  ${name}`)
  process.exitCode = survivors.length > 0 || killed === 0 ? 1 : 0
}

if (process.argv[1] === fileURLToPath(import.meta.url)) breakEach()
