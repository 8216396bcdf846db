import { entities, entityOf } from '@data-brain/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../src/database/statement.ts'
import { sample } from './sample.ts'
import { makeWorld, type Person, type World } from './world.ts'

interface Found {
  groups: { entity: string; label: string; items: { id: string; name: string; note: string }[] }[]
}

let world: World
let admin: Person
let stranger: Person
let studentId: string
let schoolName: string
let add: (entity: string, draft: object) => Promise<{ id: string }>
const made = new Map<string, string>()
beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  stranger = await world.tenant()
  add = async (entity: string, draft: object): Promise<{ id: string }> => {
    const answer = await admin.post<{ id: string }>(`${entityOf(entity).path}/submit`, {
      ...(await sample(admin, entityOf(entity), made)).draft,
      ...draft,
    })
    if (answer.code !== 200) throw new Error(`${entity}: ${answer.msg}`)
    return answer.data
  }
  const { id } = await add('student', {
    name: '欧阳雪梅',
    namePinyin: null,
    formerName: null,
    nameEn: null,
    studentNo: 'G2024-0719',
  })
  studentId = id
  made.set('student', id)
  await add('student', { name: '欧阳雪', namePinyin: null, formerName: null, nameEn: null })
  await add('studentparents', { mobile: '13912345678', parentName: '欧阳锋' })
  const { data: user } = await admin.post<{ id: string }>('blade-user/submit', {
    account: 'ouyangke',
    realName: '欧阳克',
  })
  made.set('user', user.id)
  schoolName = (await admin.get<{ schoolName: string }>('blade-user/school/detail', { id: made.get('school') })).data
    .schoolName
})
afterAll(() => world.close())

const search = async (keyword: string, person = admin): Promise<Found['groups']> =>
  (await person.get<Found>('blade-desk/search', { keyword })).data.groups
const students = async (keyword: string, person = admin): Promise<string[]> =>
  (await search(keyword, person)).find((group) => group.entity === 'student')?.items.map((item) => item.name) ?? []

describe('the global search', () => {
  it.each([
    ['part of the name', '雪梅'],
    ['the family name', '欧阳'],
    ['pinyin', 'ouyangxuem'],
    ['pinyin from the middle', 'XueMei'],
    ['initials', 'oyxm'],
    ['the student number', 'g2024-0719'],
    ['the end of the student number', '0719'],
    ['a guardian’s whole phone', '13912345678'],
    ['the last four of a guardian’s phone', '5678'],
    ['two words', '欧阳 0719'],
  ])('finds a student by %s', async (_by, keyword) => {
    expect(await students(keyword)).toContain('欧阳雪梅')
  })

  it.each(
    entities.filter(({ find, finds }) => find && finds === undefined).map((entity) => [entity.name, entity] as const),
  )('ISSUE-14-7 finds a %s, whose definition says by what', async (name, entity) => {
    const one = made.get(name) ?? (await add(name, {})).id
    const row = (await admin.get<Record<string, unknown>>(`${entity.path}/detail`, { id: one })).data
    const keyword = String(entity.find!.map((field) => row[field]).find((value) => value !== null && value !== ''))
    const group = (await search(keyword)).find((each) => each.entity === name)
    expect(group?.items.map(({ id }) => id)).toContain(one)
    expect(await search(keyword, stranger)).toEqual([])
  })

  it('puts whole and shorter hits first, and says where somebody belongs', async () => {
    expect(await students('欧阳雪')).toEqual(['欧阳雪', '欧阳雪梅'])
    const groups = await search('欧阳')
    expect(groups.map((group) => [group.entity, group.label])).toEqual([
      ['student', '学生'],
      ['user', '用户'],
    ])
    expect(groups[0]!.items.find((item) => item.id === studentId)!.note).toContain('G2024-0719')
    expect(groups[1]!.items).toMatchObject([{ name: '欧阳克', note: 'ouyangke' }])
    expect((await search(schoolName)).map((group) => group.entity)).toContain('school')
    const english = await admin.get<Found>('blade-desk/search', { keyword: '欧阳' }, { language: 'en' })
    expect(english.data.groups[0]!.label).toBe('Student')
  })

  it('A3 says beside a hit what its definition puts there, also where there is only one school', async () => {
    const { id: classId } = await add('schoolclass', { className: '三（7）班', classroomId: null, headTeacherId: null })
    const edit = await admin.post('blade-user/student/submit', { id: studentId, classId, seatNo: null })
    expect(edit.msg).toBe('操作成功')
    const note = (await search('欧阳雪梅'))[0]!.items[0]!.note.split(' · ')
    expect(note).toEqual(['三（7）班', 'G2024-0719', schoolName])
    const inEnglish = await admin.get<Found>('blade-desk/search', { keyword: '三（7）班' }, { language: 'en' })
    const found = inEnglish.data.groups.find(({ entity }) => entity === 'schoolclass')!.items[0]!
    const { data: room } = await admin.get<Record<string, string>>('blade-user/schoolclass/detail', { id: classId })
    expect(found.note.split(' · ')).toEqual([room.yearName, schoolName])
  })

  it('finds nobody by a part of a phone that is neither the whole nor its last four', async () => {
    for (const keyword of ['1391234567', '345678', '1234', '%', '欧阳_', '没有这个人', '雪梅 9999'])
      expect(await students(keyword), keyword).toEqual([])
    expect((await admin.get('blade-desk/search')).status).toBe(400)
    expect((await admin.get('blade-desk/search', { keyword: 'x'.repeat(65) })).status).toBe(400)
    expect(await search('   .  ')).toEqual([])
  })

  it('R-PERM-2 shows each kind only to those who may view it', async () => {
    const hr = await world.colleague(admin, ['user_view'])
    expect((await search('欧阳', hr)).map((group) => group.entity)).toEqual(['user'])
    expect(await search('13912345678', hr)).toEqual([])
    expect(await search('欧阳', await world.colleague(admin, []))).toEqual([])
    expect((await world.call('GET', 'blade-desk/search', null, { query: { keyword: '欧阳' } })).status).toBe(401)
  })

  it('R-PROD-2 finds nobody of another tenant', async () => {
    for (const keyword of ['欧阳雪梅', '13912345678', '5678', 'oyxm', schoolName])
      expect(await search(keyword, stranger), keyword).toEqual([])
  })

  it('answers at most eight of a kind', async () => {
    const { tenantId } = admin
    await world.inTenant(tenantId, async (tx) => {
      const school = await tx.one<{ id: string }>(
        sql`select school_id as id from student where tenant_id = ${tenantId} limit 1`,
      )
      await tx.run(sql`insert into student (tenant_id, id, school_id, student_no, name, sex, birth_date, id_type, nation, nationality, overseas, politics, health, enroll_date, enroll_way, source, study_way)
        select ${tenantId}, 1000 + n, ${school!.id}, 'MANY' || n, '司马' || n, '1', '2015-01-01', '1', '01', 'CHN', '00', '13', '10', '2021-09-01', '11', '1', '1' from generate_series(1, 20) n`)
      await tx.run(
        sql`insert into search_key (tenant_id, entity, key, row_id, source_id) select ${tenantId}, 'student', '司马' || n, 1000 + n, 1000 + n from generate_series(1, 20) n`,
      )
    })
    const found = await students('司马')
    expect(found.length).toBe(8)
    expect(found.every((name) => name.length === 3)).toBe(true)
  })

  it('walks the index of keys under row-level security, as the role that requests use', async () => {
    const { tenantId } = admin
    const plan = await world.inTenant(tenantId, async (tx) => {
      const role = await tx.one<{ powerful: boolean }>(
        sql`select rolsuper or rolbypassrls as powerful from pg_roles where rolname = current_user`,
      )
      expect(role?.powerful).toBe(false)
      await tx.run(sql`set local enable_seqscan = off`)
      return tx.run<{ 'QUERY PLAN': string }>(
        sql`explain select k.row_id from search_key k where k.tenant_id = ${tenantId} and k.entity = 'student' and k.key >= 'oy' and k.key < 'oz' order by k.key limit 2000`,
      )
    })
    const text = plan.map((row) => row['QUERY PLAN']).join('\n')
    expect(text).toMatch(/Index Only Scan using search_key_pkey/)
    expect(text).toMatch(/Index Cond: .*entity.*key >= 'oy'.*key < 'oz'/)
  })
})
