import { listOf, mapOf, objectOf, type Shape, textValue } from '@data-brain/contract/shape'
import { columns, type FileName } from '../files.ts'
import { isLeft, nameOf } from './record.ts'

/*
 * What the records of the service hold, by the columns that they are written from. Any field may be missing: empty ones
 * are left out, and so is what was not asked for.
 */

const ref = objectOf({ href: textValue(), sourcedId: textValue(), type: textValue() }, { name: 'RosterReference' })
const optionalRef = objectOf(ref.fields, { optional: true })
const optionalText = textValue({ optional: true })

const roles = listOf(
  objectOf({
    roleType: textValue(),
    role: textValue(),
    org: ref,
    beginDate: optionalText,
    endDate: optionalText,
  }),
  { optional: true },
)

/** The shape of a file's records. */
export function recordShape(file: FileName) {
  const fields: Record<string, Shape> = {}
  for (const column of columns[file]) {
    if (isLeft(column)) continue
    const { name, kind } = column
    if (name === 'sourcedId') fields.sourcedId = optionalText
    else if (kind === 'guid') fields[nameOf(column)] = optionalRef
    else if (kind === 'guids') fields[nameOf(column)] = listOf(ref, { optional: true })
    else if (name === 'userIds')
      fields.userIds = listOf(objectOf({ type: textValue(), identifier: textValue() }), { optional: true })
    else fields[name] = kind === 'list' ? listOf(textValue(), { optional: true }) : optionalText
  }
  if (file === 'users') fields.roles = roles
  return objectOf(
    { ...fields, metadata: mapOf(textValue(), { optional: true }) },
    { name: `Roster${file[0]!.toUpperCase()}${file.slice(1)}` },
  )
}

/** A failure as the service tells it. */
export const statusShape = objectOf(
  {
    imsx_codeMajor: textValue(),
    imsx_severity: textValue(),
    imsx_description: textValue(),
    imsx_CodeMinor: objectOf({
      imsx_codeMinorField: listOf(
        objectOf({ imsx_codeMinorFieldName: textValue(), imsx_codeMinorFieldValue: textValue() }),
      ),
    }),
  },
  { name: 'RosterStatusInfo' },
)

/** A failure as OAuth 2 tells it. */
export const grantFailure = objectOf({ error: textValue(), error_description: textValue() }, { name: 'OAuthError' })
