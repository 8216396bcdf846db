export { useKnownCalls } from './calls.ts'
