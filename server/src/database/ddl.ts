import { createHash } from 'node:crypto'
import type { Entity } from '@data-brain/contract'
import { keyColumn, kinds } from './kinds.ts'
import { linkTableOf, snakeCase, tableOf } from './name.ts'

/**
 * Writes the SQL of an entity's table, to be read and put into a migration: `node server/src/database/draft.ts`.
 * Foreign keys come apart, because entities point at each other.
 */
export function createTable(entity: Entity): string {
  const table = tableOf(entity)
  const lines = [
    `tenant_id text not null check (tenant_id ~ '^[0-9]{6}$')`,
    'id bigint not null',
    ...Object.entries(entity.fields).flatMap(([name, field]) =>
      kinds[field.kind]
        .columns(name, field)
        .map((column) => `${column.name} ${column.type.replaceAll('@', column.name)}`),
    ),
    `status smallint not null default ${entity.status?.default ?? 1}`,
    'version integer not null default 1',
    'ext_id text check (char_length(ext_id) <= 255)',
    'create_user bigint',
    'create_dept bigint',
    'create_time timestamptz not null default now()',
    'update_user bigint',
    'update_time timestamptz not null default now()',
    'primary key (tenant_id, id)',
    ...(entity.ownership === 'school' ? ['unique (tenant_id, school_id, id)'] : []),
    'unique (tenant_id, ext_id)',
    ...(entity.unique ?? []).map(
      (key) =>
        `constraint ${uniqueName(entity, key)} unique (${['tenant_id', ...key.map((name) => keyColumn(name, entity.fields[name]))].join(', ')})`,
    ),
    ...(entity.ranges ?? []).map(
      (range) => `constraint ${rangeName(entity, range)} check (${snakeCase(range[0])} <= ${snakeCase(range[1])})`,
    ),
    ...(entity.oneOf ?? []).map(
      (names) => `constraint ${oneOfName(entity, names)} check (num_nonnulls(${names.map(snakeCase).join(', ')}) = 1)`,
    ),
  ]
  const statements = [`create table ${table} (\n  ${lines.join(',\n  ')}\n);`]
  for (const { flag, per } of entity.single ?? [])
    statements.push(
      `create unique index ${singleName(entity, flag)} on ${table} (${['tenant_id', ...per.map(snakeCase)].join(', ')}) where ${snakeCase(flag)} = 1;`,
    )
  const sorts = new Set([entity.sort.replace(/^-/, ''), ...(entity.sorts ?? []), 'createTime'])
  for (const sort of sorts)
    statements.push(
      `create index ${shorten(`${table}_${snakeCase(sort)}_sort`)} on ${table} (tenant_id, ${orderColumn(entity, sort)}, id);`,
    )
  for (const [name, field] of Object.entries(entity.fields)) {
    // A school entity's unique key begins with its school, and serves for it.
    if (field.kind === 'reference' && !(entity.ownership === 'school' && name === 'schoolId'))
      statements.push(
        `create index ${shorten(`${table}_${snakeCase(name)}_ref`)} on ${table} (tenant_id, ${snakeCase(name)});`,
      )
    if (field.kind === 'personal')
      statements.push(
        `create index ${shorten(`${table}_${snakeCase(name)}_find`)} on ${table} (tenant_id, ${snakeCase(name)}_hash);`,
        `create index ${shorten(`${table}_${snakeCase(name)}_tail_find`)} on ${table} (tenant_id, ${snakeCase(name)}_tail);`,
      )
    if (field.kind === 'references') {
      const link = linkTableOf(entity, name)
      statements.push(
        `create table ${link} (\n  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),\n  owner_id bigint not null,\n  target_id bigint not null,\n  ord smallint not null,\n  primary key (tenant_id, owner_id, target_id)\n);`,
        `create index ${link}_target on ${link} (tenant_id, target_id);`,
        ...rowLevelSecurity(link),
      )
    }
  }
  return [...statements, ...rowLevelSecurity(table)].join('\n')
}

/** Forced row-level security: a tenant's rows are there only for a transaction that has named the tenant. */
export function rowLevelSecurity(table: string): string[] {
  return [
    `alter table ${table} enable row level security;`,
    `alter table ${table} force row level security;`,
    `create policy tenant on ${table} using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));`,
  ]
}

/** The foreign keys of an entity, each with the tenant (and, between school entities, the school) in front. */
export function foreignKeys(entity: Entity, entityOf: (name: string) => Entity): string {
  const table = tableOf(entity)
  const lines: string[] = []
  for (const [name, field] of Object.entries(entity.fields)) {
    if (!field.to) continue
    const target = entityOf(field.to)
    if (field.kind === 'reference' && target.ownership === 'platform') {
      lines.push(
        `alter table ${table} add constraint ${referenceName(entity, name)} foreign key (${snakeCase(name)}) references ${tableOf(target)} (id) on delete set null;`,
      )
      continue
    }
    if (field.kind === 'reference') {
      const inSchool = entity.ownership === 'school' && target.ownership === 'school'
      const front = inSchool ? ['tenant_id', 'school_id'] : ['tenant_id']
      lines.push(
        `alter table ${table} add constraint ${referenceName(entity, name)} foreign key (${[...front, snakeCase(name)].join(', ')}) references ${tableOf(target)} (${[...front, 'id'].join(', ')});`,
      )
    }
    if (field.kind === 'references') {
      const link = linkTableOf(entity, name)
      lines.push(
        `alter table ${link} add constraint ${link}_owner foreign key (tenant_id, owner_id) references ${table} (tenant_id, id) on delete cascade;`,
        `alter table ${link} add constraint ${referenceName(entity, name)} foreign key (tenant_id, target_id) references ${tableOf(target)} (tenant_id, id);`,
      )
    }
  }
  return lines.join('\n')
}

/** People are ordered by pinyin, everything else by the value itself. */
export function orderColumn(entity: Entity, field: string): string {
  const column = snakeCase(field)
  return entity.fields[field]?.rule === 'personName' ? `${column} collate "zh-x-icu"` : column
}

/** Constraint names carry the fields, so that a refusal by the database can be told in words. */
export const uniqueName = (entity: Entity, key: readonly string[]): string =>
  shorten(`${tableOf(entity)}_${key.map(snakeCase).join('_')}_key`)
export const singleName = (entity: Entity, flag: string): string =>
  shorten(`${tableOf(entity)}_${snakeCase(flag)}_single`)
/** Named by where the range begins; of several that begin alike, the later ones by where they end as well. */
export function rangeName(entity: Entity, [begin, end]: readonly [string, string]): string {
  const [, first] = (entity.ranges ?? []).find(([each]) => each === begin) ?? [begin, end]
  const names = first === end ? [begin] : [begin, end]
  return shorten(`${tableOf(entity)}_${names.map(snakeCase).join('_')}_order`)
}
export const referenceName = (entity: Entity, field: string): string =>
  shorten(`${tableOf(entity)}_${snakeCase(field)}_fkey`)

/** The first is named by the table alone, later ones by what they choose between as well. */
export function oneOfName(entity: Entity, names: readonly string[]): string {
  const [first] = entity.oneOf ?? []
  const own = !first || first.join() === names.join() ? [] : names
  return shorten([tableOf(entity), ...own.map(snakeCase), 'one_of'].join('_'))
}

/** The longest name that the database keeps whole. */
const nameMost = 63

/** A name that is too long ends in a mark of its own, so that two that begin alike stay two. */
const shorten = (name: string): string =>
  name.length <= nameMost
    ? name
    : `${name.slice(0, nameMost - 9)}_${createHash('sha256').update(name).digest('hex').slice(0, 8)}`

/** What the constraints of an entity are called. */
const constraintNames = (entity: Entity): string[] => [
  ...(entity.unique ?? []).map((key) => uniqueName(entity, key)),
  ...(entity.single ?? []).map(({ flag }) => singleName(entity, flag)),
  ...(entity.ranges ?? []).map((range) => rangeName(entity, range)),
  ...(entity.oneOf ?? []).map((names) => oneOfName(entity, names)),
  ...Object.entries(entity.fields).flatMap(([name, { to }]) => (to ? [referenceName(entity, name)] : [])),
]

/** Refuses definitions of which two constraints have one name: a refusal by the database would be told in the wrong words. */
export function refuseNameClash(entities: readonly Entity[]): void {
  const seen = new Map<string, string>()
  for (const entity of entities)
    for (const name of constraintNames(entity)) {
      const other = seen.get(name)
      if (other !== undefined)
        throw new Error(`two constraints are called ${name}: one of ${other}, one of ${entity.name}. Rename a field`)
      seen.set(name, entity.name)
    }
}
