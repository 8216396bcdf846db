import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seal } from '../src/modules/tenant/carry/envelope.ts'
import { type CarryContext, exportTenant } from '../src/modules/tenant/carry/export.ts'
import { importTenant } from '../src/modules/tenant/carry/import.ts'
import { tar } from '../src/modules/tenant/carry/tar.ts'
import { carrierOf, furnish, passphrase } from './carry-parts.ts'
import { countRows } from './tenant-parts.ts'
import { makeWorld, type Person, type World } from './world.ts'

const folder = mkdtempSync(join(tmpdir(), 'data-brain-carry-'))
const files = { whole: join(folder, 'tenant.dbt') }

let world: World
let admin: Person
let carrier: CarryContext & { pepper: Buffer }
beforeAll(async () => {
  world = await makeWorld()
  carrier = carrierOf(world)
  ;({ admin } = await furnish(world))
  await exportTenant(carrier, { tenantId: admin.tenantId, file: files.whole, passphrase })
})
afterAll(async () => {
  await world.close()
  rmSync(folder, { recursive: true, force: true })
})

const counts = (tenantId: string) => countRows(world, tenantId)
const folderOf = (tenantId: string): string => join(world.services.environment.dataDir, 'files', tenantId)

describe('R-SYS-11 a file that cannot be taken is refused in words, and nothing of it stays', () => {
  const changed = (name: string, change: (bytes: Buffer) => Buffer): string => {
    const file = join(folder, `${name}.dbt`)
    writeFileSync(file, change(readFileSync(files.whole)))
    return file
  }
  const flip = (bytes: Buffer, at: number): Buffer => {
    bytes[at] = bytes[at]! ^ 1
    return bytes
  }
  const cases: [string, () => { file?: string; passphrase?: string; as?: string }, RegExp][] = [
    ['a wrong passphrase', () => ({ passphrase: 'correct horse batterY' }), /Wrong passphrase\. Nothing was imported/],
    ['a file cut off in the middle', () => ({ file: changed('half', (b) => b.subarray(0, b.length >> 1)) }), /cut off/],
    ['a file that lacks its last byte', () => ({ file: changed('last', (b) => b.subarray(0, -1)) }), /cut off/],
    [
      'a file cut off after a whole frame',
      () => ({ file: changed('frame', (b) => b.subarray(0, 55 + 20 + 65_536)) }),
      /cut off/,
    ],
    ['a file of one byte', () => ({ file: changed('one', (b) => b.subarray(0, 1)) }), /no file of an exported tenant/],
    [
      'a file with one bit changed',
      () => ({ file: changed('bit', (b) => flip(b, b.length >> 1)) }),
      /damaged or was altered/,
    ],
    [
      'a file with something behind it',
      () => ({ file: changed('more', (b) => Buffer.concat([b, Buffer.alloc(40)])) }),
      /damaged/,
    ],
    [
      'a file of another kind',
      () => ({ file: changed('other', () => Buffer.from('PK\x03\x04 no tenant at all')) }),
      /no file of an exported tenant/,
    ],
    ['no file', () => ({ file: join(folder, 'nothing') }), /There is no file/],
    ['a code that is taken', () => ({ as: admin.tenantId }), /is taken: name another/],
    ['a code that is none', () => ({ as: '12' }), /six digits/],
  ]
  it.each(cases)('%s', async (_title, given, words) => {
    const { file = files.whole, passphrase: phrase = passphrase, as = '700009' } = given()
    const before = await counts(admin.tenantId)
    await expect(importTenant(carrier, { file, passphrase: phrase, as })).rejects.toThrow(words)
    expect(await counts('700009')).toEqual({})
    expect(existsSync(folderOf('700009'))).toBe(false)
    expect(await counts(admin.tenantId)).toEqual(before)
  })

  const tenant = { tenant_id: '700009', tenant_name: 'x', status: 1, linkman: '-', contact_number: '-' }
  const write = async (name: string, entries: [string, string][]): Promise<string> => {
    const parts: Buffer[] = []
    async function* all() {
      for (const [part, text] of entries) yield { name: part, bytes: Buffer.from(text) }
    }
    for await (const bytes of tar(all())) parts.push(bytes)
    async function* packed() {
      yield gzipSync(Buffer.concat(parts))
    }
    const sealed: Buffer[] = []
    for await (const bytes of seal(packed(), passphrase)) sealed.push(bytes)
    const file = join(folder, name)
    writeFileSync(file, Buffer.concat(sealed))
    return file
  }
  const manifest = (more: object = {}) => JSON.stringify({ format: 1, migration: 1, at: '', tenant, ...more })

  /** A school and its department as they stand, pointing at nobody else. */
  const bare = async (): Promise<{ dept: object; school: object }> => {
    const { rows } = await world.owner.query<{ school: Record<string, unknown>; dept: Record<string, unknown> }>(
      `select to_jsonb(s) - 'tenant_id' as school, to_jsonb(d) - 'tenant_id' as dept from school s
       join dept d on d.tenant_id = s.tenant_id and d.id = s.dept_id where s.tenant_id = $1 limit 1`,
      [admin.tenantId],
    )
    const alone = (row: Record<string, unknown>): object =>
      Object.fromEntries(Object.entries(row).map(([column, value]) => [column, /._id$/.test(column) ? null : value]))
    return { dept: { ...alone(rows[0]!.dept), id: 2 }, school: { ...alone(rows[0]!.school), id: 1, dept_id: 2 } }
  }

  it('a file of a newer version, or with a column that this version does not have', async () => {
    const end = JSON.stringify({ rows: { post: 1 }, files: 0, lost: [] })
    const post = { id: 1, category: '1', post_code: 'a', post_name: 'b', sort: 1 }
    const bad: [string, [string, string][], RegExp][] = [
      ['newer', [['tenant.json', manifest({ migration: 9_999 })]], /newer version: upgrade/],
      ['format', [['tenant.json', manifest({ format: 2 })]], /newer version: upgrade/],
      [
        'table',
        [
          ['tenant.json', manifest()],
          ['rows/spells/000001.ndjson', '{}'],
        ],
        /newer version: upgrade/,
      ],
      [
        'column',
        [
          ['tenant.json', manifest()],
          ['rows/post/000001.ndjson', JSON.stringify({ ...post, 'x) select 1 --': 1 })],
          ['end.json', end],
        ],
        /newer version: upgrade/,
      ],
      [
        'path',
        [
          ['tenant.json', manifest()],
          ['files/../../secrets.json', '{}'],
        ],
        /damaged/,
      ],
      [
        'count',
        [
          ['tenant.json', manifest()],
          ['end.json', end],
        ],
        /damaged/,
      ],
      [
        'refused',
        [
          ['tenant.json', manifest()],
          ['rows/post/000001.ndjson', JSON.stringify({ ...post, post_code: null })],
          ['end.json', end],
        ],
        /what post cannot take/,
      ],
      [
        'no end',
        [
          ['tenant.json', manifest()],
          ['rows/post/000001.ndjson', JSON.stringify(post)],
        ],
        /cut off/,
      ],
    ]
    for (const [name, entries, words] of bad) {
      const file = await write(name, entries)
      await expect(importTenant(carrier, { file, passphrase, as: undefined }), name).rejects.toThrow(words)
      expect(await counts('700009'), name).toEqual({})
    }
    const { dept, school } = await bare()
    const region = await write('region', [
      ['tenant.json', manifest()],
      ['rows/dept/000001.ndjson', JSON.stringify(dept)],
      ['rows/school/000001.ndjson', JSON.stringify({ ...school, region_code: '990099' })],
      ['end.json', end],
    ])
    await expect(importTenant(carrier, { file: region, passphrase, as: undefined })).rejects.toThrow(
      /lacks regions that the file uses: 990099\. Add them, or load the streets/,
    )
    const good = await write('good', [
      ['tenant.json', manifest()],
      ['rows/post/000001.ndjson', JSON.stringify(post)],
      ['end.json', end],
    ])
    expect((await importTenant(carrier, { file: good, passphrase, as: undefined })).administrator).toBeNull()
    expect((await counts('700009')).post).toBe(1)
  })

  it('ISSUE-13-A2 a file with rows that the database judges to be wrong', { timeout: 240_000 }, async () => {
    // What the database judges of rows, whoever writes them, is told by the table and what it is that it breaks.
    const { dept, school } = await bare()
    const campus = { id: 3, school_id: 1, campus_code: 'B', campus_name: '东校区', is_main: 0 }
    const judged: [string, object, object[]][] = [
      ['school cannot take (school_founded_on_past)', { founded_on: '2999-01-01' }, []],
      ['school cannot take (school_region_is_county)', { region_code: '110000' }, []],
      ['schoolcampus cannot take (schoolcampus_has_main)', {}, [campus]],
    ]
    for (const [at, [told, change, campuses]] of judged.entries()) {
      const file = await write(`judged${at}`, [
        ['tenant.json', manifest()],
        ['rows/dept/000001.ndjson', JSON.stringify(dept)],
        ['rows/school/000001.ndjson', JSON.stringify({ ...school, ...change })],
        ...campuses.map((row): [string, string] => ['rows/schoolcampus/000001.ndjson', JSON.stringify(row)]),
        [
          'end.json',
          JSON.stringify({ rows: { dept: 1, school: 1, schoolcampus: campuses.length }, files: 0, lost: [] }),
        ],
      ])
      await expect(importTenant(carrier, { file, passphrase, as: '700010' }), told).rejects.toThrow(told)
      expect(await counts('700010'), told).toEqual({})
    }
  })

  it('an export of nothing, over something, or with a short passphrase is not begun', async () => {
    const file = join(folder, 'new.dbt')
    const tenantId = admin.tenantId
    await expect(exportTenant(carrier, { tenantId: '999999', file, passphrase })).rejects.toThrow(/no tenant 999999/)
    await expect(exportTenant(carrier, { tenantId, file: files.whole, passphrase })).rejects.toThrow(/exists already/)
    await expect(exportTenant(carrier, { tenantId, file, passphrase: 'short' })).rejects.toThrow(/at least 12/)
    await expect(exportTenant(carrier, { tenantId, file: join(folder, 'no', 'x'), passphrase })).rejects.toThrow(
      /no folder/,
    )
    expect(readdirSync(folder).filter((name) => name.includes('part') || name === 'new.dbt')).toEqual([])
  })
})
