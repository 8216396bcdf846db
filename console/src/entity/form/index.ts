export type { FormParts } from './form-fields.tsx'
export { useSeveral } from './proposed-values.tsx'
