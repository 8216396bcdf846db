import type { Kind } from '@data-brain/contract'
import { area } from './area.tsx'
import { choice } from './choice.tsx'
import { choices } from './choices.tsx'
import { date } from './date.tsx'
import { decimal } from './decimal.tsx'
import type { FieldKind } from './field-kind.ts'
import { flag } from './flag.tsx'
import { instant } from './instant.tsx'
import { integer } from './integer.tsx'
import { json } from './json.tsx'
import { personal } from './personal.tsx'
import { reference } from './reference.tsx'
import { references } from './references.tsx'
import { region } from './region.tsx'
import { secret } from './secret.tsx'
import { text } from './text.tsx'
import '../../form/form-words.ts'

/** The input and the check of each kind of field. */
export const fieldKinds: Readonly<Record<Kind, FieldKind>> = {
  text,
  area,
  integer,
  decimal,
  flag,
  choice,
  choices,
  date,
  instant,
  reference,
  references,
  region,
  personal,
  secret,
  json,
}
