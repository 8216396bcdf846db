import { flowprocess } from '@data-brain/contract'
import { changeState, deleteDeployment, exportProcess } from '@data-brain/contract/calls/flow'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { refresh, type ShownRow, useTask } from '../../../entity/data/index.ts'
import { dictText } from '../../../entity/display/index.ts'
import { type Cells, EntityPage, type RowAction } from '../../../entity/list/index.ts'
import { call, fetchFile } from '../../../http/call.ts'
import { HttpProblem } from '../../../http/client.ts'
import { flowManageWords } from '../../../locales/flow-manage.ts'
import { pathOf } from '../../../session/paths.ts'
import { useCan } from '../../../session/session.ts'
import { askConfirmation } from '../../../ui/confirm.tsx'
import { TypedDialog } from '../../../ui/dialog/typed.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { go } from '../../../ui/place.ts'
import { saveFile } from '../../../ui/save-file.ts'
import { toast } from '../../../ui/toast.ts'
import { addWords, useT } from '../../../ui/words.ts'
import { DiagramDialog } from './diagram-dialog.tsx'
import { UploadDialog } from './upload-dialog.tsx'
import '../manage.css'
import '../../../ui/later-words.ts'

addWords(flowManageWords)

type Process = ShownRow<typeof flowprocess>

const active = '1'
const isActive = (row: Process): boolean => row.suspensionState === active

/** What is asked before deployments go, and who waits for the answer. */
interface Removing {
  readonly rows: readonly Process[]
  readonly answer: (gone: readonly string[] | null) => void
}

/** What was deployed: each version of each process, whether it can be started, and how it looks. */
export default function ProcessesPage() {
  const t = useT()
  const can = useCan()
  const queries = useQueryClient()
  const [uploads, setUploads] = useState(false)
  const [looked, setLooked] = useState<Process | null>(null)
  const [removing, setRemoving] = useState<Removing | null>(null)
  const mayTurn = can('flowprocess_state')

  const turn = useCallback(
    async (row: Process) => {
      const state = isActive(row) ? 'suspend' : 'active'
      const name = t('flowManage.nameAndVersion', { name: row.name, version: row.versionNo })
      if (state === 'suspend') {
        const sure = await askConfirmation({
          title: t('flowManage.suspendAsk', { name }),
          body: t('flowManage.suspendBody'),
          okText: t('flowManage.suspend'),
        })
        if (!sure) return
      }
      try {
        await call(changeState, { processId: row.id, state })
        toast.success(t(state === 'active' ? 'flowManage.activated' : 'flowManage.suspended', { name }))
      } catch (problem) {
        // The client has said what went wrong; anything else is a defect and goes up.
        if (!(problem instanceof HttpProblem)) throw problem
      }
      await refresh(queries, flowprocess.name)
    },
    [t, queries],
  )
  const download = useCallback(async ({ id }: Process) => {
    try {
      saveFile(await fetchFile(exportProcess, { processDefinitionId: id }))
    } catch (problem) {
      if (!(problem instanceof HttpProblem)) throw problem
    }
  }, [])
  const actions: readonly RowAction<typeof flowprocess>[] = useMemo(
    () => [
      { key: 'diagram', label: t('flowManage.diagram'), icon: 'workflow', run: setLooked },
      {
        key: 'turn',
        label: t('flowManage.turn'),
        icon: 'circle-check',
        code: 'flowprocess_state',
        run: (row) => void turn(row),
      },
      {
        key: 'instances',
        label: t('flowManage.instances'),
        icon: 'scroll-text',
        code: 'flowinstance_view',
        run: ({ id }) => go(`${pathOf('flowinstance')}?processDefinitionId=${id}`),
      },
      {
        key: 'download',
        label: t('flowManage.download'),
        icon: 'download',
        code: 'flowprocess_export',
        run: (row) => void download(row),
      },
    ],
    [t, turn, download],
  )
  const cells: Cells<typeof flowprocess> = useMemo(
    () => ({
      suspensionState: (row, words) =>
        mayTurn ? (
          <button
            type="button"
            role="switch"
            className="flow-switch"
            data-act="turn"
            aria-checked={isActive(row)}
            aria-label={words.t('flowManage.switchOf', {
              name: words.t('flowManage.nameAndVersion', { name: row.name, version: row.versionNo }),
            })}
          >
            <i aria-hidden="true" />
            {dictText(words, 'flow_suspension', row.suspensionState)}
          </button>
        ) : undefined,
    }),
    [mayTurn],
  )
  const bulk = useMemo(
    () => ({
      removal: (rows: readonly Process[]) =>
        new Promise<readonly string[] | null>((answer) => setRemoving({ rows, answer })),
    }),
    [],
  )
  const settle = (gone: readonly string[] | null) => {
    removing?.answer(gone)
    setRemoving(null)
  }
  const toolbar = can('flowmodel_deploy') && (
    <button type="button" className="button primary" onClick={() => setUploads(true)}>
      <Icon name="upload" size={16} />
      {t('flowManage.upload')}
    </button>
  )
  return (
    <>
      <EntityPage
        entity={flowprocess}
        cells={cells}
        rowActions={actions}
        bulk={bulk}
        form={{ noAdd: true }}
        slots={{ toolbar }}
      />
      {uploads && <UploadDialog onClose={() => setUploads(false)} />}
      {looked && <DiagramDialog row={looked} onClose={() => setLooked(null)} />}
      {removing && <RemoveDialog rows={removing.rows} onDone={settle} />}
    </>
  )
}

interface RemoveProps {
  readonly rows: readonly Process[]
  readonly onDone: (gone: readonly string[] | null) => void
}

/** Asks for the name before a version goes for good. */
function RemoveDialog({ rows, onDone }: RemoveProps) {
  const t = useT()
  const queries = useQueryClient()
  const { busy, failure, run } = useTask()
  const names = rows.map(({ name, versionNo }) => t('flowManage.nameAndVersion', { name, version: versionNo }))
  const first = rows[0]!
  const remove = async () => {
    const isDone = await run(async () => {
      const deploymentIds = rows.map(({ deploymentId }) => String(deploymentId))
      await call(deleteDeployment, { deploymentIds }, { silent: true })
      await refresh(queries, flowprocess.name)
    })
    if (!isDone) return
    toast.success(t('flowManage.removed', { count: rows.length }))
    onDone(rows.map(({ id }) => id))
  }
  return (
    <TypedDialog
      title={
        rows.length === 1
          ? t('flowManage.removeAsk', { name: names[0] })
          : t('flowManage.removeSeveral', { count: rows.length })
      }
      text={String(first.name)}
      okText={t('flowManage.remove')}
      busy={busy}
      failure={failure}
      onOk={() => void remove()}
      onClose={() => onDone(null)}
    >
      {rows.length > 1 && <p>{names.join(t('entity.separator'))}</p>}
      <p>{t('flowManage.removeText')}</p>
    </TypedDialog>
  )
}
