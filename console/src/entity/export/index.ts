export { mayExport } from './code.ts'
export { sizeText } from './export.tsx'
export { fetchKept, keptFile } from './export-job.tsx'
