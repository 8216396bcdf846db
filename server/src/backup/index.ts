export { backUp } from './make.ts'
export { restore } from './restore.ts'
