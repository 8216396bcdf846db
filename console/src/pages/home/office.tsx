import { officeHomeWords } from '../../locales/home-office.ts'
import { listAddress } from '../../session/paths.ts'
import { addWords, useT } from '../../ui/words.ts'
import { Changes, FigureBars, Figures, FullestClasses, Grades, MissingFacts, QuickStarts } from './home-parts.tsx'
import { Imports, Sizes } from './office-parts.tsx'
import type { HomePart } from './summary.ts'

addWords(officeHomeWords)

const starts = [
  ['student_add', 'student', 'edit=new', 'home.start.student'],
  ['student_import', 'import', '', 'home.start.import'],
  ['notice_add', 'notice', 'edit=new', 'home.start.notice'],
] as const

/** The first page of whoever keeps the pupils of schools: figures, grades, schools, the fullest classes, missing data. */
export default function OfficeHome({ summary, at, place }: HomePart) {
  const t = useT()
  const { office } = summary
  if (!office) return null
  if (place === 'start') return <QuickStarts starts={starts} />
  const pupils = { status: '1' }
  const schools = office.schools.length > 1 && (
    <FigureBars
      id="home-schools"
      title={t('home.schools')}
      bars={office.schools.map((school) => ({
        ...school,
        parts: [school.total],
        to: listAddress('student', { ...pupils, schoolId: school.id }),
      }))}
    />
  )
  // Both columns end at about the same height: beside several schools stand the newest changes or, for who may not see
  // these, the schools; an only school leaves room for the changes below.
  const below = office.sizes.length > 0
  if (place === 'side')
    return (
      <>
        <MissingFacts gaps={office.gaps} at={at} />
        {summary.changes ? !below && <Changes changes={summary.changes} today={summary.today} most={5} /> : schools}
      </>
    )
  return (
    <>
      <Figures figures={office.figures} at={at} />
      <div className="home-pair">
        <Grades grades={office.grades} />
        <FullestClasses classes={office.full} several={office.schools.length > 1} />
        {below && <Sizes grades={office.sizes} />}
        {office.imports && <Imports imports={office.imports} today={summary.today} />}
        {summary.changes && schools}
      </div>
      {below && summary.changes && <Changes changes={summary.changes} today={summary.today} />}
    </>
  )
}
