export { bringPageInputs } from './inputs.ts'
