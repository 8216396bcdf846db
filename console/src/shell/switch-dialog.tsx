import { WorkForm } from '../pages/work/index.ts'
import { sessionStore, useSession } from '../session/session.ts'
import { workName } from '../session/working-as.ts'
import { Modal } from '../ui/modal.tsx'
import { toast } from '../ui/toast.ts'
import { translate, useT } from '../ui/words.ts'
import { closeDialog } from './dialogs.tsx'
import { switchWork } from './switch-work.ts'

/** Another department or role to work as, while the shell stands. */
export default function SwitchDialog() {
  const t = useT()
  const session = useSession()
  if (!session) return null
  return (
    <Modal title={t('work.title')} onClose={closeDialog}>
      <WorkForm
        session={session}
        okText={t('work.switch')}
        onChoose={async (work) => {
          if (!(await switchWork(work))) return
          closeDialog()
          toast.success(translate('work.done', { work: workName(sessionStore.get()?.switching) }))
        }}
      >
        <button type="button" className="button" onClick={closeDialog}>
          {t('common.cancel')}
        </button>
      </WorkForm>
    </Modal>
  )
}
