import { codeOf, fixedform } from '@data-brain/contract'
import { submit } from '../../entity/routes.ts'
import { draftSchema, rowSchema } from '../../entity/schema.ts'
import { code, type Route, route } from '../../kernel/route.ts'
import type { Module } from '../module.ts'
import { knownForm, mustSeeAll } from './check.ts'

export { type KnownForm, knownForm, mustSeeAll } from './check.ts'
export type { Page, Values } from './fill.ts'
export { formatted, type MarkValue } from './marks.ts'
export { type FilledFile, fillInThread } from './thread.ts'

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
    const form = await knownForm(call.services, { tenantId, language: call.circumstance.language }, row)
    mustSeeAll(call.actor, form)
    return row
  },
})

/** Forms that an authority prescribes: checked as they are saved, filled as they are taken out (modules/export). */
export const fixedForms: Module = { routes: [submitRoute], serves: { fixedform: ['submit'] } }
