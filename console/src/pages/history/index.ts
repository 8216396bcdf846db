export { type Asking, Older, onward, useOlder } from './older.tsx'
