import { remindProcess, retryInstance } from '@data-brain/contract/calls/flow'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect } from 'react'
import { QueryStates } from '../../../entity/list/index.ts'
import { call } from '../../../http/call.ts'
import { HttpProblem } from '../../../http/client.ts'
import { entityWords } from '../../../locales/entity.ts'
import { flowWords } from '../../../locales/flow.ts'
import { flowManageWords } from '../../../locales/flow-manage.ts'
import { useCan, useSession } from '../../../session/session.ts'
import { focusBack } from '../../../ui/focus-back.ts'
import { Icon } from '../../../ui/icon.tsx'
import { useKeys } from '../../../ui/keys.ts'
import { go, Link, usePlace, useTab } from '../../../ui/place.ts'
import { toast } from '../../../ui/toast.ts'
import { addWords, useT } from '../../../ui/words.ts'
import { failedStates, instanceStates, useInstanceStates } from '../categories.ts'
import { HistoryView } from '../history/index.ts'
import { businessOf, hasOwnPages, startAddress, todoPath } from '../places.ts'
import { detailOf, historyOf, type ProcessDetail, renewFlow, useFlowNews } from '../queries.ts'
import { businessParts } from '../task/business.ts'
import { Answer, Request } from '../task/task.tsx'
import { useTaskWork } from '../task/use-task.tsx'
import '../../../ui/later-words.ts'
import './page.css'

addWords({ ...entityWords, ...flowWords, ...flowManageWords })

/** One instance: what it asks, where it stands, and, for whoever has a task in it, the answer. */
export default function ProcessPage() {
  const { params, path } = usePlace()
  const t = useT()
  const found = useQuery(detailOf(params.processInstanceId ?? '', params.taskId))
  useFlowNews()
  const formKey = businessOf(path)
  // Who takes no part in the process may still see what it is about, and end that.
  if (found.isError && !found.data && formKey && params.businessId)
    return (
      <div className="page flow-page">
        <Business formKey={formKey} businessId={params.businessId} />
      </div>
    )
  return (
    <div className="page flow-page">
      <QueryStates query={found}>
        {(detail) => <Process key={detail.taskId ?? detail.processInstanceId} detail={detail} />}
      </QueryStates>
      {!found.data && (
        <h1 className="sr-only" tabIndex={-1}>
          {t('flow.processDetail')}
        </h1>
      )}
    </div>
  )
}

/** What a process is about, for whoever may see that and not the process. */
function Business({ formKey, businessId }: { readonly formKey: string; readonly businessId: string }) {
  const t = useT()
  const Part = businessParts[formKey]
  return (
    <>
      <h1 className="sr-only" tabIndex={-1}>
        {t('flow.processDetail')}
      </h1>
      {Part && (
        <Suspense fallback={<div className="bone tall" aria-busy="true" />}>
          <Part detail={{ businessId }} />
        </Suspense>
      )}
      <p className="muted">{t('flow.onlyBusiness')}</p>
    </>
  )
}

function Process({ detail }: { detail: ProcessDetail }) {
  const t = useT()
  const queries = useQueryClient()
  const { active, setName } = useTab()
  const stateText = useInstanceStates()
  const steps = useQuery(historyOf(detail.processInstanceId))
  const left = () => go(todoPath, { replace: true })
  const work = useTaskWork(detail, left)
  const { may } = detail
  const mayRetry = useCan()('flowinstance_retry') && detail.instanceState === instanceStates.incident
  const me = useSession()?.userId
  // What was refused, withdrawn or ended can be put right and sent once more.
  const { formKey, businessId } = detail
  const mayAgain =
    detail.startUser === me && failedStates.includes(detail.instanceState) && (!hasOwnPages(formKey) || businessId)
  const before = hasOwnPages(formKey) ? `draft=${businessId}` : `from=${detail.processInstanceId}`
  const isAsked = steps.data?.some(({ state, taskId }) => state === 'waiting' && taskId !== null) ?? false
  useEffect(() => setName(detail.title), [detail.title, setName])
  // What had the focus may have gone: the heading that stood before this was here, or the button that ended the process.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is looked at when the process has come to another state
  useEffect(() => focusBack(null), [detail.instanceState])
  const print = async () => {
    const { printInstance } = await import('../task/print.ts')
    printInstance(detail, steps.data ?? [])
  }
  const { processInstanceId } = detail
  const told = async (send: () => Promise<string>) => {
    try {
      toast.success(await send(), detail.title)
    } catch (problem) {
      // The client has said what went wrong; anything else is a defect and goes up.
      if (!(problem instanceof HttpProblem)) throw problem
    }
    await renewFlow(queries)
  }
  const remind = () =>
    told(async () => t('flow.reminded', { count: (await call(remindProcess, { processInstanceId })).count }))
  const retry = () =>
    told(async () => {
      await call(retryInstance, { processInstanceId })
      return t('flowManage.retried', { name: detail.title })
    })
  useKeys(active, {
    name: 'keys.approval',
    bindings: [
      { keys: ['KeyA'], label: 'keys.approve', run: () => may.decide && work.answer('ok') },
      { keys: ['KeyR'], label: 'keys.refuse', run: () => may.decide && work.answer('no') },
      { keys: ['KeyT'], label: 'keys.transfer', run: () => may.transfer && work.setAct('transfer') },
      { keys: ['KeyC'], label: 'keys.comment', run: () => work.commentBox.current?.focus() },
      { keys: ['KeyP', 'Mod+KeyP'], label: 'keys.print', run: () => void print() },
    ],
  })
  return (
    <>
      <header className="flow-page-head">
        <h1 tabIndex={-1} className="sr-only">
          {detail.title}
        </h1>
        <span className="pill in">{detail.processDefinitionName}</span>
        <span className="flow-no">{detail.serialNo}</span>
        <span className="flow-state">{stateText(detail.instanceState)}</span>
        <span className="flow-grow" />
        {mayRetry && (
          <button type="button" className="button small" onClick={() => void retry()}>
            <Icon name="refresh-cw" size={16} /> {t('flowManage.retry')}
          </button>
        )}
        {may.remind && isAsked && (
          <button type="button" className="button small" onClick={() => void remind()}>
            <Icon name="bell" size={16} /> {t('flow.remind')}
          </button>
        )}
        {may.withdraw && (
          <button type="button" className="button small" onClick={() => work.setAct('withdraw')}>
            <Icon name="undo-2" size={16} /> {t('flow.withdraw')}
          </button>
        )}
        {may.copy && !may.decide && (
          <button type="button" className="button small" onClick={() => work.setAct('copy')}>
            <Icon name="copy" size={16} /> {t('flow.copy')}
          </button>
        )}
        {mayAgain && (
          <Link className="button small" to={`${startAddress(formKey, detail.processDefinitionId)}?${before}`}>
            <Icon name="refresh-cw" size={16} /> {t('flow.again')}
          </Link>
        )}
        <button type="button" className="button small" onClick={() => void print()}>
          <Icon name="printer" size={16} /> {t('flow.print')}
        </button>
      </header>
      <Request detail={detail} work={work} />
      <h2 className="flow-section">{t('flow.history')}</h2>
      <Suspense fallback={<div className="bone tall" aria-busy="true" />}>
        <HistoryView processInstanceId={processInstanceId} />
      </Suspense>
      <Answer detail={detail} work={work} onLeft={left} />
    </>
  )
}
