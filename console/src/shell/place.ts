export { draftKey } from '../session/draft.ts'
export * from '../ui/place.ts'
