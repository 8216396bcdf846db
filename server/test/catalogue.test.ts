import { entities } from '@data-brain/contract'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { kinds } from '../src/database/kinds.ts'
import { linkTableOf, seenName, tableOf } from '../src/database/name.ts'
import { monthlyTables } from '../src/database/partitions.ts'
import { rolesOf } from '../src/database/roles.ts'
import { neverChanged, platformTables, seenViews, sharedTables, tenantTables } from '../src/database/tables.ts'
import { makeWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.close())

const rows = async <T extends Record<string, unknown>>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await world.owner.query<T>(text, values)).rows

describe('R-PROD-2 the database itself keeps tenants apart', () => {
  it('knows the owner of every table', async () => {
    const tables = (
      await rows<{ name: string }>(
        `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
      )
    ).map((row) => row.name)
    expect(tables.length).toBeGreaterThan(40)
    expect(tables.filter((name) => !(name in tenantTables) && !(name in platformTables))).toEqual([])
    expect(
      [...Object.keys(tenantTables), ...Object.keys(platformTables)].filter((name) => !tables.includes(name)),
    ).toEqual([])
  })

  it('forces row-level security, with one plain policy, on every tenant table', async () => {
    const found = await rows<{ name: string; forced: boolean; policies: string[] }>(
      `select c.relname as name, c.relrowsecurity and c.relforcerowsecurity as forced,
         array(select pg_get_expr(p.polqual, p.polrelid) || ' / ' || pg_get_expr(p.polwithcheck, p.polrelid) from pg_policy p where p.polrelid = c.oid order by p.polname = 'tenant' desc) as policies
       from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'public' and c.relkind in ('r', 'p')`,
    )
    const condition = "(tenant_id = current_setting('app.tenant_id'::text, true))"
    for (const table of Object.keys(tenantTables)) {
      const row = found.find((each) => each.name === table)
      expect(row?.forced, table).toBe(true)
      // No administrators' role is made in a tenant that stands; the newest change of all is asked for by the start.
      const more = table === 'role' || table === 'history' ? [null] : []
      expect(row?.policies, table).toEqual([`${condition} / ${condition}`, ...more])
    }
  })

  it('begins every key and every reference of a tenant table with the tenant, checked to be six digits', async () => {
    const constraints = await rows<{
      table: string
      name: string
      kind: string
      columns: string[]
      target: string | null
      target_columns: string[]
    }>(
      `select c.conrelid::regclass::text as table, c.conname as name, c.contype as kind,
         array(select a.attname from unnest(c.conkey) with ordinality k(n, o) join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.n order by k.o)::text[] as columns,
         c.confrelid::regclass::text as target,
         array(select a.attname from unnest(c.confkey) with ordinality k(n, o) join pg_attribute a on a.attrelid = c.confrelid and a.attnum = k.n order by k.o)::text[] as target_columns
       from pg_constraint c join pg_namespace n on n.oid = c.connamespace where n.nspname = 'public'`,
    )
    for (const table of Object.keys(tenantTables)) {
      const own = constraints.filter((each) => each.table === table)
      expect(own.filter((each) => each.kind === 'p').length, table).toBe(1)
      for (const each of own) {
        if (['p', 'u', 'x'].includes(each.kind)) expect(each.columns[0], `${table}.${each.name}`).toBe('tenant_id')
        if (each.kind === 'f' && each.target! in tenantTables)
          expect([each.columns[0], each.target_columns[0]], `${table}.${each.name}`).toEqual(['tenant_id', 'tenant_id'])
      }
      const check = await rows<{ text: string }>(
        `select pg_get_constraintdef(oid) as text from pg_constraint where conrelid = $1::regclass and contype = 'c'`,
        [table],
      )
      expect(
        check.some((each) => each.text.includes("tenant_id ~ '^[0-9]{6}$'")),
        table,
      ).toBe(true)
    }
    const indexes = await rows<{ table: string; first: string; name: string }>(
      `select i.indrelid::regclass::text as table, i.indexrelid::regclass::text as name, a.attname as first
       from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0] join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'public'`,
    )
    expect(indexes.filter((each) => each.table in tenantTables && each.first !== 'tenant_id')).toEqual([])
  })

  it('R-LOG-1 walls every partition by itself, and lets nobody but the owner touch one past its table', async () => {
    const condition = "(tenant_id = current_setting('app.tenant_id'::text, true))"
    const parts = await rows<{ name: string; table: string; forced: boolean; grants: number; policies: string[] }>(
      `select c.relname as name, p.relname as table, c.relrowsecurity and c.relforcerowsecurity as forced,
         (select count(*)::int from aclexplode(c.relacl) x where x.grantee <> c.relowner) as grants,
         array(select pg_get_expr(p.polqual, p.polrelid) || ' / ' || pg_get_expr(p.polwithcheck, p.polrelid) from pg_policy p where p.polrelid = c.oid order by p.polname desc) as policies
       from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`,
    )
    expect([...new Set(parts.map((part) => part.table))].sort()).toEqual([...monthlyTables].sort())
    // The month before, the present one, and three ahead, of each.
    expect(parts.length).toBe(monthlyTables.length * 5)
    for (const { name, forced, grants, policies } of parts)
      expect([name, forced, grants, policies]).toEqual([name, true, 0, [`${condition} / ${condition}`]])
    await expect(world.services.pool.query(`select count(*) from ${parts[0]!.name}`)).rejects.toMatchObject({
      code: '42501',
    })
  })

  it('D19 shows what tenants share beside their own rows by the rights of whoever asks, and lets nobody write it', async () => {
    const views = await rows<{ name: string; options: string[]; grants: string[] }>(
      `select c.relname as name, c.reloptions as options,
         array(select distinct x.privilege_type from aclexplode(c.relacl) x where x.grantee <> c.relowner)::text[] as grants
       from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'v' order by 1`,
    )
    expect(views.map(({ name }) => name)).toEqual([...seenViews])
    for (const { options, grants } of views) {
      expect(options).toEqual(['security_invoker=true'])
      expect(grants).toEqual(['SELECT'])
    }
    for (const table of sharedTables) {
      const columnsOf = async (name: string): Promise<string[]> =>
        (
          await rows<{ column: string }>(
            `select a.attname as column from pg_attribute a where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped order by 1`,
            [name],
          )
        ).map(({ column }) => column)
      expect(await columnsOf(seenName(table)), table).toEqual(await columnsOf(table))
    }
  })

  it('has no trigger but those that judge (decision 0016) and that keep what lessons take (0019), and no column that the database numbers', async () => {
    expect(
      await rows(
        `select distinct c.relname || ' ' || p.proname as trigger from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace join pg_proc p on p.oid = t.tgfoid where n.nspname = 'public' and not tgisinternal order by 1`,
      ),
    ).toEqual(
      [
        'app_user refuse_future',
        'classschedule occupy_changed_lessons',
        'school refuse_future',
        'school refuse_wide_region',
        'schoolcalendarday occupy_after_day',
        'schoolcampus refuse_no_main_campus',
        'schoolclass count_class',
        'schoolclass occupy_after',
        'schoolclassroom occupy_after',
        'schoolfloor name_floor',
        'schoolsemester occupy_after',
        'schoolsemester refuse_stale_semester',
        'schoolteachclass occupy_after',
        'schoolteachclass_class occupy_after_roster',
        'schoolteachclass_student occupy_after_roster',
        'schoolyear refuse_stale_semester',
        'student occupy_after_move',
        'student refuse_future',
        'substitution occupy_resubstituted',
        'substitution occupy_substituted',
        'teacherclass refuse_unassigned',
        'timetableplan occupy_plan',
      ].map((trigger) => ({ trigger })),
    )
    expect(
      await rows(
        `select table_name, column_name from information_schema.columns where table_schema = 'public' and (is_identity = 'YES' or column_default like 'nextval%')`,
      ),
    ).toEqual([])
  })

  it('lets requests log in as a role that owns nothing, bypasses nothing and cannot define anything', async () => {
    const roles = rolesOf(inject('database').template)
    for (const role of Object.values(roles)) {
      const [row] = await rows<{
        rolsuper: boolean
        rolbypassrls: boolean
        rolcreatedb: boolean
        rolcreaterole: boolean
        owned: number
      }>(
        `select rolsuper, rolbypassrls, rolcreatedb, rolcreaterole, (select count(*)::int from pg_class where relowner = r.oid) as owned from pg_roles r where rolname = $1`,
        [role],
      )
      expect(row, role).toEqual({
        rolsuper: false,
        rolbypassrls: false,
        rolcreatedb: false,
        rolcreaterole: false,
        owned: 0,
      })
    }
    const client = await world.services.pool.connect()
    try {
      for (const statement of [
        'create table t (a int)',
        'create extension dblink',
        "select lo_import('/etc/passwd')",
        "copy school to '/tmp/x'",
        "select pg_read_file('/etc/passwd')",
        'delete from history',
        "update history set action = 'add'",
        'insert into region (code, parent_code, ancestors, name, level) values (1, 1, 1, 1, 1)',
      ])
        await expect(client.query(statement), statement).rejects.toMatchObject({
          code: expect.stringMatching(/^(42501|0A000|22023)$/),
        })
    } finally {
      client.release()
    }
  })

  it('R-PERM-5 gives the roles what is listed here, and nothing more', async () => {
    const all = ['DELETE', 'INSERT', 'SELECT', 'UPDATE']
    const app: Record<string, string[]> = {}
    const platform: Record<string, string[]> = {}
    // What the functions need that do what their caller may not.
    const definer: Record<string, string[]> = { tenant: ['SELECT'] }
    for (const [table, { app: access, platform: writes }] of Object.entries(platformTables)) {
      if (access === 'read') app[table] = ['SELECT']
      if (writes !== 'none') platform[table] = all
    }
    for (const [table, access] of Object.entries(tenantTables)) {
      app[table] = access === 'append' ? ['INSERT', 'SELECT'] : all
      platform[table] = ['SELECT']
      definer[table] = ['DELETE', 'SELECT']
    }
    // What the platform's administrators change leaves a history and stamps in their own tenant.
    Object.assign(platform, {
      history: ['INSERT', 'SELECT'],
      entity_stamp: ['INSERT', 'SELECT', 'UPDATE'],
      grant_stamp: ['INSERT', 'SELECT', 'UPDATE'],
      'session.last_used': ['UPDATE'],
      // Saves sent twice are done once, theirs too.
      request_key: all,
      // What they ask for is put to work in the transaction that asks.
      job: ['INSERT', 'SELECT', 'UPDATE'],
    })
    for (const table of [
      'student',
      'studentdetail',
      'studentparents',
      'studentclass',
      'history',
      'search_key',
      'import_row',
    ])
      definer[table]!.splice(1, 0, 'MAINTAIN')
    // Some columns stand as they were written.
    for (const [table, fixed] of Object.entries(neverChanged)) {
      app[table] = ['DELETE', 'INSERT', 'SELECT']
      const columns = await rows<{ name: string }>(
        `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attname <> all($2)`,
        [table, fixed],
      )
      for (const { name } of columns) app[`${table}.${name}`] = ['UPDATE']
    }
    const roles = rolesOf(inject('database').template)
    for (const [role, wanted] of [
      [roles.app, app],
      [roles.platform, platform],
      [roles.definer, definer],
    ] as const) {
      const granted = await rows<{ name: string; powers: string[] }>(
        `select name, array_agg(privilege order by privilege)::text[] as powers from (
           select c.relname as name, x.privilege_type as privilege, x.grantee
           from pg_class c, lateral aclexplode(c.relacl) x where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
           union all
           select c.relname || '.' || a.attname, x.privilege_type, x.grantee
           from pg_class c join pg_attribute a on a.attrelid = c.oid, lateral aclexplode(a.attacl) x where c.relnamespace = 'public'::regnamespace
         ) granted where grantee = $1::regrole group by name`,
        [role],
      )
      expect(Object.fromEntries(granted.map(({ name, powers }) => [name, powers])), role).toEqual(wanted)
    }
  })

  it('ruling 23 lets the two roles write rows of the queue, and define nothing there', async () => {
    const roles = rolesOf(inject('database').template)
    for (const role of [roles.app, roles.platform]) {
      const [may] = await rows(
        `select has_schema_privilege($1, 'pgboss', 'usage') as usage, has_schema_privilege($1, 'pgboss', 'create') as make,
           (select count(*)::int from pg_class c where c.relnamespace = 'pgboss'::regnamespace and c.relowner = $1::regrole) as owned`,
        [role],
      )
      expect(may, role).toEqual({ usage: true, make: false, owned: 0 })
    }
    await expect(world.services.platform.query('delete from pgboss.job')).rejects.toMatchObject({ code: '42501' })
    await expect(world.services.pool.query('truncate pgboss.job')).rejects.toMatchObject({ code: '42501' })
  })

  it('shows no row at all to a connection that has named no tenant', async () => {
    await world.tenant()
    for (const table of ['app_user', 'dict_biz', 'role', 'session', 'tenant']) {
      const { rows: seen } = await world.services.pool.query(`select count(*)::int as n from ${table}`)
      expect(seen[0].n, table).toBe(0)
    }
  })
})

describe('the tables are what the definitions say', () => {
  it('has every column of every entity, with its type and its need', async () => {
    const found = await rows<{ table: string; column: string; type: string; needed: boolean }>(
      `select c.relname as table, a.attname as column, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as needed
       from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'public' and a.attnum > 0 and not a.attisdropped`,
    )
    const names: Record<string, string> = { timestamptz: 'timestamp with time zone' }
    // The server makes up the code of a tenant and the alias of a role whose draft has none.
    const made = new Set(['tenant.tenantId', 'role.roleAlias'])
    for (const entity of entities) {
      for (const [name, field] of Object.entries(entity.fields)) {
        for (const column of kinds[field.kind].columns(name, field)) {
          const real = found.find((each) => each.table === tableOf(entity) && each.column === column.name)
          const wanted = column.type.split(/ (?:not null|default|check|references)/)[0]!.replace(', ', ',')
          expect([real?.type, real?.needed], `${entity.name}.${name}`).toEqual([
            names[wanted] ?? wanted,
            column.type.includes('not null') || made.has(`${entity.name}.${name}`),
          ])
        }
        if (field.kind === 'references')
          expect(
            found.some((each) => each.table === linkTableOf(entity, name)),
            `${entity.name}.${name}`,
          ).toBe(true)
      }
    }
  })

  it('has an index for every order that a list offers', async () => {
    const { modelOf } = await import('../src/entity/model.ts')
    const { snakeCase } = await import('../src/database/name.ts')
    const indexes = new Set(
      (await rows<{ name: string }>(`select indexname as name from pg_indexes where schemaname = 'public'`)).map(
        (row) => row.name,
      ),
    )
    for (const entity of entities)
      for (const sort of modelOf(entity).sorts.keys())
        expect(indexes.has(`${tableOf(entity)}_${snakeCase(sort)}_sort`), `${entity.name} by ${sort}`).toBe(true)
  })

  it('keeps personal values as ciphertext, in the row and in its history', async () => {
    const admin = await world.tenant()
    const { sample } = await import('./sample.ts')
    const { student } = await import('@data-brain/contract')
    const { draft } = await sample(admin, student)
    const made = await admin.post<{ id: string }>('blade-user/student/submit', draft)
    await admin.post('blade-user/student/submit', { id: made.data.id, phone: '13912345678' })
    for (const text of [String(draft.idNo), String(draft.phone), '13912345678'])
      for (const table of ['student', 'history', 'search_key']) {
        const [row] = await rows<{ n: number }>(
          `select count(*)::int as n from ${table} t where to_jsonb(t)::text like '%' || $1 || '%'`,
          [text],
        )
        expect(row?.n, `${text} in ${table}`).toBe(0)
      }
    const history = await admin.get<{ changes: { field: string; before: string; after: string }[] }[]>(
      'blade-user/student/history',
      { id: made.data.id },
    )
    expect(history.data[0]?.changes).toEqual([{ field: 'phone', before: draft.phone, after: '13912345678' }])
    const clerk = await world.colleague(admin, ['student_view'])
    const masked = await clerk.get<{ changes: { after: string }[] }[]>('blade-user/student/history', {
      id: made.data.id,
    })
    expect(masked.data[0]?.changes[0]?.after).toBe('*********78')
    expect((await clerk.get('blade-user/student/personal', { id: made.data.id })).status).toBe(403)
  })
})
