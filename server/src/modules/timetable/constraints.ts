import {
  classschedule,
  schoolcalendarday,
  schoolperiod,
  schoolsemester,
  teacherclass,
  timetableplan,
} from '@data-brain/contract'
import { addConstraints } from '../../entity/agreement.ts'

/** Teaches the engine what the constraints on terms and plans mean, by the names that the migrations give them. */
export function addTimetableConstraints(): void {
  addConstraints(schoolperiod, {
    schoolperiod_times_order: {
      field: 'endTime',
      of: ['beginTime', 'endTime'],
      reason: { zh: '须晚于开始时间', en: 'must be later than the beginning' },
      holds: ({ beginTime, endTime }) => String(beginTime) < String(endTime),
    },
    schoolperiod_times_shape: {
      field: 'beginTime',
      reason: { zh: '时间应形如08:00', en: 'and the end are times such as 08:00' },
    },
  })
  addConstraints(schoolcalendarday, {
    schoolcalendarday_made_up_as: {
      field: 'useWeekday',
      reason: {
        zh: '不能为空，调休上课须选择用哪一天的课表',
        en: 'is required: choose the day whose timetable the make-up day has',
      },
    },
  })
  addConstraints(timetableplan, {
    timetableplan_weeks_order: {
      field: 'endWeek',
      reason: { zh: '不能早于起始周', en: 'must not be before the first week' },
    },
    timetableplan_published_weeks: {
      field: 'beginWeek',
      reason: { zh: '已发布的方案须有起止周', en: 'and the last are needed of a published plan' },
    },
    timetableplan_week_once: {
      field: 'beginWeek',
      reason: {
        zh: '这些周已有发布的课表，请刷新后重试',
        en: 'is of a week that has a published timetable already: reload and try again',
      },
    },
    timetableplan_teachers_assigned: {
      field: 'semesterId',
      reason: {
        zh: '有课的教师在上课日没有任课关系，请校验方案查看',
        en: 'has lessons whose teacher is not assigned on their days: check the plan to see which',
      },
    },
  })
  addConstraints(classschedule, {
    scheduleoccupancy_free: {
      field: 'periodNo',
      reason: {
        zh: '与已发布的课冲突：同一时间同一班级、教师、教室或学生已有课，请校验方案查看',
        en: 'collides with a published lesson of the same class, teacher, room or pupils: check the plan to see which',
      },
    },
  })
  addConstraints(teacherclass, {
    teacherclass_lessons_published: {
      field: 'endDate',
      reason: {
        zh: '之后该教师仍有已发布的课：请用“换教师”，任课关系和课表一并更换',
        en: 'leaves published lessons without their teacher: use “Hand over”, which changes the timetable with it',
      },
    },
  })
  addConstraints(schoolsemester, {
    schoolsemester_in_current_year: {
      field: 'isCurrent',
      reason: {
        zh: '当前学期须在当前学年内，请先将其学年设为当前学年',
        en: 'must lie in the current school year: make its year the current one first',
      },
    },
  })
}
