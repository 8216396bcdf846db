import type { Row, substitution, Words } from '@data-brain/contract'
import { sql } from '../../database/statement.ts'
import type { Call } from '../../kernel/route.ts'
import { sendMessage } from '../desk/index.ts'
import { kinds, states } from './states.ts'

/** What became of a substitution. */
export type Decision = 'accepted' | 'declined' | 'cancelled'

/** What somebody is told of, by the name that consoles know a message by. */
const messageKind = 'substitution'
/** Everybody's own week, which shows it. */
const link = '/school/my-timetable'
/** A message names so many lessons, and counts the others. */
const namedMost = 8

interface Told {
  readonly id: string
  readonly kind: string
  readonly status: number
  readonly day: string
  readonly newDay: string | null
  readonly periodNo: number
  readonly newPeriodNo: number | null
  readonly className: string
  readonly subjectName: string
  readonly teacherId: string
  readonly teacherName: string
  readonly newTeacherId: string | null
  readonly newTeacherName: string | null
  readonly headTeacherId: string | null
  readonly roomName: string | null
  readonly arrangedBy: string | null
}

/** Who tells, and where it is written. */
type Teller = Pick<Call, 'tx' | 'actor'>

const toldOf = ({ tx, actor }: Teller, ids: readonly string[]): Promise<Told[]> =>
  tx.run<Told>(
    sql`select s.id, s.kind, s.status, s.day, s.new_day as "newDay", l.period_no as "periodNo", s.new_period_no as "newPeriodNo",
          coalesce(c.class_name, g.teach_class_name) as "className", b.subject_name as "subjectName",
          l.teacher_id as "teacherId", u.real_name as "teacherName", s.new_teacher_id as "newTeacherId", n.real_name as "newTeacherName",
          c.head_teacher_id as "headTeacherId", r.room_name as "roomName", s.create_user as "arrangedBy"
        from substitution s join classschedule l on l.tenant_id = s.tenant_id and l.id = s.schedule_id
          join schoolsubject b on b.tenant_id = l.tenant_id and b.id = l.subject_id
          join app_user u on u.tenant_id = l.tenant_id and u.id = l.teacher_id
          left join app_user n on n.tenant_id = s.tenant_id and n.id = s.new_teacher_id
          left join schoolclass c on c.tenant_id = l.tenant_id and c.id = l.class_id
          left join schoolteachclass g on g.tenant_id = l.tenant_id and g.id = l.teach_class_id
          left join schoolclassroom r on r.tenant_id = s.tenant_id and r.id = s.new_classroom_id
        where s.tenant_id = ${actor.tenantId} and s.id = any(${[...ids]}::bigint[]) order by s.day, l.period_no, s.id`,
  )

/** What one substitution says, in a line. */
function lineOf(each: Told): Words {
  const { day, newDay, periodNo, newPeriodNo, className, subjectName, newTeacherName, roomName } = each
  const lesson = {
    zh: `${day}第${periodNo}节${className}${subjectName}`,
    en: `${subjectName} of ${className} on ${day}, period ${periodNo}`,
  }
  const parts: Words[] = []
  if (each.kind === kinds.out) parts.push({ zh: '停课', en: 'not given' })
  if (newTeacherName) parts.push({ zh: `由${newTeacherName}代课`, en: `given by ${newTeacherName}` })
  if (newDay && newPeriodNo)
    parts.push({ zh: `调至${newDay}第${newPeriodNo}节`, en: `moved to ${newDay}, period ${newPeriodNo}` })
  if (roomName) parts.push({ zh: `在${roomName}上课`, en: `in ${roomName}` })
  return {
    zh: `${lesson.zh}：${parts.map(({ zh }) => zh).join('，')}`,
    en: `${lesson.en}: ${parts.map(({ en }) => en).join(', ')}`,
  }
}

/** Several lines as one text. */
function bodyOf(all: readonly Told[]): Words {
  const lines = all.slice(0, namedMost).map(lineOf)
  const more = all.length - lines.length
  return {
    zh: `${lines.map(({ zh }) => zh).join('；')}${more > 0 ? `；另有${more}节` : ''}。`,
    en: `${lines.map(({ en }) => en).join('; ')}${more > 0 ? `; and ${more} more` : ''}.`,
  }
}

/** One message for each person, of all that concerns that person. */
async function tellEach(
  call: Teller,
  all: readonly Told[],
  whom: (each: Told) => readonly (string | null)[],
  title: Words,
): Promise<void> {
  const { tx, actor } = call
  const byPerson = new Map<string, Told[]>()
  // Whoever does it knows of it.
  for (const each of all)
    for (const id of new Set(whom(each)))
      if (id && id !== actor.userId) byPerson.set(id, [...(byPerson.get(id) ?? []), each])
  for (const [id, own] of byPerson)
    await sendMessage(tx, actor.tenantId, [id], { kind: messageKind, title, body: bodyOf(own), link })
}

/**
 * Tells of substitutions that have been made: who is asked for an answer, whose lesson it was, and who heads the class. Each
 * person gets one message.
 */
export async function tellArranged(call: Call, made: readonly Pick<Row<typeof substitution>, 'id'>[]): Promise<void> {
  const all = await toldOf(
    call,
    made.map(({ id }) => id),
  )
  const asked = (each: Told): string | null => each.newTeacherId ?? each.teacherId
  const waits = (each: Told): boolean => each.status === states.waiting
  await tellEach(call, all.filter(waits), (each) => [asked(each)], {
    zh: '调代课待您确认',
    en: 'Please answer a substitution',
  })
  await tellEach(
    call,
    all,
    (each) => [each.teacherId, each.headTeacherId, asked(each)].filter((id) => !(waits(each) && id === asked(each))),
    { zh: '调代课通知', en: 'A substitution has been arranged' },
  )
}

const titles: Readonly<Record<Decision, Words>> = {
  accepted: { zh: '调代课已确认', en: 'A substitution has been accepted' },
  declined: { zh: '调代课被拒绝', en: 'A substitution has been declined' },
  cancelled: { zh: '调代课已取消', en: 'A substitution has been cancelled' },
}

/** Tells of a decision whoever arranged it and, where something changes for them, the teachers and the class's head. */
export async function tellDecided(
  call: Teller,
  decided: readonly { readonly id: string }[],
  decision: Decision,
): Promise<void> {
  const all = await toldOf(
    call,
    decided.map(({ id }) => id),
  )
  await tellEach(
    call,
    all,
    (each) =>
      decision === 'accepted'
        ? [each.arrangedBy, each.teacherId]
        : [each.arrangedBy, each.teacherId, each.newTeacherId, each.headTeacherId],
    titles[decision],
  )
}
