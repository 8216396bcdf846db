import { useMemo } from 'react'
import { type CellWords, textOf } from '../../../entity/display/index.ts'
import { flowWords } from '../../../locales/flow.ts'
import { addWords, useLanguage, useT } from '../../../ui/words.ts'
import { FileList } from '../files.tsx'
import { type AskedField, dictionariesOf, entityOfFields, kindOf } from './fields.ts'
import './facts.css'

addWords(flowWords)

const NO_REGIONS = {}

/** Fields worth the whole width. */
const wide: ReadonlySet<string> = new Set(['longText', 'files'])

/** What a request says, field by field; empty ones are left out. */
export function FormFacts({ fields }: { fields: readonly AskedField[] }) {
  const t = useT()
  const language = useLanguage()
  const entity = useMemo(() => entityOfFields('facts', fields), [fields])
  const words: CellWords = useMemo(
    () => ({ t, language, dictionaries: dictionariesOf(fields), regions: NO_REGIONS }),
    [t, language, fields],
  )
  const told = fields.filter(({ value }) => value !== null && value !== undefined && value !== '')
  if (told.length === 0) return <p className="muted">{t('flow.noFields')}</p>
  return (
    <dl className="flow-facts">
      {told.map((field) => (
        <div key={field.name} className={wide.has(kindOf(field)) ? 'flow-wide' : undefined}>
          <dt>{field.label}</dt>
          <dd>
            {kindOf(field) === 'files' ? (
              <FileList files={field.files ?? []} />
            ) : (
              factText(field, textOf(entity.fields[field.name]!, field.value, words, field.shown ?? undefined), t)
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

const factText = (field: AskedField, text: string, t: CellWords['t']): string =>
  kindOf(field) === 'flag' ? t(field.value === true ? 'flow.yes' : 'flow.no') : text
