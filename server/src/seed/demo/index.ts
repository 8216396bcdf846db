import { entities, entityOf, user } from '@data-brain/contract'
import { schoolYearOf, todayInChina } from '@data-brain/contract/rules/school-year'
import { sql } from '../../database/statement.ts'
import { inPlatform, inTenant, type Tx } from '../../database/transaction.ts'
import { writeMany } from '../../entity/bulk.ts'
import { modelOf } from '../../entity/model.ts'
import { nameRef } from '../../entity/select.ts'
import { system } from '../../kernel/actor.ts'
import { hashPassword, randomPassword, wireMd5 } from '../../kernel/password.ts'
import type { Services } from '../../kernel/services.ts'
import { parameterOf } from '../../kernel/setting.ts'
import { type PublicDay, publicDays } from '../../modules/timetable/index.ts'
import type { SeededAccount } from '../index.ts'
import { addRoles } from '../roles.ts'
import { addTenantRow, fillTenant } from '../tenant.ts'
import { DemoRows, type KnownRows } from './book.ts'
import { SeededRandom } from './dice.ts'
import { addFamilies } from './family.ts'
import { planLessons } from './lessons.ts'
import { addLife } from './life.ts'
import { phoneNumbers } from './numbers.ts'
import { district } from './plan.ts'
import { planReports } from './reports.ts'
import { planRules } from './rules.ts'
import { buildSchools } from './schools.ts'
import { hireMember, hireStaff } from './staff.ts'
import { enrolStudents } from './students.ts'
import { planGrades, planTerms } from './terms.ts'

export { removeDemo } from './remove.ts'

export const demoTenant = '000001'
/** The same dice in every installation: the same people. */
const seedNumber = 20_240_901

const accounts = {
  admin: { zh: '演示：管理员', en: 'demo: administrator' },
  jiaowu: { zh: '演示：教务，管理学校与学生', en: 'demo: registrar, keeps schools and students' },
  xiaozhang: { zh: '演示：校长，查看本校', en: 'demo: principal, looks at the own school' },
  jiaoyuju: {
    zh: '演示：教育局，查看各校并发布通知',
    en: 'demo: education bureau, looks at all schools, publishes notices',
  },
  banzhuren: { zh: '演示：班主任，只能查看任教班级', en: 'demo: class teacher, may look at the classes taught' },
} as const

/**
 * Lays the demo district into tenant 000001, all of it or nothing. Does nothing when the tenant exists, or when the
 * installation was begun without the demo or somebody has removed it.
 */
export async function seedDemo(services: Services, day = todayInChina()): Promise<SeededAccount[]> {
  const skip = await inPlatform(services.platform, (tx) =>
    tx.one(
      sql`select 1 from tenant where tenant_id = ${demoTenant} union all select 1 from seed_mark where name = 'demo' and value <> 'laid' limit 1`,
    ),
  )
  if (skip) return []
  const given = services.environment.adminPassword
  const passwords = Object.fromEntries(Object.keys(accounts).map((account) => [account, given ?? randomPassword()]))
  await inTenant(services.pool, demoTenant, async (tx) => {
    await tx.allow({ statement: 60 })
    await lay(services, tx, passwords, given === null, day)
  })
  // Last, because the tenant's existence says that the demo is whole.
  await inPlatform(services.platform, async (tx) => {
    await addTenantRow(tx, { tenantId: demoTenant, name: district.name })
    await tx.run(
      sql`insert into seed_mark (name, value) values ('demo', 'laid') on conflict (name) do update set value = excluded.value, at = now()`,
    )
  })
  return Object.entries(accounts).map(([account, note]) => ({
    tenantId: demoTenant,
    account,
    password: given === null ? passwords[account]! : 'ADMIN_PASSWORD',
    note,
  }))
}

async function lay(
  services: Services,
  tx: Tx,
  passwords: Record<string, string>,
  mustChange: boolean,
  day: string,
): Promise<void> {
  // A start that was killed between the two transactions left the rows without the tenant: they are whole.
  if (await tx.one(sql`select 1 from app_user where tenant_id = ${demoTenant} limit 1`)) {
    await setPasswords(services, tx, passwords, mustChange)
    return
  }
  const admin = {
    tenantId: demoTenant,
    name: district.name,
    account: 'admin',
    realName: '管理员',
    password: passwords.admin!,
    mustChange,
  }
  const { deptId } = await fillTenant(tx, admin, services.secrets.pepper)
  const roles = await addRoles(tx, demoTenant)
  const { begin, end } = schoolYearOf(day)
  const { days } = await publicDays(begin, end)
  const book = buildDemo(await knownOf(tx, deptId, roles), day, days)
  const context = {
    tx,
    actor: system('demo', demoTenant),
    circumstance: { requestId: 'seed', language: 'zh' as const },
    cipher: services.cipher,
  }
  for (const entity of entities) await writeMany(modelOf(entity), context, book.rows.get(entity.name) ?? [], 'add')
  await writePatches(tx, book)
  // Loaded only here: it needs modules that need seeds.
  const { layLeaves } = await import('./leaves.ts')
  await layLeaves(services, tx, day)
  await setPasswords(services, tx, passwords, mustChange)
}

async function knownOf(tx: Tx, rootDept: string, roles: KnownRows['roles']): Promise<KnownRows> {
  const grades = await tx.run<{ id: string; code: string; name: string; min_age: number; grade_no: number }>(
    sql`select id, grade_code as code, grade_name as name, min_age, grade_no from sysgrade_seen where tenant_id = ${demoTenant}`,
  )
  const subjects = await tx.run<{
    id: string
    code: string
    name: string
    short: string
    category: string
    color: string
  }>(
    sql`select id, subject_code as code, subject_name as name, short_name as short, category, color from syssubject_seen where tenant_id = ${demoTenant} order by sort`,
  )
  const posts = await tx.run<{ id: string; code: string }>(
    sql`select id, post_code as code from post where tenant_id = ${demoTenant}`,
  )
  return {
    grades: new Map(
      grades.map((row) => [row.code, { id: row.id, name: row.name, minAge: row.min_age, no: row.grade_no }]),
    ),
    subjects: new Map(subjects.map(({ code, ...row }) => [code, row])),
    posts: new Map(posts.map((row) => [row.code, row.id])),
    rootDept,
    roles,
  }
}

/** Builds all rows of the demo; with the same seed and day, the same but for the ids. */
export function buildDemo(known: KnownRows, day: string, holidays: readonly PublicDay[]): DemoRows {
  const book = new DemoRows({
    dice: new SeededRandom(seedNumber),
    known,
    year: schoolYearOf(day),
    today: day,
    phone: phoneNumbers(),
  })
  const schools = buildSchools(book)
  const faculties = hireStaff(book, schools)
  const registrar = hireMember(book, {
    staffNo: 'T0001',
    deptIds: [known.rootDept],
    posts: ['academic-dean'],
    role: known.roles.registrar,
    title: '3',
    sex: '2',
  })
  registrar.values.account = 'jiaowu'
  const junior = faculties.find((faculty) => faculty.school.plan.stage === '3')!
  junior.heads[0]!.values.account = 'banzhuren'
  const principal = book.rows.get('user')!.find(({ id }) => id === junior.school.values.principalId)!
  principal.values.account = 'xiaozhang'
  const pupils = enrolStudents(book, schools)
  addFamilies(book, pupils)
  planGrades(book, faculties)
  planLessons(book, faculties, planTerms(book, schools, holidays))
  planReports(book)
  planRules(book, faculties)
  addLife(book, faculties, pupils)
  // Last, so that the dice give everybody else the names that they had before.
  const officer = hireMember(book, { staffNo: 'T0002', deptIds: [known.rootDept], posts: [], role: known.roles.bureau })
  officer.values.account = 'jiaoyuju'
  return book
}

/** Sets the references that point forward, one statement per column. */
async function writePatches(tx: Tx, book: DemoRows): Promise<void> {
  const columns = Map.groupBy(book.patches, (patch) => `${patch.entity}|${patch.field}`)
  for (const patches of columns.values()) {
    const { entity, field } = patches[0]!
    const model = modelOf(entityOf(entity))
    await tx.run(
      sql`update ${nameRef(model.table)} t set ${nameRef(model.byName.get(field)!.column)} = u.value
          from unnest(${patches.map((patch) => patch.id)}::bigint[], ${patches.map((patch) => patch.value)}::bigint[]) as u(id, value)
          where t.tenant_id = ${demoTenant} and t.id = u.id`,
    )
  }
}

/** Gives the accounts their passwords; all other people of the demo cannot log in until they get one. */
async function setPasswords(
  services: Services,
  tx: Tx,
  passwords: Record<string, string>,
  mustChange: boolean,
): Promise<void> {
  const hours = mustChange ? await parameterOf(tx, demoTenant, 'account.oneTimeHours') : null
  for (const [account, password] of Object.entries(passwords)) {
    const hash = await hashPassword(wireMd5(password), services.secrets.pepper)
    await tx.run(
      sql`insert into credential (tenant_id, user_id, hash, must_change, expires_at)
          select tenant_id, id, ${hash}, ${mustChange ? 1 : 0}, now() + ${hours}::int * interval '1 hour'
          from ${nameRef(modelOf(user).table)} where tenant_id = ${demoTenant} and account = ${account}
          on conflict (tenant_id, user_id) do update set hash = excluded.hash, must_change = excluded.must_change, expires_at = excluded.expires_at, changed_at = now()`,
    )
  }
}
