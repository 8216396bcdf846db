export { useSetUp } from './set-up.ts'
