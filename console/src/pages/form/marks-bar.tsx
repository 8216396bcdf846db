import { codeOf, entityOf, fixedform, report } from '@data-brain/contract'
import { fieldsWithin } from '@data-brain/contract/report'
import { useQuery } from '@tanstack/react-query'
import { useId, useMemo, useRef, useState } from 'react'
import { useEntity } from '../../entity/data/index.ts'
import { fixedFormWords } from '../../locales/fixed-form.ts'
import { useCan } from '../../session/session.ts'
import { copyText } from '../../ui/dialog/copy.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { addWords, useLanguage, useT, useWords } from '../../ui/words.ts'
import { ShippedDialog } from './shipped-dialog.tsx'
import './form.css'

addWords(fixedFormWords)

const subjects = ['student', 'schoolclass', 'user', 'school'] as const
/** What is filled in beside fields, by the names that the server knows. */
const besides = ['fixedForm.today', 'fixedForm.number', 'fixedForm.filler'] as const
const shownMost = 200

/** The marks that a form can hold, to be searched and copied. */
function MarksDialog({ onClose }: { onClose: () => void }) {
  const t = useT()
  const pick = useWords()
  const language = useLanguage()
  const id = useId()
  const place = useRef<HTMLUListElement>(null)
  const [subject, setSubject] = useState<(typeof subjects)[number]>('student')
  const [text, setText] = useState('')
  const can = useCan()
  const { list } = useEntity(report)
  const reports = useQuery({ ...list({ current: 1, size: 100 }), enabled: can(codeOf(report, 'export')) }).data?.records
  const marks = useMemo(
    () => [
      ...besides.map((name) => t(name)),
      ...(reports ?? []).map(({ name }) => t('fixedForm.figure', { name })),
      ...fieldsWithin(entityOf(subject)).map(({ label }) => label[language].split(' · ').join('.')),
    ],
    [subject, language, reports, t],
  )
  const wanted = text.trim().toLowerCase()
  const found = [...new Set(marks)].filter((mark) => mark.toLowerCase().includes(wanted)).slice(0, shownMost)
  return (
    <Dialog title={t('fixedForm.marks')} onClose={onClose}>
      <p className="muted">{t('fixedForm.marksHelp')}</p>
      <fieldset className="form-choices">
        <legend>{t('fixedForm.subject')}</legend>
        {subjects.map((each) => (
          <label key={each} className="pop-choice">
            <input type="radio" name="subject" checked={each === subject} onChange={() => setSubject(each)} />
            {pick(entityOf(each).label)}
          </label>
        ))}
      </fieldset>
      <div className="field">
        <label htmlFor={id}>{t('fixedForm.search')}</label>
        <input id={id} className="input" type="search" value={text} onChange={({ target }) => setText(target.value)} />
      </div>
      <ul className="marks-list" ref={place}>
        {found.map((mark) => (
          <li key={mark}>
            <button type="button" className="button" onClick={() => void copyText(`{{${mark}}}`, place.current)}>
              {`{{${mark}}}`}
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className="muted">{t('fixedForm.nothing')}</p>}
    </Dialog>
  )
}

/** Opens the marks, and the forms that come with the product, from the list of forms. */
export default function MarksBar() {
  const t = useT()
  const can = useCan()
  const [open, setOpen] = useState<'marks' | 'shipped'>()
  const close = () => setOpen(undefined)
  return (
    <>
      {can(codeOf(fixedform, 'add')) && (
        <button type="button" className="button" onClick={() => setOpen('shipped')}>
          <Icon name="file-spreadsheet" size={16} />
          {t('fixedForm.shipped')}
        </button>
      )}
      <button type="button" className="button" onClick={() => setOpen('marks')}>
        <Icon name="search" size={16} />
        {t('fixedForm.marks')}
      </button>
      {open === 'marks' && <MarksDialog onClose={close} />}
      {open === 'shipped' && <ShippedDialog onClose={close} />}
    </>
  )
}
