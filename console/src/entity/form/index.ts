export type { FormParts } from './form-fields.tsx'
