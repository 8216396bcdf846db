import { defineEntity, defineExtension, importOf, pageOf, schoolId, text } from '@data-brain/contract/extension'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { faultsOf } from '../../scripts/judge-extensions.mts'
import { rowLevelSecurity } from '../src/database/ddl.ts'
import { absentExtensions, hideAbsent, migrateExtensions, pendingOfExtensions } from '../src/database/extensions.ts'
import { ensureRoles, rolesOf } from '../src/database/roles.ts'
import { inPlatform } from '../src/database/transaction.ts'
import { learnConstraints } from '../src/entity/constraint.ts'
import { loadSecrets } from '../src/secrets.ts'
import { purgeRows } from '../src/seed/tenant.ts'
import { sample } from './sample.ts'
import { makeWorld, type Person, type World } from './world.ts'

/** What an extension may bring, and what becomes of it where it is taken out. The walk with a whole one is e2e/extension.test.ts. */

const label = { zh: '走访', en: 'Visit' }
const visit = defineEntity({
  name: 'visits_visit',
  path: 'ext-visits/visit',
  label,
  ownership: 'tenant',
  title: 'topic',
  fields: { topic: text('主题', 'Topic', { required: true, max: 50 }) },
  list: ['topic'],
  search: ['topic'],
  sort: 'topic',
})
const group = { code: 'visits_group', label, children: [pageOf(visit, 'Visits', 'map-pin')] }
const visits = defineExtension({
  name: 'visits',
  label,
  entities: [visit],
  menus: [{ under: 'top-student', groups: [group] }],
})

describe('what an extension declares is judged before it is built in', () => {
  const told = (...of: Parameters<typeof faultsOf>): string =>
    faultsOf(...of)
      .flat()
      .join('\n')

  it('finds nothing wrong with one that keeps to its own names', () => {
    expect(faultsOf(visits)).toEqual([])
    expect(faultsOf({ ...visits, imports: [importOf(visit, { columns: { topic: ['事由'] } })] })).toEqual([])
  })

  it.each([
    ['another folder', { ...visits }, 'calls', 'it is named visits, and its folder calls'],
    [
      'the name of an entity',
      { ...visits, name: 'student' },
      'student',
      'the name student would be mistaken for student',
    ],
    [
      'an entity without the prefix',
      { ...visits, entities: [{ ...visit, name: 'visit' }] },
      'visits',
      'the entity visit must begin with visits_',
    ],
    [
      'an entity of the core',
      { ...visits, entities: [{ ...visit, table: 'student' }] },
      'visits',
      'the table student must begin with visits_',
    ],
    [
      'a path of the core',
      { ...visits, entities: [{ ...visit, path: 'blade-user/visit' }] },
      'visits',
      'blade-user/visit must stand under ext-visits/',
    ],
    [
      'rows that are no tenant’s',
      { ...visits, entities: [{ ...visit, ownership: 'platform' as const }] },
      'visits',
      'must belong to a tenant or a school',
    ],
    [
      'an import of a foreign entity',
      { ...visits, imports: [{ ...importOf(visit, { columns: { topic: [] } }), kind: 'student' }] },
      'visits',
      'it imports student, which is no entity of its own',
    ],
    [
      'an import without what must be there',
      { ...visits, imports: [{ ...importOf(visit, { columns: { topic: [] } }), columns: [] }] },
      'visits',
      'the import of visits_visit needs a column of topic',
    ],
    [
      'an import by what has no column',
      { ...visits, imports: [{ ...importOf(visit, { columns: { topic: [] } }), identity: [['remark']] }] },
      'visits',
      'visits_visit is known by remark, which has no column',
    ],
    [
      'an import of what a school says of itself',
      {
        ...visits,
        entities: [{ ...visit, ownership: 'school' as const, fields: { schoolId, ...visit.fields } }],
        imports: [
          importOf({ ...visit, fields: { schoolId, ...visit.fields } }, { columns: { schoolId: [], topic: [] } }),
        ],
      },
      'visits',
      'no cell can say visits_visit.schoolId',
    ],
    ['an entity in no menu', { ...visits, menus: [] }, 'visits', 'stands in no menu'],
    [
      'a top menu that there is not',
      { ...visits, menus: [{ under: 'top-visits' as 'top-student', groups: [group] }] },
      'visits',
      'there is no top menu top-visits',
    ],
    [
      'a code that is not its own',
      { ...visits, roles: { teacher: ['student_personal'] } },
      'visits',
      'student_personal, which is no code of its own',
    ],
    [
      'a job without the prefix',
      { ...visits, jobs: { 'job-sweep': label } },
      'visits',
      'the kind of job job-sweep must begin with visits_',
    ],
    [
      'a word in one language',
      { ...visits, label: { zh: '走访', en: '' } },
      'visits',
      'lacks words in Chinese or English',
    ],
  ])('refuses %s', (_what, extension, folder, fault) => {
    expect(told(extension, undefined, folder)).toContain(fault)
  })

  it('refuses a server part that serves what is not its own', () => {
    const recurring = [{ name: 'visits_night', cron: '0 3 * * *', run: async () => undefined }]
    const faults = told(visits, { serves: { student: ['list'] }, recurring })
    expect(faults).toContain('it serves calls of student, which is not its own')
    expect(faults).toContain('the job visits_night is not among its jobs')
  })
})

describe('R-PROD-2 the migrations of an extension', () => {
  let world: World
  beforeAll(async () => {
    world = await makeWorld()
  })
  afterAll(() => world.close())

  const migration = (text: string, number = 1) => ({ number, name: `000${number}_x.sql`, text })
  const run = (...texts: string[]): Promise<number> =>
    migrateExtensions(world.owner, [{ name: 'ghost', migrations: texts.map((text, at) => migration(text, at + 1)) }])
  const tables = async (): Promise<number> =>
    (await world.owner.query(`select 1 from pg_class where relname like 'ghost%'`)).rowCount!

  it.each([
    ['a column of the core', 'alter table student add column ghost text'],
    ['a policy of the core', 'create policy ghost on student using (true)'],
    ['a wall of the core', 'alter table student no force row level security'],
    [
      'a trigger on the core',
      'create trigger ghost before update on student for each row execute function refuse_future()',
    ],
    [
      'a function of the core',
      'create or replace function public.analyze_students() returns void language sql as $$ select $$',
    ],
    ['a right', 'grant select on student to public'],
    ['a table without its name', 'create table other (id bigint)'],
    ['a schema', 'create schema ghost'],
  ])('change nothing of the core: %s', async (_what, statement) => {
    await expect(run(statement)).rejects.toThrow(/it changes what is not the extension's own/)
    expect(await absentExtensions(world.owner, [])).not.toContain('ghost')
  })

  it('make no table but those of its entities, each behind its tenant', async () => {
    const failed = run('create table ghost_note (tenant_id text not null, id bigint)')
    await expect(failed).rejects.toThrow(/ghost_note is the table of no entity; ghost_note has not its tenant's wall/)
    expect(await tables()).toBe(0)
  })

  it('are refused where the database has had newer ones, before anything is done', async () => {
    await world.owner.query(
      `insert into extension_migration (extension, number, name) values ('ghost', 3, '0003_x.sql')`,
    )
    const pending = pendingOfExtensions(world.owner, [{ name: 'ghost', migrations: [migration('select 1')] }])
    await expect(pending).rejects.toThrow(/migrated by a newer version of it \(migration 3, this one's newest is 1\)/)
    expect(await absentExtensions(world.owner, [])).toEqual(['ghost'])
    expect(await absentExtensions(world.owner, [{ name: 'ghost' }])).toEqual([])
  })
})

describe('an extension that is taken out', () => {
  let world: World
  let admin: Person
  let platform: Person
  beforeAll(async () => {
    world = await makeWorld()
    admin = await world.tenant()
    platform = await world.platform()
    // What a first start with it has left.
    await world.owner.query(
      `create table ghost_note (tenant_id text not null, id bigint not null, student_id bigint not null, primary key (tenant_id, id),
         constraint ghost_note_student_id_fkey foreign key (tenant_id, student_id) references student (tenant_id, id));
       ${rowLevelSecurity('ghost_note').join('\n')}`,
    )
    await world.owner.query(
      `insert into menu (id, parent_id, code, name, name_en, alias, path, sort, category, platform_only)
         values (77001, null, 'ghost_page', '幽灵', 'Ghost', 'ghost_page', '/ext-ghost/page', 99, '1', 0);
       insert into dict (id, code, dict_key, dict_value, dict_value_en, sort, is_sealed) values (77002, 'ghost_kind', '-1', '幽灵', 'Ghost', 1, 0);
       insert into dict_biz_shared (id, code, dict_key, dict_value, dict_value_en, sort, is_sealed) values (77003, 'ghost_shelf', '-1', '幽灵', 'Ghost', 1, 0)`,
    )
    const { appPassword, platformPassword } = await loadSecrets(inject('database').keys)
    await ensureRoles(world.owner, rolesOf(inject('database').template), {
      app: appPassword,
      platform: platformPassword,
    })
  })
  afterAll(() => world.close())

  const menusOf = async (who: Person): Promise<string> =>
    JSON.stringify((await who.get('blade-system/menu/routes')).data)
  const dictionariesOf = async (): Promise<string> =>
    JSON.stringify([
      (await admin.get('blade-system/dict-biz/parent-list', { size: 200 })).data,
      (await platform.get('blade-system/dict/parent-list', { size: 200 })).data,
    ])
  const hasCode = async (): Promise<boolean> =>
    JSON.stringify((await platform.get('blade-system/menu/list')).data).includes('ghost_page')

  it('R-PROD-4 R-PERM-1 is hidden with its menus, codes and dictionaries, and comes back with all that was granted', async () => {
    const colleague = await world.colleague(admin, ['ghost_page'])
    for (const who of [admin, colleague]) expect(await menusOf(who)).toContain('ghost_page')
    expect(await dictionariesOf()).toMatch(/ghost_shelf.*ghost_kind/)

    await hideAbsent(world.owner, ['ghost'])
    for (const who of [admin, colleague, platform]) expect(await menusOf(who)).not.toContain('ghost_page')
    expect(await menusOf(admin)).toContain('student')
    expect(await hasCode()).toBe(false)
    expect(await dictionariesOf()).not.toContain('ghost_')
    expect(await dictionariesOf()).toContain('job_kind')

    await hideAbsent(world.owner, [])
    for (const who of [admin, colleague]) expect(await menusOf(who)).toContain('ghost_page')
    expect(await dictionariesOf()).toMatch(/ghost_shelf.*ghost_kind/)
    const left = await world.owner.query(
      `select 1 from pg_policy where polname in ('absent', 'everyone') union all select 1 from pg_class where relname = 'menu' and relrowsecurity`,
    )
    expect(left.rowCount).toBe(0)
  })

  it('keeps what its rows refer to, and says so in words', async () => {
    const { draft } = await sample(admin, (await import('@data-brain/contract')).entityOf('student'))
    const child = await admin.post<{ id: string }>('blade-user/student/submit', draft)
    await world.owner.query('insert into ghost_note values ($1, 1, $2)', [admin.tenantId, child.data.id])
    learnConstraints(['ghost'])
    const refused = await admin.remove('blade-user/student', child.data.id)
    expect([refused.status, refused.msg]).toEqual([400, expect.stringContaining('仍被扩展“ghost”的数据引用')])
    const english = await world.call('POST', 'blade-user/student/remove', admin.token, {
      query: { ids: child.data.id },
      language: 'en',
    })
    expect(english.msg).toContain('is still referred to by data of the extension ghost')
    learnConstraints()
  })

  it('loses the rows of a tenant that is purged', async () => {
    const count = async (): Promise<number> => (await world.owner.query('select 1 from ghost_note')).rowCount!
    expect(await count()).toBe(1)
    await world.owner.query('update tenant set status = 9 where tenant_id = $1', [admin.tenantId])
    const gone = await inPlatform(world.services.platform, (tx) => purgeRows(tx, admin.tenantId))
    expect(gone.ghost_note).toBe(1)
    expect(await count()).toBe(0)
  })
})
