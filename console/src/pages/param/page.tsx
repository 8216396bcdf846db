import type { FormParts } from '../../entity/form-fields.tsx'
import EntityPage from '../../entity/page.tsx'
import { paramWords } from '../../locales/param.ts'
import { specTexts } from '../../locales/spec-texts.ts'
import { useCan } from '../../session/session.ts'
import { addWords } from '../../ui/words.ts'
import { KnownParams } from './known.tsx'
import './page.css'

addWords(paramWords)

const formParts: FormParts = {
  asks: {
    paramName: specTexts['spec.paramName'],
    paramKey: specTexts['spec.paramKey'],
    paramValue: specTexts['spec.paramValue'],
  },
}

/** A tenant's parameters: those that the server reads, with their types, over the list of all that are set. */
export default function ParamPage() {
  const can = useCan()
  return <EntityPage entity="param" formParts={formParts} above={can('param_view') && <KnownParams />} />
}
