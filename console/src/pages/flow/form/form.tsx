import { FormErrors, FormFields } from '../../../entity/form/index.ts'
import { Icon } from '../../../ui/icon.tsx'
import { clockOf } from '../../../ui/instant.ts'
import { useT } from '../../../ui/words.ts'
import type { FlowForm } from './use-form.ts'
import '../../../entity/form/form.css'

const NO_NAMES = {}

/** The inputs of a process's form, over them what is not in order and what was typed before. */
export function FormBody({ made }: { made: FlowForm }) {
  const t = useT()
  const { entity, form, words, parts, body, draftAt, judged, focusOn, clear } = made
  return (
    <div ref={body} className="entity-form">
      {draftAt !== null && (
        <div className="banner banner-warn" role="status">
          <Icon name="history" />
          <div>{t('form.draftBack', { time: clockOf(draftAt) })}</div>
          <button type="button" className="button plain" onClick={clear}>
            {t('form.discardDraft')}
          </button>
        </div>
      )}
      {judged && <FormErrors entity={entity} form={form} onGo={focusOn} />}
      <FormFields entity={entity} form={form} isNew words={words} names={NO_NAMES} parts={parts} />
    </div>
  )
}
