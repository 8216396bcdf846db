import { entities } from '@data-brain/contract'
import { type CodeField, type CodeKind, codeKinds } from '@data-brain/contract/code'
import { Icon } from '../../ui/icon.tsx'
import { useLanguage, useT } from '../../ui/words.ts'

interface FieldRowProps {
  readonly field: CodeField
  readonly disabled: boolean
  readonly onChange: (field: CodeField) => void
  readonly onRemove: () => void
}

/** Entities that a reference can point at: none that all tenants share. */
const targets = entities.filter((each) => each.ownership !== 'platform')

/** One field of the table: its names, its kind and what goes with that. */
export function FieldRow({ field, disabled, onChange, onRemove }: FieldRowProps) {
  const t = useT()
  const language = useLanguage()
  const put = (more: Partial<CodeField>) => onChange({ ...field, ...more })
  const text = (key: 'name' | 'zh' | 'en', label: string, most: number) => (
    <label>
      <span>{label}</span>
      <input
        className="input"
        value={field[key]}
        maxLength={most}
        disabled={disabled}
        spellCheck={false}
        onChange={(event) => put({ [key]: event.target.value })}
      />
    </label>
  )
  const number = (key: 'max' | 'scale', label: string, most: number, least = 1) => (
    <label className="code-short">
      <span>{label}</span>
      <input
        className="input"
        type="number"
        min={least}
        max={most}
        value={field[key] ?? ''}
        disabled={disabled}
        onChange={(event) => put({ [key]: event.target.value === '' ? undefined : Number(event.target.value) })}
      />
    </label>
  )
  const tick = (key: 'required' | 'unique', label: string) => (
    <label className="check">
      <input
        type="checkbox"
        checked={field[key] === 1}
        disabled={disabled}
        onChange={(event) => put({ [key]: event.target.checked ? 1 : 0 })}
      />
      <span>{label}</span>
    </label>
  )
  return (
    <li className="code-field">
      {text('name', t('code.fieldName'), 40)}
      {text('zh', t('code.zh'), 20)}
      {text('en', t('code.en'), 40)}
      <label>
        <span>{t('code.kind')}</span>
        <select
          className="input"
          value={field.kind}
          disabled={disabled}
          onChange={(event) => put({ kind: event.target.value as CodeKind, max: undefined, scale: undefined })}
        >
          {codeKinds.map((kind) => (
            <option key={kind} value={kind}>
              {t(`code.kind.${kind}`)}
            </option>
          ))}
        </select>
      </label>
      {['text', 'area', 'personal'].includes(field.kind) && number('max', t('code.max'), 4_000)}
      {field.kind === 'decimal' && number('scale', t('code.scale'), 6, 0)}
      {field.kind === 'reference' && (
        <label>
          <span>{t('code.to')}</span>
          <select
            className="input"
            value={field.to ?? ''}
            disabled={disabled}
            onChange={(event) => put({ to: event.target.value })}
          >
            <option value="" />
            {targets.map(({ name, label }) => (
              <option key={name} value={name}>
                {label[language]}
              </option>
            ))}
          </select>
        </label>
      )}
      <span className="code-ticks">
        {tick('required', t('code.required'))}
        {tick('unique', t('code.unique'))}
        <button
          type="button"
          className="icon-button"
          disabled={disabled}
          aria-label={t('code.removeField', { name: field.name || field.zh })}
          onClick={onRemove}
        >
          <Icon name="x" />
        </button>
      </span>
    </li>
  )
}
