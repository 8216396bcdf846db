import { topMenus } from '@data-brain/contract/menus'
import { newId } from '../database/id.ts'
import { sql } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { insertMany } from '../entity/bulk.ts'
import { nameRef } from '../entity/select.ts'
import { defaultGrades, defaultSubjects } from './defaults.ts'

/*
 * What every new tenant begins with and all share until they change it (entity/shared.ts), beside the business dictionaries.
 * A newer version adds what it has more; what is laid already stays.
 */

/** The ids of shared rows by code: of those that are laid, and new ones for the others. */
async function idsOf(
  tx: Tx,
  table: string,
  column: string,
  codes: readonly string[],
): Promise<{ ids: Map<string, string>; isNew: (code: string) => boolean }> {
  const held = await tx.run<{ id: string; code: string }>(
    sql`select id, ${nameRef(column)} as code from ${nameRef(table)}`,
  )
  const laid = new Map(held.map(({ id, code }) => [code, id]))
  return { ids: new Map(codes.map((code) => [code, laid.get(code) ?? newId()])), isNew: (code) => !laid.has(code) }
}

/** Lays the grades, and the subjects with their grades. */
export async function layCatalogue(tx: Tx): Promise<void> {
  const grades = await idsOf(
    tx,
    'sysgrade_shared',
    'grade_code',
    defaultGrades.map(({ code }) => code),
  )
  await insertMany(
    tx,
    'sysgrade_shared',
    defaultGrades.flatMap(({ code, name, stage, no, minAge, next }, index) =>
      grades.isNew(code)
        ? [
            {
              id: grades.ids.get(code),
              grade_code: code,
              grade_name: name,
              stage,
              grade_no: no,
              min_age: minAge,
              max_age: minAge + 2,
              next_grade_id: next && grades.ids.get(next),
              sort: index + 1,
              create_time: 'now',
              update_time: 'now',
            },
          ]
        : [],
    ),
  )
  const subjects = await idsOf(
    tx,
    'syssubject_shared',
    'subject_code',
    defaultSubjects.map(({ code }) => code),
  )
  const added = defaultSubjects.filter(({ code }) => subjects.isNew(code))
  await insertMany(
    tx,
    'syssubject_shared',
    added.map((subject) => ({
      id: subjects.ids.get(subject.code),
      subject_code: subject.code,
      subject_name: subject.name,
      short_name: subject.short,
      category: subject.category,
      is_main: subject.main ? 1 : 0,
      is_elective: subject.elective ? 1 : 0,
      color: subject.color,
      sort: defaultSubjects.indexOf(subject) + 1,
      create_time: 'now',
      update_time: 'now',
    })),
  )
  await insertMany(
    tx,
    'syssubject_grade_shared',
    added.flatMap((subject) =>
      defaultGrades
        .filter((grade) => (subject.stages as readonly string[]).includes(grade.stage))
        .map((grade, index) => ({
          owner_id: subjects.ids.get(subject.code),
          target_id: grades.ids.get(grade.code),
          ord: index + 1,
        })),
    ),
  )
}

/** Lays the top menus, and which menus each gathers. */
export async function layTopMenus(tx: Tx): Promise<void> {
  const { ids, isNew } = await idsOf(
    tx,
    'top_menu_shared',
    'code',
    topMenus.map(({ code }) => code),
  )
  await insertMany(
    tx,
    'top_menu_shared',
    topMenus.flatMap(({ code, label, icon }, index) =>
      isNew(code)
        ? [
            {
              id: ids.get(code),
              code,
              name: label.zh,
              name_en: label.en,
              source: icon,
              sort: index + 1,
              create_time: 'now',
              update_time: 'now',
            },
          ]
        : [],
    ),
  )
  const places = topMenus.flatMap(({ code, groups }) =>
    groups
      .flatMap((group) => [group, ...(group.children ?? [])])
      .map((menu) => ({ id: ids.get(code), code: menu.code })),
  )
  await tx.run(
    sql`insert into top_menu_setting_shared (top_menu_id, menu_id)
        select p.id, m.id from jsonb_to_recordset(${JSON.stringify(places)}::jsonb) p(id bigint, code text) join menu m on m.code = p.code
        on conflict do nothing`,
  )
}
