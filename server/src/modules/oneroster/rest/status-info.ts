import { Problem } from '../../../kernel/problem.ts'
import { RawResponse } from '../../../kernel/route.ts'

/** The minor codes of the binding, each with its status. */
const statuses = {
  invaliddata: 400,
  invalid_filter_field: 400,
  invalid_selection_field: 400,
  invalid_sort_field: 400,
  unauthorisedrequest: 401,
  forbidden: 403,
  unknownobject: 404,
  server_busy: 429,
  internal_server_error: 500,
} as const
export type CodeMinor = keyof typeof statuses

/** A failure as OneRoster tells it. */
export class RosterProblem extends Error {
  readonly minor: CodeMinor
  constructor(minor: CodeMinor, description: string) {
    super(description)
    this.minor = minor
  }
}

const minorOfStatus = (status: number): CodeMinor => {
  const known = (Object.keys(statuses) as CodeMinor[]).find((minor) => statuses[minor] === status)
  // What the database or a disk has no room for now may be asked again; whatever else is wrong with a call is its data.
  return known ?? (status === 503 ? 'server_busy' : status < 500 ? 'invaliddata' : 'internal_server_error')
}

/** The answer to what was thrown. What nobody expected is not told here: it goes up, and is logged. */
export function toldOf(thrown: unknown): RawResponse | undefined {
  if (!(thrown instanceof RosterProblem || thrown instanceof Problem)) return undefined
  return thrown instanceof RosterProblem
    ? statusInfo(thrown.minor, thrown.message)
    : statusInfo(minorOfStatus(thrown.status), thrown.words('en'), thrown.status)
}

export function statusInfo(minor: CodeMinor, description: string, status: number = statuses[minor]): RawResponse {
  return new RawResponse(
    {
      imsx_codeMajor: 'failure',
      imsx_severity: 'error',
      imsx_description: description,
      imsx_CodeMinor: {
        imsx_codeMinorField: [{ imsx_codeMinorFieldName: 'TargetEndSystem', imsx_codeMinorFieldValue: minor }],
      },
    },
    status,
    {
      ...(status === 401 ? { 'WWW-Authenticate': 'Bearer realm="OneRoster"' } : {}),
      ...(status === 429 ? { 'Retry-After': '60' } : {}),
    },
  )
}
