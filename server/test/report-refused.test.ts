import { student } from '@data-brain/contract'
import type { ReportContent, ReportResult } from '@data-brain/contract/report'
import excel from '@zurmokeeper/exceljs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sample } from './sample.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

const path = 'blade-report/report/rest'
let world: World
let admin: Person
let made: Map<string, string>
const formula = '=HYPERLINK("http://x","y")'

beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  made = new Map()
  for (const [at, name] of ['王一', '王二', '李三', '赵四', '钱五'].entries()) {
    const { draft } = await sample(admin, student, made)
    const sex = at < 2 ? '1' : '2'
    const added = await admin.post('blade-user/student/submit', {
      ...{ ...draft, name, sex, seatNo: at + 1, schoolId: made.get('school'), idType: null, idNo: null },
      // A formula where a name may stand.
      remark: formula,
    })
    if (added.code !== 200) throw new Error(added.msg)
  }
}, 60_000)
afterAll(() => world.close())

const blank: ReportContent = {
  ...{ entity: 'student', columns: [], filter: null, parameters: [], groups: [], cross: null },
  ...{ measures: [{ of: 'count', field: null }], sort: null, chart: 'none', hideBelow: 0 },
}
const by = (...paths: string[]): ReportContent => ({ ...blank, groups: paths.map((field) => ({ field, by: null })) })
const list = (...columns: string[]): ReportContent => ({ ...blank, columns, measures: [] })
const preview = (who: Person, content: unknown) => who.post<ReportResult>(`${path}/run`, { content })
let saves = 0
const save = async (who: Person, content: unknown, more: Record<string, unknown> = {}) => {
  saves += 1
  return who.post<Row>(`${path}/submit`, { name: `报表${saves}`, content, ...more })
}
const taken = async (who: Person, query: Record<string, string>) => {
  const answer = await world.http.inject({
    method: 'GET',
    url: '/api/blade-report/report/result/export',
    query,
    headers: { 'blade-auth': `bearer ${who.token}`, 'accept-language': 'zh' },
  })
  return { status: answer.statusCode, bytes: answer.rawPayload, text: answer.payload }
}

describe('R-DEV-5 what a report may not ask', () => {
  it('is refused in words that name the part, when it is saved as when it is tried', async () => {
    const evil = 'id"; drop table student; --'
    const wrong: [unknown, RegExp][] = [
      [{}, /数据对象：不能为空/],
      [{ ...blank, entity: 'nothing' }, /数据对象：没有名为“nothing”的数据对象/],
      [{ ...blank, entity: 'constructor' }, /没有名为“constructor”/],
      [{ ...blank, entity: 'menu' }, /没有名为“menu”/],
      [by('nothing'), /分组：没有名为“nothing”的字段/],
      [by(evil), /没有名为“id"; drop table student; --”的字段/],
      [by('select'), /没有名为“select”的字段/],
      [by('__proto__'), /没有名为/],
      [by('classId.yearId.schoolId.schoolName'), /没有名为/],
      [by('classId.deputyTeacherIds'), /没有名为/],
      [by('name'), /分组：“姓名”会逐人列出，不能作为分组/],
      [by('idNo'), /“身份证件号”不能作为分组/],
      [{ ...by('birthDate'), groups: [{ field: 'sex', by: 'month' }] }, /分组：“性别”不是日期/],
      [by('sex', 'sex'), /分组：同一字段只能用一次/],
      [by('sex', 'gradeId', 'classId', 'nation'), /分组：一次最多3个/],
      [{ ...by('sex'), measures: [] }, /统计值：至少选择一个统计值/],
      [{ ...by('sex'), measures: [{ of: 'sum', field: null }] }, /统计值：请选择要统计的字段/],
      [{ ...by('sex'), measures: [{ of: 'sum', field: 'name' }] }, /统计值：“姓名”不是数字/],
      [{ ...by('sex'), measures: [{ of: 'median', field: 'seatNo' }] }, /须为其中之一/],
      [{ ...by('sex'), sort: { by: 3, down: true } }, /排序：没有这个统计值/],
      [{ ...by('sex'), chart: 'pie' }, /图表：须为其中之一/],
      [{ ...by('sex'), hideBelow: -1 }, /隐藏人数少于/],
      [list(), /列：请选择列，或选择分组/],
      [list('sex', 'sex'), /列：同一列只能出现一次/],
      [list('sex', 'custom'), /列：没有名为“custom”的字段/],
      [{ ...list('idNo'), sort: { by: 0, down: true } }, /排序：不能按此列排序/],
      [{ ...by('sex'), filter: { all: [{ field: 'nothing', op: 'equal', value: 1 }] } }, /筛选条件：/],
      [{ ...by('sex'), filter: { all: [{ field: 'idNo', op: 'equal', value: '1' }] } }, /筛选条件：/],
      [{ ...by('sex'), filter: { all: [{ field: 'birthDate', op: 'ge', value: "'; --" }] } }, /筛选条件：/],
      [{ ...by('sex'), parameters: ['name'] }, /运行时询问：不能询问“姓名”/],
    ]
    for (const [content, words] of wrong) {
      for (const answer of [await preview(admin, content), await save(admin, content)]) {
        expect([JSON.stringify(content), answer.code]).toEqual([JSON.stringify(content), 400])
        // What has another shape is told so when it is saved, by the name of the part.
        if (!/^内容：“.+”无法识别$/.test(answer.msg)) expect(answer.msg).toMatch(words)
      }
    }
    const left = await world.owner.query(`select 1 from report where tenant_id = $1`, [admin.tenantId])
    expect(left.rowCount).toBe(0)
  })

  it('is refused of what its reader may not see, and answers no personal value', async () => {
    const clerk = await world.colleague(admin, ['student_view', 'report_view', 'report_add'])
    const through = await preview(clerk, by('classId.headTeacherId'))
    expect([through.code, through.msg]).toEqual([403, expect.stringContaining('schoolclass_view')])
    const other = await preview(clerk, { ...blank, entity: 'user', groups: [{ field: 'deptId', by: null }] })
    expect([other.code, other.msg]).toEqual([403, expect.stringContaining('user_view')])
    const phone = '13812345678'
    const pupil = (await admin.get<{ records: Row[] }>('blade-user/student/list', { size: 10 })).data.records[0]!
    const whole = (await admin.get<Row>('blade-user/student/detail', { id: pupil.id })).data
    expect((await admin.post('blade-user/student/submit', { ...whole, phone })).msg).toBe('操作成功')
    for (const who of [clerk, admin]) {
      const { data } = await preview(who, list('seatNo', 'phone'))
      const shown = data.rows.find(({ query }) => query?.ids === pupil.id)!
      expect(shown.cells[1]).toMatch(/^\*+78$/)
      expect(JSON.stringify(data)).not.toContain(phone)
    }
    // More of a child than its list shows: who has looked is kept.
    const log = await world.owner.query<{ n: number }>(
      `select count(*)::int as n from read_log where tenant_id = $1 and user_id = $2 and child_id = $3 and kind = 'list'`,
      [admin.tenantId, clerk.userId, pupil.id],
    )
    expect(log.rows[0]!.n).toBe(1)
    // What somebody may have typed into an address is told in words.
    const typed = await admin.get(`${path}/detail`, { id: 'abc' })
    expect([typed.status, typed.msg]).toEqual([400, '编号：不是有效的编号'])
    const both = await admin.post(`${path}/run`, { id: '1', content: by('sex') })
    expect([both.status, both.msg]).toEqual([400, '编号和报表内容只能给其中一个'])
    const plain = await world.colleague(admin, ['report_view', 'student_view'])
    expect((await preview(plain, by('sex'))).code).toBe(403)
    expect((await world.call('POST', `${path}/run`, null, { body: { content: by('sex') } })).status).toBe(401)
  })

  it('is stopped in words where it would make too many groups or columns', async () => {
    const own = new Map<string, string>()
    const crowd = await world.tenant()
    const { draft } = await sample(crowd, student, own)
    const first = await crowd.post('blade-user/student/submit', { ...draft, name: '王一', schoolId: own.get('school') })
    expect(first.msg).toBe('操作成功')
    await world.owner.query(
      `insert into student (tenant_id, id, school_id, name, sex, id_type, birth_date, status, seat_no, sort, enroll_date, student_no)
       select $1, 9000000 + n, $2, '多' || n, '1', s.id_type, date '1990-01-01' + n, 1, null, n, s.enroll_date, 'M' || n
       from generate_series(1, 6200) n, (select * from student where tenant_id = $1 limit 1) s`,
      [crowd.tenantId, own.get('school')],
    )
    const groups = await preview(crowd, by('birthDate'))
    expect([groups.code, groups.msg]).toEqual([400, expect.stringContaining('结果超过5000组')])
    const crossed = await preview(crowd, { ...by('sex'), cross: { field: 'birthDate', by: 'month' } })
    expect([crossed.code, crossed.msg]).toEqual([400, expect.stringMatching(/“出生日期”有\d+列，交叉列最多200列/)])
    expect((await preview(crowd, { ...by('sex'), cross: { field: 'birthDate', by: 'year' } })).code).toBe(200)
    const { data } = await preview(crowd, { ...list('name', 'sort'), sort: { by: 1, down: true } })
    expect([data.total, data.cut, data.rows.length]).toEqual([6201, true, 1000])
    expect(data.rows.slice(0, 3).map(({ cells }) => cells)).toEqual([
      ['多6200', 6200],
      ['多6199', 6199],
      ['多6198', 6198],
    ])
  }, 60_000)
})

describe('R-DEV-5 whose a report is', () => {
  it('own ones, and those shared with a role of theirs: others are not found, and nobody else changes them', async () => {
    const codes = ['student_view', 'report_view', 'report_add', 'report_edit', 'report_delete']
    const [maker, reader, other] = [
      await world.colleague(admin, codes),
      await world.colleague(admin, codes),
      await world.colleague(admin, codes),
    ]
    const role = await world.owner.query<{ id: string }>(
      `select target_id::text as id from app_user_role where tenant_id = $1 and owner_id = $2`,
      [admin.tenantId, reader.userId],
    )
    const saved = await save(maker, by('sex'), { roleIds: [role.rows[0]!.id] })
    expect(saved.msg).toBe('操作成功')
    const { id } = saved.data
    const listed = async (who: Person) =>
      (await who.get<{ records: Row[] }>(`${path}/list`, { size: 50 })).data.records.map((row) => row.id)
    expect(await listed(maker)).toEqual([id])
    expect(await listed(reader)).toEqual([id])
    expect(await listed(other)).toEqual([])
    expect(await listed(admin)).toContain(id)
    expect((await reader.post<ReportResult>(`${path}/run`, { id })).data.total).toBe(5)
    expect((await other.post(`${path}/run`, { id })).code).toBe(404)
    expect((await other.get(`${path}/detail`, { id })).code).toBe(404)
    const draft = { id, version: 1, name: '改名', content: by('sex') }
    expect((await reader.post(`${path}/submit`, draft)).code).toBe(403)
    expect((await other.post(`${path}/submit`, draft)).code).toBe(404)
    expect((await reader.remove(path, id)).code).toBe(403)
    expect((await maker.post(`${path}/submit`, { ...draft, content: by('gradeId') })).code).toBe(200)
    const history = (await maker.get<{ action: string }[]>(`${path}/history`, { id })).data
    expect(history.map(({ action }) => action)).toEqual(['edit', 'add'])
    // A version that was kept comes back.
    const back = await maker.post<Row>(`${path}/restore?id=${id}&historyId=${(history[1] as unknown as Row).id}`)
    expect((back.data.content as ReportContent).groups).toEqual([{ field: 'sex', by: null }])
    const same = await save(maker, by('sex'), { name: back.data.name })
    expect(same.code).toBe(409)
    expect((await maker.remove(path, id)).code).toBe(200)
    expect(await listed(admin)).not.toContain(id)
  })

  it('of another tenant is not found, and its rows are counted nowhere', async () => {
    const stranger = await world.tenant()
    const saved = await save(admin, by('sex'))
    const { id } = saved.data
    expect((await stranger.post(`${path}/run`, { id })).code).toBe(404)
    expect((await stranger.remove(path, id)).code).toBe(404)
    expect((await taken(stranger, { id })).status).toBe(404)
    expect((await preview(stranger, by('sex'))).data).toMatchObject({ total: 0, rows: [] })
    expect((await preview(stranger, list('name'))).data.rows).toEqual([])
    expect((await preview(admin, by('sex'))).data.total).toBe(5)
  })
})

describe('R-DEV-5 a report as a file', () => {
  it('says cell by cell what the screen says, as a workbook and as CSV', async () => {
    const content: ReportContent = {
      ...by('sex', 'schoolId'),
      cross: { field: 'seatNo', by: null },
      measures: [
        { of: 'count', field: null },
        { of: 'share', field: null },
      ],
    }
    const { id } = (await save(admin, content, { name: '男女/座号' })).data
    const { data } = await admin.post<ReportResult>(`${path}/run`, { id })
    const wanted = data.rows.map(({ cells }) => cells)
    expect(wanted.length).toBeGreaterThan(4)
    const book = new excel.Workbook()
    await book.xlsx.load((await taken(admin, { id })).bytes as unknown as ArrayBuffer)
    const sheet = book.worksheets[0]!
    expect(sheet.name).toBe('男女 座号')
    const read: unknown[][] = []
    sheet.eachRow((row) => {
      read.push(Array.from({ length: data.heads.length }, (_, at) => row.getCell(at + 1).value ?? ''))
    })
    expect(read[0]).toEqual(data.heads.map(({ text, over }) => (over === null ? text : `${over} ${text}`)))
    expect(read.slice(1)).toEqual(wanted.map((cells) => cells.map((cell) => cell ?? '')))
    const csv = await taken(admin, { id, format: 'csv' })
    const lines = csv.text.replace('\ufeff', '').trim().split('\r\n')
    expect(lines.slice(1)).toEqual(wanted.map((cells) => cells.map((cell) => cell ?? '').join(',')))
  })

  it('computes nothing, holds what was asked for, and needs the right to take the rows out', async () => {
    const content = { ...list('name', 'remark', 'sex'), parameters: ['sex'], sort: { by: 0, down: false } }
    const roles = await world.owner.query<{ id: string }>(`select id::text as id from role where tenant_id = $1`, [
      admin.tenantId,
    ])
    const { id } = (await save(admin, content, { roleIds: roles.rows.map((row) => row.id) })).data
    const file = await taken(admin, { id, format: 'csv', parameters: JSON.stringify({ sex: '1' }) })
    const lines = file.text.replace('\ufeff', '').trim().split('\r\n')
    expect(lines).toEqual([
      '姓名,备注,性别',
      ...['王二', '王一'].map((name) => `${name},"'=HYPERLINK(""http://x"",""y"")",男`),
    ])
    const wrong = await taken(admin, { id, parameters: '[1]' })
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('运行时询问：无法识别')])
    expect((await taken(admin, { id, parameters: JSON.stringify({ name: '王' }) })).status).toBe(400)
    const reader = await world.colleague(admin, ['student_view', 'report_view', 'report_export'])
    const role = await world.owner.query<{ id: string }>(
      `select target_id::text as id from app_user_role where tenant_id = $1 and owner_id = $2`,
      [admin.tenantId, reader.userId],
    )
    const mine = (await save(admin, content, { roleIds: [role.rows[0]!.id] })).data.id
    expect((await reader.post<ReportResult>(`${path}/run`, { id: mine })).data.total).toBe(5)
    const refused = await taken(reader, { id: mine })
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('student_export')])
    const log = await world.owner.query<{ n: number }>(
      `select count(*)::int as n from read_log where tenant_id = $1 and user_id = $2 and kind = 'export'`,
      [admin.tenantId, admin.userId],
    )
    expect(log.rows[0]!.n).toBe(2)
  })
})
