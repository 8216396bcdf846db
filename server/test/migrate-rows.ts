/*
 * Rows of tables that agree with other rows in more than a key, or with an installation: written out, each for the tables
 * that a version has. One that a version does not take yet, or no longer, is left.
 */

const of = `from app_user u where u.tenant_id = '200001' order by u.id limit 1`
const ofSchool = `from school s join schoolyear y on y.tenant_id = s.tenant_id and y.school_id = s.id
  join schoolclass c on c.tenant_id = s.tenant_id and c.school_id = s.id
  join schoolsubject b on b.tenant_id = s.tenant_id and b.school_id = s.id
  join app_user u on u.tenant_id = s.tenant_id where s.tenant_id = '200001'`
const semester = `(select id from schoolsemester where tenant_id = s.tenant_id limit 1)`
const group = `(select id from schoolteachclass where tenant_id = s.tenant_id limit 1)`
const bytes = (from: string, length = 32): string =>
  `decode(left(md5('${from}') || md5('${from}2'), ${length * 2}), 'hex')`
const linked = (table: string, owner: string, target: string): string =>
  `insert into ${table} (tenant_id, owner_id, target_id, ord)
   select o.tenant_id, o.id, t.id, 1 from ${owner} o join ${target} t on t.tenant_id = o.tenant_id limit 1`
/** Logs are kept by months; a month is made by the running product, as the owner of the whole. */
const log = (table: string, more: Readonly<Record<string, string>> = {}): string =>
  `create table ${table}_filled partition of ${table} for values from ('2026-09-01') to ('2026-10-01');
   do $$ begin execute format('alter table ${table}_filled owner to %I', (select tableowner from pg_tables where tablename = '${table}')); end $$;
   insert into ${table} (${['tenant_id, create_time, id, title', ...Object.keys(more)].join(', ')})
   values (${["'200001', '2026-09-02', 1, '记录'", ...Object.values(more)].join(', ')})`

/** What fills a table that stands empty, in this order; of several the first that its version takes. */
export const written: readonly (readonly [table: string, ...texts: string[]])[] = [
  [
    'schoolsemester',
    `insert into schoolsemester (tenant_id, id, school_id, year_id, semester_name, semester_no, begin_date, end_date, first_week_monday, week_count, is_current)
     select y.tenant_id, 71, y.school_id, y.id, '第一学期', 1, y.begin_date, y.begin_date + 100, date_trunc('week', y.begin_date)::date, 10, 0
     from schoolyear y where y.tenant_id = '200001' limit 1`,
  ],
  [
    'schoolteachclass',
    `insert into schoolteachclass (tenant_id, id, school_id, semester_id, teach_class_code, teach_class_name, subject_id, kind, teacher_id, week_hours, double_periods, min_size, max_size)
     select s.tenant_id, 72, s.id, ${semester}, 'T1', '走班', b.id, '1', u.id, 2, 0, 30, 20 ${ofSchool} limit 1`,
    `insert into schoolteachclass (tenant_id, id, school_id, semester_id, teach_class_code, teach_class_name, subject_id, kind, teacher_id, week_hours, double_periods)
     select s.tenant_id, 72, s.id, ${semester}, 'T1', '走班', b.id, '1', u.id, 2, 0 ${ofSchool} limit 1`,
  ],
  ['schoolteachclass_assistant', linked('schoolteachclass_assistant', 'schoolteachclass', 'app_user')],
  ['schoolteachclass_class', linked('schoolteachclass_class', 'schoolteachclass', 'schoolclass')],
  ['schoolteachclass_student', linked('schoolteachclass_student', 'schoolteachclass', 'student')],
  [
    'schoolteachclass_grade',
    linked('schoolteachclass_grade', 'schoolteachclass', 'sysgrade'),
    linked('schoolteachclass_grade', 'schoolteachclass', 'sysgrade_seen'),
  ],
  [
    'teacherclass',
    `insert into teacherclass (tenant_id, id, school_id, semester_id, user_id, class_id, subject_id, role, week_hours, begin_date, end_date)
     select s.tenant_id, 73, s.id, ${semester}, u.id, c.id, b.id, '1', 2, '2026-09-01', '2026-09-30' ${ofSchool} limit 1`,
  ],
  [
    'classschedule',
    `insert into classschedule (tenant_id, id, school_id, semester_id, teach_class_id, subject_id, teacher_id, weekday, period_no, span, week_type)
     select s.tenant_id, 74, s.id, ${semester}, ${group}, b.id, u.id, '1', 1, 1, '0' ${ofSchool} limit 1`,
  ],
  [
    'studentmessage',
    `insert into studentmessage (tenant_id, id, school_id, sender_id, message_type, title, content, target_type, audience, channels, state)
     select s.tenant_id, 75, s.id, u.id, '1', '通知', '内容', '5', '{1}', '{1}', '2' ${ofSchool} limit 1`,
  ],
  ['studentmessage_attach', linked('studentmessage_attach', 'studentmessage', 'attach')],
  [
    'session',
    `insert into session (tenant_id, id, user_id, client_id, access_hash, access_expires, absolute_expires, access_seal)
     select u.tenant_id, 76, u.id, 'console', ${bytes('a')}, now(), now(), ${bytes('s')} ${of}`,
    `insert into session (tenant_id, id, user_id, client_id, access_hash, access_expires, absolute_expires)
     select u.tenant_id, 76, u.id, 'console', ${bytes('a')}, now(), now() ${of}`,
  ],
  [
    'refresh_token',
    `insert into refresh_token (tenant_id, hash, session_id, expires, seal) select tenant_id, ${bytes('r')}, id, now(), ${bytes('s')} from session limit 1`,
    `insert into refresh_token (tenant_id, hash, session_id, expires) select tenant_id, ${bytes('r')}, id, now() from session limit 1`,
  ],
  [
    'login_ticket',
    `insert into login_ticket (tenant_id, hash, kind, expires) values ('200001', ${bytes('t')}, 'captcha', now())`,
    `insert into login_ticket (tenant_id, hash, expires) values ('200001', ${bytes('t')}, now())`,
  ],
  [
    'second_factor',
    `insert into second_factor (tenant_id, user_id, secret) select u.tenant_id, u.id, ${bytes('f')} ${of}`,
  ],
  [
    'recovery_code',
    `insert into recovery_code (tenant_id, user_id, hash) select tenant_id, user_id, ${bytes('c', 16)} from second_factor limit 1`,
  ],
  [
    'request_key',
    `insert into request_key (tenant_id, user_id, key, route, body_hash) select u.tenant_id, u.id, 'abcdefghijklmnop', '/x', ${bytes('b')} ${of}`,
  ],
  [
    'read_log',
    `insert into read_log (tenant_id, id, entity, row_id, child_id, kind) values ('200001', 77, 'student', 1, 1, 'detail')`,
  ],
  [
    'history_seal',
    `insert into history_seal (tenant_id, seq, from_xid, to_xid, to_id, count, ids, row_hashes, prev_hash, hash)
     values ('200001', 1, '1', '2', 1, 1, '{1}', ${bytes('h')}, ${bytes('p')}, ${bytes('q')})`,
  ],
  ['history_anchor', `insert into history_anchor (newest, shift) values ('1', 1)`],
  [
    'rosterclient',
    `insert into rosterclient (tenant_id, id, name, purpose, scopes) values ('200001', 78, '程序', '测试', '{core}')`,
  ],
  [
    'rosterclient_school',
    `insert into rosterclient (tenant_id, id, name, purpose, scopes) values ('200001', 79, '程序二', '测试', '{core}');
     ${linked('rosterclient_school', 'rosterclient', 'school')}`,
  ],
  [
    'roster_secret',
    `insert into roster_secret (tenant_id, client_id, hash) select tenant_id, id, ${bytes('e')} from rosterclient limit 1`,
  ],
  [
    'roster_token',
    `insert into roster_token (tenant_id, hash, client_id, scopes, expires) select tenant_id, ${bytes('o')}, id, '{core}', now() from rosterclient limit 1`,
  ],
  [
    'schoolgrade',
    `insert into schoolgrade (tenant_id, id, school_id, year_id, grade_id, cohort_year)
     select y.tenant_id, 80, y.school_id, y.id, g.id, 2026 from schoolyear y join sysgrade g on g.tenant_id = y.tenant_id limit 1`,
  ],
  [
    'schoolperiod',
    `insert into schoolperiod (tenant_id, id, school_id, season, kind, period_name, begin_time, end_time)
     select tenant_id, 81, id, '0', '1', '第1节', '08:00', '08:40' from school where tenant_id = '200001' limit 1`,
  ],
  [
    'timetablerule',
    `insert into timetablerule (tenant_id, id, school_id, semester_id, kind, strength)
     select s.tenant_id, 83, s.id, ${semester}, '9', '2' ${ofSchool} limit 1`,
  ],
  ['timetablerule_teacher', linked('timetablerule_teacher', 'timetablerule', 'app_user')],
  ['timetablerule_grade', linked('timetablerule_grade', 'timetablerule', 'sysgrade')],
  ['timetablerule_class', linked('timetablerule_class', 'timetablerule', 'schoolclass')],
  ['timetablerule_teach_class', linked('timetablerule_teach_class', 'timetablerule', 'schoolteachclass')],
  ['timetablerule_subject', linked('timetablerule_subject', 'timetablerule', 'schoolsubject')],
  [
    'calendar_feed',
    `insert into calendar_feed (tenant_id, id, hash, user_id, kind) select u.tenant_id, 82, sha256('f'), u.id, 'own' ${of}`,
  ],
  [
    'quality_mark',
    `insert into quality_mark (tenant_id, check_key, row_id, reason) select u.tenant_id, 'staffNo', u.id, '-' ${of}`,
  ],
  [
    'quality_daily',
    `insert into quality_daily (tenant_id, day, school_id, check_key, count) select u.tenant_id, '2026-09-01', 0, 'staffNo', 1 ${of}`,
  ],
  [
    'figure_daily',
    `insert into figure_daily (tenant_id, day, school_id, figure, count) select u.tenant_id, '2026-09-01', 0, 'staff', 1 ${of}`,
  ],
  [
    'figure_correction',
    `insert into figure_correction (tenant_id, day, school_id, figure, noted_on, difference)
     select u.tenant_id, '2026-09-01', 0, 'pupils', '2026-09-15', -1 ${of}`,
  ],
  ['schoolperiod_grade', linked('schoolperiod_grade', 'schoolperiod', 'sysgrade')],
  [
    'substitution',
    `insert into substitution (tenant_id, id, school_id, schedule_id, day, kind)
     select tenant_id, 82, school_id, id, '2026-09-07', '3' from classschedule limit 1`,
  ],
  [
    'leave',
    `insert into leave (tenant_id, id, school_id, applicant_type, user_id, leave_type, start_time, end_time, reason)
     select s.tenant_id, 87, s.id, '2', u.id, '1', '2026-09-07', '2026-09-08', '家中有事，需要回去' from school s join app_user u on u.tenant_id = s.tenant_id
     where s.tenant_id = '200001' limit 1`,
  ],
  ['leave_attach', linked('leave_attach', 'leave', 'attach')],
  [
    'flowprocess',
    `insert into flowprocess (tenant_id, id, name, key, version_no, category, suspension_state, deployment_time, xml, plan)
     values ('200001', 83, '流程', 'p', 1, '9', '1', now(), 'x', '{}')`,
  ],
  [
    'flowinstance',
    `insert into flowinstance (tenant_id, id, title, process_definition_id, category, start_time, state)
     select tenant_id, 84, '一件事', id, '9', now(), '1' from flowprocess where tenant_id = '200001' order by id limit 1`,
  ],
  ...(
    [
      ['flow_token', 'process_id, node', `i.process_definition_id, 'a'`],
      ['flow_task', 'process_id, node, name', `i.process_definition_id, 'a', 'a'`],
      ['flow_activity', 'process_id, node, kind', `i.process_definition_id, 'a', 'user'`],
    ] as const
  ).map(
    ([table, columns, values]) =>
      [
        table,
        `insert into ${table} (tenant_id, id, instance_id, ${columns}) select i.tenant_id, 85, i.id, ${values} from flowinstance i where i.tenant_id = '200001' order by i.id limit 1`,
      ] as const,
  ),
  [
    'flow_candidate',
    `insert into flow_candidate (tenant_id, task_id, kind, target_id) select t.tenant_id, t.id, 'user', 1 from flow_task t where t.tenant_id = '200001' limit 1`,
  ],
  [
    'flow_timer',
    `insert into flow_timer (tenant_id, id, instance_id, token_id, node, kind, due_time)
     select t.tenant_id, 86, t.instance_id, t.id, 'a', 'event', now() from flow_token t where t.tenant_id = '200001' limit 1`,
  ],
  [
    'flow_file',
    `insert into flow_file (tenant_id, instance_id, attach_id)
     select i.tenant_id, i.id, a.id from flowinstance i join attach a on a.tenant_id = i.tenant_id where i.tenant_id = '200001' limit 1`,
  ],
  [
    'flow_message',
    `insert into flow_message (tenant_id, id, name, key, instance_id)
     select i.tenant_id, 87, '到货', '1', i.id from flowinstance i where i.tenant_id = '200001' limit 1`,
  ],
  [
    'flow_subscription',
    `insert into flow_subscription (tenant_id, token_id, node, instance_id, name, key)
     select t.tenant_id, t.id, 'a', t.instance_id, '到货', '1' from flow_token t where t.tenant_id = '200001' limit 1`,
  ],
  ['log_usual', log('log_usual', { log_id: "'1'", log_level: "'info'" })],
  ['log_api', log('log_api')],
  ['log_error', log('log_error')],
]
