export { type BulkAction, BulkBar } from './bulk-bar.tsx'
