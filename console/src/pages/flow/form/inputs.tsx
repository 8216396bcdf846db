import { flowPeople } from '@data-brain/contract/calls/flow'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import { useCalls } from '../../../entity/data/index.ts'
import { type ControlProps, ReferenceSelect } from '../../../entity/fields/index.ts'
import type { FormParts } from '../../../entity/form/index.ts'
import { plainList } from '../../../http/call.ts'
import { HttpProblem } from '../../../http/client.ts'
import { flowWords } from '../../../locales/flow.ts'
import type { InputTies } from '../../../ui/form/field.tsx'
import { useValue } from '../../../ui/form/store.ts'
import { Icon } from '../../../ui/icon.tsx'
import { addWords, useT } from '../../../ui/words.ts'
import { type AskedField, kindOf } from './fields.ts'

addWords(flowWords)

interface PeopleProps extends Partial<InputTies> {
  readonly label: string
  readonly value: string | readonly string[] | null
  /** How many may be chosen; one without it. */
  readonly most?: number
  readonly onChange: (value: string | string[] | null) => void
}

/** Found by their names: where the call of that stands. */
const found = { path: plainList('user', flowPeople).path }

/** Chooses people by their names, whether or not whoever chooses may list users. */
export function PeopleSelect({ label, value, most, onChange, ...ties }: PeopleProps) {
  const t = useT()
  return (
    <ReferenceSelect
      {...ties}
      className="ff-full"
      label={label}
      placeholder={t('flow.choosePeople')}
      to="user"
      scope={found}
      most={most}
      value={value}
      onChange={onChange}
    />
  )
}

function Person({ form, name, label, ties, onChange }: ControlProps) {
  return (
    <PeopleSelect {...ties} label={label} value={(useValue(form, name) as string | null) ?? null} onChange={onChange} />
  )
}

function People({ field, form, name, label, ties, onChange }: ControlProps) {
  const value = useValue(form, name)
  return (
    <PeopleSelect
      {...ties}
      label={label}
      most={field.max ?? 1}
      value={Array.isArray(value) ? value.map(String) : []}
      onChange={onChange}
    />
  )
}

interface FilesProps extends Partial<InputTies> {
  readonly ids: readonly string[]
  /** Names of the files that are known already. */
  readonly names?: Readonly<Record<string, string>>
  readonly onIds: (ids: readonly string[]) => void
  /** What the button says, where it is not “add files”. */
  readonly children?: ReactNode
}

const filesMost = 20

/** Files that go with a form or a decision: uploaded as they are chosen, dropped or pasted. */
export function FilesInput({ ids, names = {}, onIds, children, ...ties }: FilesProps) {
  const t = useT()
  const calls = useCalls()
  const picker = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const [known, setKnown] = useState<Readonly<Record<string, string>>>({})
  const take = async (files: readonly File[]) => {
    setBusy(true)
    try {
      const added: string[] = []
      for (const file of files.slice(0, filesMost - ids.length)) {
        const { id } = await calls.upload(file)
        added.push(id)
        setKnown((now) => ({ ...now, [id]: file.name }))
        onIds([...ids, ...added])
      }
    } catch (problem) {
      // The client has said what went wrong; anything else is a defect and goes up.
      if (!(problem instanceof HttpProblem)) throw problem
    } finally {
      setBusy(false)
      if (picker.current) picker.current.value = ''
    }
  }
  return (
    <div className="flow-uploads">
      {ids.length > 0 && (
        <ul>
          {ids.map((id) => {
            const text = known[id] ?? names[id] ?? id
            return (
              <li key={id}>
                <Icon name="paperclip" size={14} />
                <span>{text}</span>
                <button
                  type="button"
                  className="icon-button small"
                  aria-label={t('flow.removeFile', { name: text })}
                  onClick={() => onIds(ids.filter((each) => each !== id))}
                >
                  <Icon name="x" size={14} />
                </button>
              </li>
            )
          })}
        </ul>
      )}
      <input
        {...ties}
        aria-label={ties.id ? undefined : t('flow.addFiles')}
        ref={picker}
        type="file"
        multiple
        tabIndex={-1}
        className="sr-only"
        disabled={busy}
        onChange={(event) => void take([...(event.target.files ?? [])])}
      />
      <button
        type="button"
        className="button small"
        disabled={busy || ids.length >= filesMost}
        onClick={() => picker.current?.click()}
      >
        <Icon name="paperclip" size={14} />
        {busy ? t('flow.uploading') : (children ?? t('flow.addFiles'))}
      </button>
    </div>
  )
}

function Files({ form, name, ties, onChange }: ControlProps) {
  const value = useValue(form, name)
  return <FilesInput {...ties} ids={Array.isArray(value) ? value.map(String) : []} onIds={onChange} />
}

const inputs: Partial<Record<ReturnType<typeof kindOf>, (props: ControlProps) => ReactNode>> = {
  user: Person,
  people: People,
  files: Files,
}

/** The inputs of a process's form that are not those of the engine. */
export function useFlowParts(fields: readonly AskedField[]): FormParts {
  return useMemo(
    () => ({
      inputs: Object.fromEntries(
        fields.flatMap((field) => {
          const input = inputs[kindOf(field)]
          return input ? [[field.name, input] as const] : []
        }),
      ),
    }),
    [fields],
  )
}
