import type { Words } from '@data-brain/contract'

/* What the constraints of FET are called where they are told as not read. */

/** Those that most files have; the others are told by FET's own name. */
const labels: Readonly<Record<string, string>> = {
  ActivitiesNotOverlapping: '活动不重叠',
  ActivitiesPreferredStartingTimes: '一组活动的开始时间范围',
  ActivitiesPreferredTimeSlots: '一组活动的时段范围',
  ActivitiesSameStartingDay: '活动同一天开始',
  ActivitiesSameStartingHour: '活动同一节开始',
  ActivitiesSameStartingTime: '活动同时开始',
  ActivityEndsStudentsDay: '活动为当天最后一节',
  ActivityPreferredRoom: '活动的首选教室（非必须）',
  ActivityPreferredRooms: '活动的教室范围',
  ActivityPreferredStartingTime: '活动的首选开始时间（非必须）',
  ActivityPreferredStartingTimes: '活动的开始时间范围',
  ActivityPreferredTimeSlots: '活动的时段范围',
  ActivityTagPreferredRoom: '活动标签的教室',
  ActivityTagPreferredRooms: '活动标签的教室范围',
  BreakTimes: '休息时间',
  MinDaysBetweenActivities: '活动之间的最少天数',
  MaxDaysBetweenActivities: '活动之间的最多天数',
  MinGapsBetweenActivities: '活动之间的最少间隔',
  RoomNotAvailableTimes: '教室不可用时间',
  StudentsEarlyMaxBeginningsAtSecondHour: '学生第一节空课上限',
  StudentsMaxGapsPerWeek: '学生每周空节上限',
  StudentsMaxHoursDaily: '学生每日节数上限',
  StudentsMinHoursDaily: '学生每日节数下限',
  StudentsSetHomeRoom: '班级固定教室',
  StudentsSetHomeRooms: '班级固定教室范围',
  StudentsSetMaxGapsPerWeek: '班级每周空节上限',
  StudentsSetMaxHoursDaily: '班级每日节数上限',
  StudentsSetMinHoursDaily: '班级每日节数下限',
  StudentsSetNotAvailableTimes: '班级不可用时间',
  SubjectPreferredRoom: '学科的教室',
  SubjectPreferredRooms: '学科的教室范围',
  TeacherHomeRoom: '教师固定教室',
  TeacherHomeRooms: '教师固定教室范围',
  TeacherMaxDaysPerWeek: '教师每周天数上限',
  TeacherMaxGapsPerDay: '教师每日空节上限',
  TeacherMaxGapsPerWeek: '教师每周空节上限',
  TeacherMaxHoursContinuously: '教师连上节数上限',
  TeacherMaxHoursDaily: '教师每日节数上限',
  TeacherMinDaysPerWeek: '教师每周天数下限',
  TeacherMinHoursDaily: '教师每日节数下限',
  TeacherNotAvailableTimes: '教师不可用时间',
  TeachersMaxGapsPerDay: '全体教师每日空节上限',
  TeachersMaxGapsPerWeek: '全体教师每周空节上限',
  TeachersMaxHoursContinuously: '全体教师连上节数上限',
  TeachersMaxHoursDaily: '全体教师每日节数上限',
  TeachersMinHoursDaily: '全体教师每日节数下限',
  TwoActivitiesConsecutive: '两个活动相连',
  TwoActivitiesGrouped: '两个活动成组',
}

/** A kind of constraint as people call it: ConstraintTeacherMaxGapsPerDay is 教师每日空节上限, or “teacher max gaps per day”. */
export function constraintWords(name: string): Words {
  const bare = name.replace(/^Constraint/i, '')
  return {
    zh: labels[bare] ?? bare,
    en: bare.replace(/([a-z\d])([A-Z])/g, (_all, one: string, two: string) => `${one} ${two.toLowerCase()}`),
  }
}
