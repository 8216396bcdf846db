import { entityOf, hasPersonal, ownerOf, personalCode, schoolclass, schoolsubject } from '@data-brain/contract'
import { importsByColumns } from '@data-brain/contract/import/all'
import { derivedFrom } from '@data-brain/contract/import/derived'
import type { EntityForm } from '@data-brain/contract/import/entity-form'
import { exampleMark, type FormColumn } from '@data-brain/contract/import/form'
import { type FormKind, importCode } from '@data-brain/contract/import/place'
import { sql } from '../../../database/statement.ts'
import { type Model, modelOf } from '../../../entity/model.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { Call } from '../../../kernel/route.ts'
import type { Form } from '../batch/form.ts'
import type { Template } from '../file/output-workbook.ts'
import { optionsFor } from './ask.ts'
import { readDirectory } from './directory.ts'
import { benchOf, judgeEntityRows, modelOfForm, verdictOf } from './judge.ts'
import { storeRows } from './store.ts'

interface Asked {
  readonly schoolId?: string
  readonly yearId?: string
  readonly semesterId?: string
}
const askedOf = ({ parameters }: Call): Asked => parameters

const unset = (zh: string, en: string): Problem => new Problem('rule_broken', { reason: { zh, en } })

/** The school of an upload, where its rows belong to one, with its year and semester: those that were named, else the current ones. */
async function settingsOf(form: EntityForm, call: Call): Promise<Asked> {
  const { tx, actor } = call
  const { byName, entity, fields } = modelOfForm(form)
  // Rows of a tenant stand in no school, and belong to no term of one.
  if (!ownerOf(entity)) return {}
  const { schoolId = '', yearId = null, semesterId = null } = askedOf(call)
  const { tenantId } = actor
  const school = await tx.one(sql`select 1 from school where tenant_id = ${tenantId} and id = ${schoolId}`)
  if (!school)
    throw new Problem('reference_unknown', { label: { zh: '学校', en: 'School' } }, { field: 'schoolId', fields: [] })
  const semester = byName.has('semesterId')
    ? await tx.one<{ id: string; year: string }>(
        sql`select id, year_id as year from schoolsemester where tenant_id = ${tenantId} and school_id = ${schoolId}
                and (id = ${semesterId}::bigint or (${semesterId}::bigint is null and is_current = 1)) limit 1`,
      )
    : undefined
  if (byName.has('semesterId') && !semester)
    throw unset('该校没有当前学期，请先设置学期', 'The school has no current semester: set one first')
  // A class is one of a year.
  const isOfYear = byName.has('yearId') || byName.has('semesterId')
  if (!isOfYear && fields.every(({ to }) => to !== schoolclass.name)) return { schoolId }
  const asked = semester?.year ?? yearId
  const year = await tx.one<{ id: string }>(
    sql`select id from schoolyear where tenant_id = ${tenantId} and school_id = ${schoolId}
          and (id = ${asked}::bigint or (${asked}::bigint is null and is_current = 1)) limit 1`,
  )
  if (!year && isOfYear) throw unset('该校没有当前学年，请先设置学年', 'The school has no current year: set one first')
  return {
    schoolId,
    ...(year ? { yearId: year.id } : {}),
    ...(semester ? { semesterId: semester.id } : {}),
  }
}

/** The template: the columns that most files have, with the lists of the tenant. */
async function blankOf(form: EntityForm, call: Call): Promise<Template> {
  const columns = form.template.flatMap(
    (name) => form.columns.find((column) => column.field === name && column.part !== 'ignored') ?? [],
  )
  const model = modelOfForm(form)
  const settings = askedOf(call).schoolId ? await settingsOf(form, call) : {}
  const dicts = model.fields.flatMap((field) => field.dict ?? [])
  const directory = await readDirectory(call.tx, call.actor.tenantId, settings, dicts, {
    model,
    names: new Set(form.template),
  })
  const titles = (of: { readonly entries: readonly { readonly title: string }[] }): string[] => [
    ...new Set(of.entries.map(({ title }) => title)),
  ]
  const offers = ({ field: name }: FormColumn): string[] => {
    const field = model.byName.get(name)
    if (field?.kind === 'flag') return ['是', '否']
    if (field?.dict) return (directory.offers.get(field.dict) ?? []).map((offer) => offer.zh)
    if (field?.to === 'user') return titles(directory.users).slice(0, 500)
    if (field?.to === 'schoolsubject') return titles(directory.subjects)
    if (field?.to === 'schoolcampus') return titles(directory.campuses)
    if (field?.to === 'sysgrade') return directory.places.offered.map(({ name: grade }) => grade)
    if (field?.to === 'schoolclass') return directory.places.classes.map(({ name: own }) => own)
    return titles(directory.referred.get(field?.to ?? '') ?? { entries: [] })
  }
  const names = (entity: string): boolean => columns.some(({ field }) => model.byName.get(field)?.to === entity)
  return {
    columns,
    heading: ({ label, starred }) => label.zh + (starred ? '★' : ''),
    example: ({ field }) =>
      field === columns[0]?.field
        ? `${exampleMark}：${form.example[field] ?? ''}（本行不会导入）`
        : (form.example[field] ?? ''),
    name: `${model.entity.label.zh} ${model.entity.label.en}`,
    offers,
    isNeeded: ({ starred }) => starred,
    howTo: [
      {
        zh: '每行一条；可以删除不用的列，列的次序和名称可以改变。',
        en: 'One row each; columns may be deleted, renamed and moved.',
      },
      ...(form.kind === schoolclass.name || names(schoolclass.name)
        ? [
            {
              zh: '班级写“三年级（1）班”“三1班”“3.1”都可以。',
              en: 'A class may be written 三年级（1）班, 三1班 or 3.1.',
            },
          ]
        : []),
      ...(names('user')
        ? [
            {
              zh: '教师写姓名；同名时在括号里写工号。',
              en: 'Teachers by name, with the staff number in brackets where two share it.',
            },
          ]
        : []),
    ],
  }
}

/** Classes and subjects that the rows of a file name, and that the school has not, are made along. */
const madeByNaming: ReadonlySet<string> = new Set([schoolclass.name, schoolsubject.name])

/** What a file of an entity makes rows of, beside its own. */
function madeAlong({ columns, kind, makes = [] }: EntityForm, model: Model): Model[] {
  const named = columns.flatMap(({ part, field }) => (part === kind ? (model.byName.get(field)?.to ?? []) : []))
  const all = new Set([...named.filter((to) => madeByNaming.has(to)), ...makes])
  all.delete(kind)
  return [...all].map((name) => modelOf(entityOf(name)))
}

/** What the engine of imports asks, out of what an entity's form says. */
export function formOf(form: EntityForm): Form {
  const entity = entityOf(form.kind)
  const model = modelOfForm(form)
  const kind = form.kind as FormKind
  const { zh, en } = entity.label
  return {
    kind,
    title: { zh: `${zh}导入`, en: `${en} import` },
    code: importCode(kind),
    personal: hasPersonal(entity) ? personalCode(entity) : importCode(kind),
    entities: [entity],
    template: kind,
    templateName: { zh: `${zh}导入模板`, en: kind },
    columns: form.columns,
    models: { [kind]: model },
    main: kind,
    need: ({ starred }) => (starred ? 'always' : 'no'),
    derived: derivedFrom,
    settings: (call) => settingsOf(form, call),
    blank: (call) => blankOf(form, call),
    judge: async (context, batch) => {
      const bench = await benchOf(form, context, batch)
      return Object.assign(
        async (rows: Parameters<typeof judgeEntityRows>[1]) => (await judgeEntityRows(bench, rows)).map(verdictOf),
        {
          makes: () => bench.makes.needed.map(({ name }) => name),
        },
      )
    },
    asks: (context, batch) => optionsFor(form, context, batch),
    store: (job, batch, tx, progress) => storeRows(form, job, batch, tx, progress),
    undo: {
      order: [model],
      // The classes whose class teachers were set along.
      ...(kind === 'teacherclass' ? { changed: [modelOf(schoolclass)] } : {}),
      makes: madeAlong(form, model),
    },
  }
}

export const entityFormsMade: readonly Form[] = [...importsByColumns.values()].map(formOf)
