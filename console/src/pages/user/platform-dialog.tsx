import type { user } from '@data-brain/contract'
import type { AnswerOf } from '@data-brain/contract/call'
import { platformDetail, updatePlatform } from '@data-brain/contract/calls/user'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { type Dictionaries, type ShownRow, useTask } from '../../entity/data/index.ts'
import { DictSelect } from '../../entity/fields/index.ts'
import { QueryStates } from '../../entity/list/index.ts'
import { type Pair, PairList, pairsOf, settingsOf, wrongKeys } from '../../entity/value/index.ts'
import { call } from '../../http/call.ts'
import { useDialogDraft } from '../../session/dialog-draft.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { useT } from '../../ui/words.ts'
import '../../entity/form/form-words.ts'

const fine: ReadonlySet<number> = new Set()

interface PlatformDialogProps {
  readonly user: ShownRow<typeof user>
  readonly dictionaries: Dictionaries
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Which platform a user belongs to, and that platform's settings of them. */
export function PlatformDialog({ user, dictionaries, onClose, onDone }: PlatformDialogProps) {
  const t = useT()
  const found = useQuery({
    queryKey: ['user-platform', user.id],
    queryFn: ({ signal }) => call(platformDetail, { id: user.id }, { signal, silent: true }),
    // What is changed here must begin with what is stored now.
    gcTime: 0,
    staleTime: 0,
    retry: false,
  })
  const title = t('user.platformOf', { name: user.realName })
  if (found.data) return <PlatformForm {...{ title, user, dictionaries, onClose, onDone }} stored={found.data} />
  return (
    <Dialog title={title} width={640} onClose={onClose}>
      <QueryStates query={found}>{() => null}</QueryStates>
    </Dialog>
  )
}

function PlatformForm(
  props: PlatformDialogProps & { readonly title: string; readonly stored: AnswerOf<typeof platformDetail> },
) {
  const { title, user, stored, dictionaries, onClose, onDone } = props
  const t = useT()
  const task = useTask()
  const begin = useMemo(
    () => ({
      type: stored.userType as string | null,
      pairs: pairsOf(stored.userExt === '' ? null : JSON.parse(stored.userExt)) as readonly Pair[],
    }),
    [stored],
  )
  const draft = useDialogDraft(`user-platform:${user.id}`, begin)
  const { type, pairs } = draft.value ?? begin
  const setType = (next: string | null) => draft.put({ type: next, pairs })
  const setPairs = (next: readonly Pair[]) => draft.put({ type, pairs: next })
  const [tried, setTried] = useState(false)
  const wrong = wrongKeys(pairs)
  const save = async () => {
    setTried(true)
    if (wrong.size > 0 || !type) return
    if (
      !(await task.run(
        async () =>
          void (await call(
            updatePlatform,
            { userId: user.id, userType: type, userExt: JSON.stringify(settingsOf(pairs)) },
            { silent: true },
          )),
      ))
    )
      return
    draft.done()
    onDone()
  }
  return (
    <Dialog
      title={title}
      width={640}
      busy={task.busy}
      failure={task.failure}
      okText={t('common.save')}
      onOk={() => void save()}
      onClose={onClose}
      unsaved={draft.unsaved}
    >
      <div className="field">
        <label htmlFor="user-platform">{t('user.platform')}</label>
        <DictSelect
          id="user-platform"
          label={t('user.platform')}
          className="ff-full"
          entries={dictionaries.user_type}
          value={type}
          onChange={(value) => setType(value as string | null)}
        />
        {tried && !type && <p className="field-error">{t('form.requiredChoice', { label: t('user.platform') })}</p>}
      </div>
      <section aria-label={t('user.settings')}>
        <h2>{t('user.settings')}</h2>
        <p className="dlg-note">{t('user.settingsHelp')}</p>
        <PairList pairs={pairs} wrong={tried ? wrong : fine} onChange={setPairs} />
        {tried && wrong.size > 0 && (
          <p className="field-error" role="alert">
            {t('user.settingWrong')}
          </p>
        )}
      </section>
    </Dialog>
  )
}
