import { codeOf, type Entity, fixedform } from '@data-brain/contract'
import { formWorkbook, shippedForm } from '@data-brain/contract/calls/fixedform'
import { listTypes } from '@data-brain/contract/calls/job'
import { shippedForms } from '@data-brain/contract/shipped-forms'
import { Repository } from '../../entity/repository.ts'
import { contextOf, submit } from '../../entity/routes.ts'
import { draftSchema, rowSchema } from '../../entity/schema.ts'
import { on } from '../../entity/serve-call.ts'
import { contentDisposition } from '../../kernel/disposition.ts'
import { Problem } from '../../kernel/problem.ts'
import { code, RawResponse, type Route, route } from '../../kernel/route.ts'
import type { Module } from '../module.ts'
import { wholeFile } from '../resource/index.ts'
import { knownForm, mustSeeAll } from './check.ts'
import { type Figure, knownFigure } from './figures.ts'
import { formLimits } from './package.ts'
import { layoutOf } from './shipped.ts'
import { writeShipped } from './thread.ts'

export { type KnownForm, knownForm, mustSeeAll } from './check.ts'
export { type Figure, type FigureValues, figuresOf, knownFigure } from './figures.ts'
export type { Page, Values } from './fill.ts'
export { formatted, type MarkValue } from './marks.ts'
export { listOfEach, type MarkMeaning as Named } from './names.ts'
export { ownList } from './places.ts'
export { type FilledFile, fillInThread, showInThread } from './thread.ts'

/** Saves a form once its workbook has been found to be one: nothing is kept of one that is refused. */
const submitRoute: Route = route({
  method: 'POST',
  path: `/${fixedform.path}/submit`,
  tag: fixedform.name,
  access: code(codeOf(fixedform, 'add'), codeOf(fixedform, 'edit')),
  bodySchema: draftSchema(fixedform),
  dataSchema: rowSchema(fixedform),
  summary: { zh: `${fixedform.label.zh}：新增或修改`, en: `${fixedform.label.en}: add or change` },
  handler: async (call) => {
    const row = await submit(fixedform, call)
    const { tenantId } = call.actor
    const running = { ...call, cipher: call.services.cipher }
    const reader = {
      ...{ tenantId, language: call.circumstance.language },
      figure: (entity: Entity, figure: Figure) => knownFigure(running, entity, figure),
    }
    const form = await knownForm(call.services, reader, row)
    mustSeeAll(call.actor, form)
    return row
  },
})

/** A form that comes with the product, in the reader's language. */
const shippedRoute: Route = on(shippedForm, async ({ key }, { circumstance: { language } }) => {
  const bytes = await writeShipped(layoutOf(key, language))
  return new RawResponse(Buffer.from(bytes), 200, {
    'Content-Type': listTypes[0],
    'Content-Disposition': contentDisposition('attachment', `${shippedForms[key].label[language]}.xlsx`),
    'X-Content-Type-Options': 'nosniff',
  })
})

/** The workbook of a form, as it was saved. */
const workbookRoute: Route = on(formWorkbook, async ({ id }, call) => {
  const { services, actor } = call
  const row = await new Repository(fixedform, contextOf(call)).detail(id)
  const bytes = await wholeFile(services, actor.tenantId, row.attachId, formLimits.bytes)
  if (!bytes) throw new Problem('not_found')
  return new RawResponse(bytes, 200, {
    'Content-Type': listTypes[0],
    'Content-Disposition': contentDisposition('attachment', `${row.name.replace(/[\\/:*?"<>|]/g, ' ')}.xlsx`),
    'X-Content-Type-Options': 'nosniff',
  })
})

/** Forms that an authority prescribes: checked as they are saved, filled as they are taken out (modules/export). */
export const fixedForms: Module = {
  routes: [submitRoute, shippedRoute, workbookRoute],
  serves: { fixedform: ['submit'] },
}
