/** What columns say in place of others: where all of the left are matched, none of the right need be. */
const says: readonly (readonly [readonly RegExp[], readonly string[]])[] = [
  // The number of an identity card says both.
  [[/^student\.idNo$/], ['student.birthDate', 'student.sex']],
  // G and the number of the identity card.
  [[/^student\.nationalCode$/], ['student.birthDate', 'student.sex']],
  [[/^member1\.mobile$/], ['member1.parentName']],
  [[/^schoolclass\.gradeId$/, /^schoolclass\.classNo$/], ['schoolclass.className']],
  [[/^schoolclassroom\.roomCode$/], ['schoolclassroom.roomName']],
  // The heading says one of the two, a column of the row the other.
  [
    [/^taught\./, /^teacherclass\.classId$/],
    ['teacherclass.userId', 'teacherclass.subjectId'],
  ],
  [
    [/^taught\./, /^teacherclass\.subjectId$/],
    ['teacherclass.userId', 'teacherclass.classId'],
  ],
  [[/^schoolclass\.gradeId$/, /^headed\./], ['schoolclass.className']],
  [[/^ref\.teaching$/], ['teacherclass.classId', 'teacherclass.subjectId']],
  [[/^ref\.staffNo$/], ['teacherclass.userId']],
  [[/^ref\.lesson$/], ['classschedule.subjectId']],
]

/** Keys that need no column because of those that are matched. */
export const derivedFrom = (mapped: Iterable<string>): string[] => {
  const keys = [...mapped]
  return says.flatMap(([left, right]) => (left.every((each) => keys.some((key) => each.test(key))) ? right : []))
}
