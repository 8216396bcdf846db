export { OlderButton, readOnward, type SliceRequest, useOlder } from './older-records.tsx'
