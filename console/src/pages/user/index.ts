export { type Item, TwoLists } from './two-lists.tsx'
