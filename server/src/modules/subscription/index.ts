import { reportsubscription } from '@data-brain/contract'
import { subscribeReport } from '@data-brain/contract/calls/reportsubscription'
import { rowsOf } from '../../entity/routes.ts'
import { on } from '../../entity/serve-call.ts'
import type { Module } from '../module.ts'
import { conditionsOf } from './asked.ts'
import { addSubscriptionReceiver } from './receiver.ts'
import { addSubscriptionRules } from './rules.ts'

export { deliverReports, reportDelivery } from './deliver.ts'

/** Reports that come by the clock, as files, to whoever subscribed to them. */
export const subscriptions: Module = {
  routes: [
    on(subscribeReport, ({ parameters = {}, ...said }, call) =>
      rowsOf(reportsubscription, call).save({
        ...{ fileLanguage: call.circumstance.language, ...said },
        asked: conditionsOf(parameters),
      }),
    ),
  ],
  addRules: () => {
    addSubscriptionRules()
    addSubscriptionReceiver()
  },
}
