import { type AnswerOf, defineCall } from '../call.ts'
import { classschedule } from '../entities/school/classschedule.ts'
import { school } from '../entities/school/school.ts'
import { schoolclass } from '../entities/school/schoolclass.ts'
import { schoolsemester } from '../entities/school/schoolsemester.ts'
import { schoolyear } from '../entities/school/schoolyear.ts'
import { sysgrade } from '../entities/school/sysgrade.ts'
import { syssubject } from '../entities/school/syssubject.ts'
import { teacherclass } from '../entities/school/teacherclass.ts'
import { timetableplan } from '../entities/school/timetableplan.ts'
import { student } from '../entities/student/student.ts'
import { codeOf } from '../entity.ts'
import { choiceShape } from '../generic.ts'
import {
  draftOf,
  flagValue,
  idOf,
  idsOf,
  integerValue,
  listOf,
  objectOf,
  rowOf,
  textValue,
  truthValue,
} from '../shape.ts'

export const setUp = defineCall({
  method: 'GET',
  path: 'blade-user/school/setUp',
  of: school.name,
  access: { codes: [codeOf(school, 'view')] },
  summary: { zh: '学校：初始设置的进度', en: 'School: how far the setting up has come' },
  answer: objectOf({
    schools: listOf(
      objectOf({
        id: textValue(),
        name: textValue(),
        // Its current school year.
        yearId: textValue({ nullable: true }),
        // Years there are, the current one or not, and semesters of the current one.
        hasYears: truthValue(),
        hasSemesters: truthValue(),
        // Each step is done when what the later ones need is there.
        campus: truthValue(),
        year: truthValue(),
        grades: truthValue(),
        classes: truthValue(),
        students: truthValue(),
      }),
    ),
  }),
})

/** A name with what it stands under. */
const named = { id: textValue(), name: textValue() }

export const schoolTree = defineCall({
  method: 'GET',
  path: 'blade-user/school/tree',
  of: school.name,
  access: { codes: [codeOf(school, 'view')] },
  summary: {
    zh: '学校：校区、楼栋、楼层与教室，年级与班级',
    en: 'School: its campuses, buildings, floors and rooms, and the grades and classes of the current year',
  },
  input: { schoolId: idOf(school.name, { required: true, label: school.label }) },
  // Of each kind, what the caller may see.
  answer: objectOf({
    ...named,
    // The current year: its grades and classes follow.
    yearId: textValue({ nullable: true }),
    yearName: textValue({ nullable: true }),
    campuses: listOf(objectOf(named)),
    floors: listOf(objectOf({ ...named, campusId: textValue(), buildingCode: textValue(), buildingName: textValue() })),
    rooms: listOf(
      objectOf({ ...named, campusId: textValue(), floorId: textValue(), roomType: textValue(), seats: integerValue() }),
    ),
    grades: listOf(objectOf(named)),
    classes: listOf(
      objectOf({
        ...named,
        gradeId: textValue(),
        pupils: integerValue(),
        maxSize: integerValue(),
        headTeacher: textValue({ nullable: true }),
        room: textValue({ nullable: true }),
      }),
    ),
  }),
})

export const openYear = defineCall({
  method: 'POST',
  path: 'blade-user/schoolyear/open',
  of: schoolyear.name,
  access: { codes: [codeOf(schoolyear, 'add')] },
  summary: { zh: '学年：连同学期一起新增', en: 'School year: add it together with its semesters' },
  as: 'json',
  input: {
    year: draftOf(schoolyear, { label: schoolyear.label, required: true }),
    semesters: listOf(draftOf(schoolsemester), { label: schoolsemester.label, required: true, min: 1, max: 4 }),
  },
  answer: rowOf(schoolyear),
})

export const openClasses = defineCall({
  method: 'POST',
  path: 'blade-user/schoolclass/open',
  of: schoolclass.name,
  access: { codes: [codeOf(schoolclass, 'add')] },
  summary: { zh: '行政班：按年级批量开设', en: 'Class: open those of all grades at once' },
  as: 'json',
  input: {
    schoolId: idOf(school.name, { label: school.label, required: true }),
    yearId: idOf(schoolyear.name, { label: schoolyear.label, required: true }),
    campusId: idOf('schoolcampus', {
      label: schoolclass.fields.campusId.label,
      nullable: true,
      help: { zh: '不给出时为主校区', en: 'absent: the main campus' },
    }),
    // How many classes each grade is to have: as many numbers as a class may bear.
    grades: listOf(
      objectOf({
        gradeId: idOf(sysgrade.name, { label: sysgrade.label, required: true }),
        count: integerValue({
          label: { zh: '班数', en: 'Classes' },
          required: true,
          min: 0,
          max: schoolclass.fields.classNo.max,
        }),
      }),
      { label: sysgrade.label, required: true, min: 1, max: 30 },
    ),
  },
  answer: objectOf({ made: integerValue(), existing: integerValue(), names: listOf(textValue()) }),
})

export const chooseGrade = defineCall({
  method: 'GET',
  path: 'blade-user/sysgrade/select',
  of: sysgrade.name,
  access: 'session',
  summary: { zh: '系统年级：选项（可按学校的学段）', en: 'System grade: choices (of the stages of a school)' },
  input: { schoolId: idOf(school.name), keyword: textValue({ max: 64 }), ids: idsOf(sysgrade.name) },
  answer: listOf(choiceShape),
})

export const gradesOfSchool = defineCall({
  method: 'GET',
  path: 'blade-user/sysgrade/listBySchool',
  of: sysgrade.name,
  access: 'session',
  summary: {
    zh: '系统年级：学校已开设的年级与班数',
    en: 'System grade: the grades of a school, with their classes counted',
  },
  input: { schoolId: idOf(school.name), yearId: idOf(schoolyear.name) },
  answer: listOf(
    objectOf({
      schoolId: textValue(),
      schoolName: textValue(),
      id: textValue(),
      gradeCode: textValue(),
      gradeName: textValue(),
      stage: textValue(),
      // The classes that it has in the year, and the numbers that these bear.
      classCount: integerValue(),
      classNos: listOf(integerValue()),
    }),
  ),
})

export const subjectsOfGrade = defineCall({
  method: 'GET',
  path: 'blade-user/syssubject/selectSubject',
  of: syssubject.name,
  access: 'session',
  summary: { zh: '系统学科：年级适用的学科', en: 'System subject: those of a grade' },
  input: { gradeId: idOf(sysgrade.name) },
  answer: listOf(
    objectOf({
      id: textValue(),
      name: textValue(),
      subjectCode: textValue(),
      subjectName: textValue(),
      shortName: textValue(),
      color: textValue({ nullable: true }),
    }),
  ),
})

export const teachersOfSubject = defineCall({
  method: 'GET',
  path: 'blade-user/teacherclass/getUserBySchoolAndSubject',
  of: teacherclass.name,
  access: {
    codes: [
      codeOf(teacherclass, 'view'),
      codeOf(teacherclass, 'add'),
      codeOf(teacherclass, 'edit'),
      codeOf(classschedule, 'view'),
    ],
  },
  summary: {
    zh: '任课关系：学校某学科的教师、课时与空闲节次',
    en: 'Teaching: the teachers of a subject in a school, with their load and free periods',
  },
  input: {
    schoolId: idOf(school.name, { required: true }),
    subjectId: idOf('schoolsubject', { required: true }),
    semesterId: idOf(schoolsemester.name),
    // The plan that says when they are busy; absent: what is published of the semester.
    planId: idOf(timetableplan.name),
  },
  answer: listOf(
    objectOf({
      id: textValue(),
      name: textValue(),
      realName: textValue(),
      staffNo: textValue({ nullable: true }),
      maxWeekHours: integerValue({ nullable: true }),
      weekHours: integerValue(),
      // Periods of the week in which they give no lesson, in any of its weeks, and are not unavailable.
      freeSlots: listOf(objectOf({ weekday: integerValue(), periodNo: integerValue() })),
    }),
  ),
})

export const ownClasses = defineCall({
  method: 'GET',
  path: 'blade-user/teacherclass/getUserClass',
  of: teacherclass.name,
  access: 'session',
  summary: { zh: '任课关系：我的班级', en: 'Teaching: the classes of the caller' },
  input: { semesterId: idOf(schoolsemester.name) },
  answer: listOf(
    objectOf({
      id: textValue(),
      name: textValue(),
      className: textValue(),
      schoolId: textValue(),
      schoolName: textValue(),
      gradeId: textValue(),
      gradeName: textValue(),
      studentCount: integerValue(),
      isHeadTeacher: flagValue(),
      // Whether the caller helps to head it.
      isDeputy: flagValue(),
      // What the caller teaches there.
      subjectNames: listOf(textValue()),
    }),
  ),
})

export const siblings = defineCall({
  method: 'GET',
  path: 'blade-user/student/siblings',
  of: student.name,
  access: { codes: [codeOf(student, 'view')] },
  summary: {
    zh: '学生：与其共用家长手机号的学生',
    en: 'Students who share a guardian’s phone with one, of those that the caller may see',
  },
  input: { id: idOf(student.name, { required: true }) },
  answer: listOf(objectOf({ id: textValue(), name: textValue(), className: textValue({ nullable: true }) })),
})

export type SchoolSetUp = AnswerOf<typeof setUp>['schools'][number]
export type GradeOfSchool = AnswerOf<typeof gradesOfSchool>[number]
export type SchoolTree = AnswerOf<typeof schoolTree>
