import type { Words } from '@data-brain/contract'
import { Problem } from '../../kernel/problem.ts'
import { metadataOfFile } from './carried-entities.ts'
import { type Cells, columns, type FileName, fileNames, forms, manifestFiles } from './files.ts'

/** One file of an archive as a receiver wants it. */
export interface Sheet {
  readonly name: FileName
  readonly header: readonly string[]
  readonly lines: readonly Cells[]
}

/** An archive as a receiver wants it. */
export interface Profile {
  readonly key: string
  readonly label: Words
  readonly version: string
  /** The files that its manifest speaks of. */
  readonly manifest: readonly string[]
  readonly sheets: (records: Record<FileName, Cells[]>) => Sheet[]
}

export type Extensions = (file: FileName, lines: readonly Cells[]) => readonly string[]

const namesOf = (form: readonly { name: string }[]): string[] => form.map((column) => column.name)
const sheetsOf =
  (header: (name: FileName) => readonly string[], extensions: Extensions = () => []) =>
  (records: Record<FileName, Cells[]>): Sheet[] =>
    fileNames
      .filter((name) => records[name].length > 0)
      .map((name) => ({
        name,
        header: [...header(name), ...extensions(name, records[name])],
        lines: records[name],
      }))

/** Version 1.1 has no roles.csv: whoever somebody is, and where, stands in users.csv. */
const users11 = [
  ...['sourcedId', 'status', 'dateLastModified', 'enabledUser', 'orgSourcedIds', 'role', 'username', 'userIds'],
  ...['givenName', 'familyName', 'middleName', 'identifier', 'email', 'sms', 'phone', 'agentSourcedIds', 'grades'],
  'password',
]
const roles11: Readonly<Record<string, string>> = {
  counselor: 'aide',
  principal: 'administrator',
  districtAdministrator: 'administrator',
  siteAdministrator: 'administrator',
  systemAdministrator: 'administrator',
}
const new12 = ['roles', 'userProfiles', 'userResources']
const manifest11 = manifestFiles.filter((name) => !new12.includes(name) && !/LearningObjective|coreScale/.test(name))

function sheets11(records: Record<FileName, Cells[]>): Sheet[] {
  const roles = Map.groupBy(records.roles, (role) => role.userSourcedId!)
  const users = records.users.map((user): Cells => {
    const held = [...(roles.get(user.sourcedId!) ?? [])].sort((a, b) => (a.roleType! < b.roleType! ? -1 : 1))
    const role = held[0]?.role ?? ''
    return {
      ...user,
      orgSourcedIds: [...new Set(held.map((each) => each.orgSourcedId!))].join(','),
      role: roles11[role] ?? role,
    }
  })
  const sexes = new Set(['male', 'female'])
  const demographics = records.demographics.map((line) => ({ ...line, sex: sexes.has(line.sex!) ? line.sex! : '' }))
  return sheetsOf((name) => (name === 'users' ? users11 : namesOf(columns[name])))({
    ...records,
    users,
    demographics,
  }).filter(({ name }) => name !== 'roles')
}

/** Our extensions, then those that came with other archives. */
const metadata: Extensions = (file, lines) => {
  const ours = metadataOfFile(file)
  const others = new Set<string>()
  for (const cells of lines)
    for (const name in cells) if (name.startsWith('metadata.') && !ours.includes(name)) others.add(name)
  return [...ours, ...[...others].sort()]
}

/** A bulk file says nothing of single records: other receivers than us take only what the columns of their version hold. */
const bare = (records: Record<FileName, Cells[]>): Record<FileName, Cells[]> => {
  const made = { ...records }
  for (const name of fileNames)
    made[name] = records[name].map((cells) => ({
      ...cells,
      status: '',
      dateLastModified: '',
      resourceSourcedIds: cells['metadata.resourceSourcedIds'] ?? '',
    }))
  return made
}

export const rosterProfiles: readonly Profile[] = [
  {
    key: 'complete',
    label: {
      zh: 'OneRoster 1.2，含全部扩展列（可无损导回）',
      en: 'OneRoster 1.2 with all extensions (comes back whole)',
    },
    version: '1.2',
    manifest: manifestFiles,
    sheets: sheetsOf((name) => namesOf(columns[name]), metadata),
  },
  {
    key: 'plain',
    label: { zh: 'OneRoster 1.2，仅标准列', en: 'OneRoster 1.2, standard columns only' },
    version: '1.2',
    manifest: manifestFiles,
    sheets: (records) => sheetsOf((name) => namesOf(columns[name]))(bare(records)),
  },
  {
    key: 'former',
    label: {
      zh: 'OneRoster 1.2 早期绑定（users.csv 含 resourceSourcedIds），仅标准列',
      en: 'OneRoster 1.2 before 1.2.1 (resourceSourcedIds in users.csv), standard columns only',
    },
    version: '1.2',
    manifest: manifestFiles,
    sheets: (records) => sheetsOf((name) => namesOf(forms[name].at(-1)!))(bare(records)),
  },
  {
    key: 'v1p1',
    label: { zh: 'OneRoster 1.1，仅标准列', en: 'OneRoster 1.1, standard columns only' },
    version: '1.1',
    manifest: manifest11,
    sheets: (records) => sheets11(bare(records)),
  },
]

/** The profile that was asked for; without a name the one that loses nothing. */
export function profileOf(key: string | undefined): Profile {
  const found = rosterProfiles.find((each) => each.key === (key ?? 'complete'))
  if (found) return found
  const keys = rosterProfiles.map((each) => each.key).join(', ')
  throw new Problem(
    'field_invalid',
    { label: 'profile', reason: { zh: `须为以下之一：${keys}`, en: `must be one of ${keys}` } },
    { field: 'profile', fields: [] },
  )
}
