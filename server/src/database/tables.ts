import { entities } from '@data-brain/contract'
import { linkTableOf, seenName, sharedName, tableOf } from './name.ts'

/**
 * Every table, and who owns its rows. A table that is in no list fails the catalogue test; the app role may do only
 * what stands here.
 */

/** Tables of tenants of which all share some rows: these are in a table of their own, and a view shows both. */
export const sharedTables: readonly string[] = [
  ...entities
    .filter((entity) => entity.shares)
    .flatMap((entity) => [
      tableOf(entity),
      ...Object.entries(entity.fields)
        .filter(([, field]) => field.kind === 'references')
        .map(([name]) => linkTableOf(entity, name)),
    ]),
  'role_menu',
  'top_menu_setting',
]

/** Shared by all tenants: the app role reads, the platform role writes, unless only the owner does. */
export const platformTables: Record<string, { app: 'read' | 'none'; platform?: 'none' }> = {
  tenant: { app: 'read' },
  client: { app: 'read' },
  region: { app: 'read' },
  menu: { app: 'read' },
  dict: { app: 'read' },
  role_shared: { app: 'read' },
  ...Object.fromEntries(sharedTables.map((table) => [sharedName(table), { app: 'read' as const }])),
  tenant_purge: { app: 'none' },
  seed_mark: { app: 'none' },
  migration: { app: 'none', platform: 'none' },
  extension_migration: { app: 'none', platform: 'none' },
  key_check: { app: 'read', platform: 'none' },
  history_anchor: { app: 'read', platform: 'none' },
}

/** Owned by one tenant each: forced row-level security. `append` is written once and never changed. */
export const tenantTables: Record<string, 'write' | 'append'> = {
  credential: 'write',
  login_failure: 'write',
  session: 'write',
  refresh_token: 'write',
  login_ticket: 'write',
  second_factor: 'write',
  recovery_code: 'write',
  grant_stamp: 'write',
  entity_stamp: 'write',
  role_menu: 'write',
  role_data_scope: 'write',
  role_api_scope: 'write',
  user_client: 'write',
  tenant_client: 'write',
  top_menu_setting: 'write',
  request_key: 'write',
  history: 'append',
  history_seal: 'append',
  read_log: 'append',
  log_usual: 'append',
  log_api: 'append',
  log_error: 'append',
  search_key: 'write',
  attach_loose: 'write',
  notice_image: 'write',
  notice_read: 'write',
  notice_reminder: 'write',
  inbox: 'write',
  saved_view: 'write',
  list_taste: 'write',
  import_batch: 'write',
  import_row: 'write',
  import_memory: 'write',
  roster_record: 'write',
  roster_secret: 'write',
  roster_token: 'write',
  social_identity: 'write',
  guest_secret: 'write',
  taken_on: 'write',
  scheduleoccupancy: 'write',
  calendar_feed: 'write',
  quality_mark: 'write',
  figure_daily: 'append',
  figure_correction: 'append',
  quality_daily: 'append',
  report_moment: 'write',
  flow_token: 'write',
  flow_task: 'write',
  flow_candidate: 'write',
  flow_activity: 'write',
  flow_timer: 'write',
  flow_file: 'write',
  flow_message: 'write',
  flow_subscription: 'write',
  ...Object.fromEntries(
    entities
      .filter((entity) => entity.ownership !== 'platform')
      .flatMap((entity) => [
        [tableOf(entity), 'write' as const],
        ...Object.entries(entity.fields)
          .filter(([, field]) => field.kind === 'references')
          .map(([name]) => [linkTableOf(entity, name), 'write' as const]),
      ]),
  ),
}

/** Columns that no request changes once the row is there: the app role may not. */
export const neverChanged: Record<string, readonly string[]> = {
  // Administrators are made with their tenant.
  role: ['tenant_id', 'is_admin'],
  // A session stays that of its person.
  session: ['tenant_id', 'id', 'user_id', 'client_id', 'created_at', 'absolute_expires'],
  // What lets somebody in stays what it was made for: it is used up, and handed to nobody else.
  refresh_token: ['tenant_id', 'hash', 'seal', 'session_id', 'expires', 'created_at'],
  recovery_code: ['tenant_id', 'user_id', 'hash'],
  calendar_feed: ['tenant_id', 'id', 'hash', 'user_id', 'kind', 'class_id', 'room_id', 'made_at'],
}

/**
 * Every function, and who calls it. One with `definer` does what its caller may not: it is owned by the definer role, which
 * may read and delete rows and what `needs` says, in versions of PostgreSQL that know of it.
 */
export const functions: Record<
  string,
  { callers: readonly ('app' | 'platform')[]; definer?: { needs?: string; since?: number } }
> = {
  'public.purge_tenant(text, text[])': { callers: ['platform'], definer: {} },
  'public.analyze_students()': {
    callers: ['app'],
    definer: {
      needs: 'maintain on student, studentdetail, studentparents, studentclass, history, search_key, import_row',
      // Before, nobody but its owner may look at a table anew.
      since: 170_000,
    },
  },
  'public.sms_waiting()': { callers: ['platform'] },
  'public.mail_waiting()': { callers: ['platform'] },
  'public.reports_waiting(timestamp with time zone)': { callers: ['platform'] },
  // The start asks, as the owner.
  'public.history_newest()': { callers: [], definer: {} },
  // Triggers: nobody calls them.
  'public.refuse_future()': { callers: [] },
  'public.refuse_wide_region()': { callers: [] },
  'public.refuse_no_main_campus()': { callers: [] },
  'public.name_floor()': { callers: [] },
  'public.count_class()': { callers: [] },
  'public.occupy_changed_lessons()': { callers: [] },
  'public.occupy_plan()': { callers: [] },
  'public.occupy_after()': { callers: [] },
  'public.occupy_after_roster()': { callers: [] },
  'public.occupy_after_move()': { callers: [] },
  'public.occupy_after_day()': { callers: [] },
  'public.occupy_substituted()': { callers: [] },
  'public.occupy_resubstituted()': { callers: [] },
  'public.refuse_unassigned()': { callers: [] },
  'public.refuse_stale_semester()': { callers: [] },
  // What these triggers call, by the rights of whoever writes.
  'public.lesson_days(text, bigint[])': { callers: ['app', 'platform'] },
  'public.lesson_stints(text, bigint[])': { callers: ['app', 'platform'] },
  'public.occupy_lessons(text, bigint[])': { callers: ['app', 'platform'] },
  'public.occupy_of(text, text, bigint)': { callers: ['app', 'platform'] },
  'public.unassigned_lesson(text, bigint[])': { callers: ['app', 'platform'] },
}

/** Views of what a tenant sees of its own rows and of those that all share: both roles read them, by their own rights. */
export const seenViews: readonly string[] = sharedTables.map(seenName).sort()
