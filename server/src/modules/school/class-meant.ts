import { schoolclass } from '@data-brain/contract'
import type { ClassMeant, GradeMeant } from '@data-brain/contract/import/class-name'
import { readClass, readGrade } from '@data-brain/contract/import/class-name'
import { slotValue, sql } from '../../database/statement.ts'
import { addMeaning, type SynonymSearch } from '../../entity/synonyms.ts'

/** A grade as its stage counts it: without a stage they are counted from the first year of primary school on. */
function counted({ stage, no }: GradeMeant): { stage: string; gradeNo: number } {
  if (stage) return { stage, gradeNo: no }
  if (no > 9) return { stage: '4', gradeNo: no - 9 }
  return no > 6 ? { stage: '3', gradeNo: no - 6 } : { stage: '2', gradeNo: no }
}

/** What a text says of a class: everything that its name can mean, or, where it names none, the grade of whose it is. */
function saidOf(text: string): readonly Partial<ClassMeant>[] {
  // 三 alone is the third grade to whoever goes on to write 三1; 3 is a number.
  const named = /^[一二三四五六七八九十]+$/.test(text.trim()) ? [] : readClass(text)
  // 小三 is a class of a kindergarten, and the third grade to everybody else.
  const grade =
    named.length === 0 || /^小[一二三四五六1-6]$/.test(text.normalize('NFKC').trim()) ? readGrade(text) : undefined
  return grade ? [...named, grade] : named
}

/** A class by every spelling that an import takes: 六2, 602 and 六(2)班 are 六年级（2）班, 2班 is the second of any grade. */
function classesMeant(text: string): SynonymSearch | undefined {
  const meant = saidOf(text).flatMap<object>(({ grade, cohort, leaving, stage, no }) =>
    // When the pupils leave, no column of a class says.
    leaving !== undefined ? [] : [grade ? { ...counted(grade), no } : { stage, cohort, no }],
  )
  if (meant.length === 0) return undefined
  return {
    value: JSON.stringify(meant),
    sql: sql`exists (select 1 from jsonb_to_recordset(${slotValue('meant')}::jsonb) as m (stage text, "gradeNo" int, cohort int, no int)
      join sysgrade_seen mg on mg.tenant_id = t.tenant_id and mg.id = t.grade_id
      where (m.no is null or m.no = t.class_no) and (m.stage is null or m.stage = mg.stage)
        and (m."gradeNo" is null or m."gradeNo" = mg.grade_no) and (m.cohort is null or m.cohort = t.cohort_year))`,
  }
}

/** Lets a class be found by whatever people call it. */
export const addClassMeaning = (): void => addMeaning(schoolclass, classesMeant)
