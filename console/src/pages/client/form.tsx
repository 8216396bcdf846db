import { type Entity, entityOf, text } from '@data-brain/contract'
import { entryText } from '../../entity/display/index.ts'
import { type ControlProps, fieldKinds, useRecord } from '../../entity/fields/index.ts'
import type { FormParts } from '../../entity/form/index.ts'
import { clientWords } from '../../locales/client.ts'
import { useValue } from '../../ui/form/store.ts'
import { useLanguage, useT } from '../../ui/words.ts'
import { durationText } from './duration.ts'

const stored = entityOf('client')
const { 'client.secret': label, 'client.secretHelp': help } = clientWords

/** A new client may bring the secret that its application has already. */
const fresh: Entity = {
  ...stored,
  fields: {
    ...stored.fields,
    clientSecret: { ...text(label.zh, label.en, { max: 128 }), kind: 'secret', help },
  },
}

/** The ways to log in, each with its box: all of them are seen at once. */
function GrantTypes({ field, form, name, label: words, ties, onChange, onBlur }: ControlProps) {
  const { dictionaries } = useRecord()
  const language = useLanguage()
  const value = useValue(form, name)
  const ticked = Array.isArray(value) ? value.map(String) : []
  const entries = (dictionaries[field.dict ?? ''] ?? []).filter(
    (entry) => !entry.isSealed || ticked.includes(entry.dictKey),
  )
  const turn = (key: string, on: boolean) =>
    onChange(entries.map((entry) => entry.dictKey).filter((each) => (each === key ? on : ticked.includes(each))))
  return (
    <fieldset className="client-grants" aria-label={words} aria-describedby={ties['aria-describedby']} onBlur={onBlur}>
      {entries.map((entry, at) => (
        <label key={entry.dictKey} className="check">
          <input
            type="checkbox"
            id={at === 0 ? ties.id : undefined}
            checked={ticked.includes(entry.dictKey)}
            onChange={(event) => turn(entry.dictKey, event.target.checked)}
          />
          <span>
            {entryText(entry, language)} <code>{entry.dictKey}</code>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

const NumberControl = fieldKinds.integer.Control

/** Seconds, with what they come to beside them. */
function Lifetime(props: ControlProps) {
  const t = useT()
  const words = durationText(useValue(props.form, props.name), t)
  return (
    <>
      <NumberControl {...props} />
      <div className="client-lasts" aria-live="polite">
        {words && t('client.lasts', { text: words })}
      </div>
    </>
  )
}

export const formParts: FormParts = {
  of: (isNew) => (isNew ? fresh : stored),
  inputs: { authorizedGrantTypes: GrantTypes, accessTokenValidity: Lifetime, refreshTokenValidity: Lifetime },
}
