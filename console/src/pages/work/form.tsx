import { type FormEvent, type ReactNode, useState } from 'react'
import { HttpProblem } from '../../http/client.ts'
import { workWords } from '../../locales/work.ts'
import type { Session, WorkChoice } from '../../session/session.ts'
import { proposedWork, type Work } from '../../session/working-as.ts'
import { addWords, useT } from '../../ui/words.ts'
import './form.css'

addWords(workWords)

interface ChoicesProps {
  readonly legend: string
  readonly name: string
  readonly choices: readonly WorkChoice[]
  readonly value: string
  readonly focus: boolean
  readonly onChange: (id: string) => void
}

function Choices({ legend, name, choices, value, focus, onChange }: ChoicesProps) {
  return (
    <fieldset className="work-choices">
      <legend>{legend}</legend>
      {choices.map(({ id, name: text }) => (
        <label key={id} className="work-choice">
          <input
            type="radio"
            name={name}
            value={id}
            checked={id === value}
            data-focus={focus && id === value}
            onChange={() => onChange(id)}
          />
          {text}
        </label>
      ))}
    </fieldset>
  )
}

interface WorkFormProps {
  readonly session: Session
  readonly okText: string
  readonly onChoose: (work: Work) => Promise<void>
  /** A button beside the main one: the way out. */
  readonly children?: ReactNode
}

/** One department and one role, of those that a person has: arrows choose, Enter goes on. */
export function WorkForm({ session, okText, onChoose, children }: WorkFormProps) {
  const t = useT()
  const [work, setWork] = useState(() => proposedWork(session))
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState('')
  const { depts, roles } = session.switching ?? { depts: [], roles: [] }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    setFailure('')
    try {
      await onChoose(work)
    } catch (problem) {
      if (!(problem instanceof HttpProblem)) throw problem
      setFailure(problem.message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <p className="work-text">{t('work.text')}</p>
      {failure && (
        <p className="alert" role="alert">
          {failure}
        </p>
      )}
      {depts.length > 0 && (
        <Choices
          legend={t('work.dept')}
          name="work-dept"
          choices={depts}
          value={work.deptId}
          focus={depts.length > 1 || roles.length < 2}
          onChange={(deptId) => setWork((now) => ({ ...now, deptId }))}
        />
      )}
      {roles.length > 0 && (
        <Choices
          legend={t('work.role')}
          name="work-role"
          choices={roles}
          value={work.roleId}
          focus={depts.length < 2}
          onChange={(roleId) => setWork((now) => ({ ...now, roleId }))}
        />
      )}
      <div className="dialog-foot">
        {children}
        <button type="submit" className="button primary" aria-busy={busy}>
          {okText}
        </button>
      </div>
    </form>
  )
}
