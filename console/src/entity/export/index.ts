export { mayExport } from './code.ts'
export { sizeText } from './export.tsx'
export { exportInBackground, fetchKept, type KeptFile, keptFile } from './export-job.tsx'
